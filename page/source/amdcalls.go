package source

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

// A calledFrom is a place in the source of a program of the host, with what was called
// there.
type calledFrom struct {
	symbol, file string
	line         int
	api          string
}

// calledFor is what the calls of a place came to.
type calledFor struct {
	calls, failed, host, device uint64 // times in ns
}

// calls adds the calls of a trace up by their place in the source.
func (b *amdCode) calls(ctx context.Context, f *load.File) (view.Section, error) {
	sums := map[calledFrom]*calledFor{}
	tr, err := f.AMD.Trace()
	if err != nil {
		return view.Section{}, err
	}
	for _, module := range tr.Modules() {
		for _, th := range tr.Threads(module) {
			places := th.Places()
			if places == nil {
				continue
			}
			for i := range th.Len() {
				if i&0xffff == 0 && ctx.Err() != nil {
					return view.Section{}, ctx.Err()
				}
				if at, ok := places.Of(i); ok {
					addCall(sums, calledFrom{at.Symbol, at.File, at.Line, at.API}, th, i)
				}
			}
		}
	}
	return b.placeSection(sums), nil
}

func addCall(sums map[calledFrom]*calledFor, at calledFrom, th *amd.Thread, i int) {
	x := sums[at]
	if x == nil {
		x = &calledFor{}
		sums[at] = x
	}
	x.calls++
	if amd.MayFail(th.Text(i)) {
		if c := th.Call(i); c.Failed() {
			x.failed++
		}
	}
	if _, start, end, timed := th.Times(i); timed && end > start {
		x.host += end - start
	}
	if e := th.Enqueue(i); e != nil && e.End > e.Start {
		x.device += e.End - e.Start
	} else if e == nil {
		if c := th.Copy(i); c != nil && c.End > c.Start {
			x.device += c.End - c.Start
		}
	}
}

func (b *amdCode) placeSection(sums map[calledFrom]*calledFor) view.Section {
	ms := func(name, label string, role view.Role) view.Column {
		return view.Column{Name: name, Label: label, Type: view.Number, Role: role, Number: &view.NumberStyle{Divisor: 1e6, Decimals: 5}}
	}
	t := &view.Table{ID: "places", Title: "Calls by their place in the source", Layout: &view.Layout{Ragged: true}, Columns: []view.Column{
		{Name: "file", Label: "File", Type: view.Text, Role: view.RoleFile, MaxWidth: 40, Break: true}, {Name: "line", Label: "Line", Type: view.Number, Role: view.RoleLine},
		{Name: "symbol", Label: "Symbol", Type: view.Text, Role: view.RoleFunction, MaxWidth: 40, Break: true}, {Name: "api", Label: "API", Type: view.Text, Role: view.RoleOperation},
		{Name: "calls", Label: "Calls", Type: view.Number, Role: view.RoleCount}, {Name: "failed", Label: "Failed", Type: view.Number, Role: view.RoleMeasure},
		ms("cpu_time", "CPU Time(ms)", view.RoleTotal), ms("device_time", "Device Time(ms)", view.RoleMeasure), {Name: "code", Label: "Code", Type: view.Text, Role: view.RoleCode, MaxWidth: 60}}}
	places := make([]calledFrom, 0, len(sums))
	for at := range sums {
		places = append(places, at)
	}
	slices.SortFunc(places, func(x, y calledFrom) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.line, y.line), cmp.Compare(x.symbol, y.symbol), cmp.Compare(x.api, y.api))
	})
	keys := map[string]func(*calledFor) uint64{"hot": func(x *calledFor) uint64 { return x.host }, "cpu_time": func(x *calledFor) uint64 { return x.host },
		"device_time": func(x *calledFor) uint64 { return x.device }, "calls": func(x *calledFor) uint64 { return x.calls }, "failed": func(x *calledFor) uint64 { return x.failed }}
	if key := keys[strings.ToLower(b.q.Text("sort"))]; key != nil {
		b.sorted = true
		slices.SortStableFunc(places, func(x, y calledFrom) int { return cmp.Compare(key(sums[y]), key(sums[x])) })
	}
	if n := b.q.Count("limit"); n > 0 && n < len(places) {
		places = places[:n]
	}
	told := false
	for _, at := range places {
		x, line, text := sums[at], view.Null, ""
		if at.line > 0 {
			line = view.Int(int64(at.line), "")
			if s, lost := b.files.Line(noCode, at.file, at.line); lost == "" {
				text, told = strings.TrimSpace(s), true
			}
		}
		t.Rows = append(t.Rows, []view.Value{view.String(at.file), line, view.String(at.symbol), view.String(at.api), view.Uint(x.calls, ""), view.Uint(x.failed, ""),
			view.Uint(x.host, ""), view.Uint(x.device, ""), view.String(text)})
	}
	t.Columns[len(t.Columns)-1].For = view.EveryoneIf(told)
	s := view.Section{ID: "places"}
	s.AddTable(t)
	return s
}
