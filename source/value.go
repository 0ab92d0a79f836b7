package source

import (
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/view"
)

// flagNames name the bits of a metric that classifies instructions, in the order
// of the bits.
type flagNames []flagName

type flagName struct {
	bit  uint64
	name string
}

// The flags as Nsight Compute 2024.1 names them, found by comparing its page
// with the instructions. Sizes come apart into signed and unsigned: the bits for
// signed ones, 4 and 16, are a guess.
var (
	memoryTypes   = flagNames{{4, "Global"}, {8, "Local"}, {16, "Shared"}}
	accessTypes   = flagNames{{2, "Load"}, {4, "Store"}}
	accessSizes   = flagNames{{2, "8"}, {4, "8"}, {8, "16"}, {16, "16"}, {32, "32"}, {64, "64"}, {128, "128"}}
	evictPolicies = flagNames{} // only 0 was seen
)

// flagsOf returns the flags of a metric, nil for one that holds numbers.
func flagsOf(metric string) flagNames {
	switch metric {
	case "memory_type":
		return memoryTypes
	case "memory_access_type":
		return accessTypes
	case "memory_access_size_type":
		return accessSizes
	case "smsp__sass_inst_executed_memdesc_explicit_evict_type":
		return evictPolicies
	}
	return nil
}

// text lists the names of the bits in v with the number of instructions that
// have them, unless that is one.
func (f flagNames) text(count func(bit uint64) int) string {
	var b strings.Builder
	for _, n := range f {
		k := count(n.bit)
		if k == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(n.name)
		if k > 1 {
			b.WriteString("(" + strconv.Itoa(k) + ")")
		}
	}
	return b.String()
}

// Cell is the value of the column for some instructions: flags that any of them
// has, or a sum, or a mean.
func (c *Column) Cell(s *Listing, rows []int32, mean bool) view.Value {
	if c.flags != nil {
		return c.flagCell(rows)
	}
	if mean && c.Metric.NotByLine {
		return view.Missing("-")
	}
	if mean && c.Metric.Mean {
		return c.meanCell(s, rows)
	}
	if c.float {
		sum := 0.0
		for _, i := range rows {
			sum += math.Float64frombits(c.bits[i])
		}
		return view.Float(sum, c.Unit)
	}
	return view.Uint(c.Sum(rows), c.Unit)
}

// Sum adds up the values of some instructions.
func (c *Column) Sum(rows []int32) uint64 {
	var sum uint64
	for _, i := range rows {
		sum += c.bits[i]
	}
	return sum
}

func (c *Column) flagCell(rows []int32) view.Value {
	any, all := false, uint64(0)
	for _, i := range rows {
		if c.has[i] {
			any = true
			all |= c.bits[i]
		}
	}
	if !any {
		return view.Missing("-")
	}
	return view.Named(all, c.flags.text(func(bit uint64) int {
		n := 0
		for _, i := range rows {
			if c.has[i] && c.bits[i]&bit != 0 {
				n++
			}
		}
		return n
	}))
}

// meanCell is the mean over the instructions that were executed.
func (c *Column) meanCell(s *Listing, rows []int32) view.Value {
	sum, n := 0.0, 0
	for _, i := range rows {
		if !c.has[i] || s.Issued != nil && s.Issued.bits[i] == 0 {
			continue
		}
		n++
		if c.float {
			sum += math.Float64frombits(c.bits[i])
		} else {
			sum += float64(c.bits[i])
		}
	}
	if n == 0 {
		return view.Uint(0, c.Unit)
	}
	return view.Float(sum/float64(n), c.Unit)
}

// TopStall is the reason for which most samples of some instructions stalled, ""
// if none did.
func (s *Listing) TopStall(rows []int32) string {
	label, n := "", uint64(0)
	for i := range s.Stalls {
		if k := s.Stalls[i].Sum(rows); k > n {
			label, n = s.Stalls[i].Metric.Label, k
		}
	}
	return label
}
