package kineto

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestRealCutsAndFlips breaks real traces, small ones wholly and of large ones
// their first part, as they are and packed: 200 cuts and 2,000 flips a file where
// there is time, a sample of them in a short run. Nothing may panic, and a cut in
// the middle is told.
func TestRealCutsAndFlips(t *testing.T) {
	const most = 24 << 10 // bytes of a file
	cuts, flips, limit := 8, 40, 20*time.Second
	if os.Getenv("GPUPROF_LONG") != "" {
		cuts, flips, limit = 200, 2000, time.Hour
	}
	began, files := time.Now(), 0
	for _, name := range corpustest.Files(t, "corpus/kineto/*.json*") {
		if time.Since(began) > limit {
			break
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = text[:min(len(text), most)]
		files++
		random := rand.New(rand.NewPCG(uint64(len(text)), 1))
		for range cuts {
			cut := random.IntN(len(text))
			tr, err := Read(context.Background(), bytes.NewReader(text[:cut]), int64(cut), name)
			if err == nil && cut > 100 && len(tr.Problems) == 0 && tr.Events > 0 && bytes.IndexByte(text[cut:], '}') >= 0 {
				t.Errorf("%s cut at %d: %d events and no word of it", name, cut, tr.Events)
			}
		}
		b := make([]byte, len(text))
		for range flips {
			copy(b, text)
			for range 1 + random.IntN(3) {
				b[random.IntN(len(b))] ^= 1 << random.IntN(8)
			}
			_, _ = Read(context.Background(), bytes.NewReader(b), int64(len(b)), name)
		}
	}
	t.Logf("%d files", files)
}
