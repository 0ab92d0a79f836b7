package stats

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

var nvtxPayloadTrace = &Report{
	Name: "nvtx_payload_trace", Title: "NVTX Payload Trace",
	Short: "every NVTX event that carries a payload, with it: a number, JSON, or binary by its schema; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		p, err := q.payloads(ctx)
		if err != nil {
			return nil, err
		}
		t := table(nanoseconds("Start"), nanoseconds("Duration"), text("Name"), text("Domain"), count("PID"), count("TID"), text("Schema"), text("Payload"), text("Problem"))
		start, end := p.events.Ints("start"), p.events.Col("end")
		for _, i := range p.order {
			d := view.Null
			if end != nil && !end.IsNull(i) {
				d = view.Int(end.Ints[i]-start[i], ns)
			}
			one, problem := p.values.At(i), ""
			if one.Problem != nil {
				problem = one.Problem.Error()
			}
			g := trace.GlobalID(p.thread[i])
			t.Rows = append(t.Rows, []view.Value{view.Int(start[i], ns), d, view.String(q.Trace.Strings.Text(p.name(i))), view.String(p.domains.Name(g, p.domain[i])),
				view.Int(g.PID(), ""), view.Int(g.TID(), ""), view.String(one.Schema), view.String(one.String()), view.String(problem)})
		}
		return t, nil
	},
}

var nvtxPayloadSum = &Report{
	Name: "nvtx_payload_sum", Title: "NVTX Payload Summary",
	Short: "numbers in the payloads of NVTX events, by event and member, such as the bytes of NCCL's messages; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		p, err := q.payloads(ctx)
		if err != nil {
			return nil, err
		}
		type key struct{ name, member string }
		values := map[key][]float64{}
		var order []key
		for _, i := range p.order {
			name := q.Trace.Strings.Text(p.name(i))
			for _, f := range p.values.At(i).Fields {
				if f.Kind == trace.Texts || f.Text != "" {
					continue
				}
				v := f.Real
				switch {
				case f.Kind == trace.Reals:
				case f.Unsigned:
					v = float64(uint64(f.Int))
				default:
					v = float64(f.Int)
				}
				k := key{name, f.Name}
				if values[k] == nil {
					order = append(order, k)
				}
				values[k] = append(values[k], v)
			}
		}
		slices.SortFunc(order, func(a, b key) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.member, b.member)) })
		t := table(count("Count"), count("Different"), decimal("Total"), decimal("Avg"), decimal("Med"), decimal("Min"), decimal("Max"), text("Member"), text("Name"))
		for _, k := range order {
			v := values[k]
			slices.Sort(v)
			sum, different := 0.0, 0
			for i, x := range v {
				sum += x
				if i == 0 || x != v[i-1] {
					different++
				}
			}
			med := v[len(v)/2]
			if len(v)%2 == 0 {
				med = v[len(v)/2-1]/2 + med/2
			}
			t.Rows = append(t.Rows, []view.Value{view.Int(int64(len(v)), ""), view.Int(int64(different), ""), view.Float(sum, ""), view.Float(sum/float64(len(v)), ""),
				view.Float(med, ""), view.Float(v[0], ""), view.Float(v[len(v)-1], ""), view.String(k.member), view.String(k.name)})
		}
		return t, nil
	},
}

// payloadEvents are the NVTX events that carry payloads.
type payloadEvents struct {
	q              *Request
	events         *trace.Table
	order          []int // rows, by start
	domain, thread []int64
	values         *trace.Payloads
	domains        *trace.Domains
}

func (q *Request) payloads(ctx context.Context) (*payloadEvents, error) {
	e, err := q.table(ctx, "NVTX events", trace.TableNvtx, append([]string{"start", "end", "text", "textId", "globalTid", "domainId"}, trace.PayloadColumns...)...)
	if err != nil {
		return nil, err
	}
	p := &payloadEvents{q: q, events: e, domain: e.Ints("domainId"), thread: e.Ints("globalTid")}
	if p.values, err = q.Trace.Payloads(ctx, e); err != nil {
		return nil, err
	}
	for i := range e.Rows {
		if p.values.Has(i) {
			p.order = append(p.order, i)
		}
	}
	if len(p.order) == 0 {
		more := ""
		if n := len(p.values.Schemas.All); n > 0 {
			more = fmt.Sprintf("; it has %d layouts of payloads, which nsys export fills in with --include-blobs=true", n)
		}
		return nil, skipf("no NVTX event of the trace carries a payload%s%s", q.Filter.suffix(), more)
	}
	start := e.Ints("start")
	slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(start[a], start[b]) })
	p.domains, err = q.Trace.Domains(ctx)
	return p, err
}

func (p *payloadEvents) name(i int) trace.Sym {
	if id := p.events.Col("textId"); id != nil && !id.IsNull(i) {
		if y, ok := p.q.Trace.Name(id.Ints[i]); ok {
			return y
		}
	}
	if c := p.events.Col("text"); c != nil && c.Kind == trace.Texts && !c.IsNull(i) {
		return c.Syms[i]
	}
	return 0
}
