package rcp

import (
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/view"
)

// moved counts transfers of one direction.
type moved struct{ n, ns, bytes uint64 }

func (m *moved) add(o moved) { m.n += o.n; m.ns += o.ns; m.bytes += o.bytes }

// objects counts what was created in a context.
type objects struct{ queues, buffers, images uint64 }

// contextTotal sums what happened in a context.
type contextTotal struct {
	id      uint32
	objects objects
	kernels map[string]*moved // by device
	all     moved
	dir     [4]moved // in the order of directions
}

// directions are the groups of columns; a command belongs to the first whose
// word is in its name, tried in the order of tests.
var (
	directions = []string{"Read", "Write", "Map", "Copy"}
	tests      = []struct {
		word string
		dir  int
	}{{"COPY", 3}, {"READ", 0}, {"WRITE", 1}, {"_MAP", 2}}
)

// contextSummary is CLContextSummary.
func (a *Analysis) contextSummary() *view.Table {
	s := contexts{a: a, byID: map[uint32]*contextTotal{}, created: map[string]*objects{}, handles: map[string]uint32{}}
	a.each(amd.OpenCL, s.add)
	if len(s.byID) == 0 {
		return nil
	}
	if !a.o.Compat {
		for handle, id := range s.handles {
			s.flush(s.byID[id], handle) // what was created after the last command
		}
	}
	t := &view.Table{Columns: columns(texts("Context ID"), numbers("# of Queues", "# of Buffers", "# of Images"))}
	for _, d := range s.devices {
		t.Columns = append(t.Columns, numbers("# of Kernel Dispatch - "+d, "Total Kernel Time(ms) - "+d)...)
	}
	t.Columns = append(t.Columns, numbers("# of Memory Transfer", "Total Memory Time(ms)")...)
	for _, d := range directions {
		t.Columns = append(t.Columns, numbers("# of "+d, "Total "+d+" Time(ms)", "Size of "+d)...)
	}
	total := &contextTotal{kernels: map[string]*moved{}}
	var ids []uint32
	for id, c := range s.byID {
		ids = append(ids, id)
		total.merge(c)
	}
	slices.Sort(ids)
	for _, id := range ids {
		t.Rows = append(t.Rows, s.row(a.count(uint64(id)), s.byID[id]))
	}
	t.Rows = append(t.Rows, s.row(view.String("Total"), total))
	return t
}

func (c *contextTotal) merge(o *contextTotal) {
	c.objects.queues += o.objects.queues
	c.objects.buffers += o.objects.buffers
	c.objects.images += o.objects.images
	c.all.add(o.all)
	for i := range c.dir {
		c.dir[i].add(o.dir[i])
	}
	for d, k := range o.kernels {
		if c.kernels[d] == nil {
			c.kernels[d] = &moved{}
		}
		c.kernels[d].add(*k)
	}
}

// contexts gathers the contexts of a trace.
type contexts struct {
	a       *Analysis
	byID    map[uint32]*contextTotal
	handles map[string]uint32
	created map[string]*objects // by handle of the context, since it was last seen
	devices []string            // on which kernels ran, in order of appearance
}

func (s *contexts) add(c *call) {
	e := s.a.enqueue(c)
	kind := kindOf(c.name)
	switch {
	case kind == kernelCommand && e != nil && e.IsKernel():
		t := s.context(e)
		k := t.kernels[e.Device]
		if k == nil {
			k = &moved{}
			t.kernels[e.Device] = k
			if !slices.Contains(s.devices, e.Device) {
				s.devices = append(s.devices, e.Device)
			}
		}
		k.add(moved{1, s.length(e), 0})
	case kind == memoryCommand && e != nil && e.Shape == amd.Transfer && (!s.a.o.Compat || e.Bytes < 1<<32):
		t := s.context(e)
		m := moved{1, s.length(e), e.Bytes}
		for _, test := range tests {
			if strings.Contains(e.CommandName, test.word) {
				t.dir[test.dir].add(m)
				t.all.ns += m.ns
				break
			}
		}
		t.all.n++
	case kind == notEnqueued && strings.Contains(c.name, "Create"):
		s.create(c)
	}
}

// length is the duration of a command. AMD's wraps where it ends before it
// starts.
func (s *contexts) length(e *amd.Enqueue) uint64 {
	if e.End < e.Start && !s.a.o.Compat {
		return 0
	}
	return e.End - e.Start
}

func (s *contexts) create(c *call) {
	handle := ""
	if x := s.a.text(amd.OpenCL, c); len(x.args) > 0 {
		if handle = x.args[0]; !s.a.o.Compat && (x.result == "NULL" || c.name == "clCreateSubBuffer") {
			return
		}
	}
	o := s.created[handle]
	if o == nil {
		o = &objects{}
		s.created[handle] = o
	}
	switch {
	case strings.Contains(c.name, "Buffer"):
		o.buffers++
	case strings.Contains(c.name, "Image"), !s.a.o.Compat && strings.Contains(c.name, "GLTexture"):
		o.images++
	case strings.Contains(c.name, "CommandQueue"):
		o.queues++
	}
}

// context finds the context of a command and counts to it what was created in it
// since its last command: handles may be used again.
func (s *contexts) context(e *amd.Enqueue) *contextTotal {
	t := s.byID[e.ContextID]
	if t == nil {
		t = &contextTotal{id: e.ContextID, kernels: map[string]*moved{}}
		s.byID[e.ContextID] = t
	}
	s.flush(t, e.Context)
	s.handles[e.Context] = e.ContextID
	return t
}

func (s *contexts) flush(t *contextTotal, handle string) {
	if o := s.created[handle]; o != nil {
		t.objects.queues += o.queues
		t.objects.buffers += o.buffers
		t.objects.images += o.images
		delete(s.created, handle)
	}
}

func (s *contexts) row(id view.Value, t *contextTotal) []view.Value {
	a := s.a
	row := []view.Value{id, a.count(t.objects.queues), a.count(t.objects.buffers), a.count(t.objects.images)}
	for _, d := range s.devices {
		if k := t.kernels[d]; k != nil {
			row = append(row, a.count(k.n), a.ms(k.ns))
		} else {
			row = append(row, notAvailable, notAvailable)
		}
	}
	row = append(row, a.count(t.all.n), a.ms(t.all.ns))
	for _, m := range t.dir {
		row = append(row, a.count(m.n), a.ms(m.ns), a.size(m.bytes))
	}
	return row
}
