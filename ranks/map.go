package ranks

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// Map returns the partials of the ranks of a report, by process and device: one
// for each process that did work on a GPU, and one for each of its devices if
// there are several. It is an error if no process did any.
func Map(ctx context.Context, tr *trace.Trace, o *steps.Options) ([]*Partial, error) {
	devices, err := steps.Read(ctx, tr, o)
	if err != nil {
		return nil, err
	}
	devices, left := workers(devices)
	if len(devices) == 0 {
		return nil, fmt.Errorf("%s: expected work of a GPU, found none: no kernels, copies, memory sets or graphs", tr.File)
	}
	finder, err := steps.NewFinder(ctx, tr, o)
	if err != nil {
		return nil, err
	}
	m := &mapper{tr: tr, o: o, finder: finder, base: Identity{File: path.Base(strings.ReplaceAll(tr.File, `\`, "/")), Node: -1, Slot: -1}}
	if m.calls, err = readCalls(ctx, tr); err != nil {
		return nil, err
	}
	if m.torch, err = readTorch(ctx, tr); err != nil {
		return nil, err
	}
	if err := m.identify(ctx, devices); err != nil {
		return nil, err
	}
	var out []*Partial
	for _, d := range devices {
		p := m.device(d)
		p.Problems = append(p.Problems, left...)
		for _, e := range tr.Problems() {
			p.Problems = append(p.Problems, e.Error())
		}
		out = append(out, p)
	}
	return out, ctx.Err()
}

// Numbers are the numbers of ranks of devices of a report, as far as it tells by
// itself; -1: it does not.
func Numbers(ctx context.Context, tr *trace.Trace, devices []*steps.Device) ([]int64, error) {
	m := &mapper{tr: tr}
	var err error
	if m.calls, err = readCalls(ctx, tr); err != nil {
		return nil, err
	}
	if err := m.identify(ctx, devices); err != nil {
		return nil, err
	}
	var out []int64
	for _, d := range devices {
		n := int64(-1)
		if c := m.claimsOf(d); len(c) > 0 {
			n = c[0].Rank
		}
		out = append(out, n)
	}
	return out, nil
}

// claimsOf are the claims about a device, by precedence.
func (m *mapper) claimsOf(d *steps.Device) (out []Claim) {
	several := m.processes[d.Process] > 1
	if !several {
		out = slices.Clone(m.claims[d.Process])
	}
	if c, ok := m.calls.world(d.Process, d.ID, several); ok {
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b Claim) int { return cmp.Compare(a.Source, b.Source) })
	return out
}

// workers leaves out devices on which a process only touched something while it
// worked on another.
func workers(devices []*steps.Device) (out []*steps.Device, left []string) {
	most := map[trace.GlobalID]int{}
	for _, d := range devices {
		most[d.Process] = max(most[d.Process], d.Len())
	}
	for _, d := range devices {
		switch {
		case d.Len() == 0:
		case d.Len() < most[d.Process]/100:
			left = append(left, fmt.Sprintf("process %d: device %d left out, it has %d pieces of work where another has %d", d.Process.PID(), d.ID, d.Len(), most[d.Process]))
		default:
			out = append(out, d)
		}
	}
	return out, left
}

type mapper struct {
	tr        *trace.Trace
	o         *steps.Options
	finder    *steps.Finder
	calls     *hostCalls
	torch     []torchCall
	base      Identity
	processes map[trace.GlobalID]int // devices of each
	claims    map[trace.GlobalID][]Claim
	programs  map[trace.GlobalID]string
	gpus      map[int64]string
}

// identify reads what the report tells of its ranks.
func (m *mapper) identify(ctx context.Context, devices []*steps.Device) error {
	m.processes = map[trace.GlobalID]int{}
	var workers []trace.GlobalID
	for _, d := range devices {
		if m.processes[d.Process]++; m.processes[d.Process] == 1 {
			workers = append(workers, d.Process)
		}
	}
	env, err := environment(ctx, m.tr)
	if err != nil {
		return err
	}
	for _, name := range jobVariables {
		if m.base.Job == "" {
			m.base.Job = env[name]
		}
	}
	if m.claims, err = claims(ctx, m.tr, workers, env); err != nil {
		return err
	}
	if m.base.UTC, m.base.Boot, err = clocks(ctx, m.tr); err != nil {
		return err
	}
	if m.programs, err = m.tr.Programs(ctx); err != nil {
		return err
	}
	if m.gpus, err = m.tr.GPUs(ctx); err != nil {
		return err
	}
	s, err := m.tr.Session(ctx)
	if err != nil {
		return err
	}
	m.base.Host = s.Attribute("Hostname")
	if len(devices) == 1 {
		_, _, m.base.Node, m.base.Slot = fileClaim(m.tr.File)
	}
	return nil
}

// device makes the partial of a device.
func (m *mapper) device(d *steps.Device) *Partial {
	p := &Partial{Identity: m.base, Unplaced: int64(d.Unplaced)}
	p.Process, p.Device, p.Executable, p.GPU = d.Process.PID(), d.ID, m.programs[d.Process], m.gpus[d.ID]
	p.Claims = m.claimsOf(d)
	found := m.finder.Find(d)
	windows := d.Windows(found, m.o)
	times, matrix := d.Measure(windows)
	whole, all := d.Whole()
	p.Whole, p.Span, p.Overlap = whole, whole.Span, *matrix
	if len(windows) == 0 {
		p.Overlap = *all
	}
	p.StepSource, p.StepText, p.Numbered = found.Source, found.String(), found.Numbered()
	at := make([]int32, len(found.Steps)) // index of p.Steps
	for k := range at {
		at[k] = -1
	}
	for i, w := range windows {
		at[w.Step] = int32(i)
		p.Steps = append(p.Steps, Step{found.Steps[w.Step].Number, times[i]})
	}
	stepOf := func(i int32) int32 {
		t := d.Launch[i]
		if t == steps.NoTime {
			t = d.Start[i]
		}
		if k := found.At(t); k >= 0 {
			return at[k]
		}
		return -1
	}
	m.channels(p, d, stepOf)
	m.sums(p, d, windows)
	p.unions(d)
	return p
}

// channels sorts the collectives of a device by communicator.
func (m *mapper) channels(p *Partial, d *steps.Device, stepOf func(int32) int32) {
	var kernels []int32
	for i, c := range d.Class {
		switch c.Kind() {
		case steps.Communication:
			kernels = append(kernels, int32(i))
			p.Kernels++
		case steps.Compute:
			p.Kernels++
		case steps.Copy:
			p.Copies++
		}
	}
	type key struct {
		communicator uint64
		stream       int64
		class        steps.Class
		inSteps      bool
	}
	calls := map[key][]Call{}
	var order []key
	told := m.calls.assign(d, kernels)
	torchAssigned(d, kernels, m.torch, told)
	for n, a := range told {
		i := kernels[n]
		c := Call{Start: d.Start[i], End: d.End[i], Class: a.class, Calls: int32(min(max(a.calls, 1), 1<<30)), Bytes: a.bytes, Size: int32(min(d.Size[i], 1<<30)), Step: stepOf(i)}
		if a.calls == 0 || a.class == steps.OtherCollective {
			c.Class = d.Class[i]
		}
		k := key{communicator: a.communicator}
		if a.communicator == 0 {
			k = key{stream: d.Stream[i], class: c.Class, inSteps: c.Step >= 0}
		}
		if calls[k] == nil {
			order = append(order, k)
		}
		calls[k] = append(calls[k], c)
	}
	slices.SortFunc(order, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.communicator, b.communicator), cmp.Compare(a.stream, b.stream), cmp.Compare(a.class, b.class), compareBool(a.inSteps, b.inSteps))
	})
	for _, k := range order {
		l := calls[k]
		c := Channel{Communicator: k.communicator, Ranks: max(m.calls.ranksOf(k.communicator), torchRanksOf(m.torch, k.communicator)), Stream: k.stream, Class: k.class,
			InSteps: k.inSteps, Count: len(l), packed: packCalls(l)}
		if err := c.index(len(p.Steps)); err != nil { // such as times beyond all bounds
			p.Problems = append(p.Problems, fmt.Sprintf("%d collectives left out: %v", len(l), err))
			continue
		}
		p.Channels = append(p.Channels, c)
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// sums adds up kernels by name, and by step.
func (m *mapper) sums(p *Partial, d *steps.Device, windows []steps.Window) {
	durations := map[trace.Sym][]int64{}
	class := map[trace.Sym]steps.Class{}
	for i, c := range d.Class {
		if k := c.Kind(); k == steps.Compute || k == steps.Communication {
			durations[d.Name[i]] = append(durations[d.Name[i]], d.End[i]-d.Start[i])
			class[d.Name[i]] = c
		}
	}
	type entry struct {
		name trace.Sym
		text string
		sum  int64
	}
	var list []entry
	for y, l := range durations {
		e := entry{name: y, text: m.tr.Strings.Text(y)}
		for _, v := range l {
			e.sum += v
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(-cmp.Compare(a.sum, b.sum), cmp.Compare(a.text, b.text)) })
	if len(list) > mostSums {
		var rest []int64
		for _, e := range list[mostSums:] {
			rest = append(rest, durations[e.name]...)
			class[e.name] = steps.OtherKernel
		}
		list = append(list[:mostSums:mostSums], entry{text: otherKernels})
		durations[0], class[0] = rest, steps.OtherKernel
	}
	var sums []KernelSum
	index := map[trace.Sym]int32{}
	for k, e := range list {
		index[e.name] = int32(k)
		s := KernelSum{Name: e.text, Class: class[e.name]}
		l := durations[e.name]
		s.Sketch = SketchOf(l) // sorts
		s.Count, s.Min, s.Max = int64(len(l)), l[0], l[len(l)-1]
		for _, v := range l {
			s.Sum += v
			s.Squares += float64(v) * float64(v)
		}
		sums = append(sums, s)
	}
	p.sums = packSums(sums, costs(d, windows, index))
}

// costs adds up the kernels of each step, of as many kernels as there is room for.
func costs(d *steps.Device, windows []steps.Window, index map[trace.Sym]int32) (out []Cost) {
	if len(windows) == 0 {
		return nil
	}
	room := min(max(mostCosts/len(windows), 1), len(index))
	cells := make([]Cost, len(windows)*room)
	w := 0
	for i, s := range d.Start { // both are sorted
		for w < len(windows) && s >= windows[w].End {
			w++
		}
		if w == len(windows) {
			break
		}
		if k, ok := index[d.Name[i]]; ok && int(k) < room && s >= windows[w].Start {
			c := &cells[w*room+int(k)]
			c.Step, c.Kernel = int32(w), k
			c.Count++
			c.Sum += d.End[i] - s
		}
	}
	for _, c := range cells {
		if c.Count > 0 && len(out) < mostCosts {
			out = append(out, c)
		}
	}
	return out
}

// unions keeps the moments at which the device computed and was busy.
func (p *Partial) unions(d *steps.Device) {
	var computing, busy []steps.Span
	for c, u := range d.Unions() {
		if steps.Class(c).Kind() == steps.Compute {
			computing = append(computing, u...)
		}
		busy = append(busy, u...)
	}
	kept, closed := interval.Coarsen(interval.UnionOf(computing), mostSpans)
	p.computing, p.Closed = packSpans(kept), closed
	kept, _ = interval.Coarsen(interval.UnionOf(busy), mostSpans)
	p.busy = packSpans(kept)
}
