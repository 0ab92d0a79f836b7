package ranks_test

import (
	"bytes"
	"testing"

	"github.com/gpuprof/gpuprof/internal/kinetogen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/ranks"
)

// TestTorchRank maps a PyTorch trace whose name says nothing of its rank.
func TestTorchRank(t *testing.T) {
	var b bytes.Buffer
	if _, err := kinetogen.Write(&b, kinetogen.Options{Steps: 3, Layers: 3, Rank: 5, World: 8}); err != nil {
		t.Fatal(err)
	}
	f, err := load.OpenReader(bytes.NewReader(b.Bytes()), int64(b.Len()), "made.pt.trace.json")
	if err != nil {
		t.Fatal(err)
	}
	list, err := ranks.Map(t.Context(), f.Trace, nil)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	p := list[0]
	if len(p.Claims) != 1 || p.Claims[0] != (ranks.Claim{Source: ranks.FromTorch, Rank: 5, Size: 8}) || p.UTC == 0 {
		t.Errorf("claims %+v, UTC %d", p.Claims, p.UTC)
	}
}
