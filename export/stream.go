package export

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/gpuprof/gpuprof/trace"
)

// A row is what a stream holds of a row of a table.
type row struct {
	at, end int64
	more    uint64 // flow of a slice, value of a sample
	name    trace.Sym
	fact    int32 // number of its facts; -1: none
	bytes   int64
}

// A stream puts the rows of a table that is larger than memory in the order of
// time, line by line. The table is read twice. The first reading notes for each
// line the earliest row of every block of rows; the second holds rows back until
// nothing earlier can come, so that of a table that is nearly in order, as what a
// profiler writes is, few are held.
type stream[K comparable] struct {
	index  map[K]int32
	keys   []K
	lines  []streamLine
	recent [64]struct { // of index; rows of a few lines alternate
		key  K
		line int32 // plus one
	}
	seen  int // rows of this reading
	held  int
	most  int // rows that may be held before those that can are handed over
	least int // of most
}

// A streamLine is what a stream knows of a line.
type streamLine struct {
	blocks []blockStart
	rows   []row // held
}

// A blockStart tells the earliest time of a line in a block, and after seal in
// all blocks from it on.
type blockStart struct {
	block int32
	at    int64
}

// blockRows is the power of two of rows that are a block.
const blockRows = 14

// heldRows is how many rows are held before they are handed over, of 40 bytes.
const heldRows = 1 << 20

func newStream[K comparable](held int) *stream[K] {
	return &stream[K]{index: map[K]int32{}, most: held, least: held}
}

// line numbers the line of a key; hash is a number that keys seldom share.
func (s *stream[K]) line(k K, hash uint64) int32 {
	r := &s.recent[hash*0x9e3779b97f4a7c15>>58]
	if r.line > 0 && r.key == k {
		return r.line - 1
	}
	n, ok := s.index[k]
	if !ok {
		n = int32(len(s.keys))
		s.index[k] = n
		s.keys, s.lines = append(s.keys, k), append(s.lines, streamLine{})
	}
	r.key, r.line = k, n+1
	return n
}

// note takes in a row of the first reading.
func (s *stream[K]) note(line int32, at int64) {
	l, block := &s.lines[line], int32(s.seen>>blockRows)
	s.seen++
	if n := len(l.blocks); n > 0 && l.blocks[n-1].block == block {
		l.blocks[n-1].at = min(l.blocks[n-1].at, at)
	} else {
		l.blocks = append(l.blocks, blockStart{block, at})
	}
}

// seal ends the first reading.
func (s *stream[K]) seal() {
	s.seen = 0
	for _, l := range s.lines {
		for i := len(l.blocks) - 2; i >= 0; i-- {
			l.blocks[i].at = min(l.blocks[i].at, l.blocks[i+1].at)
		}
	}
}

// add takes in a row of the second reading.
func (s *stream[K]) add(line int32, r row) {
	s.lines[line].rows = append(s.lines[line].rows, r)
	s.seen++
	s.held++
}

// full reports whether rows should be handed over.
func (s *stream[K]) full() bool { return s.held >= s.most }

// flush hands over the rows before which nothing can come any more, those of a
// line by time, longer ones first; with last all rows.
func (s *stream[K]) flush(last bool, emit func(line int32, rows []row) error) error {
	byTime := func(a, b row) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.end, a.end)) }
	for k := range s.lines {
		l := &s.lines[k]
		for len(l.blocks) > 0 && int(l.blocks[0].block) < s.seen>>blockRows {
			l.blocks = l.blocks[1:]
		}
		if !slices.IsSortedFunc(l.rows, byTime) {
			slices.SortStableFunc(l.rows, byTime)
		}
		n := len(l.rows)
		if !last && len(l.blocks) > 0 {
			n = sort.Search(n, func(i int) bool { return l.rows[i].at >= l.blocks[0].at })
		}
		if n == 0 {
			continue
		}
		if err := emit(int32(k), l.rows[:n]); err != nil {
			return err
		}
		l.rows = l.rows[:copy(l.rows, l.rows[n:])]
		s.held -= n
	}
	s.most = max(s.least, 2*s.held)
	return nil
}

// A lane is a track while slices are put onto it.
type lane struct {
	*track
	around []int64 // ends of the slices that are open
	last   int64   // start of the last slice
}

// A sliceStream hands over slices.
type sliceStream struct {
	*stream[line]
	w     *walker
	label func(line) string // of the tracks of a thread
	slice func(row) slice   // but for its times
	lanes [][]*lane         // of each line
}

// put takes in a row of the second reading.
func (s *sliceStream) put(l line, r row) { s.add(s.line(l, l.hash()), r) }

// part is called after each part of the table.
func (s *sliceStream) part() error {
	if !s.full() {
		return nil
	}
	return s.flush(false, s.emit)
}

// finish hands over what is held and ends the tracks.
func (s *sliceStream) finish() error {
	if err := s.flush(true, s.emit); err != nil {
		return err
	}
	for _, l := range slices.Concat(s.lanes...) {
		if err := s.w.out.end(l.track); err != nil {
			return err
		}
	}
	return nil
}

func (s *sliceStream) emit(k int32, rows []row) (err error) {
	for len(s.lanes) <= int(k) {
		s.lanes = append(s.lanes, nil)
	}
	what := s.label(s.keys[k])
	for _, r := range rows {
		sl := s.slice(r)
		sl.start, sl.end = r.at, r.end
		if s.lanes[k], err = s.w.place(s.lanes[k], s.keys[k], what, &sl); err != nil {
			return err
		}
	}
	return s.w.ctx.Err()
}

// place puts a slice onto the first lane of a line on which it nests.
func (w *walker) place(lanes []*lane, l line, what string, s *slice) ([]*lane, error) {
	s.end = max(s.end, s.start)
	for k := 0; ; k++ {
		if k == len(lanes) {
			t, err := w.newTrack(l, what, k+1)
			if err != nil {
				return lanes, err
			}
			lanes = append(lanes, &lane{track: t, last: math.MinInt64})
		}
		n := lanes[k]
		for len(n.around) > 0 && n.around[len(n.around)-1] <= s.start {
			n.around = n.around[:len(n.around)-1]
		}
		if s.start < n.last || len(n.around) > 0 && n.around[len(n.around)-1] < s.end {
			continue
		}
		n.around, n.last = append(n.around, s.end), s.start
		return lanes, w.out.slice(n.track, s)
	}
}
