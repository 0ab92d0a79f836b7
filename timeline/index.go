package timeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// A SliceID is the number of a slice. None stands for no slice.
type SliceID = int32

// None is the SliceID of no slice.
const None SliceID = -1

// A Row is one depth of a track: the slices from First to First+Len, sorted by
// start, none of which overlap.
type Row struct {
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
	Rows    []Row
	Counter *Counter // of a counter, which has no rows
}

// An Index holds the slices of a trace.
type Index struct {
	Tracks     []Track // parents before children, in the order of the screen
	First, End int64   // ns: the first start and the last end

	start, end []int64
	name       []trace.Sym
	link       []SliceID           // call of a work, last work of a call, or None
	next       map[SliceID]SliceID // further work of the same call
	set        []uint8             // in tables
	tables     []string
	row        []int32    // row of its table, from 0
	rows       []rowStart // by first, to find the track of a slice
	postings   []SliceID  // slices by name
	postFrom   []int32    // where those of each Sym begin, and one more
	tr         *trace.Trace
}

type rowStart struct {
	first      SliceID
	track, row int32
}

// Len is the number of slices.
func (x *Index) Len() int { return len(x.start) }

type builder struct {
	tr      *trace.Trace
	x       *Index
	domains *trace.Domains
	threads map[trace.GlobalID]trace.Thread
	gpus    map[int64]string
	lines   []line
	number  map[line]int32
	last    int32
	sets    []*rows
}

// Build reads a trace. What it read of the tables is forgotten again.
func Build(ctx context.Context, tr *trace.Trace) (*Index, error) {
	b := &builder{tr: tr, x: &Index{tr: tr, next: map[SliceID]SliceID{}}, number: map[line]int32{}, last: -1}
	if err := tr.LoadNames(ctx); err != nil {
		return nil, err
	}
	var err error
	if b.threads, err = tr.Threads(ctx); err != nil {
		return nil, err
	}
	if b.gpus, err = tr.GPUs(ctx); err != nil {
		return nil, err
	}
	for _, s := range sourcesOf(tr) {
		r, err := b.readSource(ctx, s)
		if err != nil {
			return nil, err
		}
		b.add(r)
	}
	r, err := b.readRanges(ctx)
	if err != nil {
		return nil, err
	}
	b.add(r)
	if n := b.count(); n > 1<<31-1 {
		return nil, fmt.Errorf("%s: expected less than 2^31 slices, found %d", tr.File, n)
	}
	if err := b.lay(ctx); err != nil {
		return nil, err
	}
	if err := b.counters(ctx); err != nil {
		return nil, err
	}
	b.x.post()
	return b.x, nil
}

func (b *builder) add(r *rows) {
	if r != nil {
		b.sets = append(b.sets, r)
	}
}

func (b *builder) count() int {
	n := 0
	for _, r := range b.sets {
		n += len(r.start)
	}
	return n
}

// A ref is a row of one of the sets.
type ref struct {
	set uint8
	row int32
}

// lay puts the slices of all lines into the columns of the index.
func (b *builder) lay(ctx context.Context) error {
	x, n := b.x, b.count()
	x.start, x.end, x.name = make([]int64, 0, n), make([]int64, 0, n), make([]trace.Sym, 0, n)
	x.row, x.set = make([]int32, 0, n), make([]uint8, 0, n)
	byLine := b.group()
	where := make([][]SliceID, len(b.sets)) // slice of each row, for the links
	for k, r := range b.sets {
		if r.corr != nil {
			where[k] = make([]SliceID, len(r.start))
		}
	}
	for _, t := range b.tree() {
		track := t.Track
		if t.line >= 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			track.Rows = b.rowsOf(byLine[t.line], len(x.Tracks), where)
			byLine[t.line] = nil
		}
		x.Tracks = append(x.Tracks, track)
	}
	for i := range x.start {
		if i == 0 || x.start[i] < x.First {
			x.First = x.start[i]
		}
		if i == 0 || x.end[i] > x.End {
			x.End = x.end[i]
		}
	}
	b.links(where)
	b.sets = b.sets[:0:0]
	return nil
}

// group sorts the rows of all sets by line, then time.
func (b *builder) group() [][]ref {
	size := make([]int, len(b.lines))
	for _, r := range b.sets {
		for _, l := range r.line {
			size[l]++
		}
	}
	out := make([][]ref, len(b.lines))
	for l := range out {
		out[l] = make([]ref, 0, size[l])
	}
	for k, r := range b.sets {
		for i, l := range r.line {
			out[l] = append(out[l], ref{uint8(k), int32(i)})
		}
		r.line = nil
	}
	less := func(p, q ref) int {
		r, s := b.sets[p.set], b.sets[q.set]
		return cmp.Or(cmp.Compare(r.start[p.row], s.start[q.row]), cmp.Compare(s.end[q.row], r.end[p.row]))
	}
	for _, refs := range out {
		if !slices.IsSortedFunc(refs, less) {
			slices.SortStableFunc(refs, less)
		}
	}
	return out
}

// rowsOf gives each slice of a line the lowest depth that is free, which for
// slices that nest is the number of slices around it.
func (b *builder) rowsOf(refs []ref, track int, where [][]SliceID) []Row {
	var free levels
	depth := make([]int32, len(refs))
	for i, p := range refs {
		r := b.sets[p.set]
		depth[i] = free.take(r.start[p.row], r.end[p.row])
	}
	x := b.x
	out := make([]Row, free.n)
	for _, d := range depth {
		out[d].Len++
	}
	at := SliceID(len(x.start))
	fill := make([]SliceID, free.n)
	for d := range out {
		out[d].First, fill[d] = at, at
		x.rows = append(x.rows, rowStart{at, int32(track), int32(d)})
		at += out[d].Len
	}
	x.start, x.end, x.name, x.row, x.set = x.start[:at], x.end[:at], x.name[:at], x.row[:at], x.set[:at]
	for i, p := range refs {
		r, id := b.sets[p.set], fill[depth[i]]
		fill[depth[i]]++
		x.start[id], x.end[id], x.name[id] = r.start[p.row], r.end[p.row], r.name[p.row]
		x.row[id], x.set[id] = p.row, p.set
		if r.row != nil {
			x.row[id] = r.row[p.row]
		}
		if where[p.set] != nil {
			where[p.set][p.row] = id
		}
	}
	for d := range out {
		x.summarize(&out[d])
	}
	return out
}

// links ties calls to their work by process and correlation number.
func (b *builder) links(where [][]SliceID) {
	x := b.x
	for _, r := range b.sets {
		x.tables = append(x.tables, r.table)
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
				if first := x.link[call]; first != None {
					x.next[w] = first
				}
				x.link[w], x.link[call] = call, w
			}
		}
	}
}
