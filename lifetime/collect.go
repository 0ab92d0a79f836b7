package lifetime

import (
	"slices"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// counted is what the dispatcher itself counts of a kernel.
type counted struct {
	kinds       [1 << simlog.KindBits]int64
	units       [simlog.MaxLevels][]uint16
	lastUnit    [simlog.MaxLevels]int
	first, last int64
	blocks      uint64 // blocks accessed, the sequence numbers given out
	any         bool
}

func newCounted() *counted {
	c := new(counted)
	for i := range c.lastUnit {
		c.lastUnit[i] = -1
	}
	return c
}

// add counts a run of accesses.
func (c *counted) add(cycle []int64, info []simlog.Info) {
	if len(cycle) == 0 {
		return
	}
	first, last := c.first, c.last
	if !c.any {
		c.any, first, last = true, cycle[0], cycle[0]
	}
	for i, v := range info {
		c.kinds[v&(1<<simlog.KindBits-1)]++
		if u := int(v.Unit()); u != c.lastUnit[v.Level()] {
			c.unit(v.Level(), u)
		}
		first, last = min(first, cycle[i]), max(last, cycle[i])
	}
	c.first, c.last = first, last
}

func (c *counted) unit(l simlog.LevelID, u int) {
	c.lastUnit[l] = u
	if at, found := slices.BinarySearch(c.units[l], uint16(u)); !found {
		c.units[l] = slices.Insert(c.units[l], at, uint16(u))
	}
}

// collector puts the shards' lifetimes together again: it counts them, and hands
// them on to the sink.
type collector struct {
	sink  Sink
	names func() []string
	dist  [simlog.MaxLevels]*Distribution
	err   error
}

func (c *collector) begin(k *simlog.Kernel) {
	if c.err == nil {
		c.err = c.sink.Begin(k)
	}
}

// rows takes lifetimes in their final order.
func (c *collector) rows(rows []Row) {
	for i := range rows {
		c.distribution(rows[i].Level()).Add(rows[i].Cycles)
	}
	if c.err == nil {
		c.err = c.sink.Rows(rows)
	}
}

func (c *collector) distribution(l simlog.LevelID) *Distribution {
	if c.dist[l] == nil {
		c.dist[l] = new(Distribution)
	}
	return c.dist[l]
}

// end puts a kernel's result together.
func (c *collector) end(r *KernelResult, n *counted, shards []*shardEnd) {
	for _, s := range shards {
		r.Spilled = r.Spilled || s.spilled
		if c.err == nil {
			c.err = s.err
		}
	}
	names := c.names()
	for id := range simlog.MaxLevels {
		l := LevelResult{ID: simlog.LevelID(id), Units: n.units[id]}
		if len(l.Units) == 0 {
			continue
		}
		if id < len(names) {
			l.Name = names[id]
		}
		l.count(n)
		for _, s := range shards {
			if t := s.levels[id]; t != nil {
				l.take(t)
			}
		}
		l.Lifetimes = c.distribution(l.ID)
		r.Levels = append(r.Levels, l)
	}
	if c.err == nil {
		c.err = c.sink.End(r)
	}
	for _, d := range c.dist {
		if d != nil {
			d.Reset()
		}
	}
}

// count sorts the dispatcher's counts of one level.
func (l *LevelResult) count(n *counted) {
	for op := simlog.OpUnknown; op <= simlog.OpStore; op++ {
		for st := simlog.Hit; st <= simlog.StatusUnknown; st++ {
			k := n.kinds[simlog.MakeInfo(l.ID, op, st, 0, 0)]
			l.ByStatus[st] += k
			switch {
			case st == simlog.ReservationFail:
				l.Retries += k
			case op == simlog.OpLoad:
				l.Loads += k
			case op == simlog.OpStore:
				l.Stores += k
			default:
				l.Unknown += k
			}
		}
	}
}

// shardEnd is what a shard reports at a kernel's end.
type shardEnd struct {
	levels  [simlog.MaxLevels]*tallies
	spilled bool
	err     error
}
