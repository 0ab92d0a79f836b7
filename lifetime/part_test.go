package lifetime

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"testing"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/format/simlog/loggen"
)

// inParts analyses a log cut into parts of about so many bytes.
func inParts(t *testing.T, log []byte, most int64, s Settings) (*Analysis, int) {
	t.Helper()
	cuts, head, err := simlog.Cuts(bytes.NewReader(log), int64(len(log)), most)
	if err != nil {
		t.Fatal(err)
	}
	j := NewJoiner(s)
	for i, from := range cuts {
		to := int64(len(log))
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		lines, intro := int64(0), log[:0]
		if i > 0 {
			intro = log[:head]
			lines = int64(bytes.Count(intro, []byte("\n")))
		}
		src := simlog.NewReader(context.Background(), io.MultiReader(bytes.NewReader(intro), bytes.NewReader(log[from:to])), simlog.Options{})
		var b bytes.Buffer
		if err := WritePart(context.Background(), &b, src, s, lines, int64(len(intro))); err != nil {
			t.Fatal(err)
		}
		if err := j.Add(&b); err != nil {
			t.Fatal(err)
		}
	}
	return j.Analysis(), len(cuts)
}

// TestParts compares the analysis of a log in parts with that of the whole.
func TestParts(t *testing.T) {
	for name, o := range map[string]loggen.Options{
		"plain": {}, "several SMs": {SMs: 3}, "cut short": {Cut: true}, "one clock": {Global: true, Probe: true},
	} {
		o.Bytes, o.Kernels, o.Seed = 3<<20, 20, 7
		var log bytes.Buffer
		if _, err := loggen.Write(&log, o); err != nil {
			t.Fatal(err)
		}
		log.WriteString("GPGPU-Sim: *** exit detected ***\n")
		s := Settings{}
		want, err := Analyze(context.Background(), simlog.NewReader(context.Background(), bytes.NewReader(log.Bytes()), simlog.Options{}), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int64{1, 200 << 10, 1 << 20, 1 << 30} {
			got, n := inParts(t, log.Bytes(), most, s)
			if most == 1 && n != len(want.Kernels) {
				t.Errorf("%s: %d parts of %d kernels", name, n, len(want.Kernels))
			}
			for what, pair := range map[string][2]any{
				"kernels": {got.Kernels, want.Kernels}, "tally": {got.Tally, want.Tally}, "notes": {got.Notes, want.Notes}, "config": {got.Config, want.Config},
				"levels": {got.Levels, want.Levels}, "machine": {got.Machine, want.Machine}, "used": {got.Used, want.Used},
			} {
				if !reflect.DeepEqual(pair[0], pair[1]) {
					t.Errorf("%s, %d parts: %s: %+v, want %+v", name, n, what, pair[0], pair[1])
				}
			}
			for i, l := range want.Totals {
				g := got.Totals[i]
				if g.Lifetimes.N() != l.Lifetimes.N() || g.Lifetimes.Sum() != l.Lifetimes.Sum() || g.Lifetimes.Quantile(0.9) != l.Lifetimes.Quantile(0.9) || !reflect.DeepEqual(g.Uses, l.Uses) || !reflect.DeepEqual(g.Write, l.Write) {
					t.Errorf("%s, %d parts: %s differs", name, n, l.Name)
				}
			}
		}
	}
}
