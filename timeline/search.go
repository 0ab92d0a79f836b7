package timeline

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"sort"

	"github.com/gpuprof/gpuprof/trace"
)

// tallyNames counts the slices of each name, but for those that stand for others.
func (x *Index) tallyNames() {
	x.count = make([]int32, len(x.names))
	for k := range x.Tracks {
		if x.Tracks[k].Derived {
			continue
		}
		for _, r := range x.Tracks[k].Rows {
			for _, y := range x.name[r.First : r.First+r.Len] {
				x.count[y]++
			}
		}
	}
}

// A Match is a name that a search found.
type Match struct {
	Name  NameID
	Count int
}

// Search returns the names that an expression matches, short or full, by count, most first,
// and the number of their slices. It looks at each name once, not at each slice.
func (x *Index) Search(re *regexp.Regexp) (matches []Match, total int) {
	for y, n := range x.count {
		if n > 0 && (re.MatchString(x.Text(NameID(y))) || x.names[y].full != x.names[y].short && re.MatchString(x.FullText(NameID(y)))) {
			matches = append(matches, Match{NameID(y), int(n)})
			total += int(n)
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Count, a.Count) })
	return matches, total
}

// Next returns the slice of the matches that begins first after a time, or at
// that time with a number above after; None where there is none. With back it
// is the last one before. It walks each row from the time on until it meets a
// match, or the time of one that another row has; first a little of each row, as
// a match near by spares the way through rows that have none.
func (x *Index) Next(matches []Match, t int64, after SliceID, back bool) SliceID {
	wanted := make([]bool, len(x.names))
	for _, m := range matches {
		wanted[m.Name] = true
	}
	best := None
	for _, most := range []SliceID{256, math.MaxInt32} {
		for k := range x.Tracks {
			if x.Tracks[k].Derived {
				continue
			}
			for d := range x.Tracks[k].Rows {
				r := &x.Tracks[k].Rows[d]
				if back {
					best = x.lastBefore(r, wanted, t, after, best, most)
				} else {
					best = x.firstAfter(r, wanted, t, after, best, most)
				}
			}
		}
	}
	return best
}

// firstAfter is the first wanted slice of a row after a time, of so many at most,
// or best if that is earlier.
func (x *Index) firstAfter(r *row, wanted []bool, t int64, after, best, most SliceID) SliceID {
	i := r.First + SliceID(sort.Search(int(r.Len), func(k int) bool { return x.start[int(r.First)+k] >= t }))
	end := r.First + r.Len
	end = i + min(end-i, most)
	for ; i < end && (best == None || x.start[i] <= x.start[best]); i++ {
		if wanted[x.name[i]] && (x.start[i] > t || i > after) {
			if best == None || x.start[i] < x.start[best] || i < best {
				return i
			}
			return best
		}
	}
	return best
}

// lastBefore is the last wanted slice of a row before a time, of so many at most,
// or best if that is later.
func (x *Index) lastBefore(r *row, wanted []bool, t int64, after, best, most SliceID) SliceID {
	i := r.First + SliceID(sort.Search(int(r.Len), func(k int) bool { return x.start[int(r.First)+k] > t })) - 1
	for last := i - min(i-r.First, most-1); i >= last && (best == None || x.start[i] >= x.start[best]); i-- {
		if wanted[x.name[i]] && (x.start[i] < t || i < after) {
			if best == None || x.start[i] > x.start[best] || i > best {
				return i
			}
			return best
		}
	}
	return best
}

// An Aggregate adds up the slices of a name.
type Aggregate struct {
	Name  NameID
	Count int
	Total int64 // ns within the window
}

// Aggregate adds up the slices of tracks that touch the window from t0 to t1, by
// name, the longest total first. Derived tracks take part only where they are all
// that is asked for: elsewhere what they show would count twice.
func (x *Index) Aggregate(ctx context.Context, tracks []int, t0, t1 int64) ([]Aggregate, error) {
	count, total := make([]int, len(x.names)), make([]int64, len(x.names))
	derived := !slices.ContainsFunc(tracks, func(k int) bool {
		return k >= 0 && k < len(x.Tracks) && len(x.Tracks[k].Rows) > 0 && !x.Tracks[k].Derived
	})
	for _, k := range tracks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if k < 0 || k >= len(x.Tracks) || x.Tracks[k].Derived && !derived {
			continue
		}
		for d := range x.Tracks[k].Rows {
			i, end := x.span(&x.Tracks[k].Rows[d], t0, t1)
			for ; i < end; i++ {
				count[x.name[i]]++
				total[x.name[i]] += max(0, min(x.end[i], t1)-max(x.start[i], t0))
			}
		}
	}
	var out []Aggregate
	for y, n := range count {
		if n > 0 {
			out = append(out, Aggregate{NameID(y), n, total[y]})
		}
	}
	slices.SortStableFunc(out, func(a, b Aggregate) int { return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(b.Count, a.Count)) })
	return out, nil
}

// A Slice tells of a slice.
type Slice struct {
	ID         SliceID
	Track      int
	Depth      int
	Start, End int64 `json:",string"` // more digits than a JavaScript number may have
	Name       string
	Full       string // name with template arguments and parameters
	Table      string
	Row        int64     // of the table: its rowid, as SQL has it
	Call       SliceID   // that caused this work, or None
	Work       []SliceID // that this call caused, the first of them
}

// maxWork is how many slices of work of one call are told.
const maxWork = 100

// rowID is the number of the row of a slice.
func (x *Index) rowID(id SliceID) int64 {
	row := x.row[id]
	if ids := x.rowids[x.set[id]]; int(row) < len(ids) {
		return ids[row]
	}
	return int64(row) + 1
}

// Slice tells of a slice; nil where there is none of the number.
func (x *Index) Slice(id SliceID) *Slice {
	if id < 0 || int(id) >= len(x.start) {
		return nil
	}
	k := sort.Search(len(x.rows), func(k int) bool { return x.rows[k].first > id }) - 1
	s := &Slice{ID: id, Track: int(x.rows[k].track), Depth: int(x.rows[k].row), Start: x.start[id], End: x.end[id],
		Name: x.Text(x.name[id]), Full: x.FullText(x.name[id]), Table: x.tables[x.set[id]], Row: x.rowID(id), Call: None}
	if s.Table != trace.TableRuntime {
		s.Call = x.link[id]
		return s
	}
	for w := x.link[id]; w != None && len(s.Work) < maxWork; {
		s.Work = append(s.Work, w)
		n, ok := x.next[w]
		if !ok {
			break
		}
		w = n
	}
	slices.Reverse(s.Work)
	return s
}
