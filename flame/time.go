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
// same depth, as they are made: no more are held than are returned.
func (p *Profile) TimeOrder(thread trace.GlobalID, v View) []Box {
	var zero, last int64
	n := 0
	for i, g := range p.Thread {
		if g == thread {
			if n == 0 {
				zero, last = p.Start[i], p.Start[i]
			}
			n++
			last = max(last, p.End[i])
		}
	}
	if n == 0 {
		return nil
	}
	t := timePicture{Profile: p, zero: zero}
	t.from, t.to, t.pixel = v.span(last - zero)
	for i, g := range p.Thread {
		if g != thread {
			continue
		}
		if p.Whole {
			t.whole(i)
		} else {
			t.stack(i)
		}
	}
	t.close(0)
	var out []Box
	for _, r := range t.rows {
		out = append(out, r.boxes...)
	}
	slices.SortStableFunc(out, func(a, b Box) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Depth, b.Depth)) })
	return out
}

// A timePicture is a picture that is being made, event by event.
type timePicture struct {
	*Profile
	zero, from, to int64
	pixel          float64
	rows           []timeRow
	path           []int32 // of the event, from the outermost
	open           []openBox
}

// An openBox is a box that the next event may make wider.
type openBox struct {
	node int32
	box  Box
}

// whole draws an event that is a box of its own.
func (t *timePicture) whole(i int) {
	depth := t.walk(t.Node[i]) - 1
	t.push(Box{X: t.Start[i] - t.zero, Width: t.End[i] - t.Start[i], Depth: depth, Name: t.Names[t.Name[t.Node[i]]], Count: 1})
}

// stack draws an event with the frames around it. Events that follow each other
// with the same frames share their boxes.
func (t *timePicture) stack(i int) {
	x, end := t.Start[i]-t.zero, t.End[i]-t.zero
	depth := t.walk(t.Node[i])
	same := 0
	for same < min(len(t.open), depth) && t.open[same].node == t.path[same] && t.open[same].box.X+t.open[same].box.Width >= x {
		b := &t.open[same].box
		b.Width = max(b.Width, end-b.X)
		b.Count++
		same++
	}
	t.close(same)
	for d := same; d < depth; d++ {
		n := t.path[d]
		t.open = append(t.open, openBox{n, Box{X: x, Width: end - x, Depth: d, Name: t.Names[t.Name[n]], Count: 1}})
	}
}

// walk sets the path to a node, cut off at maxDepth, and returns its length.
func (t *timePicture) walk(node int32) int {
	t.path = t.path[:0]
	for n := node; n >= 0; n = t.Parent[n] {
		t.path = append(t.path, n)
	}
	slices.Reverse(t.path)
	t.path = t.path[:min(len(t.path), maxDepth)]
	return len(t.path)
}

// close ends the boxes from a depth on.
func (t *timePicture) close(from int) {
	for _, o := range t.open[from:] {
		t.push(o.box)
	}
	t.open = t.open[:from]
}

// A timeRow holds the boxes of a depth.
type timeRow struct {
	boxes  []Box
	place  int64 // pixel in which the last box begins, if it is narrower than one; else -1
	widest int64 // of those that became the last box
}

// push adds a box to its row, if the view has it.
func (t *timePicture) push(b Box) {
	for len(t.rows) <= b.Depth {
		t.rows = append(t.rows, timeRow{place: -1})
	}
	if b.X >= t.to || b.X+b.Width < t.from {
		return
	}
	b.Total = b.Width
	r := &t.rows[b.Depth]
	if float64(b.Width) >= t.pixel || t.pixel <= 0 {
		r.boxes, r.place = append(r.boxes, b), -1
		return
	}
	at := int64(float64(b.X-t.from) / t.pixel)
	if at != r.place {
		r.boxes, r.place, r.widest = append(r.boxes, b), at, b.Width
		return
	}
	m := &r.boxes[len(r.boxes)-1]
	m.Merged = max(m.Merged, 1) + 1
	m.Width = max(m.Width, b.X+b.Width-m.X)
	m.Total += b.Total
	m.Count += b.Count
	if b.Width > r.widest {
		m.Name, r.widest = b.Name, b.Width
	}
}
