package stats

import (
	"context"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// ranges returns the NVTX ranges that the filter keeps.
func (q *Request) ranges(ctx context.Context) (*trace.Ranges, error) {
	r, err := q.Trace.Ranges(ctx)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, skipf("the trace has no NVTX events: there is no table %s", trace.TableNvtx)
	}
	if q.Filter != nil {
		var keep []int
		for i := range r.Start {
			if r.Start[i] <= q.Filter.End && r.End[i] >= q.Filter.Start {
				keep = append(keep, i)
			}
		}
		r = &trace.Ranges{Start: pick(r.Start, keep), End: pick(r.End, keep), Open: pick(r.Open, keep), Thread: pick(r.Thread, keep),
			EndThread: pick(r.EndThread, keep), Text: pick(r.Text, keep), NoText: pick(r.NoText, keep), Domain: pick(r.Domain, keep),
			Category: pick(r.Category, keep), PushPop: pick(r.PushPop, keep), Row: pick(r.Row, keep), LastEnd: r.LastEnd, HasLastEnd: r.HasLastEnd}
	}
	if r.Len() == 0 {
		return nil, skipf("the trace has no NVTX ranges%s", q.suffix())
	}
	return r, nil
}

func style(pushPop bool) string {
	if pushPop {
		return "PushPop"
	}
	return "StartEnd"
}

// rangeNames returns the name of a range as reports print it: domain, a colon
// and the text; the default domain has no name.
func rangeNames(ctx context.Context, tr *trace.Trace, r *trace.Ranges) (func(i int) string, error) {
	domains, err := tr.Domains(ctx)
	if err != nil {
		return nil, err
	}
	return func(i int) string {
		s := tr.Strings.Text(r.Text[i])
		if d := domains.Name(r.Thread[i], r.Domain[i]); d != "" {
			return d + ":" + s
		}
		return s
	}, nil
}

var nvtxSum = &Report{
	Name: "nvtx_sum", Old: []string{"nvtxsum"}, Title: "NVTX Range Summary",
	Short: "time in NVTX ranges, by text and style",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		return nvtxSums(ctx, q, func(bool) bool { return true }, true)
	},
}

var nvtxPushPopSum = &Report{
	Name: "nvtx_pushpop_sum", Old: []string{"nvtxppsum"}, Title: "NVTX Push/Pop Range Summary",
	Short: "time in NVTX push/pop ranges, by text",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		return nvtxSums(ctx, q, func(pushPop bool) bool { return pushPop }, false)
	},
}

var nvtxStartEndSum = &Report{
	Name: "nvtx_startend_sum", Old: []string{"nvtxsesum"}, Title: "NVTX Start/End Range Summary",
	Short: "time in NVTX start/end ranges, by text",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		return nvtxSums(ctx, q, func(pushPop bool) bool { return !pushPop }, false)
	},
}

func nvtxSums(ctx context.Context, q *Request, use func(pushPop bool) bool, withStyle bool) (*view.Table, error) {
	r, err := q.ranges(ctx)
	if err != nil {
		return nil, err
	}
	name, err := rangeNames(ctx, q.Trace, r)
	if err != nil {
		return nil, err
	}
	var rows []int
	for i, p := range r.PushPop {
		if use(p) {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil, skipf("the trace has no NVTX ranges of this kind")
	}
	type key struct {
		text    trace.Sym
		domain  int64
		pid     trace.GlobalID
		pushPop bool
	}
	g, keys := groupBy(len(rows), func(i int) key {
		k := rows[i]
		key := key{r.Text[k], r.Domain[k], 0, r.PushPop[k] && withStyle}
		if r.Domain[k] != 0 {
			key.pid = r.Thread[k].Process()
		}
		return key
	})
	first := make([]int, g.n)
	for i := len(g.of) - 1; i >= 0; i-- {
		first[g.of[i]] = rows[i]
	}
	type named struct {
		name    string
		pushPop bool
	}
	g, names := merge(g, func(i int) named { return named{name(first[i]), keys[i].pushPop} })
	var sums []sumRow
	for i, d := range g.dists(func(i int) int64 { return r.End[rows[i]] - r.Start[rows[i]] }) {
		row := sumRow{d: d, name: names[i].name}
		if withStyle {
			row.cells = []view.Value{view.String(style(names[i].pushPop))}
		}
		row.cells = append(row.cells, view.String(names[i].name))
		sums = append(sums, row)
	}
	what := []view.Column{text("Range")}
	if withStyle {
		what = []view.Column{text("Style"), text("Range")}
	}
	t := sumTable("Instances", sums, what...)
	if !r.HasLastEnd { // not one range has ended: no time is known
		blank := func(row []view.Value) {
			for _, c := range []int{0, 1, 3, 4, 5, 6} {
				row[c] = view.Null
			}
		}
		for _, row := range t.Rows {
			blank(row)
		}
		if more := t.More; more != nil {
			t.More = func(yield func([]view.Value) bool) {
				more(func(row []view.Value) bool { blank(row); return yield(row) })
			}
		}
	}
	return t, nil
}
