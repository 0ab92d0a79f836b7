package query

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// An answerer answers a recipe from the trace; ok is false where it cannot.
type answerer func(ctx context.Context, tr *trace.Trace, most Bounds) (res Result, ok bool, err error)

// direct are the recipes that need no SQL.
var direct = map[string]answerer{"api_to_kernel": apiToKernel, "rename_kernels": renameKernels}

// Direct answers a recipe without SQL, where that is known to be the same; ok is
// false where it is not.
func Direct(ctx context.Context, tr *trace.Trace, name string, most Bounds) (res Result, ok bool, err error) {
	if answer := direct[name]; answer != nil {
		return answer(ctx, tr, most)
	}
	return res, false, nil
}

// apiToKernel is the recipe of that name: SQLite joins the calls and kernels of a large
// file in a minute, the index of a trace in a second.
func apiToKernel(ctx context.Context, tr *trace.Trace, most Bounds) (res Result, ok bool, err error) {
	j, err := readJoin(ctx, tr)
	if j == nil || err != nil {
		return res, false, err
	}
	pairs, total, ok := j.longest(most.Rows)
	if !ok {
		return res, false, nil
	}
	if res, ok, err = j.answer(tr, pairs, most); !ok {
		return res, false, err
	}
	res.More = most.Rows > 0 && total > most.Rows
	return res, true, err
}

// A join is what ties kernels to calls.
type join struct {
	call, kernel        *trace.Table
	start, end, name    []int64 // of calls
	kstart, kend, kname []int64
	pid, corr           []int64 // of kernels
	find                *trace.Index
}

// readJoin reads the tables; nil where they are not as expected, so that SQL may say
// what it finds.
func readJoin(ctx context.Context, tr *trace.Trace) (*join, error) {
	if err := tr.LoadNames(ctx); err != nil || tr.NamesLost() {
		return nil, err
	}
	c, err := whole(ctx, tr, trace.TableRuntime, "start", "end", "globalTid", "correlationId", "nameId")
	if c == nil || err != nil {
		return nil, err
	}
	k, err := whole(ctx, tr, trace.TableKernel, "start", "end", "globalPid", "correlationId", "demangledName")
	if k == nil || err != nil {
		return nil, err
	}
	return &join{call: c, kernel: k, start: c.Ints("start"), end: c.Ints("end"), name: c.Ints("nameId"), kstart: k.Ints("start"), kend: k.Ints("end"), kname: k.Ints("demangledName"),
		pid: k.Ints("globalPid"), corr: k.Ints("correlationId"), find: trace.NewIndex(c.Ints("globalTid"), c.Ints("correlationId"))}, nil
}

// whole is a table of which all of some columns are there, are integers and never
// NULL; nil where it is not so.
func whole(ctx context.Context, tr *trace.Trace, table string, columns ...string) (*trace.Table, error) {
	t, err := tr.Table(ctx, table, columns...)
	if err != nil || t == nil || len(tr.Problems()) > 0 {
		return nil, err
	}
	for _, name := range columns {
		c := t.Col(name)
		if c == nil || c.Kind != trace.Integers || slices.Contains(c.Null, true) {
			return nil, nil
		}
	}
	return t, nil
}

// A pair is a kernel and the call that launched it, as rows.
type pair struct{ call, kernel int32 }

// longest are the pairs of the longest calls, at most so many (0: all), and how many
// there are in all. It gives up where there are more pairs than rows: numbers that are
// no key.
func (j *join) longest(most int) (out []pair, total int, ok bool) {
	long := func(p pair) int64 { return j.end[p.call] - j.start[p.call] }
	longer := func(a, b pair) int { return cmp.Or(cmp.Compare(long(b), long(a)), cmp.Compare(a.kernel, b.kernel)) }
	least, full := int64(0), false // beyond which a pair is among the longest
	for i, pid := range j.pid {
		for r := j.find.Find(pid, j.corr[i]); r >= 0; r = j.find.Next(r) {
			if total++; total > j.call.Rows+j.kernel.Rows {
				return nil, 0, false
			}
			p := pair{r, int32(i)}
			if full && long(p) <= least {
				continue
			}
			if out = append(out, p); most > 0 && len(out) >= 2*most {
				slices.SortFunc(out, longer)
				out = out[:most]
				least, full = long(out[most-1]), true
			}
		}
	}
	slices.SortFunc(out, longer)
	if most > 0 && len(out) > most {
		out = out[:most]
	}
	return out, total, true
}

// answer is the table as SQL makes it; ok is false where a name is not in StringIds.
func (j *join) answer(tr *trace.Trace, pairs []pair, most Bounds) (res Result, ok bool, err error) {
	t := &view.Table{ID: "result"}
	for _, name := range []string{"start", "duration", "api", "kernel_start", "kernel_duration", "kernel"} {
		t.Columns = append(t.Columns, view.Column{Name: name, Type: view.Any, Number: &view.NumberStyle{Decimals: 6}})
	}
	size := int64(0)
	for _, p := range pairs {
		api, ok := tr.Name(j.name[p.call])
		kernel, known := tr.Name(j.kname[p.kernel])
		if !ok || !known { // SQL shows another pair in its place
			return res, false, nil
		}
		a, k := tr.Strings.Text(api), tr.Strings.Text(kernel)
		if size += 6*int64(cellSize) + 2*int64(len(a)+len(k)); most.Bytes > 0 && size > most.Bytes {
			return res, true, ErrSize
		}
		t.Rows = append(t.Rows, []view.Value{view.Int(j.start[p.call], ""), view.Int(j.end[p.call]-j.start[p.call], ""), view.String(a),
			view.Int(j.kstart[p.kernel], ""), view.Int(j.kend[p.kernel]-j.kstart[p.kernel], ""), view.String(k)})
	}
	wordColumns(t)
	return Result{Table: t}, true, nil
}
