package memory

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/format/torchmem"
)

// An End is the state when the snapshot was taken, in bytes.
type End struct {
	Segments                          int
	Reserved                          int64 // of all segments
	Active                            int64 // of blocks in use, rounded
	Allocated                         int64 // Active without Pending
	Pending                           int64 // freed by the program, in use by a stream
	Requested                         int64 // asked for by what is active
	Inactive                          int64
	Blocks, PendingBlocks, FreeBlocks int
	LargestFree                       int64   // block
	WholeFree                         int64   // segments without an active block: empty_cache gives them back
	Split                             int64   // inactive beside active blocks
	FreeSquares                       float64 // sum of the squares of inactive blocks, over that of Reserved
	Groups                            []Group
	squares                           uint64
}

// Rounding is what active blocks have more than was asked for.
func (e *End) Rounding() int64 { return e.Active - e.Requested }

// A Group is the segments between which blocks may move: an inactive block
// serves only its own pool, size class and stream.
type Group struct {
	Type, Stream, Pool                    string
	Expandable                            bool
	Segments                              int
	Reserved, Active, Requested, Inactive int64
}

// end adds up segments and their blocks, and checks their sums.
func (r *replay) end() {
	e := &r.dev.End
	wrong := map[string]int{}
	groups := map[Group]*Group{}
	for _, s := range r.segments {
		var act, req, alloc, free, all int64
		for i := range s.Blocks {
			b := &s.Blocks[i]
			all += b.Size
			if b.Misplaced {
				wrong["block address is not the running address"]++
			}
			switch b.State {
			case "inactive":
				free += b.Size
				e.FreeBlocks++
				e.LargestFree = max(e.LargestFree, b.Size)
				e.squares += uint64(b.Size) * uint64(b.Size)
				continue
			case "active_allocated":
				alloc += b.Size
				e.Blocks++
			default:
				e.Pending += b.Size
				e.PendingBlocks++
			}
			act += b.Size
			req += b.Requested
		}
		check := func(what string, said, is int64) {
			if said >= 0 && said != is {
				wrong[what]++
			}
		}
		check("blocks do not sum to total_size", s.Total, all)
		check("active_size", s.Active, act)
		check("allocated_size", s.Allocated, alloc)
		check("requested_size", s.Requested, req)
		if act == 0 {
			e.WholeFree += s.Total
		} else {
			e.Split += free
		}
		e.Segments++
		e.Reserved, e.Active, e.Allocated, e.Requested, e.Inactive = e.Reserved+s.Total, e.Active+act, e.Allocated+alloc, e.Requested+req, e.Inactive+free
		k := groupOf(s)
		g := groups[k]
		if g == nil {
			g = &k
			groups[k] = g
		}
		g.Segments++
		g.Reserved, g.Active, g.Requested, g.Inactive = g.Reserved+s.Total, g.Active+act, g.Requested+req, g.Inactive+free
	}
	if e.Reserved > 0 {
		e.FreeSquares = float64(e.squares) / (float64(e.Reserved) * float64(e.Reserved))
	}
	for _, g := range groups {
		e.Groups = append(e.Groups, *g)
	}
	slices.SortFunc(e.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Reserved, a.Reserved), cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	for what, n := range wrong {
		r.dev.Inconsistent = append(r.dev.Inconsistent, Tally{What: what, Count: n})
	}
	slices.SortFunc(r.dev.Inconsistent, func(a, b Tally) int { return cmp.Compare(a.What, b.What) })
}

func groupOf(s *torchmem.Segment) Group {
	g := Group{Type: s.Type, Stream: "None", Pool: "None", Expandable: s.Expandable}
	if s.HasStream {
		g.Stream = fmt.Sprint(s.Stream)
	}
	if s.HasPool {
		g.Pool = fmt.Sprintf("[%d, %d]", s.Pool[0], s.Pool[1])
	}
	return g
}
