package ranks

import (
	"context"
	"testing"

	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
)

// memory is a source of tables in memory.
type memory []*trace.Table

func (m memory) Tables() (out []trace.TableInfo) {
	for _, t := range m {
		info := trace.TableInfo{Name: t.Name}
		for _, c := range t.Columns {
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: c.Name, Kind: c.Kind})
		}
		out = append(out, info)
	}
	return out
}

func (m memory) Read(_ context.Context, name string, columns []trace.ColumnInfo, _ *trace.Strings) (*trace.Table, []error, error) {
	for _, t := range m {
		if t.Name != name {
			continue
		}
		out := &trace.Table{Name: name, Rows: t.Rows}
		for _, ci := range columns {
			c := t.Col(ci.Name)
			if c == nil { // rowid
				c = &trace.Column{Name: ci.Name, Ints: make([]int64, t.Rows)}
			}
			out.Columns = append(out.Columns, c)
		}
		return out, nil, nil
	}
	return nil, nil, nil
}

// TestTorch reads rank and communicators from tables as traces of PyTorch have
// them.
func TestTorch(t *testing.T) {
	tr := torchTrace(3)
	list, err := Map(t.Context(), tr, nil)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	p := list[0]
	if len(p.Claims) != 1 || p.Claims[0] != (Claim{FromTorch, 3, 8}) {
		t.Errorf("claims %v, want rank 3 of 8 by PyTorch", p.Claims)
	}
	if len(p.Channels) != 1 {
		t.Fatalf("%d channels, want 1", len(p.Channels))
	}
	c := p.Channels[0]
	calls := c.Calls()
	if len(calls) != 2 || c.Communicator == 0 || c.Ranks != 8 {
		t.Fatalf("%d calls of %x with %d ranks", len(calls), c.Communicator, c.Ranks)
	}
	if calls[0].Class != steps.AllReduce || calls[0].Bytes != 4096 || calls[1].Class != steps.ReduceScatter || calls[1].Bytes != 512 {
		t.Errorf("%+v, want an AllReduce of 4096 bytes, a ReduceScatter of 512", calls)
	}
	other, err := Map(t.Context(), torchTrace(4), nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := Analyze(append(list, other...), nil)
	if err != nil || len(run.Groups) != 1 || run.Groups[0].Rows != 2 || run.Ranks[0].Number != 3 {
		t.Errorf("%+v, %v: want one group with two collectives of ranks 3 and 4", run, err)
	}
}

func torchTrace(rank int64) *trace.Trace {
	ints := func(name string, v ...int64) *trace.Column { return &trace.Column{Name: name, Ints: v} }
	tr := trace.New("trace.json", nil)
	texts := func(name string, v ...string) *trace.Column {
		c := &trace.Column{Name: name, Kind: trace.Texts}
		for _, s := range v {
			c.Syms = append(c.Syms, tr.Strings.Intern(s))
		}
		return c
	}
	pid := int64(trace.MakeGlobalID(0, 0, 7, 0))
	table := func(name string, rows int, cols ...*trace.Column) *trace.Table {
		return &trace.Table{Name: name, Rows: rows, Columns: cols}
	}
	src := memory{
		table("StringIds", 1, ints("id", 1), texts("value", "ncclDevKernel_Generic")),
		table(trace.TableKernel, 2, ints("start", 9000, 100), ints("end", 15000, 5100), ints("globalPid", pid, pid), ints("deviceId", 0, 0), ints("streamId", 5, 5),
			ints("correlationId", 2, 1), ints("shortName", 1, 1), ints("demangledName", 1, 1), ints("collective", 2, 1)),
		table("PYTORCH_RANKS", 1, ints("globalPid", pid), ints("rank", rank), ints("worldSize", 8)),
		table("PYTORCH_COLLECTIVES", 2, texts("name", "allreduce", "reduce_scatter_tensor_coalesced"), ints("inBytes", 4096, 4096), ints("outBytes", 4096, 512),
			ints("groupSize", 8, 8), texts("groupName", "0", "0"), texts("ranks", "[0, 1, ...]", "[0, 1, ...]")),
	}
	made := trace.New("trace.json", src)
	made.Strings = tr.Strings
	return made
}
