package stats

import (
	"context"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

var vulkanAPITrace = &Report{
	Name: "vulkan_api_trace", Old: []string{"vulkanapitrace"}, Title: "Vulkan API Trace",
	Short: "every call of Vulkan",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		t, err := q.table(ctx, "calls of Vulkan", "VULKAN_API", "start", "end", "nameId", "eventClass", "contextId", "correlationId", "globalTid")
		if err != nil {
			return nil, err
		}
		threads, err := q.Trace.Threads(ctx)
		if err != nil {
			return nil, err
		}
		out := table(nanoseconds("Start"), nanoseconds("Duration"), text("Name"), text("Event Class"), count("Context"), count("CorrID"),
			count("Pid"), count("Tid"), count("T-Pri"), text("Thread Name"))
		start, end, id, class, tid := t.Ints("start"), t.Ints("end"), t.Ints("nameId"), t.Ints("eventClass"), t.Ints("globalTid")
		cx, corr := cells(t, "contextId", ""), cells(t, "correlationId", "")
		labels := map[int64]string{}
		for _, i := range byTime(start) {
			g := trace.GlobalID(tid[i])
			l, ok := labels[class[i]]
			if !ok {
				l = q.Trace.Label(ctx, "ENUM_NSYS_EVENT_CLASS", class[i])
				labels[class[i]] = l
			}
			out.Rows = append(out.Rows, append([]view.Value{view.Int(start[i], ns), view.Int(interval.Lasts(start[i], end[i]), ns), view.String(q.Trace.NameText(id[i])),
				view.String(l), cx(int(i)), corr(int(i)), view.Int(g.PID(), ""), view.Int(g.TID(), "")}, threadCells(threads, g)...))
		}
		return out, nil
	},
}
