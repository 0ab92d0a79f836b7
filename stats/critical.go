package stats

import (
	"context"

	"github.com/gpuprof/gpuprof/trace/critical"
	"github.com/gpuprof/gpuprof/view"
)

// criticalPath is the path within the filter.
func criticalPath(ctx context.Context, q *Request) ([]critical.Step, error) {
	path, err := critical.Path(ctx, q.Trace)
	if err != nil {
		return nil, err
	}
	if q.Filter != nil {
		in := path[:0]
		for _, s := range path {
			s.Start, s.End = max(s.Start, q.Filter.Start), min(s.End, q.Filter.End)
			if s.Start < s.End {
				in = append(in, s)
			}
		}
		path = in
	}
	if len(path) == 0 {
		return nil, skipf("the trace has no calls of CUDA and no work of a GPU%s", q.suffix())
	}
	return path, nil
}

// criticalName is how a report calls a step.
func criticalName(s *critical.Step) string {
	if s.Kind == critical.Call || s.Kind == critical.Launch {
		return apiName(s.Name)
	}
	return s.Name
}

var criticalPathSum = &Report{
	Name: "critical_path_sum", Title: "Critical Path Summary",
	Short: "what the end of the program waited for, by kind and name: making that shorter makes it end earlier; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		path, err := criticalPath(ctx, q)
		if err != nil {
			return nil, err
		}
		type key struct {
			kind critical.Kind
			name string
		}
		g, keys := groupBy(len(path), func(i int) key { return key{path[i].Kind, criticalName(&path[i])} })
		var rows []sumRow
		for i, d := range g.dists(func(i int) int64 { return path[i].End - path[i].Start }) {
			rows = append(rows, sumRow{d: d, name: keys[i].name, cells: []view.Value{view.String(keys[i].kind.String()), view.String(keys[i].name)}})
		}
		return sumTable("Steps", rows, text("Kind"), text("Name")), nil
	},
}

var criticalPathTrace = &Report{
	Name: "critical_path_trace", Title: "Critical Path Trace",
	Short: "every step of what the end of the program waited for; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		path, err := criticalPath(ctx, q)
		if err != nil {
			return nil, err
		}
		t := table(nanoseconds("Start"), nanoseconds("Duration"), text("Kind"), text("Name"), count("Device"), count("Strm"), count("Pid"), count("Tid"))
		orNull := func(v int64, known bool) view.Value {
			if !known {
				return view.Null
			}
			return view.Int(v, "")
		}
		t.More = func(yield func([]view.Value) bool) {
			for i := range path {
				s := &path[i]
				if !yield([]view.Value{view.Int(s.Start, ns), view.Int(s.End-s.Start, ns), view.String(s.Kind.String()), view.String(criticalName(s)),
					orNull(s.Device, s.Device >= 0), orNull(s.Stream, s.Stream >= 0), orNull(s.Thread.PID(), s.Thread != 0), orNull(s.Thread.TID(), s.Thread != 0)}) {
					return
				}
			}
		}
		return t, nil
	},
}
