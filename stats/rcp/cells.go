package rcp

import (
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/view"
)

// ms is a cell with a duration in milliseconds, of which AMD prints five
// decimals, and 0 for nothing.
func (a *Analysis) ms(ns uint64) view.Value {
	v := float64(ns) * 1e-6
	if ns == 0 {
		return view.Worded(view.Float(v, ""), "0")
	}
	return fixed(v, 5)
}

// duration is the cell of a command that may end before it starts.
func (a *Analysis) duration(start, end uint64) view.Value {
	if end < start && !a.o.Compat {
		return view.Missing("NA")
	}
	return a.ms(end - start)
}

// percent is part as a percentage of all.
func (a *Analysis) percent(part, all uint64, decimals int) view.Value {
	if all == 0 {
		if a.o.Compat {
			return view.String("-nan") // what AMD's division by zero prints
		}
		return view.Missing("NA")
	}
	return fixed(100*(float64(part)/float64(all)), decimals)
}

func (a *Analysis) count(n uint64) view.Value {
	return view.Named(n, strconv.FormatUint(n, 10))
}

func (a *Analysis) index(n int) view.Value {
	if n < 0 {
		return view.Missing("N/A")
	}
	return a.count(uint64(n))
}

// size is a cell with a number of bytes. A unit changes above 1024 of the one
// before.
func (a *Analysis) size(bytes uint64) view.Value {
	if bytes == 0 {
		return view.Named(0, "0 Byte")
	}
	v, unit := float64(bytes), 0
	for units := []string{"Byte", "KB", "MB", "GB"}; ; unit++ {
		if v <= 1024 || unit == len(units)-1 {
			return view.Named(bytes, strconv.FormatFloat(v, 'f', 2, 64)+" "+units[unit])
		}
		v /= 1024
	}
}

// rate is a cell with megabytes (2^20) a second.
func (a *Analysis) rate(bytes, ns uint64) view.Value {
	v := float64(bytes) / (1 << 20) / (float64(ns) * 1e-9)
	if math.IsInf(v, 1) {
		return view.Worded(view.Float(v, ""), "inf")
	}
	return fixed(v, 3)
}

// fixed is a number of which people read so many decimals.
func fixed(v float64, decimals int) view.Value {
	return view.Worded(view.Float(v, ""), strconv.FormatFloat(v, 'f', decimals, 64))
}

var notAvailable = view.Missing("NA")

// column makes a column; numbers stand on the right.
func column(name string, number bool) view.Column {
	c := view.Column{Name: name, Type: view.Text}
	if number {
		c.Type, c.Align = view.Any, view.AlignRight
	}
	return c
}

func texts(names ...string) []view.Column {
	var out []view.Column
	for _, n := range names {
		out = append(out, column(n, false))
	}
	return out
}

func numbers(names ...string) []view.Column {
	var out []view.Column
	for _, n := range names {
		out = append(out, column(n, true))
	}
	return out
}

func columns(groups ...[]view.Column) []view.Column {
	var out []view.Column
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}
