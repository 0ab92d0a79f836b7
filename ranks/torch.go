package ranks

import (
	"context"
	"hash/fnv"

	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
)

// The tables in which traces of PyTorch's profiler tell of ranks and collectives.
const (
	torchRanks       = "PYTORCH_RANKS"
	torchCollectives = "PYTORCH_COLLECTIVES"
)

// A torchCall is what a trace of PyTorch tells of collectives of one kind.
type torchCall struct {
	assigned
	ranks int64 // of the group, 0: not told
}

// readTorch reads the kinds of collectives, by rowid less one; nil where there are
// none.
func readTorch(ctx context.Context, tr *trace.Trace) ([]torchCall, error) {
	t, err := tr.Table(ctx, torchCollectives, "name", "inBytes", "outBytes", "groupSize", "groupName", "ranks")
	if err != nil || t == nil {
		return nil, err
	}
	in, out, size := t.Ints("inBytes"), t.Ints("outBytes"), t.Ints("groupSize")
	list := make([]torchCall, t.Rows)
	for i := range list {
		c := &list[i]
		c.class, c.calls = steps.CollectiveClass(tr.CellText(t.Col("name"), i)), 1
		if size[i] > 0 && size[i] < mostRanks {
			c.ranks = size[i]
		}
		bytes, column := in[i], "inBytes"
		if c.class == steps.ReduceScatter { // what a rank is left with
			bytes, column = out[i], "outBytes"
		}
		if !t.IsNull(column, i) && bytes > 0 && bytes < 1<<50 {
			c.bytes = bytes
			if c.class == steps.AllToAll {
				c.bytes /= max(c.ranks, 1)
			}
		}
		if group := tr.CellText(t.Col("groupName"), i); group != "" {
			h := fnv.New64a()
			h.Write([]byte(group + "\x00" + tr.CellText(t.Col("ranks"), i)))
			c.communicator = max(h.Sum64(), 1)
		}
	}
	return list, nil
}

// torchClaims are the numbers that traces of PyTorch tell, by process.
func torchClaims(ctx context.Context, tr *trace.Trace) (map[trace.GlobalID]Claim, error) {
	t, err := tr.Table(ctx, torchRanks, "globalPid", "rank", "worldSize")
	if err != nil || t == nil {
		return nil, err
	}
	out := map[trace.GlobalID]Claim{}
	rank, size := t.Ints("rank"), t.Ints("worldSize")
	for i, g := range t.Ints("globalPid") {
		c := Claim{FromTorch, rank[i], size[i]}
		if t.IsNull("rank", i) {
			c.Rank = -1
		}
		if t.IsNull("worldSize", i) {
			c.Size = -1
		}
		out[trace.GlobalID(g).Process()] = c
	}
	return out, nil
}

// torchAssigned tells for each communication kernel of a device what PyTorch says
// of it, where it does.
func torchAssigned(d *steps.Device, kernels []int32, calls []torchCall, out []assigned) {
	if d.Collective == nil {
		return
	}
	for n, i := range kernels {
		if c := d.Collective[i]; c > 0 && c <= int64(len(calls)) {
			out[n] = calls[c-1].assigned
		}
	}
}

// torchRanksOf is how many ranks a group has, 0: not told.
func torchRanksOf(calls []torchCall, communicator uint64) (n int64) {
	for i := range calls {
		if calls[i].communicator == communicator {
			n = max(n, calls[i].ranks)
		}
	}
	return n
}
