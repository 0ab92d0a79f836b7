package stats

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/projection"
	"github.com/gpuprof/gpuprof/view"
)

// kernelRanges calls visit for every kernel and every range around the call that
// launched it, with the thread of the call. The ranges of one kernel come
// together, outermost first; a kernel without a range is visited once with -1,
// and with thread 0 where its call is not in the trace.
func kernelRanges(ctx context.Context, q *Request, r *trace.Ranges, kernels *trace.Table, visit func(kernel, rng int32, thread trace.GlobalID)) error {
	c, err := q.table(ctx, "CUDA API calls", trace.TableRuntime, "start", "end", "globalTid", "correlationId")
	if err != nil {
		return err
	}
	tid := c.Ints("globalTid")
	x := trace.NewIndex(tid, c.Ints("correlationId"))
	pid, corr := kernels.Ints("globalPid"), kernels.Ints("correlationId")
	of := make([]int32, c.Rows)           // first kernel of a call plus one
	next := make([]int32, kernels.Rows)   // further kernel of the same call plus one
	found := make([]bool, kernels.Rows)   // the kernel lies in a range
	thread := make([]int32, kernels.Rows) // call of the kernel plus one
	for i := kernels.Rows - 1; i >= 0; i-- {
		if row := x.Find(pid[i], corr[i]); row >= 0 {
			next[i], of[row], thread[i] = of[row], int32(i)+1, row+1
		}
	}
	if r != nil {
		projection.Sweep(c, r, func(row int) bool { return of[row] > 0 }, func(i, row int32) {
			for k := of[row]; i >= 0 && k > 0; k = next[k-1] {
				visit(k-1, i, trace.GlobalID(tid[row]))
				found[k-1] = true
			}
		})
	}
	for i := range found {
		if !found[i] {
			t := trace.GlobalID(0)
			if thread[i] > 0 {
				t = trace.GlobalID(tid[thread[i]-1])
			}
			visit(int32(i), -1, t)
		}
	}
	return nil
}

// prefixes are what stands before the names of kernels: the innermost NVTX
// push/pop range around the launch of each, with a slash.
type prefixes struct {
	of    []int64  // of each kernel; nil: no kernel has one
	text  []string // text[0] is that of kernels in no range, ""
	names map[[2]int64]string
}

func (p *prefixes) at(kernel int) string {
	if p.of == nil {
		return ""
	}
	return p.text[p.of[kernel]]
}

// name is the name of a kernel, by its number, behind the prefix.
func (p *prefixes) name(tr *trace.Trace, kernel int, id int64) string {
	key := [2]int64{0, id}
	if p.of != nil {
		key[0] = p.of[kernel]
	}
	s, ok := p.names[key]
	if !ok {
		if p.names == nil {
			p.names = map[[2]int64]string{}
		}
		s = p.at(kernel) + tr.NameText(id)
		p.names[key] = s
	}
	return s
}

// rangePrefixes finds the prefixes of the kernels of the request where it asks for
// them. It is best called before the kernels are read: calls and ranges, which it
// needs, are forgotten afterwards.
func rangePrefixes(ctx context.Context, q *Request) (*prefixes, error) {
	p := &prefixes{}
	if !q.flag("nvtx-name") {
		return p, nil
	}
	kernels, err := q.table(ctx, "kernels", trace.TableKernel, "start", "end", "globalPid", "correlationId")
	if err != nil {
		return nil, err
	}
	r, err := q.ranges(ctx)
	if _, skip := err.(*Skip); skip {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	name, err := rangeNames(ctx, q.Trace, r)
	if err != nil {
		return nil, err
	}
	inner := make([]int64, kernels.Rows) // range plus one
	err = kernelRanges(ctx, q, r, kernels, func(k, i int32, _ trace.GlobalID) {
		if i >= 0 && r.PushPop[i] && (inner[k] == 0 || r.Start[i] >= r.Start[inner[k]-1]) {
			inner[k] = int64(i) + 1
		}
	})
	if err != nil {
		return nil, err
	}
	g, names := rangeGroups(r, name)
	p.text = make([]string, 1, g.n+1)
	for _, n := range names {
		p.text = append(p.text, n+"/")
	}
	for k, i := range inner {
		if i > 0 {
			inner[k] = int64(g.of[i-1]) + 1
		}
	}
	p.of = inner
	q.Trace.Forget(trace.TableRuntime)
	q.Trace.Forget(trace.TableNvtx)
	return p, nil
}

// nvtxKernelSums sums up kernels by range and name.
func nvtxKernelSums(q *Request, t *trace.Table, p *prefixes, col string) []sumRow {
	id := mangledOr(t, col).Ints(col)
	g := together(t.Rows, id, p.of)
	first := g.first()
	g, names := merge(g, func(i int) string { return p.at(int(first[i])) + q.Trace.NameText(id[first[i]]) })
	var rows []sumRow
	for i, d := range g.dists(durations(t)) {
		rows = append(rows, sumRow{d: d, name: names[i], cells: []view.Value{view.String(names[i])}})
	}
	return rows
}

var nvtxKernSum = &Report{
	Name: "nvtx_kern_sum", Old: []string{"nvtxkernsum"}, Title: "NVTX Range Kernel Summary",
	Short: "time in kernels by every NVTX range around their launch", Args: kernelArgs[:2],
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		r, err := q.ranges(ctx)
		if err != nil {
			return nil, err
		}
		name, err := rangeNames(ctx, q.Trace, r)
		if err != nil {
			return nil, err
		}
		col := kernelColumn(q)
		k, err := q.table(ctx, "kernels", trace.TableKernel, "start", "end", "globalPid", "correlationId", "demangledName", col)
		if err != nil {
			return nil, err
		}
		s := &rangeKernels{r: r, index: map[rangeThread]int32{}, groups: map[[2]int32]int32{}, at: make([]int32, r.Len())}
		s.kernel, s.names = groupInts(mangledOr(k, col).Ints(col))
		s.text, s.label = rangeGroups(r, name)
		s.words = (s.kernel.n + 63) / 64
		if n := r.Len() * s.words; n < 1<<26 {
			s.seen = make([]uint64, n)
		} else {
			s.seenMap = map[[2]int32]bool{}
		}
		if err := kernelRanges(ctx, q, r, k, s.add); err != nil {
			return nil, err
		}
		s.seen, s.seenMap, s.dense, s.groups = nil, nil, nil, nil // room for what follows
		return s.table(q, k), nil
	},
}

// rangeGroups groups ranges by name.
func rangeGroups(r *trace.Ranges, name func(int) string) (g grouping, names []string) {
	type key struct {
		text   trace.Sym
		domain int64
		pid    trace.GlobalID
	}
	g, _ = groupBy(r.Len(), func(i int) key { return key{r.Text[i], r.Domain[i], r.Thread[i].Process()} })
	first := make([]int, g.n)
	for i := len(g.of) - 1; i >= 0; i-- {
		first[g.of[i]] = i
	}
	return merge(g, func(i int) string { return name(first[i]) })
}

// A rangeThread is where kernels were launched: in the ranges of a name on a
// thread, or outside of all, with text -1.
type rangeThread struct {
	text    int32
	pushPop bool
	thread  trace.GlobalID
}

// rangeKernels gathers the kernels of each range name, thread and kernel name.
type rangeKernels struct {
	r       *trace.Ranges
	kernel  grouping // of kernels by name
	names   []int64
	text    grouping // of ranges by name
	label   []string
	words   int
	seen    []uint64 // kernel names met within each range, as bits
	seenMap map[[2]int32]bool

	index     map[rangeThread]int32
	at        []int32 // of each range: its place in where plus one, 0 while not known
	where     []rangeThread
	groups    map[[2]int32]int32 // of where and kernel name
	dense     [][]int32          // the same plus one, while it stays small
	keys      [][2]int32
	instances []int64
	members   []members // of each group
	blocks    [][]memberBlock
}

// members are the kernels of a group: a chain of blocks. There are many times
// more of them than kernels, so they must cost little more than their numbers.
type members struct{ n, first, last int32 }

// A memberBlock is small: most groups have few kernels, and a block is seldom full.
type memberBlock struct {
	kernels [7]int32
	next    int32
}

const (
	blockPage = 1 << 13 // memberBlocks that are allocated at once
	denseMost = 1 << 24 // cells of rangeKernels.dense
)

func (s *rangeKernels) block(i int32) *memberBlock { return &s.blocks[i/blockPage][i%blockPage] }

// join adds a kernel to a group.
func (s *rangeKernels) join(g, kernel int32) {
	m := &s.members[g]
	at := m.n % int32(len(memberBlock{}.kernels))
	if at == 0 {
		last := len(s.blocks) - 1
		if last < 0 || len(s.blocks[last]) == blockPage {
			s.blocks = append(s.blocks, make([]memberBlock, 0, blockPage))
			last++
		}
		s.blocks[last] = append(s.blocks[last], memberBlock{})
		i := int32(last*blockPage + len(s.blocks[last]) - 1)
		if m.n == 0 {
			m.first = i
		} else {
			s.block(m.last).next = i
		}
		m.last = i
	}
	s.block(m.last).kernels[at] = kernel
	m.n++
}

// place returns where kernels of a range, or -1, belong.
func (s *rangeKernels) place(rng int32, thread trace.GlobalID) int32 {
	if rng >= 0 && s.at[rng] > 0 {
		return s.at[rng] - 1
	}
	at := rangeThread{text: -1, thread: thread}
	if rng >= 0 {
		at = rangeThread{s.text.of[rng], s.r.PushPop[rng], s.r.Thread[rng]}
	}
	w, ok := s.index[at]
	if !ok {
		w = int32(len(s.where))
		s.index[at] = w
		s.where = append(s.where, at)
	}
	if rng >= 0 {
		s.at[rng] = w + 1
	}
	return w
}

// group returns the group of a place and a kernel name.
func (s *rangeKernels) group(w, name int32) int32 {
	if (int(w)+1)*s.kernel.n <= denseMost {
		for int(w) >= len(s.dense) {
			s.dense = append(s.dense, make([]int32, s.kernel.n))
		}
		if g := s.dense[w][name]; g > 0 {
			return g - 1
		}
		s.dense[w][name] = int32(len(s.keys)) + 1
		return s.newGroup(w, name)
	}
	key := [2]int32{w, name}
	g, ok := s.groups[key]
	if !ok {
		g = s.newGroup(w, name)
		s.groups[key] = g
	}
	return g
}

func (s *rangeKernels) newGroup(w, name int32) int32 {
	s.keys = append(s.keys, [2]int32{w, name})
	s.instances = append(s.instances, 0)
	s.members = append(s.members, members{})
	return int32(len(s.keys) - 1)
}

// add takes in a kernel and a range around its launch, or -1.
func (s *rangeKernels) add(kernel, rng int32, thread trace.GlobalID) {
	name := s.kernel.of[kernel]
	g := s.group(s.place(rng, thread), name)
	if rng >= 0 && s.first(rng, name) {
		s.instances[g]++
	}
	s.join(g, kernel)
}

// dists describes the durations of each group.
func (s *rangeKernels) dists(duration func(i int) int64) []dist {
	out := make([]dist, len(s.members))
	var values []int64
	for g, m := range s.members {
		values = values[:0]
		for b := m.first; len(values) < int(m.n); {
			block := s.block(b)
			for _, k := range block.kernels[:min(len(block.kernels), int(m.n)-len(values))] {
				values = append(values, duration(int(k)))
			}
			b = block.next
		}
		out[g] = distOf(values)
	}
	return out
}

// first reports whether the kernel name is met for the first time in the range.
func (s *rangeKernels) first(rng, name int32) bool {
	if s.seenMap != nil {
		k := [2]int32{rng, name}
		was := s.seenMap[k]
		s.seenMap[k] = true
		return !was
	}
	w, bit := &s.seen[int(rng)*s.words+int(name)/64], uint64(1)<<(name%64)
	was := *w&bit != 0
	*w |= bit
	return !was
}

// order is the order of the groups: by the name of the range, the thread, then
// the time of the kernels.
func (s *rangeKernels) order(d []dist) []int32 {
	// Names are compared once; they are few, and groups many.
	byName := make([]int32, len(s.label))
	for i := range byName {
		byName[i] = int32(i)
	}
	slices.SortFunc(byName, func(a, b int32) int { return cmp.Compare(s.label[a], s.label[b]) })
	rank := make([]int32, len(s.label)) // from 1; equal names have the same. No range comes first, as ""
	for k, i := range byName {
		switch {
		case k > 0 && s.label[i] == s.label[byName[k-1]]:
			rank[i] = rank[byName[k-1]]
		case s.label[i] != "":
			rank[i] = int32(k + 1)
		}
	}
	name := make([]int32, len(s.where))
	for w := range name {
		if x := s.where[w].text; x >= 0 {
			name[w] = rank[x]
		}
	}
	order := make([]int32, len(s.keys))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		v, w := s.keys[a][0], s.keys[b][0]
		if v != w {
			if c := cmp.Or(cmp.Compare(name[v], name[w]), cmp.Compare(s.where[v].thread, s.where[w].thread)); c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(d[b].sum, d[a].sum), cmp.Compare(a, b))
	})
	return order
}

// table makes the report. Ranges are in the order of their names, the kernels of
// each by time.
func (s *rangeKernels) table(q *Request, k *trace.Table) *view.Table {
	t := table(append(append([]view.Column{text("NVTX Range"), text("Style"), count("PID"), count("TID"), count("NVTX Inst"), count("Kern Inst"),
		nanoseconds("Total Time")}, distColumns(nanoseconds)...), text("Kernel Name"))...)
	d := s.dists(durations(k))
	order := s.order(d)
	row := make([]view.Value, 0, 13)
	t.More = func(yield func([]view.Value) bool) {
		for _, i := range order {
			w := s.where[s.keys[i][0]]
			row = append(row[:0], view.Null, view.Null, view.Null, view.Null)
			if w.text >= 0 {
				row[0], row[1] = view.String(s.label[w.text]), view.String(style(w.pushPop))
			}
			if w.thread != 0 {
				row[2], row[3] = view.Int(w.thread.PID(), ""), view.Int(w.thread.TID(), "")
			}
			row = d[i].addTo(append(row, view.Int(s.instances[i], ""), view.Int(d[i].n, ""), view.Int(d[i].sum, ns)), ns)
			if !yield(append(row, view.String(q.Trace.NameText(s.names[s.keys[i][1]])))) {
				return
			}
		}
	}
	return t
}
