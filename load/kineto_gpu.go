package load

import (
	"strings"

	"github.com/gpuprof/gpuprof/format/kineto"
	"github.com/gpuprof/gpuprof/trace"
)

// work are the columns that all work of the GPU has.
func (a *kinetoAdapter) work(w *kineto.Work) []memoryColumn {
	owner := a.owners(w)
	return append(a.times(&w.Slices), told("deviceId", &w.Device, 0), told("contextId", &w.Context, 0), told("streamId", &w.Stream, 0),
		told("correlationId", &w.Correlation, 0), memoryColumn{name: "globalPid", whole: owner},
		told("externalId", &w.Linked, 0))
}

// owners tells the process of each piece of work: that of the call with its
// correlation number, where the file has calls of more than one.
func (a *kinetoAdapter) owners(w *kineto.Work) func(i int) int64 {
	several := map[int64]trace.GlobalID{}
	for i := range a.k.Calls.Rows() {
		if p := a.threads[a.k.Calls.Track.At(i)].Process(); p != a.process {
			several[a.k.Calls.Correlation.At(i)] = p
		}
	}
	return func(i int) int64 {
		if p, ok := several[w.Correlation.At(i)]; ok {
			return int64(p)
		}
		return int64(a.process)
	}
}

func (a *kinetoAdapter) kernels() {
	k := &a.k.Kernels
	short := map[kineto.Text]int64{}
	for i := range k.Rows() {
		n := k.Name.At(i)
		if _, ok := short[n]; !ok {
			short[n] = int64(n)
			if s := a.k.Text(n); shortName(s) != s {
				short[n] = a.text(shortName(s))
			}
		}
	}
	cols := append(a.work(&k.Work), textNumber("demangledName", &k.Name), memoryColumn{name: "shortName", whole: func(i int) int64 { return short[k.Name.At(i)] }},
		small("registersPerThread", &k.Registers), memoryColumn{name: "staticSharedMemory", whole: func(int) int64 { return 0 }},
		told("dynamicSharedMemory", &k.Shared, 0))
	for d, axis := range []string{"X", "Y", "Z"} {
		cols = append(cols, memoryColumn{name: "grid" + axis, whole: func(i int) int64 { return int64(k.Grid.At(i)[d]) }},
			memoryColumn{name: "block" + axis, whole: func(i int) int64 { return int64(k.Block.At(i)[d]) }})
	}
	if k.GraphNode.Has() {
		cols = append(cols, told("graphNodeId", &k.GraphNode, 0), told("graphId", &k.GraphID, 0))
	}
	if k.Occupancy.Has() {
		cols = append(cols, small("estimatedOccupancy", &k.Occupancy))
	}
	if k.Collective.Has() {
		cols = append(cols, collectiveColumn(&k.Collective))
	}
	a.add(trace.TableKernel, k.Rows(), append(cols, maybe("extraId", &k.Extra)...)...)
}

func collectiveColumn(c *kineto.Integers[uint32]) memoryColumn {
	return memoryColumn{name: "collective", whole: func(i int) int64 { return int64(c.At(i)) }, null: func(i int) bool { return c.At(i) == 0 }}
}

// shortName is the name of a kernel without its type, spaces and parameters.
func shortName(s string) string {
	s = strings.TrimPrefix(s, "void ")
	s = strings.ReplaceAll(s, "(anonymous namespace)::", "")
	if i := strings.IndexAny(s, "<("); i > 0 {
		s = s[:i]
	}
	if i := strings.LastIndex(s, "::"); i >= 0 && i+2 < len(s) {
		s = s[i+2:]
	}
	return s
}

// copyKinds are those of ENUM_CUDA_MEMCPY_OPER as traces spell them.
var copyKinds = map[string]int64{"HtoD": 1, "DtoH": 2, "HtoA": 3, "AtoH": 4, "AtoA": 5, "AtoD": 6, "DtoA": 7, "DtoD": 8, "HtoH": 9, "PtoP": 10,
	"Host-to-Device": 1, "Device-to-Host": 2, "Device-to-Device": 8, "Host-to-Host": 9, "Peer-to-Peer": 10}

// memoryKinds are those of ENUM_CUDA_MEM_KIND.
var memoryKinds = map[string]int64{"Pageable": 0, "Pinned": 1, "Device": 2, "Array": 3, "Managed": 4, "Unified": 4}

// A copyWay is what the name of a copy tells: "Memcpy HtoD (Pageable -> Device)", or, in
// Chrome traces of other tools, "[CUDA memcpy Host-to-Device]".
type copyWay struct{ kind, from, to int64 }

func copyWayOf(name, kind string) copyWay {
	w := copyWay{from: 7, to: 7}
	rest, ok := strings.CutPrefix(name, "Memcpy ")
	if !ok {
		rest = strings.TrimSuffix(strings.TrimPrefix(name, "[CUDA memcpy "), "]")
	}
	word, ends, _ := strings.Cut(rest, " (")
	w.kind = copyKinds[word]
	if w.kind == 0 {
		w.kind = copyKinds[kind]
	}
	if from, to, ok := strings.Cut(strings.TrimSuffix(ends, ")"), " -> "); ok {
		if n, ok := memoryKinds[from]; ok {
			w.from = n
		}
		if n, ok := memoryKinds[to]; ok {
			w.to = n
		}
	}
	return w
}

func (a *kinetoAdapter) copies() {
	c := &a.k.Copies
	type key struct{ name, kind kineto.Text }
	ways := map[key]copyWay{}
	way := func(i int) copyWay {
		k := key{c.Name.At(i), c.Kind.At(i)}
		w, ok := ways[k]
		if !ok {
			w = copyWayOf(a.k.Text(k.name), a.k.Text(k.kind))
			ways[k] = w
		}
		return w
	}
	cols := append(a.work(&c.Work), told("bytes", &c.Bytes, 0), textNumber("nameId", &c.Name),
		memoryColumn{name: "copyKind", whole: func(i int) int64 { return way(i).kind }},
		memoryColumn{name: "srcKind", whole: func(i int) int64 { return way(i).from }},
		memoryColumn{name: "dstKind", whole: func(i int) int64 { return way(i).to }})
	if c.From.Has() {
		cols = append(cols, told("srcDeviceId", &c.From, 0), told("dstDeviceId", &c.To, 0))
	}
	a.add(trace.TableMemcpy, c.Rows(), cols...)
	s := &a.k.Sets
	a.add(trace.TableMemset, s.Rows(), append(a.work(&s.Work), told("bytes", &s.Bytes, 0), textNumber("nameId", &s.Name),
		memoryColumn{name: "memKind", whole: func(int) int64 { return memoryKinds["Device"] }})...)
}
