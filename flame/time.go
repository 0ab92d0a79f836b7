package flame

import (
	"cmp"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// TimeOrder draws one thread as it ran. X is in ns from the start of the first
// event of the thread. Samples last until the next one, but no longer than ten
// times what lies between most of them: what a thread did after that is not
// known. Boxes narrower than a pixel become one with their neighbours of the
// same depth.
func (p *Profile) TimeOrder(thread trace.GlobalID, v View) []Box {
	var events []int
	for i, g := range p.Thread {
		if g == thread {
			events = append(events, i)
		}
	}
	if len(events) == 0 {
		return nil
	}
	zero, last := p.Start[events[0]], p.Start[events[0]]
	for _, i := range events {
		last = max(last, p.End[i])
	}
	from, to, pixel := v.span(last - zero)
	rows := p.rows(events, zero)
	var out []Box
	for _, row := range rows {
		slices.SortStableFunc(row, func(a, b Box) int { return cmp.Compare(a.X, b.X) })
		out = append(out, squeeze(row, from, to, pixel)...)
	}
	slices.SortStableFunc(out, func(a, b Box) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Depth, b.Depth)) })
	return out
}

// rows are the boxes of events by depth. Events that follow each other with the
// same frames around them share boxes.
func (p *Profile) rows(events []int, zero int64) [][]Box {
	var rows [][]Box
	type open struct {
		node int32
		at   int // index in the row
	}
	var around []open // the boxes that the event before was in
	var path []int32
	for _, i := range events {
		path = path[:0]
		for n := p.Node[i]; n >= 0; n = p.Parent[n] {
			path = append(path, n)
		}
		slices.Reverse(path)
		for len(rows) < len(path) {
			rows = append(rows, nil)
		}
		x, w := p.Start[i]-zero, p.End[i]-p.Start[i]
		if p.Whole {
			d := len(path) - 1
			rows[d] = append(rows[d], Box{X: x, Width: w, Depth: d, Name: p.Names[p.Name[p.Node[i]]], Total: w, Count: 1})
			continue
		}
		for d, n := range path {
			if d < len(around) && around[d].node == n && rows[d][around[d].at].X+rows[d][around[d].at].Width >= x {
				b := &rows[d][around[d].at]
				b.Width = max(b.Width, x+w-b.X)
				b.Total = b.Width
				b.Count++
				continue
			}
			around = append(around[:d], open{n, len(rows[d])})
			rows[d] = append(rows[d], Box{X: x, Width: w, Depth: d, Name: p.Names[p.Name[n]], Total: w, Count: 1})
		}
		around = around[:min(len(around), len(path))]
	}
	return rows
}

// squeeze takes the boxes of a row that touch the view, and makes one of
// neighbours that are narrower than a pixel and begin in the same one.
func squeeze(row []Box, from, to int64, pixel float64) []Box {
	var out []Box
	var widest int64
	place := int64(-1)
	for _, b := range row {
		if b.X >= to || b.X+b.Width < from {
			continue
		}
		if float64(b.Width) >= pixel || pixel <= 0 {
			out, place = append(out, b), -1
			continue
		}
		at := int64(float64(b.X-from) / pixel)
		if at != place || len(out) == 0 {
			out, place, widest = append(out, b), at, b.Width
			continue
		}
		m := &out[len(out)-1]
		m.Merged = max(m.Merged, 1) + 1
		m.Width = max(m.Width, b.X+b.Width-m.X)
		m.Total += b.Total
		m.Count += b.Count
		if b.Width > widest {
			m.Name, widest = b.Name, b.Width
		}
	}
	return out
}
