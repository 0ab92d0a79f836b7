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
	words    *words
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
	b := &builder{tr: tr, x: &Index{tr: tr, next: map[SliceID]SliceID{}}, number: map[line]int32{}, told: told, words: wordsOf(tr)}
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
		b.checked(r)
		b.sets = append(b.sets, r)
	}
}

func (b *builder) count() int {
	n := 0
	for _, r := range b.sets {
		n += len(r.start) - r.left
	}
	return n
}

// A ref is a row of one of the sets.
type ref struct {
	set uint16
	row int32
}

// lay puts the slices of all lines into the columns of the index. Each line has
// its part of them, so that lines are laid side by side.
func (b *builder) lay(ctx context.Context) error {
	x, n := b.x, b.count()
	x.start, x.end, x.name = make([]int64, n), make([]int64, n), make([]NameID, n)
	x.row, x.set = make([]int32, n), make([]uint16, n)
	byLine := b.group()
	b.where = make([][]SliceID, len(b.sets))
	for k, r := range b.sets {
		if r.corr != nil {
			b.where[k] = make([]SliceID, len(r.start))
			for i := range b.where[k] {
				b.where[k][i] = None
			}
		}
	}
	nodes := b.tree()
	x.Tracks = make([]Track, len(nodes))
	var jobs []func()
	at := SliceID(0)
	for i, t := range nodes {
		x.Tracks[i] = t.Track
		if t.line >= 0 {
			from := at
			at += SliceID(len(byLine[t.line]))
			jobs = append(jobs, func() {
				x.Tracks[i].Rows = b.rowsOf(byLine[t.line], from)
				byLine[t.line] = nil
			})
		}
	}
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

// group lists the rows of all sets by line, in the order of the file.
func (b *builder) group() [][]ref {
	size := make([]int, len(b.lines))
	for _, r := range b.sets {
		for _, l := range r.line {
			if l >= 0 {
				size[l]++
			}
		}
	}
	out := make([][]ref, len(b.lines))
	for l := range out {
		out[l] = make([]ref, 0, size[l])
	}
	for k, r := range b.sets {
		for i, l := range r.line {
			if l >= 0 {
				out[l] = append(out[l], ref{uint16(k), int32(i)})
			}
		}
		r.line = nil
	}
	return out
}

// sort puts the rows of a line in the order of time, longer ones first.
func (b *builder) sort(refs []ref) {
	less := func(p, q ref) int {
		r, s := b.sets[p.set], b.sets[q.set]
		return cmp.Or(cmp.Compare(r.start[p.row], s.start[q.row]), cmp.Compare(s.end[q.row], r.end[p.row]))
	}
	if !slices.IsSortedFunc(refs, less) {
		slices.SortStableFunc(refs, less)
	}
}

// rowsOf gives each slice of a line the lowest depth that is free, which for
// slices that nest is the number of slices around it, and puts them into the
// columns from a place on.
func (b *builder) rowsOf(refs []ref, at SliceID) []row {
	b.sort(refs)
	var free levels
	depth := make([]int32, len(refs))
	for i, p := range refs {
		r := b.sets[p.set]
		depth[i] = free.take(r.start[p.row], r.end[p.row])
	}
	x := b.x
	out := make([]row, free.n)
	for _, d := range depth {
		out[d].Len++
	}
	fill := make([]SliceID, free.n)
	for d := range out {
		out[d].First, fill[d] = at, at
		at += out[d].Len
	}
	for i, p := range refs {
		r, id := b.sets[p.set], fill[depth[i]]
		fill[depth[i]]++
		x.start[id], x.end[id], x.name[id] = r.start[p.row], r.end[p.row], r.name[p.row]
		x.row[id], x.set[id] = p.row, p.set
		if b.where[p.set] != nil {
			b.where[p.set][p.row] = id
		}
	}
	for d := range out {
		x.summarize(&out[d])
	}
	return out
}

// links ties calls to their work by process and correlation number.
func (b *builder) links() {
	x, where := b.x, b.where
	for _, r := range b.sets {
		x.tables, x.rowids = append(x.tables, r.table), append(x.rowids, r.rowid)
	}
	x.link = make([]SliceID, len(x.start))
	for i := range x.link {
		x.link[i] = None
	}
	for k, calls := range b.sets {
		if calls.gpu || calls.corr == nil {
			continue
		}
		find := trace.NewIndex(calls.pid, calls.corr)
		for j, work := range b.sets {
			if !work.gpu || work.corr == nil {
				continue
			}
			for i, c := range work.corr {
				row := find.Find(work.pid[i], c)
				if row < 0 || c == 0 {
					continue
				}
				call, w := where[k][row], where[j][i]
				if call == None || w == None {
					continue
				}
				if first := x.link[call]; first != None {
					x.next[w] = first
				}
				x.link[w], x.link[call] = call, w
			}
		}
	}
}
