package torch

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/trace"
)

// A script writes a trace of a few operators, each with a kernel of its own.
type script struct {
	events []string
	corr   int
}

// op adds an operator; a kernel of so many µs is launched in it, unless that is 0.
func (s *script) op(tid, start, dur int, name, args string, kernel int) {
	s.events = append(s.events, fmt.Sprintf(`{"ph":"X","cat":"cpu_op","name":%q,"pid":1,"tid":%d,"ts":%d,"dur":%d,"args":{%s}}`, name, tid, start, dur, args))
	if kernel == 0 {
		return
	}
	s.corr++
	s.events = append(s.events, fmt.Sprintf(`{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":%d,"ts":%d,"dur":1,"args":{"correlation":%d}}`, tid, start+1, s.corr),
		fmt.Sprintf(`{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":%d,"dur":%d,"args":{"device":0,"stream":7,"correlation":%d}}`, start+100_000, kernel, s.corr))
}

func (s *script) open(tb testing.TB) *Timeline {
	tb.Helper()
	text := `{"schemaVersion":1,"traceEvents":[` + strings.Join(s.events, ",\n") + `]}`
	f, err := load.OpenReader(strings.NewReader(text), int64(len(text)), "made.pt.trace.json")
	if err != nil {
		tb.Fatal(err)
	}
	t, err := Read(tb.Context(), f.Trace, true)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func seq(n, forward int) string {
	return fmt.Sprintf(`"Sequence number":%d,"Fwd thread id":%d`, n, forward)
}

// TestGradients: conv2d calls convolution, which makes node 5; a view before them has
// the same number and made nothing. A second thread has numbers of its own.
func TestGradients(t *testing.T) {
	var s script
	s.op(10, 0, 10, "aten::view", seq(5, 0), 0)
	s.op(10, 20, 100, "aten::conv2d", seq(5, 0), 0)
	s.op(10, 30, 80, "aten::convolution", seq(5, 0), 0)
	s.op(10, 40, 50, "aten::cudnn_convolution", "", 30)
	s.op(10, 150, 20, "aten::relu", seq(6, 0), 4)
	s.op(11, 0, 50, "aten::mm", seq(6, 0), 7)
	s.op(11, 100, 50, "aten::mul", seq(7, 0), 2)
	s.op(20, 1000, 50, "autograd::engine::evaluate_function: ConvolutionBackward0", seq(5, 1), 0)
	s.op(20, 1010, 30, "ConvolutionBackward0", seq(5, 1), 0)
	s.op(20, 1015, 20, "aten::convolution_backward", "", 70)
	s.op(20, 1100, 50, "ReluBackward0", seq(6, 1), 9)
	s.op(20, 1200, 50, "MmBackward0", seq(6, 2), 11)
	s.op(20, 1300, 50, "MulBackward0", seq(7, 2), 3)
	s.op(20, 1400, 50, "LostBackward0", seq(99, 1), 1)
	// The later run of a number that was had before is that of the later operator.
	s.op(10, 2000, 20, "aten::tanh", seq(6, 0), 4)
	s.op(20, 2100, 50, "TanhBackward0", seq(6, 1), 8)
	tl := s.open(t)
	list, lost, err := tl.Gradients(t.Context(), ByName)
	if err != nil || lost != 1 {
		t.Fatal(lost, err)
	}
	got := map[string]string{}
	for _, g := range list {
		got[g.Name] = fmt.Sprint(g.Calls, g.Nodes, g.Forward/1000, g.Backward/1000)
	}
	want := map[string]string{"aten::conv2d": "1 1 30 70", "aten::convolution": "1 1 30 70", "aten::relu": "1 1 4 9", "aten::mm": "1 1 7 11", "aten::mul": "1 1 2 3", "aten::tanh": "1 1 4 8"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if list[0].Name != "aten::conv2d" || list[0].BackwardOnHost != 50_000 {
		t.Errorf("%+v", list[0])
	}
	if list, _, err := tl.Gradients(t.Context(), ByShape); err != nil || len(list) != 6 || list[0].Name != "aten::conv2d" {
		t.Errorf("by shape: %v %v", list, err)
	}
}

// TestNoGradients: what has no backward has none.
func TestNoGradients(t *testing.T) {
	var s script
	s.op(10, 0, 10, "aten::mm", seq(5, 0), 3)
	if list, lost, err := s.open(t).Gradients(t.Context(), ByName); err != nil || lost != 0 || len(list) != 0 {
		t.Error(list, lost, err)
	}
}

// TestGradientsAsLinked compares what made the nodes with the arrows that PyTorch draws
// from forward to backward.
func TestGradientsAsLinked(t *testing.T) {
	type place struct {
		thread trace.GlobalID
		at     int64
	}
	for _, name := range []string{"AMD-AGI__TraceLens__mi300~ddp_resnet18_no_pool~train_resnet18.json.gz", "AMD-AGI__TraceLens__mi300~resnet_act_checkpoint.json.gz"} {
		f, err := load.Open(t.Context(), filepath.Join(corpustest.Dir(t), "corpus/kineto", name))
		if err != nil {
			t.Fatal(err)
		}
		tl, err := Read(t.Context(), f.Trace, false)
		if err != nil {
			t.Fatal(err)
		}
		links, err := f.Trace.Table(t.Context(), "PYTORCH_LINKS", "id", "category", "phase", "timestamp", "globalTid")
		if err != nil || links == nil {
			t.Fatal(name, err)
		}
		ends := map[string]map[int64]place{"s": {}, "f": {}}
		for i := range links.Rows {
			if ph := f.Trace.CellText(links.Col("phase"), i); f.Trace.CellText(links.Col("category"), i) == "fwdbwd" && ends[ph] != nil {
				ends[ph][links.Ints("id")[i]] = place{trace.GlobalID(links.Ints("globalTid")[i]), links.Ints("timestamp")[i]}
			}
		}
		from := map[place]place{}
		for id, to := range ends["f"] {
			from[to] = ends["s"][id]
		}
		nodes, slices, err := tl.nodes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		h, same, other := &tl.Host, 0, 0
		for _, n := range nodes {
			for i := n.slice; int(i) < len(h.Start) && slices[i]; i++ { // the node and what is nested in it
				if s, ok := from[place{h.Thread[i], h.Start[i]}]; ok && n.maker >= 0 {
					if (place{h.Thread[n.maker], h.Start[n.maker]}) == s {
						same++
					} else {
						other++
					}
					break
				}
			}
		}
		t.Logf("%s: %d nodes, %d as linked, %d not", name, len(nodes), same, other)
		if same == 0 || other*100 > same {
			t.Errorf("%s: %d nodes are of the operators that arrows lead from, %d of others", name, same, other)
		}
		_ = f.Close()
	}
}
