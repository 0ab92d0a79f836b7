package load

import (
	"strings"

	"github.com/gpuprof/gpuprof/format/kineto"
	"github.com/gpuprof/gpuprof/trace"
)

// annotations are the ranges that the program made, in an NVTX domain of their
// own.
func (a *kinetoAdapter) annotations() {
	s := &a.k.Annotations
	n := s.Rows()
	if n == 0 {
		return
	}
	domain := a.text("PyTorch")
	last := func(of, at int64) func(i int) int64 { // the row behind the ranges names the domain
		return func(i int) int64 {
			if i == n {
				return at
			}
			return of
		}
	}
	times := a.times(&s.Slices)
	row := func(f func(i int) int64, at int64) func(i int) int64 {
		return func(i int) int64 {
			if i == n {
				return at
			}
			return f(i)
		}
	}
	thread := a.threaded(&s.Slices)
	a.add(trace.TableNvtx, n+1, memoryColumn{name: "start", whole: row(times[0].whole, 0)},
		memoryColumn{name: "end", whole: row(times[1].whole, 0), null: func(i int) bool { return i == n }},
		memoryColumn{name: "eventType", whole: last(trace.NvtxPushPop, trace.NvtxDomainCreate)},
		memoryColumn{name: "globalTid", whole: row(thread.whole, int64(a.process))},
		memoryColumn{name: "textId", whole: row(func(i int) int64 { return int64(s.Name.At(i)) }, domain)},
		memoryColumn{name: "domainId", whole: func(int) int64 { return 1 }},
		memoryColumn{name: "externalId", whole: row(told("", &s.Linked, 0).whole, 0)})
}

func (a *kinetoAdapter) operators() {
	o := &a.k.Ops
	cols := append(a.times(&o.Slices), a.threaded(&o.Slices), textNumber("nameId", &o.Name), told("externalId", &o.Linked, 0), told("eventIndex", &o.Index, 0))
	for _, c := range []struct {
		name string
		col  *kineto.Integers[int64]
	}{{"sequence", &o.Sequence}, {"forwardThread", &o.Forward}, {"recordFunctionId", &o.Record}} {
		if c.col.Has() {
			cols = append(cols, told(c.name, c.col, -1))
		}
	}
	for _, c := range []struct {
		name string
		col  *kineto.Integers[kineto.Text]
	}{{"dimsId", &o.Dims}, {"typesId", &o.Types}, {"stridesId", &o.Strides}, {"inputsId", &o.Inputs}, {"callStackId", &o.Stack}, {"modulesId", &o.Modules}, {"extraId", &o.Extra}} {
		cols = append(cols, maybe(c.name, c.col)...)
	}
	if o.Collective.Has() {
		cols = append(cols, collectiveColumn(&o.Collective))
	}
	a.add(trace.TableOps, o.Rows(), cols...)
}

func (a *kinetoAdapter) python() {
	p := &a.k.Python
	cols := append(a.times(&p.Slices), a.threaded(&p.Slices), textNumber("nameId", &p.Name), told("id", &p.ID, -1), told("parentId", &p.Parent, -1))
	if p.Module.Has() {
		cols = append(cols, told("moduleId", &p.Module, -1))
	}
	a.add(trace.TablePython, p.Rows(), cols...)
	g := &a.k.GPUSpans
	track := func(i int) *kineto.Track { return &a.k.Tracks[g.Track.At(i)] }
	a.add("PYTORCH_GPU_RANGES", g.Rows(), append(a.times(g), memoryColumn{name: "deviceId", whole: func(i int) int64 { return track(i).PID }},
		memoryColumn{name: "streamId", whole: func(i int) int64 { return track(i).TID }}, textNumber("nameId", &g.Name))...)
}

// deviceMetrics is the number of the counters of GPU memory; its low byte is the
// device.
const deviceMetrics = 1 << 8

// allocations are the events of PyTorch's allocators, and for GPUs their sums as
// counters.
func (a *kinetoAdapter) allocations() {
	m := &a.k.Memory
	var sampled []int
	for i := range m.Time.Len() {
		if d := m.Device.At(i); m.DeviceType.At(i) == 1 && d >= 0 && d < 128 && m.Allocated.At(i) != kineto.None {
			sampled = append(sampled, i)
		}
	}
	at := func(i int) int64 { return m.Time.At(i) - a.origin }
	a.add(trace.TableMemory, m.Time.Len(), memoryColumn{name: "timestamp", whole: at},
		memoryColumn{name: "globalTid", whole: func(i int) int64 { return int64(a.threads[m.Track.At(i)]) }},
		told("address", &m.Address, 0), told("bytes", &m.Bytes, 0), told("deviceType", &m.DeviceType, 0), told("deviceId", &m.Device, -1),
		told("allocated", &m.Allocated, 0), told("reserved", &m.Reserved, 0))
	devices := map[int64]bool{}
	var list []int64
	for _, i := range sampled {
		if d := m.Device.At(i); !devices[d] {
			devices[d] = true
			list = append(list, d)
		}
	}
	// Each event is a sample of both counters.
	a.add("GPU_METRICS", 2*len(sampled), memoryColumn{name: "timestamp", whole: func(i int) int64 { return at(sampled[i/2]) }},
		memoryColumn{name: "typeId", whole: func(i int) int64 { return deviceMetrics | m.Device.At(sampled[i/2]) }},
		memoryColumn{name: "metricId", whole: func(i int) int64 { return int64(i % 2) }},
		memoryColumn{name: "value", whole: func(i int) int64 {
			if i%2 == 0 {
				return m.Allocated.At(sampled[i/2])
			}
			return max(m.Reserved.At(sampled[i/2]), 0)
		}})
	a.add("TARGET_INFO_GPU_METRICS", 2*len(list), memoryColumn{name: "typeId", whole: func(i int) int64 { return deviceMetrics | list[i/2] }},
		memoryColumn{name: "sourceId", whole: func(int) int64 { return 0 }}, memoryColumn{name: "typeName", text: func(int) string { return "PyTorch memory" }},
		memoryColumn{name: "metricId", whole: func(i int) int64 { return int64(i % 2) }},
		memoryColumn{name: "metricName", text: func(i int) string {
			return [2]string{"PyTorch allocated memory [bytes]", "PyTorch reserved memory [bytes]"}[i%2]
		}})
}

// elementBytes are the sizes of types as collectives name them.
var elementBytes = map[string]int64{"float": 4, "float32": 4, "int": 4, "int32": 4, "bfloat16": 2, "half": 2, "float16": 2, "short": 2, "int16": 2,
	"long": 8, "int64": 8, "double": 8, "float64": 8, "char": 1, "int8": 1, "byte": 1, "uint8": 1, "bool": 1, "float8_e4m3fn": 1, "float8_e5m2": 1,
	"float8_e4m3fnuz": 1, "float8_e5m2fnuz": 1, "complexfloat": 8, "complexdouble": 16}

// ElementBytes is the size of an element of a type as PyTorch names it in traces
// ("BFloat16", "c10::Half"); 0 where it is not known.
func ElementBytes(dtype string) int64 {
	return elementBytes[strings.ToLower(strings.TrimPrefix(dtype, "c10::"))]
}

func (a *kinetoAdapter) collectives() {
	c := a.k.Collectives
	num := func(name string, f func(c *kineto.Collective) int64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return f(&c[i]) }, null: func(i int) bool { return f(&c[i]) < 0 }}
	}
	text := func(name string, f func(c *kineto.Collective) string) memoryColumn {
		return memoryColumn{name: name, text: func(i int) string { return f(&c[i]) }}
	}
	bytes := func(n int64, dtype string) int64 {
		if b := ElementBytes(dtype); b > 0 && n >= 0 && n < 1<<55 {
			return n * b
		}
		return -1
	}
	a.add(trace.TableCollectives, len(c), text("name", func(c *kineto.Collective) string { return c.Name }), text("dtype", func(c *kineto.Collective) string { return c.DType }),
		num("inElements", func(c *kineto.Collective) int64 { return c.In }), num("outElements", func(c *kineto.Collective) int64 { return c.Out }),
		num("inBytes", func(c *kineto.Collective) int64 { return bytes(c.In, c.DType) }), num("outBytes", func(c *kineto.Collective) int64 { return bytes(c.Out, c.DType) }),
		num("groupSize", func(c *kineto.Collective) int64 { return c.GroupSize }), text("groupName", func(c *kineto.Collective) string { return c.Group }),
		text("groupDescription", func(c *kineto.Collective) string { return c.Description }), text("ranks", func(c *kineto.Collective) string { return c.Ranks }),
		num("rank", func(c *kineto.Collective) int64 { return c.Rank }), num("sequence", func(c *kineto.Collective) int64 { return c.Sequence }))
}

// others are slices, instants and counters without a table of their own, the
// profiler's own work, and the arrows that correlation numbers do not tell.
func (a *kinetoAdapter) others() {
	v := &a.k.Overhead
	a.add("PROFILER_OVERHEAD", v.Rows(), append(a.times(v), a.threaded(v), textNumber("nameId", &v.Name))...)
	o := &a.k.Others
	a.add(trace.TableOther, o.Rows(), append(append(a.times(o), a.threaded(o), textNumber("nameId", &o.Name), textNumber("categoryId", &o.Cat)), maybe("extraId", &o.Extra)...)...)
	c, i := &a.k.Counters, &a.k.Instants
	n := c.Time.Len()
	from := func(i int) (*kineto.Marks, int) {
		if i < n {
			return c, i
		}
		return &a.k.Instants, i - n
	}
	num := func(name string, f func(m *kineto.Marks, i int) int64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { m, k := from(i); return f(m, k) }}
	}
	a.add("PYTORCH_COUNTERS", n+i.Time.Len(), num("timestamp", func(m *kineto.Marks, i int) int64 { return m.Time.At(i) - a.origin }),
		num("globalTid", func(m *kineto.Marks, i int) int64 { return int64(a.threads[m.Track.At(i)]) }),
		num("nameId", func(m *kineto.Marks, i int) int64 { return int64(m.Name.At(i)) }),
		memoryColumn{name: "kind", text: func(i int) string {
			if i < n {
				return "counter"
			}
			return "instant"
		}}, num("extraId", func(m *kineto.Marks, i int) int64 { return int64(m.Extra.At(i)) }))
	a.links()
}

// links are the arrows between operators; those from calls to kernels say what
// correlation numbers say already.
func (a *kinetoAdapter) links() {
	f := &a.k.Flows
	var rows []int
	for i := range f.ID.Len() {
		if !isLaunchArrow(a.k.Text(f.Cat.At(i))) {
			rows = append(rows, i)
		}
	}
	a.add("PYTORCH_LINKS", len(rows), pick(rows, []memoryColumn{told("id", &f.ID, 0), {name: "category", text: func(i int) string { return a.k.Text(f.Cat.At(i)) }},
		{name: "phase", text: func(i int) string { return string(rune(f.Phase.At(i))) }}, {name: "timestamp", whole: func(i int) int64 { return f.Time.At(i) - a.origin }},
		{name: "globalTid", whole: func(i int) int64 { return int64(a.threads[f.Track.At(i)]) }}})...)
}
