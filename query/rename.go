package query

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// renameKernels is the recipe of that name: SQLite looks through the ranges of a thread for
// each kernel, a sweep over both needs each range once.
func renameKernels(ctx context.Context, tr *trace.Trace, most Bounds) (res Result, ok bool, err error) {
	j, err := readJoin(ctx, tr)
	if j == nil || err != nil {
		return res, false, err
	}
	e, err := readPushed(ctx, tr)
	if e == nil || err != nil {
		return res, false, err
	}
	pairs, more, ok := j.first(most.Rows)
	if !ok {
		return res, false, nil
	}
	around := e.around(j, pairs)
	t := &view.Table{ID: "result"}
	for _, name := range []string{"start", "duration", "name"} {
		t.Columns = append(t.Columns, view.Column{Name: name, Type: view.Any, Number: &view.NumberStyle{Decimals: 6}})
	}
	size := int64(0)
	for i, p := range pairs {
		y, known := tr.Name(j.kname[p.kernel])
		if !known { // SQL leaves it out
			return res, false, nil
		}
		name := tr.Strings.Text(y)
		if x := around[i]; x >= 0 {
			if text, has := tr.EventText(e.events, int(x)); has {
				name = tr.Strings.Text(text) + "/" + name
			}
		}
		if size += 3*int64(cellSize) + int64(len(name)); most.Bytes > 0 && size > most.Bytes {
			return res, true, ErrSize
		}
		start := j.kstart[p.kernel]
		t.Rows = append(t.Rows, []view.Value{view.Int(start, ""), view.Int(j.kend[p.kernel]-start, ""), view.String(name)})
	}
	wordColumns(t)
	return Result{Table: t, More: more}, true, nil
}

// first are the pairs of the first kernels, at most so many (0: all), and whether
// there are more. It gives up where there are more pairs than rows: numbers that are no key.
func (j *join) first(most int) (out []pair, more, ok bool) {
	for i, pid := range j.pid {
		for r := j.find.Find(pid, j.corr[i]); r >= 0; r = j.find.Next(r) {
			if most > 0 && len(out) == most {
				return out, true, true
			}
			if out = append(out, pair{r, int32(i)}); len(out) > j.call.Rows+j.kernel.Rows {
				return nil, false, false
			}
		}
	}
	return out, false, true
}

// pushed are the ranges of a thread, pushed and popped there.
type pushed struct {
	events             *trace.Table
	thread, start, end []int64
	rows               []int32 // of those that have ended, by thread and start; of equal start the longer first
}

// readPushed reads the ranges; nil where the table is not as expected.
func readPushed(ctx context.Context, tr *trace.Trace) (*pushed, error) {
	t, err := whole(ctx, tr, trace.TableNvtx, "start", "globalTid", "eventType")
	if t == nil || err != nil {
		return nil, err
	}
	if t, err = tr.Table(ctx, trace.TableNvtx, "start", "end", "globalTid", "eventType", "text", "textId"); err != nil {
		return nil, err
	}
	end, text, id := t.Col("end"), t.Col("text"), t.Col("textId")
	if end == nil || end.Kind != trace.Integers || text == nil || text.Kind != trace.Texts || id == nil || id.Kind != trace.Integers {
		return nil, nil
	}
	e := &pushed{events: t, thread: t.Ints("globalTid"), start: t.Ints("start"), end: end.Ints}
	for i, typ := range t.Ints("eventType") {
		if (typ == trace.NvtxPushPop || typ == trace.NvtxtPushPop) && !end.IsNull(i) {
			e.rows = append(e.rows, int32(i))
		}
	}
	e.sort()
	return e, nil
}

func (e *pushed) sort() {
	slices.SortFunc(e.rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(e.thread[a], e.thread[b]), cmp.Compare(e.start[a], e.start[b]), cmp.Compare(e.end[b], e.end[a]), cmp.Compare(b, a))
	})
}

// around finds for the call of each pair the range that began last of those that began
// before it and ended after it, -1 where there is none.
func (e *pushed) around(j *join, pairs []pair) []int32 {
	tid := j.call.Ints("globalTid")
	order := make([]int32, len(pairs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := pairs[a].call, pairs[b].call
		return cmp.Or(cmp.Compare(tid[x], tid[y]), cmp.Compare(j.start[x], j.start[y]))
	})
	out := make([]int32, len(pairs))
	var open []int32 // no range here ends as late as one before it: that one would be hidden
	next := 0
	for _, i := range order {
		call := pairs[i].call
		thread, start, end := tid[call], j.start[call], j.end[call]
		if len(open) > 0 && e.thread[open[0]] != thread {
			open = open[:0]
		}
		for ; next < len(e.rows) && (e.thread[e.rows[next]] < thread || e.thread[e.rows[next]] == thread && e.start[e.rows[next]] <= start); next++ {
			x := e.rows[next]
			if e.thread[x] != thread {
				continue
			}
			for len(open) > 0 && e.end[open[len(open)-1]] <= e.end[x] {
				open = open[:len(open)-1]
			}
			open = append(open, x)
		}
		n := sort.Search(len(open), func(k int) bool { return e.end[open[k]] < end })
		out[i] = -1
		if n > 0 {
			out[i] = open[n-1]
		}
	}
	return out
}
