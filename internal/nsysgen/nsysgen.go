// Package nsysgen makes databases like those that Nsight Systems exports, of any
// size, for measurements and tests. The same Size and seed give the same bytes.
package nsysgen

import (
	"fmt"
	"math/rand/v2"

	"github.com/gpuprof/gpuprof/format/nsysdb"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// A Size says how much there shall be of everything.
type Size struct {
	Kernels int // and as many API calls that launch them
	Ranges  int // NVTX push/pop ranges, on three levels
	Copies  int
	Threads int // of as many processes as there are devices
	Devices int
	Names   int // different kernels
	Seed    uint64
}

// Default is the database that docs/performance.md measures.
var Default = Size{Kernels: 5_000_000, Ranges: 1_400_000, Copies: 200_000, Threads: 8, Devices: 4, Names: 200, Seed: 1}

// block is how many rows are made at a time.
const block = 1 << 16

// A generator holds what the tables have to agree on.
type generator struct {
	Size
	w       *nsysdb.Writer
	version schema.Version
}

// Write makes the database of a path.
func Write(path string, size Size) error {
	return nsysdb.WriteFile(path, 4096, func(w *nsysdb.Writer) error {
		g := &generator{Size: size, w: w, version: schema.Newest}
		for _, step := range []func() error{g.strings, g.meta, g.gpus, g.threads, g.calls, g.kernels, g.copies, g.ranges} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// Numbers of texts in StringIds.
const (
	launchID = 100
	copyID   = 101
	threadID = 102
	kernelID = 1000
	rangeID  = 100_000
	texts    = 500
)

func (g *generator) table(name string) (*nsysdb.TableWriter, error) {
	return g.w.Table(schema.Lookup(name).Create(g.version))
}

// rows writes n rows of a table, whose columns cell makes; a column that cell
// does not know is NULL.
func (g *generator) rows(name string, n int, cell func(column string) func(i int) int64) error {
	t, err := g.table(name)
	if err != nil {
		return err
	}
	columns := t.Columns()
	makers := make([]func(int) int64, len(columns))
	for c := range columns {
		makers[c] = cell(columns[c].Name)
	}
	null := make([]bool, block)
	for i := range null {
		null[i] = true
	}
	vs := make([]nsysdb.Vector, len(columns))
	for from := 0; from < n; from += block {
		k := min(block, n-from)
		for c, mk := range makers {
			v := make([]int64, k)
			if mk == nil {
				vs[c] = nsysdb.Integers(v, null[:k])
				continue
			}
			for i := range v {
				v[i] = mk(from + i)
			}
			vs[c] = nsysdb.Integers(v, nil)
		}
		if err := t.Append(k, vs); err != nil {
			return err
		}
	}
	return nil
}

func (g *generator) strings() error {
	t, err := g.table("StringIds")
	if err != nil {
		return err
	}
	ids := []int64{launchID, copyID, threadID}
	text := []string{"cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020", "worker"}
	for i := range g.Names {
		ids = append(ids, int64(kernelID+2*i), int64(kernelID+2*i+1))
		text = append(text, fmt.Sprintf("void kernel_%d<float, %d>(float const*, float*, int)", i, i%7), fmt.Sprintf("kernel_%d", i))
	}
	for i := range texts {
		ids, text = append(ids, int64(rangeID+i)), append(text, fmt.Sprintf("step/layer_%d", i))
	}
	return t.Append(len(ids), []nsysdb.Vector{nsysdb.Integers(ids, nil), nsysdb.Texts(text, nil)})
}

func (g *generator) meta() error {
	t, err := g.table("META_DATA_EXPORT")
	if err != nil {
		return err
	}
	names := []string{"EXPORT_PRODUCT_NAME", "EXPORT_SCHEMA_VERSION"}
	return t.Append(2, []nsysdb.Vector{nsysdb.Texts(names, nil), nsysdb.Texts([]string{"gpuprof nsysgen", g.version.String()}, nil)})
}

func (g *generator) gpus() error {
	t, err := g.table("TARGET_INFO_GPU")
	if err != nil {
		return err
	}
	vs := make([]nsysdb.Vector, len(t.Columns()))
	for c, col := range t.Columns() {
		if col.Type == "TEXT" {
			s := make([]string, g.Devices)
			for i := range s {
				s[i] = "Made-up GPU"
			}
			vs[c] = nsysdb.Texts(s, nil)
			continue
		}
		v := make([]int64, g.Devices)
		for i := range v {
			v[i] = int64(i)
		}
		vs[c] = nsysdb.Integers(v, nil)
	}
	return t.Append(g.Devices, vs)
}

// process and thread number the i-th thread.
func (g *generator) process(thread int) int64 {
	return 1<<48 | int64(5000+thread%g.Devices)<<24
}
func (g *generator) thread(thread int) int64 { return g.process(thread) | int64(6000+thread) }

func (g *generator) threads() error {
	return g.rows("ThreadNames", g.Threads, func(c string) func(int) int64 {
		switch c {
		case "nameId":
			return func(int) int64 { return threadID }
		case "priority":
			return func(int) int64 { return 20 }
		case "globalTid":
			return g.thread
		}
		return nil
	})
}

// Call i is made by thread i % Threads at callStart(i); its work begins later.
const (
	step = 2000 // ns between calls, over all threads
	zero = 1_000_000_000
)

func callStart(i int) int64 { return zero + int64(i)*step }

func (g *generator) calls() error {
	n := g.Kernels + g.Copies
	return g.rows("CUPTI_ACTIVITY_KIND_RUNTIME", n, func(c string) func(int) int64 {
		r := rand.New(rand.NewPCG(g.Seed, 1))
		switch c {
		case "start":
			return callStart
		case "end":
			return func(i int) int64 { return callStart(i) + 1000 + r.Int64N(2000) }
		case "globalTid":
			return func(i int) int64 { return g.thread(i % g.Threads) }
		case "correlationId":
			return func(i int) int64 { return int64(i) + 1 }
		case "nameId":
			return func(i int) int64 {
				if i < g.Kernels {
					return launchID
				}
				return copyID
			}
		case "eventClass", "returnValue":
			return func(int) int64 { return 0 }
		}
		return nil
	})
}

// work makes the columns that kernels and copies share; from is the first call.
func (g *generator) work(from int, length int64) func(string) func(int) int64 {
	return func(c string) func(int) int64 {
		delay, took := rand.New(rand.NewPCG(g.Seed, 2)), rand.New(rand.NewPCG(g.Seed, 3))
		start := func(i int) int64 { return callStart(from+i) + 4000 + delay.Int64N(50_000) }
		switch c {
		case "start":
			return start
		case "end":
			return func(i int) int64 { return start(i) + 800 + took.Int64N(length) }
		case "deviceId":
			return func(i int) int64 { return int64((from + i) % g.Threads % g.Devices) }
		case "contextId":
			return func(int) int64 { return 1 }
		case "streamId":
			return func(i int) int64 { return 7 + int64(i%3) }
		case "globalPid":
			return func(i int) int64 { return g.process((from + i) % g.Threads) }
		case "correlationId":
			return func(i int) int64 { return int64(from+i) + 1 }
		}
		return nil
	}
}

func (g *generator) kernels() error {
	shared := g.work(0, 30_000)
	return g.rows("CUPTI_ACTIVITY_KIND_KERNEL", g.Kernels, func(c string) func(int) int64 {
		if f := shared(c); f != nil {
			return f
		}
		r := rand.New(rand.NewPCG(g.Seed, 4))
		name := func() int64 { return kernelID + 2*r.Int64N(int64(g.Names)) }
		switch c {
		case "demangledName", "mangledName":
			return func(int) int64 { return name() }
		case "shortName":
			return func(int) int64 { return name() + 1 }
		case "gridX":
			return func(i int) int64 { return 1 << (i % 12) }
		case "blockX":
			return func(int) int64 { return 256 }
		case "gridY", "gridZ", "blockY", "blockZ", "launchType":
			return func(int) int64 { return 1 }
		case "registersPerThread":
			return func(i int) int64 { return 32 + int64(i%8)*8 }
		case "gridId":
			return func(i int) int64 { return int64(i) }
		case "sharedMemoryExecuted":
			return func(int) int64 { return 32768 }
		case "staticSharedMemory", "dynamicSharedMemory", "localMemoryPerThread", "localMemoryTotal":
			return func(int) int64 { return 0 }
		}
		return nil
	})
}

func (g *generator) copies() error {
	shared := g.work(g.Kernels, 10_000)
	return g.rows("CUPTI_ACTIVITY_KIND_MEMCPY", g.Copies, func(c string) func(int) int64 {
		if f := shared(c); f != nil {
			return f
		}
		r := rand.New(rand.NewPCG(g.Seed, 5))
		switch c {
		case "bytes":
			return func(int) int64 { return r.Int64N(1 << 24) }
		case "copyKind":
			return func(i int) int64 { return []int64{1, 2, 8}[i%3] }
		case "srcKind":
			return func(i int) int64 { return []int64{0, 2, 2}[i%3] }
		case "dstKind":
			return func(i int) int64 { return []int64{2, 1, 2}[i%3] }
		}
		return nil
	})
}

// ranges writes ranges on three levels: of seven in a row on a thread the first
// encloses all, the second and the fifth two each.
func (g *generator) ranges() error {
	per := max(1, (g.Kernels+g.Copies)/max(1, g.Ranges/7)) // calls of a group, over all threads
	return g.rows("NVTX_EVENTS", g.Ranges/7*7, func(c string) func(int) int64 {
		begin := func(i int) (thread int, start, length int64) {
			group := i / 7
			length = int64(per) * step
			start = callStart(group*per) - 500
			switch i % 7 {
			case 1, 4:
				return group % g.Threads, start + int64(i%7/4)*length/2 + 20, length/2 - 40
			case 2, 3, 5, 6:
				k := int64((i%7 - 2) - i%7/5)
				return group % g.Threads, start + k*length/4 + 40, length/4 - 80
			}
			return group % g.Threads, start, length - 1
		}
		r := rand.New(rand.NewPCG(g.Seed, 6))
		switch c {
		case "start":
			return func(i int) int64 { _, s, _ := begin(i); return s }
		case "end":
			return func(i int) int64 { _, s, l := begin(i); return s + l }
		case "eventType":
			return func(int) int64 { return 59 }
		case "globalTid":
			return func(i int) int64 { t, _, _ := begin(i); return g.thread(t) }
		case "textId":
			return func(int) int64 { return rangeID + r.Int64N(texts) }
		case "domainId":
			return func(int) int64 { return 0 }
		}
		return nil
	})
}
