package torch

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/kinetogen"
	"github.com/gpuprof/gpuprof/load"
)

func made(tb testing.TB, o kinetogen.Options) (*Timeline, kinetogen.Truth) {
	tb.Helper()
	var b bytes.Buffer
	truth, err := kinetogen.Write(&b, o)
	if err != nil {
		tb.Fatal(err)
	}
	f, err := load.OpenReader(bytes.NewReader(b.Bytes()), int64(b.Len()), "made.pt.trace.json")
	if err != nil {
		tb.Fatal(err)
	}
	t, err := Read(tb.Context(), f.Trace, true)
	if err != nil {
		tb.Fatal(err)
	}
	return t, truth
}

func TestBreakdownOfMade(t *testing.T) {
	for _, o := range []kinetogen.Options{{Steps: 4, Layers: 30}, {Steps: 2, Layers: 7, Old: true, MetaLast: true}} {
		tl, truth := made(t, o)
		b := tl.breakdownAll(own)
		if b.Busy != truth.Busy || b.Idle != truth.Idle || b.Compute != truth.Compute || b.ExposedComm != truth.ExposedComm || b.ExposedCopy != truth.Exposed {
			t.Errorf("found %+v, want %+v", b, truth)
		}
		if b.Total != b.Busy+b.Idle || b.ExposedComm <= 0 || b.ExposedComm >= b.Comm {
			t.Errorf("total %d, exposed %d of %d", b.Total, b.ExposedComm, b.Comm)
		}
		if hta := tl.breakdownAll(hta); hta.Compute != truth.Compute || hta.Busy != truth.Busy {
			t.Errorf("as HTA: %+v", hta)
		}
		if tl.Unlinked != 0 {
			t.Errorf("%d unlinked", tl.Unlinked)
		}
	}
}

func TestOperatorsOfMade(t *testing.T) {
	tl, truth := made(t, kinetogen.Options{Steps: 3, Layers: 5})
	for _, by := range groupings {
		ops, err := tl.Operators(t.Context(), by)
		if err != nil {
			t.Fatal(err)
		}
		var self int64
		kernels := 0
		for _, o := range ops {
			self += o.DeviceSelf
			kernels += o.Kernels
			if o.DeviceTotal < o.DeviceSelf || o.HostTotal < 0 || o.HostSelf < 0 || o.HostSelf > o.HostTotal {
				t.Errorf("by %s: %v", by, o)
			}
		}
		if want := truth.KernelTime + int64(truth.Copies)*9001; self != want || kernels != truth.Kernels+truth.Copies {
			t.Errorf("by %s: device time %d of %d kernels, want %d of %d", by, self, kernels, want, truth.Kernels+truth.Copies)
		}
		switch by {
		case ByName:
			for _, o := range ops {
				if o.Name == "aten::linear" && (o.DeviceSelf != 0 || o.DeviceTotal != truth.Compute || o.HostSelf != 15*5000 || o.HostTotal != 15*20000) {
					t.Error(o)
				}
			}
		case ByModule:
			if len(ops) != 6 || !strings.HasPrefix(ops[0].Name, "nn.Module: Linear_") {
				t.Errorf("modules: %v", ops)
			}
		case ByShape:
			if ops[0].Shapes == "" && ops[1].Shapes == "" {
				t.Errorf("shapes: %v", ops[:2])
			}
		}
	}
	if uses := tl.Kernels(); uses[0].Operator != "record_param_comms" || uses[0].Count != truth.Collectives {
		t.Errorf("kernels: %+v", uses)
	}
}

func TestLaunchesOfMade(t *testing.T) {
	tl, truth := made(t, kinetogen.Options{Steps: 2, Layers: 10})
	l := tl.Launches()
	if l.Linked != truth.Kernels || l.Call.Count != truth.Kernels || l.Call.Min != 3000 || l.Call.Max != 4000 || l.Delay.Min != 1250 || l.Delay.Max != 2000 || l.Graphs != 0 || l.Short != 0 {
		t.Errorf("%+v", l)
	}
	if len(l.Queue) != 2 || l.Queue[0].Clamped != 0 || l.Queue[1].Length.Max != 1 {
		t.Errorf("queues %+v", l.Queue)
	}
	for _, x := range tl.Idle(kernelGap) {
		if x.Kernel != 0 || x.Other != 0 || x.HostGaps == 0 || x.Causes[0].Name == "" {
			t.Errorf("idle %+v", x)
		}
	}
	s := tl.Sequences(2, 5)
	if len(s) != 2 || s[0].Count != 10 || s[0].Gaps < s[1].Gaps || !strings.HasPrefix(s[0].Kernels[0], "sm90") || !strings.HasPrefix(s[1].Kernels[0], "nccl") {
		t.Errorf("sequences %+v", s)
	}
}

func TestShapesOfMade(t *testing.T) {
	tl, truth := made(t, kinetogen.Options{Steps: 2, Layers: 3})
	list, err := tl.Shapes(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	s := list[0]
	if want := float64(2*64*1024*4096 + 64*4096); s.FLOP != want || s.Time != truth.Compute || s.Calls != 6 || s.Text != "64×4096×1024" {
		t.Errorf("%+v, want %v FLOP", s, want)
	}
	p := &Peak{}
	if err := p.Override("float32=60, memory=1"); err != nil {
		t.Fatal(err)
	}
	if roof := s.Roof(p); roof != 1e12*s.Intensity() {
		t.Errorf("roof %v at %v FLOP/byte", roof, s.Intensity())
	}
}

func TestPeaks(t *testing.T) {
	if n := len(peaks()); n != strings.Count(peaksTSV, "\n")-1 {
		t.Errorf("%d of %d lines are read", n, strings.Count(peaksTSV, "\n")-1)
	}
	for _, p := range peaks() {
		if p.Memory <= 0 || p.Half <= 0 || p.Float32 <= 0 || p.Source == "" {
			t.Errorf("%+v", p)
		}
	}
	if p := PeakOf("NVIDIA H100 80GB HBM3"); p == nil || p.Rate("c10::BFloat16") != 989.4 || p.Rate("float") != 66.9 || p.Rate("c10::Float8_e4m3fn") != 1978.9 {
		t.Error(p)
	}
	if p := PeakOf("Radeon 9000"); p != nil || p.Rate("float") != 0 {
		t.Error(p)
	}
}

func TestArithmetic(t *testing.T) {
	for _, c := range []struct {
		op, dims, types, inputs string
		flop                    float64
	}{
		{"aten::mm", "[[2, 3], [3, 5]]", `["float", "float"]`, "", 60},
		{"aten::addmm", "[[5], [2, 3], [3, 5], [], []]", `["float"]`, "", 70},
		{"aten::bmm", "[[7, 2, 3], [7, 3, 5]]", `["c10::Half"]`, "", 420},
		{"aten::mm", "[[2, 3], [4, 5]]", "", "", -1},
		{"aten::convolution", "[[1, 4, 8, 8], [6, 2, 3, 3], []]", `["float"]`, `["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "2"]`, 2 * 6 * 16 * 2 * 9},
		{"aten::convolution", "[[1, 4, 8, 8], [6, 2, 3, 3]]", "", `["", "", "", "[1]", "[0]", "[1]", "True", "[0]", "1"]`, -1},
		{"aten::_scaled_dot_product_flash_attention", "[[1, 2, 10, 4], [1, 2, 10, 4], [1, 2, 10, 4]]", `["c10::Half"]`, `["", "", "", "0.", "False"]`, 2 * 2 * 100 * 8},
		{"aten::_scaled_dot_product_flash_attention", "[[1, 2, 10, 4], [1, 2, 10, 4], [1, 2, 10, 4]]", `["c10::Half"]`, `["", "", "", "0.", "True"]`, 2 * 100 * 8},
		{"aten::_scaled_dot_product_efficient_attention", "[[1, 2, 10, 4], [1, 2, 10, 4], [1, 2, 10, 4]]", "", `["", "", "", "", "True", "0.1", "False", ""]`, 2 * 2 * 100 * 8},
		{"aten::_scaled_dot_product_efficient_attention", "[[1, 2, 10, 4], [1, 2, 10, 4], [1, 2, 10, 4]]", "", `["", "", "", "", "False", "0.1", "True", ""]`, 2 * 100 * 8},
		{"aten::_scaled_dot_product_flash_attention", "[[1, 2, 10, 4], [1, 2, 10, 4], [1, 2, 10, 4]]", "", `["", "", "", "0.", "False", "True"]`, 2 * 2 * 100 * 8},
		{"aten::_scaled_dot_product_efficient_attention_backward", "[[1, 2, 10, 4], [1, 2, 10, 4], [1, 2, 10, 4], [1, 2, 10, 4]]", "",
			`["", "", "", "", "", "", "", "", "", "0.1", "[True, True, True, False]", "False", ""]`, 2 * 2 * 100 * 20},
		{"aten::_scaled_dot_product_flash_attention_backward", "[[1, 2, 10, 4], [1, 2, 10, 4], [1, 2, 10, 4], [1, 2, 10, 4]]", "",
			`["", "", "", "", "", "", "", "", "", "", "0.1", "True", "", ""]`, 2 * 100 * 20},
		{"aten::convolution_backward", "[[1, 6, 4, 4], [1, 4, 8, 8], [6, 2, 3, 3]]", "", `["", "", "", "[0]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "2", "[True, True, False]"]`, 2 * 2 * 6 * 16 * 2 * 9},
		{"aten::convolution_backward", "[[1, 6, 4, 4], [1, 4, 8, 8], [6, 2, 3, 3]]", "", `["", "", "", "[0]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "2", "[False, True, False]"]`, 2 * 6 * 16 * 2 * 9},
		{"aten::convolution_backward", "[[1, 6, 4, 4], [1, 4, 8, 8], [6, 2, 3, 3]]", "", `["", "", "", "[0]", "[2, 2]", "[1, 1]", "[1, 1]", "True", "[0, 0]", "2", "[True, True, False]"]`, -1},
		{"aten::add", "[[1], [1]]", "", "", -1},
		{"aten::mm", "not JSON", "", "", -1},
		{"aten::mm", "[[-1, 3], [3, 5]]", "", "", -1},
		{"aten::mm", "[[1000000000000000000, 3], [3, 5]]", "", "", -1},
		{"aten::mm", "[[1.5, 3], [3, 5]]", "", "", -1},
		{"aten::convolution", "[[4294967296, 4, 8, 8], [4294967296, 4, 3, 3]]", "", `["", "", "", "[1]", "[0]", "[1]", "False", "[0]", "1"]`, -1},
		{"aten::convolution", "[[1, 4, 8, 8], [6, 4, 3, 3]]", "", `["", "", "", "[0]", "[0]", "[1]", "False", "[0]", "1"]`, -1},
		{"aten::convolution", "[[1, 4, 8, 8], [6, 4, 9, 9]]", "", `["", "", "", "[1]", "[0]", "[1]", "False", "[0]", "1"]`, 0},
	} {
		a := arithmeticOf(c.op, c.dims, c.types, c.inputs)
		if a == nil {
			a = &arithmetic{flop: -1}
		}
		if a.flop != c.flop {
			t.Errorf("%s %s: %v FLOP, want %v", c.op, c.dims, a.flop, c.flop)
		}
	}
}
