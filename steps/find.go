package steps

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
)

// A Step is one of the repeated parts of a program, in host time: work launched
// from Start to before End belongs to it.
type Step struct {
	Span
	Number int64 // that its text has, else its place, from 0
}

// A Source is how steps were found.
type Source uint8

// The ways in which steps are found.
const (
	NoSteps    Source = iota
	Profiler          // ranges ProfilerStep#N of PyTorch's profiler
	Numbered          // ranges whose texts differ in a running number
	Repeated          // a range that was repeated
	Periodic          // the period of the operations of the device
	ByArgument        // ranges that the caller asked for
)

// A Found is the list of steps of a process or, where they are periodic, of a
// device.
type Found struct {
	Steps  []Step
	Source Source
	Text   string  // of the ranges, its number replaced by N; of a period the name of the operation that marks it
	Alike  float64 // of a period: how alike its parts are, 1 for equal ones
	Length int     // of a period: operations, the median
}

// At is the index of the step that a moment of host time lies in, or -1.
func (f *Found) At(t int64) int {
	k, ok := slices.BinarySearchFunc(f.Steps, t, func(s Step, t int64) int { return cmp.Compare(s.Start, t) })
	if !ok {
		k--
	}
	if k >= 0 && t < f.Steps[k].End {
		return k
	}
	return -1
}

// String says how the steps were found and how sure.
func (f *Found) String() string {
	if f == nil || len(f.Steps) == 0 {
		return "no steps: no range is repeated or numbered, and the operations have no period"
	}
	switch f.Source {
	case Periodic:
		return fmt.Sprintf("%d steps by the period of the operations: %d each, %.0f %% alike, marked by %s", len(f.Steps), f.Length, 100*f.Alike, f.Text)
	case Repeated:
		return fmt.Sprintf("%d steps: NVTX ranges %q, repeated", len(f.Steps), f.Text)
	}
	return fmt.Sprintf("%d steps: NVTX ranges %q", len(f.Steps), f.Text)
}

// Numbered reports whether numbers of steps mean the same in other reports of the
// run.
func (f *Found) Numbered() bool {
	return f != nil && (f.Source == Profiler || f.Source == Numbered || f.Source == ByArgument && strings.Contains(f.Text, "N"))
}

// A Finder finds the steps of each process of a trace.
type Finder struct {
	o       *Options
	ranges  *trace.Ranges
	texts   *trace.Strings
	domains *trace.Domains
	of      map[trace.GlobalID][]int32 // ranges by process
}

// NewFinder reads the ranges.
func NewFinder(ctx context.Context, tr *trace.Trace, o *Options) (*Finder, error) {
	if o == nil {
		o = &Options{}
	}
	f := &Finder{o: o, texts: tr.Strings, of: map[trace.GlobalID][]int32{}}
	var err error
	if f.ranges, err = tr.Ranges(ctx); err != nil || f.ranges == nil {
		return f, err
	}
	if f.domains, err = tr.Domains(ctx); err != nil {
		return nil, err
	}
	r := f.ranges
	for i := range r.Start {
		if r.Open[i] || r.Start[i] <= -most || r.End[i] >= most || r.End[i] < r.Start[i] || r.NoText != nil && r.NoText[i] {
			continue
		}
		p := r.Thread[i].Process()
		f.of[p] = append(f.of[p], int32(i))
	}
	return f, nil
}

// Find finds the steps of a device: those of its process, else those of its own
// period. It never returns nil.
func (f *Finder) Find(d *Device) *Found {
	found := f.byRanges(d.Process)
	if found == nil && f.o.Range == nil {
		found = d.period()
	}
	if found == nil {
		return &Found{}
	}
	if f.o.Most > 0 && len(found.Steps) > f.o.Most {
		found.Steps = found.Steps[:f.o.Most]
	}
	return found
}

// ByRanges finds the steps of the process whose ranges tell of most steps, or
// returns nil: for who needs the steps of a program and not those of a device.
func (f *Finder) ByRanges() *Found {
	var best *Found
	for _, p := range slices.Sorted(maps.Keys(f.of)) {
		if found := f.byRanges(p); found != nil && (best == nil || len(found.Steps) > len(best.Steps)) {
			best = found
		}
	}
	return best
}

// A candidate is a set of ranges that may be steps.
type candidate struct {
	text   string
	source Source
	rank   int // the less the better
	cover  int64
	first  int32
	steps  []Step
}

// stepWords rank texts of ranges by what they say: the first word that the text
// contains counts.
var stepWords = []struct {
	word string
	rank int
}{
	{"profilerstep#", 0}, {"optimizer", 9}, {"step", 1}, {"iter", 1}, {"batch", 2}, {"epoch", 4},
}

const unnamed = 6 // rank of texts without such a word

func textRank(text string) int {
	s := strings.ToLower(text)
	for _, w := range stepWords {
		if strings.Contains(s, w.word) {
			return w.rank
		}
	}
	return unnamed
}

// byRanges finds steps among the ranges of a process, or returns nil.
func (f *Finder) byRanges(process trace.GlobalID) *Found {
	var span Span
	groups, order := map[rangeKey]*candidate{}, []*candidate(nil)
	known := map[trace.Sym]template{}
	r := f.ranges
	for n, i := range f.of[process] {
		if n == 0 {
			span = Span{Start: r.Start[i], End: r.End[i]}
		}
		span = Span{Start: min(span.Start, r.Start[i]), End: max(span.End, r.End[i])}
		t, ok := known[r.Text[i]]
		if !ok {
			t = templateOf(f.texts.Text(r.Text[i]))
			known[r.Text[i]] = t
		}
		if f.o.Range != nil && !f.o.Range.MatchString(f.texts.Text(r.Text[i])) || f.skips(process, r.Domain[i], t.text) {
			continue
		}
		k := rangeKey{t.text, r.Domain[i], r.Thread[i]}
		c := groups[k]
		if t.operation && textRank(t.text) >= unnamed {
			continue
		}
		if c == nil {
			c = &candidate{text: t.text, rank: textRank(t.text), first: i}
			groups[k] = c
			order = append(order, c)
		}
		c.steps = append(c.steps, Step{Span{Start: r.Start[i], End: r.End[i]}, t.number})
		c.cover += r.End[i] - r.Start[i]
	}
	var best *candidate
	for _, c := range order {
		if c.judge(span, f.o.Range != nil) && (best == nil || c.better(best)) {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	return &Found{Steps: best.steps, Source: best.source, Text: best.text}
}

type rangeKey struct {
	text   string
	domain int64
	thread trace.GlobalID
}

// skips leaves out the ranges that libraries put around their own calls.
func (f *Finder) skips(process trace.GlobalID, domain int64, text string) bool {
	if domain == 0 {
		return false
	}
	switch f.domains.Name(process, domain) {
	case "NCCL", "RCCL", "cuBLAS", "cuDNN", "CCCL", "cuBLASLt", "TensorRT", "NVSHMEM":
		return true
	}
	return strings.HasPrefix(text, "nccl")
}

// judge puts the ranges in order and reports whether they can be steps; asked
// says that the user named them.
func (c *candidate) judge(all Span, asked bool) bool {
	slices.SortFunc(c.steps, func(a, b Step) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	numbered, running := c.steps[0].Number >= 0, true
	for i := 1; i < len(c.steps); i++ {
		a, b := c.steps[i-1], c.steps[i]
		if b.Start < a.End {
			return false
		}
		running = running && b.Number > a.Number
	}
	share := float64(c.cover) / float64(max(all.End-all.Start, 1))
	switch {
	case asked:
		c.source = ByArgument
	case numbered && running && c.rank == 0:
		c.source = Profiler
	case numbered && running && (len(c.steps) >= 2 && c.rank < unnamed || len(c.steps) >= 3 && share >= 0.6):
		c.source = Numbered
	case numbered:
		return false
	case len(c.steps) >= 3 && (c.rank < unnamed || share >= 0.6):
		c.source = Repeated
	default:
		return false
	}
	if !numbered || !running {
		for i := range c.steps {
			c.steps[i].Number = int64(i)
		}
	}
	return len(c.steps) >= 2 || c.source == Profiler || asked
}

// better prefers what the text says, then numbers, then what covers more: the
// outermost.
func (c *candidate) better(b *candidate) bool {
	return cmp.Or(cmp.Compare(c.rank, b.rank), cmp.Compare(c.source, b.source),
		-cmp.Compare(c.cover, b.cover), cmp.Compare(c.first, b.first)) < 0
}

const numberMark = "N"

// A template is a text with its last number replaced by N.
type template struct {
	text      string
	number    int64
	operation bool // of PyTorch
}

// templateOf replaces the last decimal number of a text; texts without one stay,
// with number -1.
//
// PyTorch adds running numbers to the names of its operations, "aten::mm, seq =
// 12, op_id = 345": these are cut off.
func templateOf(text string) template {
	if at := strings.LastIndex(text, ", op_id = "); at >= 0 {
		text = text[:at]
		if at := strings.LastIndex(text, ", seq = "); at >= 0 {
			text = text[:at]
		}
		return template{text, -1, true}
	}
	isDigit := func(c byte) bool { return c >= '0' && c <= '9' }
	end := len(text)
	for end > 0 && !isDigit(text[end-1]) {
		end--
	}
	start := end
	for start > 0 && isDigit(text[start-1]) {
		start--
	}
	if start == end {
		return template{text, -1, false}
	}
	n, err := strconv.ParseInt(text[start:end], 10, 64)
	if err != nil {
		n = math.MaxInt64
	}
	return template{text[:start] + numberMark + text[end:], n, false}
}
