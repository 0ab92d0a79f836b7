package export

import (
	"context"
	"encoding/binary"
	"math"

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
	buf    []byte
}

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

// facts are those of a slice: its table's, its size, what ties it to others, and
// the payload of NVTX.
func (s *slice) facts() []trace.Fact {
	var out []trace.Fact
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
