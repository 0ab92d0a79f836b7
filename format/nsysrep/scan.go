package nsysrep

import (
	"context"
	"runtime"
)

// A Want says what a scan reads: the events of a kind, or the frames of their
// stacks, and which columns.
type Want struct {
	Kind    Kind
	Stacks  bool
	Columns uint64 // bit n is column n
}

// A Batch holds rows of a frame of the report, by column.
type Batch struct {
	N          int
	First      int // how many rows lie in frames in front
	FirstStack int // how many events with a stack do

	columns [maxColumns][]int64
	has     []uint64
	all     uint64 // columns that every row has
	stack   uint8
	texts   []byte
	ends    []int32
	unknown map[Unknown]int
}

// Column returns the values of a column, 0 where the field is absent; nil if it
// was not asked for, or the kind does not have it. Texts are read by Text.
func (b *Batch) Column(c int) []int64 { return b.columns[c] }

// Has reports whether row i has the field.
func (b *Batch) Has(c, i int) bool { return b.has[i]>>c&1 != 0 }

// All reports whether every row has the field.
func (b *Batch) All(c int) bool { return b.all>>c&1 != 0 }

// HasStack reports whether event i has a stack.
func (b *Batch) HasStack(i int) bool { return b.stack != 0 && b.has[i]>>b.stack&1 != 0 }

// Text returns the text in a column of row i; nil if it is absent.
func (b *Batch) Text(c, i int) []byte {
	if b.columns[c] == nil || !b.Has(c, i) {
		return nil
	}
	n := b.columns[c][i]
	if n < 0 || n >= int64(len(b.ends)) {
		return nil
	}
	begin := int32(0)
	if n > 0 {
		begin = b.ends[n-1]
	}
	return b.texts[begin:b.ends[n]]
}

// shift adds to all values of a column.
func (b *Batch) shift(column, by int) {
	c := b.columns[column]
	for i := range c {
		c[i] += int64(by)
	}
}

// Scan decodes the frames that hold what is wanted, in parallel, and yields a
// Batch for each in the order of the file; it is valid until yield returns. It
// stops at the first error that yield returns and returns it.
func (x *Index) Scan(ctx context.Context, want Want, yield func(*Batch) error) error {
	type job struct{ frame, first, stack, event int }
	var jobs []job
	var at job
	for i := range x.frames {
		c := &x.frames[i].count[want.Kind]
		rows := int(c.events)
		if want.Stacks {
			rows = int(c.frames)
		}
		if rows > 0 {
			jobs = append(jobs, job{i, at.first, at.stack, at.event})
		}
		at.first, at.stack, at.event = at.first+rows, at.stack+int(c.stacks), at.event+int(c.events)
	}
	free := make(chan *Batch, 4*runtime.GOMAXPROCS(0)+4)
	unknown := map[Unknown]int{}
	err := inOrder(ctx, len(jobs), func() *reader { return &reader{} }, func(r *reader, i int) *Batch {
		var b *Batch
		select {
		case b = <-free:
		default:
			b = &Batch{}
		}
		x.read(r, jobs[i].frame, want, b)
		b.First, b.FirstStack = jobs[i].first, jobs[i].stack
		if want.Stacks {
			b.shift(stackOwner, b.FirstStack)
			b.shift(stackEvent, jobs[i].event)
		}
		return b
	}, func(i int, b *Batch) error {
		for k, n := range b.unknown {
			unknown[k] += n
		}
		err := yield(b)
		select {
		case free <- b:
		default:
		}
		return err
	})
	if err == nil {
		part := 0
		if want.Stacks {
			part = 1
		}
		x.nested[want.Kind][part].Do(func() { x.note(unknown) })
	}
	return err
}
