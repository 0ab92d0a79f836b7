package load

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/trace"
)

// A repColumn takes a column of a table from a column of its events.
type repColumn struct {
	name string
	slot int
	or   int  // column to take where slot is absent; -1: none
	null bool // NULL where the field is absent, else 0
	as   byte // what the number is: 't' of a text, 'd' bits of a double, 'f' of a float, 'p' of a globalPid the pid, '+' one less than the cell; 's' numbers stacks, 'n' rows
}

// columns reads a list such as "start:1 end:2? text:7t": the name of a column,
// its field, ? for NULL where the field is absent, a letter of repColumn.as; a
// second field after a bar is taken where the first is absent. base is added to
// fields that are written with a plus.
func columns(base int, list string) []repColumn {
	var out []repColumn
	for _, w := range strings.Fields(list) {
		name, spec, _ := strings.Cut(w, ":")
		c := repColumn{name: name, or: -1}
		if s, ok := strings.CutSuffix(spec, "?"); ok {
			c.null, spec = true, s
		}
		if last := spec[len(spec)-1]; last > '9' || last == '+' {
			c.as, spec = last, spec[:len(spec)-1]
		}
		first, second, two := strings.Cut(spec, "|")
		c.slot = slot(base, first)
		if two {
			c.or = slot(base, second)
		}
		out = append(out, c)
	}
	return out
}

func slot(base int, s string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(s, "+"))
	if strings.HasPrefix(s, "+") {
		n += base
	}
	return n
}

func (t *repTable) column(name string) *repColumn {
	for i := range t.cols {
		if t.cols[i].name == name {
			return &t.cols[i]
		}
	}
	return nil
}

// fromEvents reports whether rows are events, or frames of their stacks.
func (t *repTable) fromEvents() bool { return t.cols != nil }

// never bounds the ends of ranges that did not end: old tools wrote the largest
// number there, and shifted it as they shifted times (seen: by 65 ms).
const never = math.MaxInt64 - 1<<53

// scanEvents makes a table of events frame by frame. A part is valid until yield
// returns.
func (s *nsysRepSource) scanEvents(ctx context.Context, t *repTable, columns []trace.ColumnInfo, in *trace.Strings, yield func(*trace.Table) error) error {
	want := nsysrep.Want{Kind: t.kind, Stacks: t.stacks, Columns: t.need}
	from := make([]*repColumn, len(columns))
	for i, ci := range columns {
		if from[i] = t.column(ci.Name); from[i] != nil {
			want.Columns |= 1 << from[i].slot
			if from[i].or >= 0 {
				want.Columns |= 1 << from[i].or
			}
		}
	}
	p := partOf{table: t, columns: columns, from: from, in: in}
	return s.index.Scan(ctx, want, func(b *nsysrep.Batch) error {
		if out := p.make(b); out.Rows > 0 {
			return yield(out)
		}
		return nil
	})
}

// A partOf makes parts of a table; it keeps what room it can use again.
type partOf struct {
	table   *repTable
	columns []trace.ColumnInfo
	from    []*repColumn
	in      *trace.Strings
	rows    int     // in front
	kept    []int32 // rows of the batch, if not all
	spare   []trace.Column
	own     [][]int64 // numbers that are not those of a batch
}

func (p *partOf) make(b *nsysrep.Batch) *trace.Table {
	if p.spare == nil {
		p.spare, p.own = make([]trace.Column, len(p.columns)), make([][]int64, len(p.columns))
	}
	p.kept = p.kept[:0]
	n := b.N
	if p.table.keep != nil {
		for i := range b.N {
			if p.table.keep(b, i) {
				p.kept = append(p.kept, int32(i))
			}
		}
		n = len(p.kept)
	}
	out := &trace.Table{Name: p.table.name, Rows: n}
	for i, ci := range p.columns {
		c := &p.spare[i]
		c.Name, c.Kind = ci.Name, ci.Kind
		switch {
		case ci.Name == "rowid" || p.from[i] != nil && p.from[i].as == 'n':
			c.Ints = p.room(i, n)
			for k := range c.Ints {
				c.Ints[k] = int64(p.rows + k + 1)
			}
		case p.from[i] == nil:
			p.empty(c, n)
		default:
			p.fill(i, b, n)
		}
		out.Columns = append(out.Columns, c)
	}
	p.rows += n
	return out
}

// room is room for n numbers of column i.
func (p *partOf) room(i, n int) []int64 {
	p.own[i] = room(p.own[i], n)
	return p.own[i]
}

func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// empty makes a column of n NULLs.
func (p *partOf) empty(c *trace.Column, n int) {
	if cap(c.Null) >= n {
		c.Null = c.Null[:n]
		return
	}
	empty(c, n)
}

// fill takes column i from a batch.
func (p *partOf) fill(i int, b *nsysrep.Batch, n int) {
	c, col := &p.spare[i], p.from[i]
	whole := p.table.keep == nil || n == b.N
	values := b.Column(col.slot)
	at := func(i int) int {
		if whole {
			return i
		}
		return int(p.kept[i])
	}
	switch {
	case values == nil && col.as != 's':
		p.empty(c, n)
		return
	case col.as == 's':
		p.stackNumbers(i, b, n)
		return
	case col.as == 't':
		c.Syms = p.in.InternAll(n, func(i int) []byte {
			if row := at(i); col.or < 0 || b.Has(col.slot, row) {
				return b.Text(col.slot, row)
			}
			return b.Text(col.or, at(i))
		})
	case whole && col.as == 0 && (col.or < 0 || b.All(col.slot)):
		c.Ints = values // no cell is touched
	default:
		c.Ints = p.room(i, n)
		or := b.Column(max(col.or, 0))
		for i := range c.Ints {
			row := at(i)
			if c.Ints[i] = values[row]; col.or >= 0 && !b.Has(col.slot, row) {
				c.Ints[i] = or[row]
			}
		}
		col.turn(c)
	}
	p.nulls(c, b, col, n, at)
}

// turn makes of numbers what they stand for.
func (col *repColumn) turn(c *trace.Column) {
	switch col.as {
	case 'p':
		for i, v := range c.Ints {
			c.Ints[i] = trace.GlobalID(v).PID()
		}
	case '+':
		for i, v := range c.Ints {
			c.Ints[i] = v + 1
		}
	case 'd', 'f':
		c.Reals = room(c.Reals, len(c.Ints))
		for i, v := range c.Ints {
			if c.Reals[i] = math.Float64frombits(uint64(v)); col.as == 'f' {
				c.Reals[i] = float64(math.Float32frombits(uint32(v)))
			}
		}
	}
}

// nulls marks the cells whose field is absent.
func (p *partOf) nulls(c *trace.Column, b *nsysrep.Batch, col *repColumn, n int, at func(int) int) {
	ends := col.name == "end" && col.null
	if !col.null || b.All(col.slot) && !ends {
		c.Null = nil
		return
	}
	null, some := room(c.Null, n), false
	for i := range null {
		row := at(i)
		null[i] = !b.Has(col.slot, row) && (col.or < 0 || !b.Has(col.or, row)) || ends && c.Ints[i] > never
		some = some || null[i]
	}
	if c.Null = null; !some {
		c.Null = nil
	}
}

// stackNumbers numbers the events that have a stack, from 1.
func (p *partOf) stackNumbers(i int, b *nsysrep.Batch, n int) {
	c, col := &p.spare[i], p.from[i]
	c.Ints, c.Null = p.room(i, n), nil
	if col.null {
		c.Null = make([]bool, n)
	}
	next := int64(b.FirstStack)
	for i := range c.Ints {
		if b.HasStack(i) {
			next++
			c.Ints[i] = next
			continue
		}
		if c.Ints[i] = 0; col.null {
			c.Null[i] = true
		}
	}
}

// small makes rows of a table that is not made of events.
func (t *repTable) small(from, to int, columns []trace.ColumnInfo, in *trace.Strings) *trace.Table {
	out := &trace.Table{Name: t.name, Rows: to - from}
	for _, ci := range columns {
		c := &trace.Column{Name: ci.Name, Kind: ci.Kind}
		made, texts := t.made[ci.Name], t.text[ci.Name]
		switch {
		case ci.Name == "rowid":
			c.Ints = make([]int64, out.Rows)
			for i := range c.Ints {
				c.Ints[i] = int64(from + i + 1)
			}
		case texts != nil:
			c.Syms = make([]trace.Sym, out.Rows)
			for i := range c.Syms {
				c.Syms[i] = in.Intern(texts[from+i])
			}
			c.Null = nulls(made, from, to)
		case made != nil:
			c.Ints = made.Ints[from:to]
			c.Null = nulls(made, from, to)
		default:
			empty(c, out.Rows)
		}
		out.Columns = append(out.Columns, c)
	}
	return out
}

// empty makes a column of n NULLs.
func empty(c *trace.Column, n int) {
	c.Null = make([]bool, n)
	for i := range c.Null {
		c.Null[i] = true
	}
	switch c.Kind {
	case trace.Integers:
		c.Ints = make([]int64, n)
	case trace.Reals:
		c.Reals = make([]float64, n)
	case trace.Texts:
		c.Syms = make([]trace.Sym, n)
	}
}

func nulls(c *trace.Column, from, to int) []bool {
	if c == nil || c.Null == nil {
		return nil
	}
	return c.Null[from:to]
}
