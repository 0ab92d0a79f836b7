package rcp

import (
	"cmp"
	"slices"

	"github.com/gpuprof/gpuprof/format/amd"
)

// A rule looks at calls one after the other. One without visit does not run.
type rule struct {
	wants func(*role) bool
	visit func(*call)
}

// visits are what rules do with calls, by the role of their API.
func (a *Analysis) visits(module string, rules []rule) [][]func(*call) {
	out := make([][]func(*call), a.nRoles+1)
	for _, list := range [][]*role{{noRole}, a.roles[module], a.byID[module]} {
		for _, r := range list {
			for _, x := range rules {
				if x.visit != nil && x.wants(r) {
					out[r.id] = append(out[r.id], x.visit)
				}
			}
		}
	}
	return out
}

// fileOrder shows the calls of a module to rules as they stand in the file.
func (a *Analysis) fileOrder(module string, rules ...rule) {
	visits := a.visits(module, rules)
	a.each(module, func(c *call) {
		for _, visit := range visits[c.role.id] {
			visit(c)
		}
	})
}

// timeOrder shows the calls of a module to rules by the time of their start;
// among equals the earlier thread block goes first.
func (a *Analysis) timeOrder(module string, rules ...rule) {
	visits := a.visits(module, rules)
	h := a.lanes(module, visits)
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
	for len(h) > 0 {
		c := &h[0].c
		for _, visit := range visits[c.role.id] {
			visit(c)
		}
		if !h[0].next() {
			h[0] = h[len(h)-1]
			h = h[:len(h)-1]
		}
		h.sink(0)
	}
}

// A lane gives the calls of a thread by the time of their start. Profilers write
// them in that order, so a list of them is made only where they did not.
type lane struct {
	a      *Analysis
	module string
	visits [][]func(*call) // by role; calls of roles without are left out
	th     *amd.Thread
	nth    int // thread block

	c     call
	i     int     // of the next call, in th or order
	index int     // shown index of the next call in th
	order []place // nil: as they stand
}

// A place is a call by its place, small enough to sort millions.
type place struct {
	start uint64
	i     int32
	index int32
}

// lanes makes a lane of each thread that has calls, with the first in c.
func (a *Analysis) lanes(module string, visits [][]func(*call)) lanes {
	var out lanes
	for n, th := range a.threads[module] {
		l := &lane{a: a, module: module, visits: visits, th: th, nth: n}
		if !l.sorted() {
			l.sort()
		}
		if l.next() {
			out = append(out, l)
		}
	}
	return out
}

// next moves to the next call that is wanted.
func (l *lane) next() bool {
	a := l.a
	if l.order != nil {
		if l.i == len(l.order) {
			return false
		}
		p := l.order[l.i]
		l.i++
		return a.at(&l.c, a.role(l.module, l.th, int(p.i), l.th.API(int(p.i))), l.th, int(p.i), int(p.index))
	}
	for l.i < l.th.Len() {
		i, shown := l.i, -1
		l.i++
		if !l.th.Polls(i) {
			shown = l.index
			l.index++
		}
		r := a.role(l.module, l.th, i, l.th.API(i))
		if len(l.visits[r.id]) > 0 && a.at(&l.c, r, l.th, i, shown) {
			return true
		}
	}
	return false
}

// sorted reports whether the calls stand in the order of their start.
func (l *lane) sorted() bool {
	last := uint64(0)
	for i := range l.th.Len() {
		_, start, _, timed := l.th.Times(i)
		if !timed && l.a.o.Compat {
			continue
		}
		if start < last {
			return false
		}
		last = start
	}
	return true
}

// sort makes order.
func (l *lane) sort() {
	var order []place
	for l.next() {
		order = append(order, place{l.c.start, int32(l.c.i), int32(l.c.index)})
	}
	slices.SortFunc(order, func(x, y place) int {
		if x.start != y.start {
			return cmp.Compare(x.start, y.start)
		}
		return cmp.Compare(x.i, y.i)
	})
	l.order, l.i = order, 0
	if order == nil {
		l.order = []place{}
	}
}

// lanes is a heap, the earliest call first.
type lanes []*lane

func (h lanes) before(i, k int) bool {
	if h[i].c.start != h[k].c.start {
		return h[i].c.start < h[k].c.start
	}
	return h[i].nth < h[k].nth
}

// sink moves lane i down to where it belongs.
func (h lanes) sink(i int) {
	for {
		k := 2*i + 1
		if k >= len(h) {
			return
		}
		if k+1 < len(h) && h.before(k+1, k) {
			k++
		}
		if !h.before(k, i) {
			return
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
}
