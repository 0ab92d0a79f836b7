package timeline

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/critical"
)

// A SliceID is the number of a slice. None stands for no slice.
type SliceID = int32

// None is the SliceID of no slice.
const None SliceID = -1

// A row is one depth of a track: the slices from First to First+Len, sorted by
// start, none of which overlap.
type row struct {
	First, Len int32
	winners    [][]winner // of blocks of slices, of blocks of blocks, ...
	busy       []int64    // ns of all slices before each block
}

// A Track is a line of the timeline.
type Track struct {
	Key     string // names the track within the file, for links
	Parent  int    // in Index.Tracks, or -1
	Name    string
	Kind    Kind
	Process trace.GlobalID
	Thread  trace.GlobalID
	Device  int64
	Rows    []row
	Counter *counter // of a counter, which has no rows
	Derived bool     // its slices stand for others: the critical path, NVTX ranges as a stream saw them
}

// An Index holds the slices of a trace.
type Index struct {
	Tracks     []Track  // parents before children, in the order of the screen
	First, End int64    // ns: the first start and the last end
	Notes      []string // what is left out or not drawn as the file says

	start, end []int64
	name       []NameID
	link       []SliceID           // call of a work, last work of a call, or None
	next       map[SliceID]SliceID // further work of the same call
	set        []uint16            // in tables
	tables     []string
	row        []int32         // row of its table in the order of the file, from 0
	rowids     [][]int64       // of each set, by row; nil: row i has number i+1
	path       []critical.Step // of the critical path, whose rows they are
	rows       []rowStart      // by first, to find the track of a slice
	names      []sliceName     // by NameID
	count      []int32         // slices of each name
	tr         *trace.Trace
}

type rowStart struct {
	first      SliceID
	track, row int32
}

// Len is the number of slices.
func (x *Index) Len() int { return len(x.start) }

type builder struct {
	tr       *trace.Trace
	x        *Index
	domains  *trace.Domains
	threads  map[trace.GlobalID]trace.Thread
	gpus     map[int64]string
	lines    []line
	number   map[line]int32
	namer    namer
	words    trace.Words
	programs map[trace.GlobalID]string
	recent   [64]seen // lines that rows had lately
	sets     []*rows
	told     func(done float64)
	ties     int  // calls and operations of GPUs
	work     bool // there are operations
	odd      oddTimes
	where    [][]SliceID // slice of each row of a set, for the links; nil where nothing ties them
}

// Build reads a trace. What it read of the tables is forgotten again.
func Build(ctx context.Context, tr *trace.Trace) (*Index, error) {
	return BuildProgress(ctx, tr, func(float64) {})
}

// readShare is the part of the work that is reading, roughly.
const readShare = 0.6

// BuildProgress is Build that tells how much of the work is done, from 0 to 1,
// as far as can be told beforehand. It may tell from several goroutines, but
// not at once.
func BuildProgress(ctx context.Context, tr *trace.Trace, told func(done float64)) (*Index, error) {
	b := &builder{tr: tr, x: &Index{tr: tr, next: map[SliceID]SliceID{}}, number: map[line]int32{}, told: told, words: tr.Words()}
	b.namer.number = map[sliceName]NameID{}
	if err := tr.LoadNames(ctx); err != nil {
		return nil, err
	}
	var err error
	if b.threads, err = tr.NamedThreads(ctx); err != nil {
		return nil, err
	}
	if b.programs, err = tr.Programs(ctx); err != nil {
		return nil, err
	}
	if b.gpus, err = tr.GPUs(ctx); err != nil {
		return nil, err
	}
	sources := sourcesOf(tr)
	for i, s := range sources {
		told(readShare * float64(i) / float64(len(sources)+1))
		r, err := b.readSource(ctx, s)
		if err != nil {
			return nil, err
		}
		b.add(r)
	}
	if b.domains, err = tr.Domains(ctx); err != nil {
		return nil, err
	}
	for _, read := range []func(context.Context) (*rows, error){b.readRanges, b.readMarks} {
		r, err := read(ctx)
		if err != nil {
			return nil, err
		}
		b.add(r)
	}
	tr.Forget(trace.TableNvtx)
	for _, read := range []func(context.Context) (*rows, error){b.readProjected, b.readCritical} {
		r, err := read(ctx)
		if err != nil {
			return nil, err
		}
		b.add(r)
	}
	if n := b.count(); n > 1<<31-1 {
		return nil, fmt.Errorf("%s: expected less than 2^31 slices, found %d", tr.File, n)
	}
	if b.count() > 1<<20 {
		runtime.GC() // there are few pointers: what was dropped is free at once, and fresh memory costs more than this
	}
	if err := b.lay(ctx); err != nil {
		return nil, err
	}
	b.links()
	b.sets, b.where = nil, nil
	if err := b.counters(ctx); err != nil {
		return nil, err
	}
	b.x.Notes = append(b.x.Notes, b.odd.notes()...)
	b.x.names = b.namer.names
	b.x.tallyNames()
	return b.x, nil
}

func (b *builder) add(r *rows) {
	if r != nil {
		b.odd.noStart += r.left
		b.sets = append(b.sets, r)
	}
}

func (b *builder) count() int {
	n := 0
	for _, r := range b.sets {
		n += r.n - r.left
	}
	return n
}

// lay puts the slices of all lines into the columns of the index. Each line has
// its part of them, so that lines are laid side by side.
func (b *builder) lay(ctx context.Context) error {
	x, n := b.x, b.count()
	x.start, x.end, x.name = make([]int64, n), make([]int64, n), make([]NameID, n)
	x.row, x.set = make([]int32, n), make([]uint16, n)
	b.where = make([][]SliceID, len(b.sets))
	for k, r := range b.sets {
		if r.tied {
			b.where[k] = make([]SliceID, r.n)
			for i := range b.where[k] {
				b.where[k][i] = None
			}
		}
	}
	nodes, size := b.tree(), b.sizes()
	x.Tracks = make([]Track, len(nodes))
	from := make([]SliceID, len(b.lines)) // of each line: its first slice
	at := SliceID(0)
	var jobs []func()
	for i, t := range nodes {
		x.Tracks[i] = t.Track
		if l := t.line; l >= 0 {
			first, end := at, at+size[l]
			from[l], at = first, end
			jobs = append(jobs, func() { x.Tracks[i].Rows = b.rowsOf(first, end) })
		}
	}
	b.deal(from)
	if err := b.abreast(ctx, jobs); err != nil {
		return err
	}
	for i := range x.Tracks {
		for d := range x.Tracks[i].Rows {
			x.rows = append(x.rows, rowStart{x.Tracks[i].Rows[d].First, int32(i), int32(d)})
		}
	}
	for i := range x.start {
		if i == 0 || x.start[i] < x.First {
			x.First = x.start[i]
		}
		if i == 0 || x.end[i] > x.End {
			x.End = x.end[i]
		}
	}
	return nil
}

// abreast does jobs on all processors, and tells how many are done.
func (b *builder) abreast(ctx context.Context, jobs []func()) error {
	var wg carry.Group
	var next atomic.Int32
	var mu sync.Mutex
	done := 0
	for range min(len(jobs), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for k := int(next.Add(1)) - 1; k < len(jobs) && ctx.Err() == nil; k = int(next.Add(1)) - 1 {
				jobs[k]()
				mu.Lock()
				done++
				b.told(readShare + (1-readShare)*float64(done)/float64(len(jobs)+1))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// sizes counts the rows of each line.
func (b *builder) sizes() []int32 {
	size := make([]int32, len(b.lines))
	for _, r := range b.sets {
		for _, p := range r.parts {
			for _, l := range p.line {
				if l >= 0 {
					size[l]++
				}
			}
		}
	}
	return size
}

// deal puts the rows of all sets into the columns of the index, those of each line
// from a place on, in the order of the file. What the links need stays in the
// sets.
func (b *builder) deal(next []SliceID) {
	x := b.x
	for k, r := range b.sets {
		row := int32(0)
		for j := range r.parts {
			p := &r.parts[j]
			for i, l := range p.line {
				if l >= 0 {
					id := next[l]
					next[l]++
					x.start[id], x.end[id] = p.times(i)
					x.name[id], x.row[id], x.set[id] = p.name[i], row, uint16(k)
				}
				row++
			}
			if *p = (part{line: p.line, corr: p.corr}); !r.tied {
				p.line = nil
			}
		}
	}
}

// order is where slices come in the order of time, longer ones first; nil where they
// are in it.
func (x *Index) order(from, end SliceID) []SliceID {
	less := func(p, q SliceID) int {
		return cmp.Or(cmp.Compare(x.start[p], x.start[q]), cmp.Compare(x.end[q], x.end[p]))
	}
	sorted := true
	for id := from + 1; id < end && sorted; id++ {
		sorted = x.start[id-1] < x.start[id] || x.start[id-1] == x.start[id] && x.end[id-1] >= x.end[id]
	}
	if sorted {
		return nil
	}
	order := make([]SliceID, end-from)
	for i := range order {
		order[i] = from + SliceID(i)
	}
	slices.SortStableFunc(order, less)
	return order
}

// rowsOf gives each slice of a line the lowest depth that is free, which for
// slices that nest is the number of slices around it, and brings them into the
// order of depth and time.
func (b *builder) rowsOf(from, end SliceID) []row {
	x := b.x
	order := x.order(from, end)
	var free levels
	depth := make([]int32, end-from) // of the slices in the order of time
	for i := range depth {
		id := from + SliceID(i)
		if order != nil {
			id = order[i]
		}
		depth[i] = free.take(x.start[id], x.end[id])
	}
	out := make([]row, free.n)
	for _, d := range depth {
		out[d].Len++
	}
	fill, at := make([]SliceID, free.n), SliceID(0)
	for d := range out {
		out[d].First, fill[d] = from+at, at
		at += out[d].Len
	}
	if order != nil || free.n > 1 {
		to := depth // where each slice goes; takes the memory of depths
		if order != nil {
			to = make([]int32, len(depth))
		}
		for i, d := range depth {
			k := i
			if order != nil {
				k = int(order[i] - from)
			}
			to[k] = fill[d]
			fill[d]++
		}
		move(to, x.start[from:end], x.end[from:end])
		move(to, x.name[from:end])
		move(to, x.row[from:end])
		move(to, x.set[from:end])
	}
	for id := from; id < end; id++ {
		if w := b.where[x.set[id]]; w != nil {
			w[x.row[id]] = id
		}
	}
	for d := range out {
		x.summarize(&out[d])
	}
	return out
}

// move moves the elements of columns to their places.
func move[T any](to []int32, columns ...[]T) {
	was := make([]T, len(to))
	for _, v := range columns {
		copy(was, v)
		for i, e := range was {
			v[to[i]] = e
		}
	}
}

// links ties calls to their work by process and correlation number.
func (b *builder) links() {
	x := b.x
	for _, r := range b.sets {
		x.tables, x.rowids = append(x.tables, r.table), append(x.rowids, r.rowid)
	}
	x.link = make([]SliceID, len(x.start))
	for i := range x.link {
		x.link[i] = None
	}
	for k, calls := range b.sets {
		if calls.gpu || !calls.tied {
			continue
		}
		find := b.indexOf(calls)
		for j, work := range b.sets {
			if work.gpu && work.tied {
				b.tie(find, b.where[k], work, b.where[j])
			}
		}
	}
}

// owner is the process or thread of a line's rows, 0 where they are on no line.
func (b *builder) owner(l int32) int64 {
	if l < 0 {
		return 0
	}
	return int64(cmp.Or(b.lines[l].thread, b.lines[l].pid))
}

// indexOf indexes calls by process and correlation number.
func (b *builder) indexOf(calls *rows) *trace.Index {
	pid, corr := make([]int64, 0, calls.n), make([]int64, 0, calls.n)
	for _, p := range calls.parts {
		for i, l := range p.line {
			pid, corr = append(pid, b.owner(l)), append(corr, p.corr.at(i))
		}
	}
	return trace.NewIndex(pid, corr)
}

// tie ties calls, which find finds, to work; each has slices by row.
func (b *builder) tie(find *trace.Index, calls []SliceID, work *rows, slice []SliceID) {
	x, at := b.x, 0
	for _, p := range work.parts {
		for i, l := range p.line {
			w, c := slice[at+i], p.corr.at(i)
			if w == None || c == 0 {
				continue
			}
			row := find.Find(b.owner(l), c)
			if row < 0 || calls[row] == None {
				continue
			}
			call := calls[row]
			if first := x.link[call]; first != None {
				x.next[w] = first
			}
			x.link[w], x.link[call] = call, w
		}
		at += len(p.line)
	}
}
