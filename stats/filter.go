package stats

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/trace"
)

// A Filter keeps the events that have to do with a span of time: those that
// begin before its end and end after its start.
type Filter struct {
	Start, End int64 // nanoseconds on the clock of the trace
}

func (f *Filter) suffix() string {
	if f == nil {
		return ""
	}
	return " in the span of time asked for"
}

// Apply returns the rows of t that the filter keeps. Tables with neither start nor
// timestamp are kept whole.
func (f *Filter) Apply(t *trace.Table) *trace.Table {
	if f == nil || t.Col("start") == nil && t.Col("timestamp") == nil {
		return t
	}
	start, end := t.Ints("start"), t.Col("end")
	if t.Col("start") == nil {
		start, end = t.Ints("timestamp"), nil
	}
	var keep []int
	for i, s := range start {
		e := s
		if end != nil {
			e = end.Ints[i]
			if end.IsNull(i) {
				e = math.MaxInt64
			}
		}
		if s <= f.End && e >= f.Start {
			keep = append(keep, i)
		}
	}
	return choose(t, keep)
}

func choose(t *trace.Table, keep []int) *trace.Table {
	out := &trace.Table{Name: t.Name, Rows: len(keep)}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, &trace.Column{Name: c.Name, Kind: c.Kind,
			Ints: pick(c.Ints, keep), Reals: pick(c.Reals, keep), Syms: pick(c.Syms, keep), Null: pick(c.Null, keep)})
	}
	return out
}

func pick[T any](s []T, keep []int) []T {
	if s == nil {
		return nil
	}
	out := make([]T, len(keep))
	for i, k := range keep {
		out[i] = s[k]
	}
	return out
}

// RangeFilter returns the span of an NVTX range, given as range[@domain][/index]
// where index counts the ranges of that name from 0; without it the first is
// meant. A backslash before @, / or \ takes the character as it is.
func RangeFilter(ctx context.Context, tr *trace.Trace, spec string) (*Filter, error) {
	name, domain, index, err := splitRange(spec)
	if err != nil {
		return nil, err
	}
	r, err := tr.Ranges(ctx)
	if err != nil {
		return nil, err
	}
	domains, err := tr.Domains(ctx)
	if err != nil || r == nil {
		return nil, fmt.Errorf("%s: there are no NVTX ranges to filter by", tr.File)
	}
	var rows []int32
	for i := range r.Start {
		if tr.Strings.Text(r.Text[i]) == name && (domain == "" || domain == "*" || domains.Name(r.Thread[i], r.Domain[i]) == domain) {
			rows = append(rows, int32(i))
		}
	}
	rows = byStart(rows, r)
	if index >= len(rows) {
		return nil, fmt.Errorf("%s: %d NVTX ranges match %q, number %d was asked for%s", tr.File, len(rows), spec, index, nearRange(tr, r, name, len(rows)))
	}
	return &Filter{Start: r.Start[rows[index]], End: r.End[rows[index]]}, nil
}

// nearRange says which ranges an unknown name may mean.
func nearRange(tr *trace.Trace, r *trace.Ranges, name string, found int) string {
	if found > 0 {
		return ""
	}
	seen := map[trace.Sym]bool{}
	var names []string
	for _, y := range r.Text {
		if !seen[y] && len(seen) < mostCompared {
			seen[y] = true
			names = append(names, tr.Strings.Text(y))
		}
	}
	return spelling.Nearest(name, names)
}

// mostCompared bounds how many names an unknown one is compared with.
const mostCompared = 10_000

func splitRange(spec string) (name, domain string, index int, err error) {
	parts := [3]strings.Builder{}
	at := 0
	for i := 0; i < len(spec); i++ {
		switch c := spec[i]; {
		case c == '\\' && i+1 < len(spec):
			i++
			parts[at].WriteByte(spec[i])
		case c == '@' && at == 0:
			at = 1
		case c == '/' && at < 2:
			at = 2
		default:
			parts[at].WriteByte(c)
		}
	}
	if s := parts[2].String(); s != "" {
		if index, err = strconv.Atoi(s); err != nil || index < 0 {
			return "", "", 0, fmt.Errorf("range %q: %q is no index", spec, s)
		}
	}
	return parts[0].String(), parts[1].String(), index, nil
}
