package trace

import "context"

// The tables of GPU activities and of API calls.
const (
	TableKernel  = "CUPTI_ACTIVITY_KIND_KERNEL"
	TableMemcpy  = "CUPTI_ACTIVITY_KIND_MEMCPY"
	TableMemset  = "CUPTI_ACTIVITY_KIND_MEMSET"
	TableGraph   = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
	TableRuntime = "CUPTI_ACTIVITY_KIND_RUNTIME"
	TableNvtx    = "NVTX_EVENTS"
)

// The tables of PyTorch, which are gpuprof's own.
const (
	TableOps         = "PYTORCH_OPS"
	TablePython      = "PYTORCH_PYTHON"
	TableMemory      = "PYTORCH_MEMORY"
	TableCollectives = "PYTORCH_COLLECTIVES"
	TableOther       = "PYTORCH_OTHER"
)

// Activities returns those of the tables of kernels, copies and memory sets that
// the trace has, with start, end, globalPid, correlationId and the columns asked
// for.
func (t *Trace) Activities(ctx context.Context, columns ...string) ([]*Table, error) {
	var out []*Table
	cols := append([]string{"start", "end", "globalPid", "correlationId"}, columns...)
	for _, name := range []string{TableKernel, TableMemcpy, TableMemset} {
		a, err := t.Table(ctx, name, cols...)
		if err != nil {
			return nil, err
		}
		if a != nil && a.Rows > 0 {
			out = append(out, a)
		}
	}
	return out, nil
}

// An Index finds rows by process and correlation number, which together tie an
// API call to the work it caused. The correlation number alone does not: each
// process counts from 1.
type Index struct {
	byPID map[int64]*pidIndex
	next  map[int32]int32 // further rows with the same key
	last  *pidIndex
	pid   int64
}

type pidIndex struct {
	base  int64
	dense []int32 // row plus one, by number less base; nil: use m
	m     map[int64]int32
}

func processOf(id int64) int64 { return int64(GlobalID(id).Process()) }

// NewIndex indexes rows by pids, of which the thread bits are ignored, and
// correlation numbers. Numbers mostly follow each other, so they index an array.
func NewIndex(pids, correlation []int64) *Index {
	x := &Index{byPID: map[int64]*pidIndex{}, next: map[int32]int32{}}
	type span struct{ min, max, n int64 }
	spans := map[int64]*span{}
	var s *span
	var cur int64
	for i, c := range correlation {
		pid := processOf(pids[i])
		if s == nil || pid != cur {
			cur = pid
			if s = spans[pid]; s == nil {
				s = &span{min: c, max: c}
				spans[pid] = s
			}
		}
		s.min, s.max, s.n = min(s.min, c), max(s.max, c), s.n+1
	}
	for pid, s := range spans {
		p := &pidIndex{base: s.min}
		if d := uint64(s.max) - uint64(s.min); d < uint64(8*s.n+1024) {
			p.dense = make([]int32, d+1)
		} else {
			p.m = make(map[int64]int32, s.n)
		}
		x.byPID[pid] = p
	}
	for i := len(correlation) - 1; i >= 0; i-- { // backwards: the first row is found first
		p := x.process(processOf(pids[i]))
		c, row := correlation[i], int32(i)
		if p.dense != nil {
			if old := p.dense[c-p.base]; old != 0 {
				x.next[row] = old - 1
			}
			p.dense[c-p.base] = row + 1
		} else {
			if old, ok := p.m[c]; ok {
				x.next[row] = old
			}
			p.m[c] = row
		}
	}
	return x
}

func (x *Index) process(pid int64) *pidIndex {
	if x.last == nil || x.pid != pid {
		x.last, x.pid = x.byPID[pid], pid
	}
	return x.last
}

// Find returns the first row with a process and correlation number, or -1. An
// Index is not safe for concurrent use.
func (x *Index) Find(pid, correlation int64) int32 {
	p := x.process(processOf(pid))
	if p == nil {
		return -1
	}
	if p.dense != nil {
		if d := uint64(correlation) - uint64(p.base); d < uint64(len(p.dense)) {
			return p.dense[d] - 1
		}
		return -1
	}
	if row, ok := p.m[correlation]; ok {
		return row
	}
	return -1
}

// Next returns the row after one that Find or Next returned, or -1.
func (x *Index) Next(row int32) int32 {
	if len(x.next) == 0 {
		return -1
	}
	if n, ok := x.next[row]; ok {
		return n
	}
	return -1
}
