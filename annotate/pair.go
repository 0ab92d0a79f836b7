package annotate

import "github.com/gpuprof/gpuprof/format/nvtxt"

// begun is a range that waits for its end.
type begun struct {
	row   int // in Events; -1 if events are not kept
	line  int
	start int64
}

// laneKey names a stack of pushes, or of starts.
type laneKey struct {
	kind    uint8
	process uint32
	other   uint64 // thread, or the id of RangeStart
}

const (
	pushLane  = iota // push and pop of a thread
	startLane        // start and end without an id, of a thread
	idLane           // start and end with an id, of a process
)

// pairer joins the ends of ranges to their beginnings in file order. Times
// play no part.
type pairer struct {
	lanes map[laneKey]*[]begun
	last  laneKey
	stack *[]begun // of last
}

func (p *pairer) lane(k laneKey) *[]begun {
	if p.stack != nil && k == p.last {
		return p.stack
	}
	s := p.lanes[k]
	if s == nil {
		if p.lanes == nil {
			p.lanes = map[laneKey]*[]begun{}
		}
		s = new([]begun)
		p.lanes[k] = s
	}
	p.last, p.stack = k, s
	return s
}

// keyOf returns the lane that a beginning or an end belongs to.
func keyOf(r *nvtxt.Record) laneKey {
	switch {
	case r.Command == nvtxt.CmdRangePush || r.Command == nvtxt.CmdRangePop:
		return laneKey{pushLane, r.Process, uint64(r.Thread)}
	case r.Has.Has(nvtxt.ParamID):
		return laneKey{idLane, r.Process, uint64(r.ID)}
	}
	return laneKey{startLane, r.Process, uint64(r.Thread)}
}

func (p *pairer) begin(r *nvtxt.Record, b begun) {
	s := p.lane(keyOf(r))
	*s = append(*s, b)
}

// end takes the innermost open range of the lane of r.
func (p *pairer) end(r *nvtxt.Record) (b begun, ok bool) {
	k := keyOf(r)
	s := p.lane(k)
	n := len(*s)
	if n > 0 {
		b = (*s)[n-1]
		*s = (*s)[:n-1]
	}
	if n <= 1 && k.kind == idLane { // ids are many and seldom come again
		delete(p.lanes, k)
		p.stack = nil
	}
	return b, n > 0
}

// open yields the ranges that nothing has ended.
func (p *pairer) open(yield func(k laneKey, b begun)) {
	for k, s := range p.lanes {
		for _, b := range *s {
			yield(k, b)
		}
	}
}
