package ranks

import (
	"bytes"
	"context"
	"testing"

	"github.com/gpuprof/gpuprof/internal/ranksgen"
	"github.com/gpuprof/gpuprof/steps"
)

// FuzzUnpack decodes partials behind the digest that protects them.
func FuzzUnpack(f *testing.F) {
	s := ranksgen.Default(1)
	s.Ranks, s.Steps, s.Layers = 2, 2, 1
	for _, tr := range ranksgen.Make(s).Traces() {
		list, err := Map(context.Background(), tr, nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(list[0].pack())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := unpack(b)
		if err != nil {
			return
		}
		if again, err := unpack(p.pack()); err != nil || !bytes.Equal(again.pack(), p.pack()) {
			t.Fatalf("a partial changes when it is written and read: %v", err)
		}
		q := *p
		q.Claims = []Claim{{FromList, 1, 2}}
		Analyze([]*Partial{p, &q}, &Options{Force: true})
	})
}

// TestNumbersOfFiles keeps the numbers that files have for sources and classes: new
// ones are appended, none changes.
func TestNumbersOfFiles(t *testing.T) {
	for code, s := range []Source{FromList, FromMPI, FromTorch, FromCommunicator, FromEnvironment, FromFile, FromThread, FromOrder} {
		if sourceCodes[s] != uint64(code) || sourceOf(uint64(code)) != s {
			t.Errorf("%v is %d, want %d", s, sourceCodes[s], code)
		}
	}
	if s := sourceOf(200); s != sources {
		t.Errorf("number 200 is %v, want none", s)
	}
	for code, c := range []steps.Class{steps.OtherKernel, steps.GEMM, steps.Attention, steps.Convolution, steps.Normalization, steps.Elementwise, steps.Reduction, steps.Optimizer, steps.OtherCollective,
		steps.AllReduce, steps.AllGather, steps.ReduceScatter, steps.AllToAll, steps.Broadcast, steps.Reduce, steps.SendRecv, steps.OtherCopy, steps.HostToDevice, steps.DeviceToHost,
		steps.DeviceToDevice, steps.PeerToPeer} {
		if int(c) != code {
			t.Errorf("class %v is %d, want %d", c, c, code)
		}
	}
}
