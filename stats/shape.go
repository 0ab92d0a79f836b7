package stats

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// shapeArgs are the arguments that every report has beside its own: how its table
// is parted, ordered and cut. Rules have those for rows and order only.
var shapeArgs = []Arg{
	{Name: "process", Help: "apart for each process"},
	{Name: "device", Help: "apart for each device, whose work, and the calls that caused it, are reported alone"},
	{Name: "stream", Help: "apart for each stream of each device and process"},
	{Name: "sort", Value: true, Words: true, Help: "in the order of this column, the largest first, words by the alphabet; with a - before the name the other way round"},
	{Name: "rows", Value: true, Help: "only so many rows, of each part"},
}

// shapeArgs are those of ShapeArgs that a report has.
func (r *Report) shapeArgs() []Arg {
	return slices.DeleteFunc(slices.Clone(shapeArgs), func(a Arg) bool {
		own := slices.ContainsFunc(r.Args, func(b Arg) bool { return a.Name == b.Name })
		return own || r.Rule && a.Name != "sort" && a.Name != "rows"
	})
}

// shaped is Build with the arguments of ShapeArgs.
func (r *Report) shaped() *Report {
	build := r.Build
	named := func(name string) bool { return slices.ContainsFunc(r.Args, func(a Arg) bool { return a.Name == name }) }
	ownRows, ownSort := named("rows"), named("sort")
	one := func(ctx context.Context, q *Request) (*view.Table, error) {
		t, err := build(ctx, q)
		if err != nil {
			return nil, err
		}
		if !q.Behind {
			t.Behind = nil
		}
		if by := q.Args["sort"]; by != "" && !ownSort {
			if err := sortRows(t, by); err != nil {
				return nil, fmt.Errorf("report %s: %w", r.Name, err)
			}
		}
		if q.Args["rows"] != "" && !ownRows {
			firstRows(t, q.integer("rows", 0))
		}
		return t, nil
	}
	r.Build = func(ctx context.Context, q *Request) (*view.Table, error) {
		if r.Rule || !q.flag("process") && !q.flag("device") && !q.flag("stream") {
			return one(ctx, q)
		}
		return parted(ctx, q, one)
	}
	return r
}

// sortRows puts the rows in the order of a column, given by name or label.
func sortRows(t *view.Table, by string) error {
	t.Behind = nil // it knows the order that was
	want, back := strings.CutPrefix(by, "-")
	at := slices.IndexFunc(t.Columns, func(c view.Column) bool {
		return strings.EqualFold(c.Name, want) || strings.EqualFold(c.Label, want)
	})
	if at < 0 {
		var names []string
		for _, c := range t.Columns {
			names = append(names, c.Name)
		}
		return fmt.Errorf("there is no column %q to sort by%s; it has %s", want, spelling.Nearest(want, names), strings.Join(names, ", "))
	}
	if t.More != nil {
		for row := range t.More {
			t.Rows = append(t.Rows, slices.Clone(row))
		}
		t.More = nil
	}
	cell := func(row []view.Value) view.Value {
		if at < len(row) {
			return row[at]
		}
		return view.Null
	}
	slices.SortStableFunc(t.Rows, func(a, b []view.Value) int {
		x, y := cell(a), cell(b)
		switch {
		case !x.IsNumber() && !y.IsNumber():
			if back {
				x, y = y, x
			}
			return cmp.Compare(x.Text(), y.Text())
		case !x.IsNumber(): // what is not known comes last
			return 1
		case !y.IsNumber():
			return -1
		case back:
			x, y = y, x
		}
		return cmp.Compare(y.Float64(), x.Float64())
	})
	return nil
}

// firstRows cuts a table.
func firstRows(t *view.Table, n int64) {
	if n < 0 {
		return
	}
	t.First(n)
}

// mostParts bounds the parts of a table: each is a report of its own.
const mostParts = 4096

// A part is what one part of a table is about; -1: anything.
type part struct {
	process        trace.GlobalID
	device, stream int64
}

// parted makes the report of each process, device or stream that has something to
// report, one under the other, with columns that tell them apart.
func parted(ctx context.Context, q *Request, build func(context.Context, *Request) (*view.Table, error)) (*view.Table, error) {
	byStream := q.flag("stream")
	byDevice, byProcess := q.flag("device") || byStream, q.flag("process") || byStream
	parts, err := partsOf(ctx, q.Trace, byProcess, byDevice, byStream)
	if err != nil {
		return nil, err
	}
	if len(parts) > mostParts {
		return nil, skipf("the report would have %d parts; at most %d are made", len(parts), mostParts)
	}
	var out *view.Table
	var tables []func(yield func([]view.Value) bool)
	var last error = &Skip{"the trace has nothing to part"}
	for _, p := range parts {
		sub := *q
		sub.Trace = q.Trace.Pick(p.selection())
		t, err := build(ctx, &sub)
		var skip *Skip
		if errors.As(err, &skip) {
			last = err
			continue
		}
		if err != nil {
			return nil, err
		}
		var head []view.Value
		var columns []view.Column
		add := func(label string, v int64) {
			c := count(label)
			c.Name = "part_" + c.Name // reports have columns of these names themselves
			columns, head = append(columns, c), append(head, view.Int(v, ""))
		}
		if byProcess {
			add("PID", p.process.PID())
		}
		if byDevice {
			add("Device", p.device)
		}
		if byStream {
			add("Stream", p.stream)
		}
		if out == nil {
			out = &view.Table{Columns: append(columns, t.Columns...), Link: t.Link}
		}
		tables = append(tables, func(yield func([]view.Value) bool) {
			for row := range t.All() {
				if !yield(append(slices.Clip(head), row...)) {
					return
				}
			}
		})
	}
	if out == nil {
		return nil, last
	}
	out.More = func(yield func([]view.Value) bool) {
		on := true
		for _, rows := range tables {
			if rows(func(row []view.Value) bool { on = yield(row); return on }); !on {
				return
			}
		}
	}
	return out, nil
}

func (p part) selection() trace.Selection {
	var s trace.Selection
	if p.process != 0 {
		s.Units = []trace.Unit{{Process: p.process, Device: p.device}}
	} else if p.device >= 0 {
		s.Devices = []int64{p.device}
	}
	if p.stream >= 0 {
		s.Streams = []int64{p.stream}
	}
	return s
}

// partsOf lists the processes, or the devices and streams on which there is work.
func partsOf(ctx context.Context, tr *trace.Trace, byProcess, byDevice, byStream bool) ([]part, error) {
	seen := map[part]bool{}
	add := func(t *trace.Table, id string) {
		g, device, stream := t.Ints(id), t.Ints("deviceId"), t.Ints("streamId")
		last := part{device: -2}
		for i := range t.Rows {
			p := part{device: -1, stream: -1}
			if byProcess {
				p.process = trace.GlobalID(g[i]).Process()
			}
			if byDevice {
				p.device = device[i]
			}
			if byStream {
				p.stream = stream[i]
			}
			if p != last && (!byProcess || !t.IsNull(id, i)) {
				seen[p], last = true, p
			}
		}
	}
	tables := []string{trace.TableKernel, trace.TableMemcpy, trace.TableMemset, trace.TableGraph}
	if !byDevice {
		for _, t := range tr.Tables() {
			if tr.HasColumn(t.Name, "globalTid") && tr.HasColumn(t.Name, "start") {
				tables = append(tables, t.Name)
			}
		}
	}
	for _, name := range tables {
		id := "globalPid"
		if tr.HasColumn(name, "globalTid") {
			id = "globalTid"
		}
		t, err := tr.Table(ctx, name, id, "deviceId", "streamId")
		if err != nil {
			return nil, err
		}
		if t != nil {
			add(t, id)
		}
	}
	var out []part
	for p := range seen {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.device, b.device), cmp.Compare(a.stream, b.stream))
	})
	return out, nil
}

// span is the value of an argument that is a time, in ns.
func (q *Request) span(a Arg) int64 {
	s := q.Args[a.Name]
	if s == "" {
		s = a.Default
	}
	d, _ := a.parseSpan(s) // checked when it was given
	return d
}

// parseSpan reads a time; a number without a unit counts in those of the argument.
func (a Arg) parseSpan(s string) (int64, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n < 1<<62/a.Unit && n > -1<<62/a.Unit {
		return n * a.Unit, nil
	}
	return ParseTime(s)
}
