package ranks

import (
	"bytes"
	"context"
	"testing"

	"github.com/gpuprof/gpuprof/internal/ranksgen"
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
