package export

import (
	"bufio"
	"context"
	"fmt"

	"github.com/gpuprof/gpuprof/trace"
)

// A Joint is one of the traces of a joint timeline.
type Joint struct {
	// Open opens the trace when its turn comes; done closes it.
	Open  func(ctx context.Context) (tr *trace.Trace, done func(), err error)
	Ranks []JointRank
}

// A JointRank is a process of a trace that is a rank of a run.
type JointRank struct {
	Number  int64
	Process int64  // its number in the trace
	Name    string // for people
	// Clock puts its times on the common clock, ns.
	Clock func(t int64) int64
	Marks []Mark // collectives, by start; those that overlap are on several tracks
}

// A Mark is a collective, on the clock of the rank.
type Mark struct {
	Start, End int64
	Arrival    int64 // until which the rank waited; Start: it did not, or that is not known
	Name       string
	Flow       uint64 // ties the marks of several ranks together
}

// Bases of the numbers of tracks of the traces of a joint timeline.
const (
	jointBase   = 1 << 52
	mostJoint   = 1<<12 - 2
	threadsEach = 1 << 16
	marksTrack  = 4 * parentBase
)

// PerfettoJoint writes one timeline of several traces for https://ui.perfetto.dev:
// a process for each rank, all on one clock that begins at zero. Traces are read
// one after the other.
func PerfettoJoint(ctx context.Context, path string, zero int64, parts []Joint) error {
	if len(parts) > mostJoint {
		return fmt.Errorf("%s: expected at most %d reports, found %d", path, mostJoint, len(parts))
	}
	return writeFile(path, func(w *bufio.Writer) error {
		for i := range parts {
			if err := joinOne(ctx, w, zero, uint64(i), &parts[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func joinOne(ctx context.Context, w *bufio.Writer, zero int64, n uint64, part *Joint) error {
	tr, done, err := part.Open(ctx)
	if err != nil {
		return err
	}
	defer done()
	places, err := readPlaces(ctx, tr)
	if err != nil {
		return err
	}
	p := newPerfetto(w, tr, zero, places)
	p.sequence, p.base, p.ranks = n+1, (n+1)*jointBase, map[int64]*JointRank{}
	for k := range part.Ranks {
		r := &part.Ranks[k]
		if p.ranks[r.Process] == nil {
			p.ranks[r.Process] = r
		}
		if p.first == nil || r.Number < p.first.Number {
			p.first = r
		}
	}
	if _, err := walkHolding(ctx, tr, p, heldRows); err != nil {
		return err
	}
	return p.marks(part)
}

// marks writes the collectives of ranks, on tracks of the process.
func (p *perfetto) marks(part *Joint) error {
	next := uint64(marksTrack)
	for k := range part.Ranks {
		r := &part.Ranks[k]
		var process trace.GlobalID
		for g := range p.processes {
			if g.PID() == r.Process && p.ranks[r.Process] == r {
				process = g
			}
		}
		if process == 0 {
			continue // nothing of it was written
		}
		var lanes []*track
		for _, m := range r.Marks {
			t, err := p.lane(&lanes, m.Start, process, &next)
			if err != nil {
				return err
			}
			if err := p.mark(t, &m); err != nil {
				return err
			}
		}
		for _, t := range lanes {
			if err := p.end(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// lane is the first track on which nothing is open any more, a new one if need be.
func (p *perfetto) lane(lanes *[]*track, start int64, process trace.GlobalID, next *uint64) (*track, error) {
	for _, t := range *lanes {
		if err := p.close(t, start); err != nil {
			return nil, err
		}
		if len(t.open) == 0 {
			return t, nil
		}
	}
	t := &track{id: *next, process: process, name: "Collectives and waits"}
	*next++
	*lanes = append(*lanes, t)
	return t, p.track(t)
}

// mark writes a collective and inside it the time of waiting.
func (p *perfetto) mark(t *track, m *Mark) error {
	s := slice{start: m.Start, end: m.End, name: p.tr.Strings.Intern(m.Name), category: "collective"}
	if m.Flow != 0 {
		s.flow = m.Flow ^ p.base // slice takes the base off again: flows go from trace to trace
	}
	if err := p.slice(t, &s); err != nil || m.Arrival <= m.Start {
		return err
	}
	return p.slice(t, &slice{start: m.Start, end: min(m.Arrival, m.End), name: p.tr.Strings.Intern("waits"), category: "wait"})
}

// at is a time as the file has it: on the common clock where there is one. Times
// before zero lie at zero.
func (p *perfetto) at(t *track, ns int64) uint64 {
	if p.ranks == nil {
		return uint64(ns - p.zero)
	}
	r := p.first // for processes beside the ranks, which share their host
	if t != nil && p.ranks[t.process.PID()] != nil {
		r = p.ranks[t.process.PID()]
	}
	if r != nil {
		ns = r.Clock(ns)
	}
	return uint64(max(ns-p.zero, 0))
}

// otherPIDs begins the numbers of processes that are no ranks.
const otherPIDs = 1 << 30

// pid is the number of a process in the file: of ranks their number plus one, since
// processes of several hosts may have the same, and 0 stands for none.
func (p *perfetto) pid(g trace.GlobalID) uint64 {
	switch r := p.ranks[g.PID()]; {
	case p.ranks == nil:
		return uint64(g.PID())
	case r != nil:
		return uint64(r.Number) + 1
	}
	return otherPIDs + p.sequence<<16 + (p.processes[g.Process()]-p.base-parentBase)&(1<<16-1)
}

// tid is the number of a thread in the file.
func (p *perfetto) tid(g trace.GlobalID) uint64 {
	if p.ranks == nil {
		return uint64(g.TID())
	}
	return p.pid(g)*threadsEach + uint64(len(p.groups))
}
