package export

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/trace"
)

// noBytes stands for a slice that moved none.
const noBytes = math.MinInt64

// args keeps the facts of the rows of a table. Rows share most of theirs, so a row
// that is held has but their number.
type args struct {
	ctx    context.Context
	tr     *trace.Trace
	table  trace.SliceTable
	names  []string
	number map[string]int32
	sets   [][]trace.Fact
	colors []int64 // of NVTX events, by the number of their facts; noColor: none
	buf    []byte
}

// noColor stands for an event that has none; colours have 32 bits.
const noColor = -1

// mostSets bounds how many different facts a table may have. Rows beyond are
// without; what differs from row to row is no fact, so none were seen.
const mostSets = 1 << 20

func newArgs(w *walker, a trace.SliceTable) *args {
	return &args{ctx: w.ctx, tr: w.tr, table: a, names: w.tr.FactColumns(a), number: map[string]int32{}}
}

// of returns what numbers the facts of the rows of a part.
func (a *args) of(t *trace.Table) func(i int) int32 {
	facts := a.tr.Facts(a.ctx, a.table, t)
	var columns []*trace.Column
	for _, n := range a.names {
		if c := t.Col(n); c != nil {
			columns = append(columns, c)
		}
	}
	if len(columns) == 0 {
		return func(int) int32 { return -1 }
	}
	return func(i int) int32 {
		b := a.buf[:0]
		for _, c := range columns {
			switch {
			case c.IsNull(i):
				b = append(b, 0)
			case c.Kind == trace.Texts:
				b = binary.AppendUvarint(append(b, 1), uint64(c.Syms[i]))
			default:
				b = binary.AppendVarint(append(b, 1), c.Ints[i])
			}
		}
		a.buf = b
		n, ok := a.number[string(b)]
		switch {
		case ok:
			return n
		case len(a.sets) >= mostSets:
			return -1
		}
		n = int32(len(a.sets))
		a.number[string(b)] = n
		a.sets = append(a.sets, facts(i))
		return n
	}
}

// ofNvtx returns what numbers the facts of NVTX events: category and colour.
func (a *args) ofNvtx(t *trace.Table, domains *trace.Domains) func(i int) int32 {
	color, category := t.Col("color"), t.Col("category")
	tid, domain := t.Ints("globalTid"), t.Ints("domainId")
	has := func(c *trace.Column, i int) bool { return c != nil && c.Kind == trace.Integers && !c.IsNull(i) }
	return func(i int) int32 {
		if !has(color, i) && (!has(category, i) || category.Ints[i] == 0) {
			return -1
		}
		argb, name := int64(noColor), ""
		if has(color, i) {
			argb = color.Ints[i] & 0xffffffff
		}
		if has(category, i) && category.Ints[i] != 0 {
			name = cmp.Or(domains.Category(trace.GlobalID(tid[i]), domain[i], category.Ints[i]), strconv.FormatInt(category.Ints[i], 10))
		}
		key := strconv.FormatInt(argb, 16) + " " + name
		n, ok := a.number[key]
		switch {
		case ok:
			return n
		case len(a.sets) >= mostSets:
			return -1
		}
		n = int32(len(a.sets))
		a.number[key] = n
		var facts []trace.Fact
		if name != "" {
			facts = append(facts, trace.Fact{Name: "category", Text: name, IsText: true})
		}
		if argb != noColor {
			facts = append(facts, trace.Fact{Name: "color", Text: fmt.Sprintf("#%06X", argb&0xffffff), IsText: true})
		}
		a.sets, a.colors = append(a.sets, facts), append(a.colors, argb)
		return n
	}
}

// argb is the colour that the program gave a slice, or noColor.
func (s *slice) argb() int64 {
	if s.args == nil || s.fact < 0 || s.args.colors == nil {
		return noColor
	}
	return s.args.colors[s.fact]
}

// facts are those of a slice: its table's, its size, what ties it to others, and
// the payload of NVTX.
func (s *slice) facts() []trace.Fact {
	out := s.own
	if s.args != nil && s.fact >= 0 {
		out = append(out, s.args.sets[s.fact]...)
	}
	if s.bytes != noBytes && s.args != nil {
		out = append(out, trace.SizeFacts(s.bytes, s.end-s.start)...)
	}
	if s.flow != 0 {
		out = append(out, trace.Fact{Name: "correlation", Number: int64(s.flow & (1<<40 - 1))})
	}
	if s.payload != "" {
		out = append(out, trace.Fact{Name: "payload", Text: s.payload, IsText: true})
	}
	return out
}
