package timeline

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"sort"

	"github.com/gpuprof/gpuprof/trace"
)

// post makes the postings: the slices of each name.
func (x *Index) post() {
	x.postFrom = make([]int32, len(x.names)+1)
	for _, y := range x.name {
		x.postFrom[y+1]++
	}
	for y := 1; y < len(x.postFrom); y++ {
		x.postFrom[y] += x.postFrom[y-1]
	}
	at := slices.Clone(x.postFrom)
	x.postings = make([]SliceID, len(x.name))
	for i, y := range x.name {
		x.postings[at[y]] = SliceID(i)
		at[y]++
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
	for y := range len(x.postFrom) - 1 {
		n := int(x.postFrom[y+1] - x.postFrom[y])
		if n > 0 && (re.MatchString(x.Text(NameID(y))) || x.names[y].full != x.names[y].short && re.MatchString(x.FullText(NameID(y)))) {
			matches = append(matches, Match{NameID(y), n})
			total += n
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Count, a.Count) })
	return matches, total
}

// Next returns the slice of the matches that begins first after a time, or at
// that time with a number above after; None where there is none. With back it
// is the last one before.
func (x *Index) Next(matches []Match, t int64, after SliceID, back bool) SliceID {
	best := None
	for _, m := range matches {
		for _, i := range x.postings[x.postFrom[m.Name]:x.postFrom[m.Name+1]] {
			s := x.start[i]
			if back {
				if (s < t || s == t && i < after) && (best == None || s > x.start[best] || s == x.start[best] && i > best) {
					best = i
				}
			} else if (s > t || s == t && i > after) && (best == None || s < x.start[best]) {
				best = i
			}
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
// name, the longest total first.
func (x *Index) Aggregate(ctx context.Context, tracks []int, t0, t1 int64) ([]Aggregate, error) {
	count, total := make([]int, len(x.postFrom)), make([]int64, len(x.postFrom))
	for _, k := range tracks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if k < 0 || k >= len(x.Tracks) {
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
	Row        int       // of the table, from 0
	Call       SliceID   // that caused this work, or None
	Work       []SliceID // that this call caused, the first of them
}

// maxWork is how many slices of work of one call are told.
const maxWork = 100

// Slice tells of a slice; nil where there is none of the number.
func (x *Index) Slice(id SliceID) *Slice {
	if id < 0 || int(id) >= len(x.start) {
		return nil
	}
	k := sort.Search(len(x.rows), func(k int) bool { return x.rows[k].first > id }) - 1
	s := &Slice{ID: id, Track: int(x.rows[k].track), Depth: int(x.rows[k].row), Start: x.start[id], End: x.end[id],
		Name: x.Text(x.name[id]), Full: x.FullText(x.name[id]), Table: x.tables[x.set[id]], Row: int(x.row[id]), Call: None}
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
