package stats

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

var cudaMemcpyMatrix = &Report{
	Name: "cuda_memcpy_matrix", Title: "CUDA Copies by Source and Destination",
	Short: "copies by the memory they came from and went to: time, bytes and bandwidth; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		t, err := q.table(ctx, "copies", trace.TableMemcpy, "start", "end", "deviceId", "bytes", "copyKind", "srcKind", "dstKind", "srcDeviceId", "dstDeviceId")
		if err != nil {
			return nil, err
		}
		from, to := ends(ctx, q.Trace, t)
		type pair struct{ from, to string }
		type copies struct {
			pair
			n, bytes, took int64
			spans          []span
		}
		by := map[pair]*copies{}
		var all []*copies
		start, end, size, d := t.Ints("start"), t.Ints("end"), t.Ints("bytes"), durations(t)
		for i := range t.Rows {
			p := pair{from(i), to(i)}
			c := by[p]
			if c == nil {
				c = &copies{pair: p}
				by[p] = c
				all = append(all, c)
			}
			c.n, c.bytes, c.took = c.n+1, interval.Plus(c.bytes, size[i]), interval.Plus(c.took, d(i))
			c.spans = append(c.spans, span{Start: start[i], End: end[i]})
		}
		slices.SortFunc(all, func(a, b *copies) int {
			return cmp.Or(cmp.Compare(b.took, a.took), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
		})
		rate := bytes("Bandwidth")
		rate.Label, rate.Unit = "Bandwidth (MB/s)", "byte_per_second"
		out := table(text("Source"), text("Destination"), count("Copies"), nanoseconds("Total Time"), nanoseconds("Union"), bytes("Total"), rate)
		for _, c := range all {
			union := interval.Length(interval.Union(c.spans))
			bandwidth := view.Null
			if union > 0 {
				bandwidth = view.Float(float64(c.bytes)*1e9/float64(union), "byte_per_second")
			}
			out.Rows = append(out.Rows, []view.Value{view.String(c.from), view.String(c.to), view.Int(c.n, ""), view.Int(c.took, ns), view.Int(union, ns), view.Int(c.bytes, octet), bandwidth})
		}
		return out, nil
	},
}

// ends tell where each copy came from and went to: the kind of memory, and of
// memory on devices the device. Exports that do not tell the devices of both ends
// tell that which did the copy.
func ends(ctx context.Context, tr *trace.Trace, t *trace.Table) (from, to func(i int) string) {
	device, oper := t.Ints("deviceId"), t.Ints("copyKind")
	end := func(kindColumn, deviceColumn string, source bool) func(i int) string {
		kind, known := t.Col(kindColumn), t.Col(deviceColumn)
		type place struct {
			kind, device int64
			host         bool
		}
		names := map[place]string{}
		return func(i int) string {
			p := place{kind: -1, device: device[i], host: hostEnd(oper[i], source)}
			if kind != nil && !kind.IsNull(i) {
				p.kind = kind.Ints[i]
				p.host = p.kind < 2 // pageable, pinned
			}
			if known != nil && !known.IsNull(i) {
				p.device = known.Ints[i]
			}
			if p.host {
				p.device = 0
			}
			name, ok := names[p]
			if !ok {
				what := "Memory"
				if p.kind >= 0 {
					what = tr.Label(ctx, "ENUM_CUDA_MEM_KIND", p.kind)
				}
				if name = fmt.Sprintf("%s of GPU %d", what, p.device); p.host {
					name = what + " of host"
				}
				names[p] = name
			}
			return name
		}
	}
	return end("srcKind", "srcDeviceId", true), end("dstKind", "dstDeviceId", false)
}

// hostEnd reports whether one end of a copy of a kind is on the host: the values
// are those of ENUM_CUDA_MEMCPY_OPER.
func hostEnd(oper int64, source bool) bool {
	const htod, dtoh, htoa, atoh, htoh, uvmHtod, uvmDtoh = 1, 2, 3, 4, 9, 11, 12
	switch oper {
	case htod, htoa, uvmHtod:
		return source
	case dtoh, atoh, uvmDtoh:
		return !source
	case htoh:
		return true
	}
	return false
}
