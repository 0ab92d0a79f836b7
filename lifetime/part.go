package lifetime

import (
	"context"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// A part is what a range of a log gives: each of its kernels, with what is counted
// of it. Kernels do not know of each other but for little that a [Joiner] mends, so
// that parts of a log, made anywhere, give the answer of the whole, to the last bit.
type part struct {
	Kernels  []partKernel
	Summary  Summary
	Engine   []simlog.Note // those of Summary.Notes that are ours
	HeadLine int64         // lines of the log's head that were read before the range
	HeadSize int64
}

// A partKernel is a kernel of a part.
type partKernel struct {
	Result    KernelResult // without Lifetimes
	Lifetimes [][]byte     // by level, as Distribution.MarshalBinary has them
}

// WritePart analyses a source, which is the range of a log behind its head, and
// writes what a Joiner needs of it.
func WritePart(ctx context.Context, w io.Writer, src simlog.Source, s Settings, headLines, headSize int64) error {
	_, elements := src.(*simlog.ScaleSim)
	o, err := s.Options.withDefaults(elements)
	if err != nil {
		return err
	}
	p := &part{HeadLine: headLines, HeadSize: headSize}
	sum, err := Run(ctx, src, o, p)
	if sum == nil || err != nil {
		return err
	}
	p.Summary = *sum
	p.Engine = sum.Notes[len(src.Notes()):]
	p.Summary.Notes = sum.Notes[:len(src.Notes())]
	return gob.NewEncoder(w).Encode(p)
}

// Begin does nothing.
func (p *part) Begin(*simlog.Kernel) error { return nil }

// Rows does nothing: lifetimes are counted.
func (p *part) Rows([]Row) error { return nil }

// End keeps a kernel.
func (p *part) End(r *KernelResult) error {
	k := partKernel{Result: *r}
	k.Result.Levels = slices.Clone(r.Levels)
	for i := range k.Result.Levels {
		b, err := k.Result.Levels[i].Lifetimes.MarshalBinary()
		if err != nil {
			return err
		}
		k.Lifetimes, k.Result.Levels[i].Lifetimes = append(k.Lifetimes, b), nil
	}
	p.Kernels = append(p.Kernels, k)
	return nil
}

// MarshalBinary writes the counts: sum, longest and whether lengths are rounded,
// then every length, as the difference from the one before, and how many.
func (d *Distribution) MarshalBinary() ([]byte, error) {
	coarse := uint64(0)
	if d.coarse {
		coarse = 1
	}
	var b []byte
	for _, v := range []uint64{d.sumHi, d.sumLo, uint64(d.max), coarse} {
		b = binary.AppendUvarint(b, v)
	}
	before := int64(0)
	d.each(func(cycles int64, n uint64) {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(cycles-before)), n)
		before = cycles
	})
	return b, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (d *Distribution) UnmarshalBinary(b []byte) error {
	bad := false
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			bad, b = true, nil
			return 0
		}
		b = b[n:]
		return v
	}
	*d = Distribution{}
	hi, lo, longest, coarse := next(), next(), next(), next()
	for at := uint64(0); len(b) > 0; {
		at += next()
		n := next()
		if bad || at >= 1<<63 {
			break
		}
		d.AddN(int64(at), n)
	}
	if bad || longest >= 1<<63 {
		return errors.New("expected lengths and counts, found the end")
	}
	d.sumHi, d.sumLo, d.max, d.coarse = hi, lo, int64(longest), coarse != 0
	return nil
}

// A Joiner puts the parts of a log together, in their order.
type Joiner struct {
	c       *analyzer
	src     *joined
	engine  []simlog.Note
	notes   map[string]int // of src.notes, by text
	ids     map[int64]int64
	parts   int
	kernels int
	prev    simlog.Stats
	total   int64 // cycles of all kernels before
	hint    simlog.Clock
}

// joined stands for the source of all parts.
type joined struct {
	config simlog.Config
	levels []string
	tally  simlog.Tally
	notes  []simlog.Note
}

func (j *joined) Next() (*simlog.Batch, error) { return nil, io.EOF }
func (j *joined) Levels() []string             { return j.levels }
func (j *joined) Config() simlog.Config        { return j.config }
func (j *joined) Tally() simlog.Tally          { return j.tally }
func (j *joined) Notes() []simlog.Note         { return j.notes }
func (j *joined) Close() error                 { return nil }

// NewJoiner begins to put parts together, which were made with the same settings.
func NewJoiner(s Settings) *Joiner {
	if s.Devices == nil {
		s.Devices = GuideDevices()
	}
	src := &joined{}
	return &Joiner{c: &analyzer{a: &Analysis{Settings: s}, src: src}, src: src, notes: map[string]int{}, ids: map[int64]int64{}}
}

// ErrClock is matched where a kernel's cycles can be read in two ways and only the
// kernels of the part before tell which.
var ErrClock = errors.New("the cycles of a kernel can be read in two ways")

// Add adds the next part.
func (j *Joiner) Add(in io.Reader) error {
	p := &part{}
	if err := gob.NewDecoder(in).Decode(p); err != nil {
		return err
	}
	lines := j.src.tally.Lines - p.HeadLine // what line 0 of the part is in the log
	if j.parts == 0 {
		lines = 0
		j.c.a.Machine.Block = p.Summary.Used.Block
		j.c.a.Summary.Used = p.Summary.Used
	}
	j.parts++
	j.src.config = p.Summary.Config
	for _, n := range p.Summary.Levels {
		if !slices.Contains(j.src.levels, n) {
			j.src.levels = append(j.src.levels, n)
		}
	}
	for i := range p.Kernels {
		if err := j.kernel(&p.Kernels[i], lines); err != nil {
			return err
		}
	}
	t, o := &j.src.tally, p.Summary.Tally
	t.Lines, t.Bytes, t.Accesses, t.Malformed, t.Other, t.Kernels = t.Lines+o.Lines-p.HeadLine, t.Bytes+o.Bytes-p.HeadSize, t.Accesses+o.Accesses, t.Malformed+o.Malformed, t.Other+o.Other-p.HeadLine, t.Kernels+o.Kernels
	for _, n := range p.Summary.Notes {
		if n.Line > p.HeadLine || j.parts == 1 {
			n.Line += lines
			j.note(n)
		}
	}
	for _, n := range p.Engine {
		n.Line += lines
		j.engine = append(j.engine, n)
	}
	return nil
}

func (j *Joiner) note(n simlog.Note) {
	if i, ok := j.notes[n.Text]; ok {
		j.src.notes[i].Count += n.Count
		return
	}
	j.notes[n.Text] = len(j.src.notes)
	j.src.notes = append(j.src.notes, n)
}

// kernel hands a kernel on, with what it owes to those before.
func (j *Joiner) kernel(of *partKernel, lines int64) error {
	r, k := &of.Result, of.Result.Kernel
	if k == nil || len(of.Lifetimes) != len(r.Levels) {
		return errors.New("expected a kernel with lifetimes of each level, found none")
	}
	k.Index = j.kernels
	j.kernels++
	for _, line := range []*int64{&k.HeaderLine, &k.TrailerLine} {
		if *line > 0 {
			*line += lines
		}
	}
	if len(k.Stats) > 0 {
		k.Delta, j.prev = k.Stats.Since(j.prev), k.Stats
	}
	end, clock := k.End(r.First, r.Last, j.hint)
	if end != r.EndAt {
		return fmt.Errorf("kernel %d, line %d: %w, %s by the kernels before it: cut the log into larger parts", k.ID, k.HeaderLine, ErrClock, clock)
	}
	r.Clock = clock
	if k.Cycles <= 0 && clock == simlog.Global {
		r.Cycles = r.EndAt - j.total
	}
	if len(r.Levels) > 0 && k.Cycles > 0 && !k.EndKnown {
		if j.hint = clock; clock == simlog.ClockUnfit {
			j.hint = simlog.PerKernel
		}
	}
	j.total = max(j.total, k.TotalCycles)
	for i := range r.Levels {
		l := &r.Levels[i]
		if at := slices.Index(j.src.levels, l.Name); at >= 0 && at < simlog.MaxLevels {
			l.ID = simlog.LevelID(at)
		}
		l.Lifetimes = &Distribution{}
		if err := l.Lifetimes.UnmarshalBinary(of.Lifetimes[i]); err != nil {
			return fmt.Errorf("kernel %d: %w", k.ID, err)
		}
	}
	if err := j.c.Begin(k); err != nil {
		return err
	}
	return j.c.End(r)
}

// Analysis is that of all parts, as Analyze gives it of the whole log.
func (j *Joiner) Analysis() *Analysis {
	a, used := j.c.a, j.c.a.Summary.Used
	slices.SortStableFunc(j.src.notes, func(x, y simlog.Note) int { return int(min(max(x.Line-y.Line, -1), 1)) })
	a.Summary = Summary{Used: used, Config: j.src.config, Levels: j.src.levels, Tally: j.src.tally, Notes: slices.Concat(j.src.notes, j.engine)}
	a.Machine.Config = j.src.config
	a.Machine.resolveClock()
	for _, t := range a.Totals {
		t.Write.settle()
	}
	a.Notes = append(a.Notes, j.c.notes()...)
	return a
}
