package stats

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

var wddmQueueSum = &Report{
	Name: "wddm_queue_sum", Old: []string{"wddmqueuesdetails"}, Title: "WDDM Queue Utilization Summary",
	Short: "use of the queues of the Windows display driver, by process, GPU, context and engine",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		packets, err := wddmPackets(ctx, q)
		if err != nil {
			return nil, err
		}
		nodes, err := wddmContexts(ctx, q)
		if err != nil {
			return nil, err
		}
		t := table(append(append([]view.Column{percent("Utilization"), count("Instances")}, distColumns(nanoseconds)...),
			text("Name"), count("Q Type"), text("Q Name"), count("PID"), count("GPU ID"), address("Context"), count("Engine"), count("Node Ord"))...)
		whole := map[int64]span{} // by process, whatever the queue
		byQueue := map[wddmQueue][]span{}
		var queues []wddmQueue
		for _, p := range packets {
			w, ok := whole[p.queue.pid]
			if !ok {
				w = p.span
			}
			whole[p.queue.pid] = span{Start: min(w.Start, p.Start), End: max(w.End, p.End)}
			if byQueue[p.queue] == nil {
				queues = append(queues, p.queue)
			}
			byQueue[p.queue] = append(byQueue[p.queue], p.span)
		}
		slices.SortFunc(queues, wddmQueue.compare)
		for _, k := range queues {
			var d []int64
			for _, s := range byQueue[k] {
				d = append(d, interval.Lasts(s.Start, s.End))
			}
			use := view.Null
			if w := whole[k.pid]; w.End > w.Start {
				use = view.Float(100*float64(interval.Length(interval.Union(byQueue[k])))/float64(interval.Lasts(w.Start, w.End)), "%")
			}
			dist, node := distOf(d), nodes[k.context]
			row := append([]view.Value{use, view.Int(dist.n, "")}, dist.values(ns)...)
			t.Rows = append(t.Rows, append(row, view.String(k.label(ctx, q.Trace, node)), view.Int(k.kind, ""), view.String(wddmKinds[k.kind].name),
				view.Int(k.pid, ""), view.Int(k.gpu, ""), view.Hex(uint64(k.context)), view.Int(k.engine, ""), view.Int(node.ordinal, "")))
		}
		// By the printed share, so that what looks equal keeps its order.
		slices.SortStableFunc(t.Rows, func(a, b []view.Value) int {
			return cmp.Compare(math.Round(10*b[0].Float64()), math.Round(10*a[0].Float64()))
		})
		return t, nil
	},
}

// A wddmQueue is a queue of the display driver as the report tells them apart.
type wddmQueue struct{ pid, kind, gpu, context, engine int64 }

func (k wddmQueue) compare(o wddmQueue) int {
	return cmp.Or(cmp.Compare(k.pid, o.pid), cmp.Compare(k.kind, o.kind), cmp.Compare(k.gpu, o.gpu),
		cmp.Compare(k.context, o.context), cmp.Compare(k.engine, o.engine))
}

// label names the engine of a queue; engine 0 is any other, which the context
// may name.
func (k wddmQueue) label(ctx context.Context, tr *trace.Trace, node wddmContext) string {
	if k.engine == 0 && node.name != "" {
		return node.name
	}
	return tr.Label(ctx, "ENUM_WDDM_ENGINE_TYPE", k.engine)
}

// A wddmPacket is the time that a packet spent in a queue.
type wddmPacket struct {
	span
	queue wddmQueue
}

// wddmKinds are the queues of which packets are known from a table of their
// beginnings and one of their ends; the number of each is that of nsys. Packets
// of the paging queue have neither context nor engine and are not counted.
var wddmKinds = []struct {
	name, start, stop         string
	startSequence, stopColumn string // that begin and end have in common
}{
	{"queue", "WDDM_QUEUE_PACKET_START_EVENTS", "WDDM_QUEUE_PACKET_STOP_EVENTS", "submitSequence", "submitSequence"},
	{"dma", "WDDM_DMA_PACKET_START_EVENTS", "WDDM_DMA_PACKET_STOP_EVENTS", "uliSubmissionId", "uliCompletionId"},
}

// wddmPackets ties the begin of each packet to its end: the first one with its
// context and number that is not earlier.
func wddmPackets(ctx context.Context, q *Request) ([]wddmPacket, error) {
	var out []wddmPacket
	for kind, k := range wddmKinds {
		s, err := q.Trace.Table(ctx, k.start, "start", "globalTid", "gpu", "context", k.startSequence, "engineType")
		if err != nil {
			return nil, err
		}
		e, err := q.Trace.Table(ctx, k.stop, "start", "context", k.stopColumn)
		if err != nil {
			return nil, err
		}
		if s == nil || e == nil {
			continue
		}
		ends := map[[2]int64][]int64{}
		at, cx := e.Ints("start"), e.Ints("context")
		for i, n := range e.Ints(k.stopColumn) {
			ends[[2]int64{cx[i], n}] = append(ends[[2]int64{cx[i], n}], at[i])
		}
		for _, v := range ends {
			slices.Sort(v)
		}
		start, tid, gpu, engine := s.Ints("start"), s.Ints("globalTid"), s.Ints("gpu"), s.Ints("engineType")
		cx = s.Ints("context")
		for i, n := range s.Ints(k.startSequence) {
			v := ends[[2]int64{cx[i], n}]
			x, _ := slices.BinarySearch(v, start[i])
			if x == len(v) || q.Filter != nil && (start[i] > q.Filter.End || v[x] < q.Filter.Start) {
				continue
			}
			out = append(out, wddmPacket{span{Start: start[i], End: v[x]},
				wddmQueue{trace.GlobalID(tid[i]).PID(), int64(kind), gpu[i], cx[i], engine[i]}})
		}
	}
	if len(out) == 0 {
		return nil, skipf("the trace has no packets of the Windows display driver with begin and end%s: tables WDDM_QUEUE_PACKET_* and WDDM_DMA_PACKET_*", q.Filter.suffix())
	}
	return out, nil
}

// A wddmContext is what the trace says of a context of the display driver.
type wddmContext struct {
	ordinal int64
	name    string
}

func wddmContexts(ctx context.Context, q *Request) (map[int64]wddmContext, error) {
	t, err := q.Trace.Table(ctx, "TARGET_INFO_WDDM_CONTEXTS", "context", "nodeOrdinal", "friendlyName")
	if err != nil || t == nil {
		return nil, err
	}
	out := map[int64]wddmContext{}
	node, name := t.Ints("nodeOrdinal"), t.Col("friendlyName")
	for i, c := range t.Ints("context") {
		w := wddmContext{ordinal: node[i]}
		if name != nil && name.Kind == trace.Texts {
			w.name = q.Trace.Strings.Text(name.Syms[i])
		}
		out[c] = w
	}
	return out, nil
}
