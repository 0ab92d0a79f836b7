package kineto

import (
	"context"
	"io"
)

// A Table is one of the tables of a Trace.
type Table uint8

// The tables. Names of processes and threads, and events that cannot be read, are in
// none.
const (
	NoTable Table = iota
	InOps
	InAnnotations
	InGPUSpans
	InPython
	InCalls
	InKernels
	InCopies
	InSets
	InSyncs
	InOverhead
	InOthers
	InMemory
	InFlows
	InCounters
	InInstants
)

// A Place tells where in the unpacked text an event stands, and which row it is. The
// beginning and the end of a slice that are events of their own have the same row.
type Place struct {
	Start, End int64 // bytes
	Table      Table
	Row        int32
}

// Locate reads a trace as Read does, and tells where its events stand, in their order.
func Locate(ctx context.Context, in io.ReaderAt, size int64, name string) (*Trace, []Place, error) {
	p := newParser(ctx, name)
	p.located = true
	t, err := p.readAll(in, size)
	return t, p.places, err
}

// here notes the event between two offsets of the window, which was just added.
func (p *parser) here(start, end int) {
	if !p.located {
		return
	}
	at := Place{Start: p.base + int64(start), End: p.base + int64(end), Table: p.table}
	p.table = NoTable
	if at.Table != NoTable {
		at.Row = int32(p.t.rows(at.Table) - 1)
	}
	p.places = append(p.places, at)
	if p.began >= 0 && at.Table != NoTable {
		p.places[p.began].Table, p.places[p.began].Row = at.Table, at.Row
	}
	p.began = -1
}

// tableOf is the table of a kind of slices.
func tableOf(k kind) Table {
	return [...]Table{kindOther: InOthers, kindOp: InOps, kindAnnotation: InAnnotations, kindSpan: InGPUSpans, kindPython: InPython, kindCall: InCalls,
		kindKernel: InKernels, kindCopy: InCopies, kindSet: InSets, kindSync: InSyncs, kindOverhead: InOverhead}[k]
}

// Slices are the slices of a table; nil for tables of events without duration.
func (t *Trace) Slices(of Table) *Slices {
	switch of {
	case InOps:
		return &t.Ops.Slices
	case InAnnotations:
		return &t.Annotations.Slices
	case InGPUSpans:
		return &t.GPUSpans
	case InPython:
		return &t.Python.Slices
	case InCalls:
		return &t.Calls.Slices
	case InKernels:
		return &t.Kernels.Slices
	case InCopies:
		return &t.Copies.Slices
	case InSets:
		return &t.Sets.Slices
	case InSyncs:
		return &t.Syncs.Slices
	case InOverhead:
		return &t.Overhead
	case InOthers:
		return &t.Others
	}
	return nil
}

// rows is how many rows a table has.
func (t *Trace) rows(of Table) int {
	switch of {
	case InMemory:
		return t.Memory.Time.Len()
	case InFlows:
		return t.Flows.ID.Len()
	case InCounters:
		return t.Counters.Time.Len()
	case InInstants:
		return t.Instants.Time.Len()
	case NoTable:
		return 0
	}
	return t.Slices(of).Rows()
}
