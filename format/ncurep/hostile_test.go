package ncurep

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// allocated is the number of bytes allocated so far by the whole process.
func allocated() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// allocationLimit is what opening and decoding everything in a report of the
// given size may allocate in total, kept or not. Sound reports stay below 8
// times their size.
func allocationLimit(size int) int64 { return 4<<20 + 40*int64(size) }

// guarded runs f and checks what it allocates and how long it takes; a hang
// would be caught by the test's own time limit, this is about slow growth.
func guarded(t *testing.T, what string, size int, f func()) {
	t.Helper()
	start, before := time.Now(), allocated()
	f()
	if n := allocated() - before; n > allocationLimit(size) {
		t.Errorf("%s: allocated %d bytes for %d", what, n, size)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("%s: took %v", what, d)
	}
}

// TestCutOff cuts every report at 200 places. What lies before the cut must be
// there as in the whole report, and there must be a diagnostic.
func TestCutOff(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // half the time is garbage collection else
	for _, name := range corpusFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			whole, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sound, err := OpenBytes(whole, name)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, uint64(len(whole))))
			for i := range 200 {
				cut := rng.IntN(len(whole))
				if i < 40 { // the first kilobytes have most of the structure
					cut = i * 7
				}
				guarded(t, name, len(whole), func() { checkCut(t, sound, whole[:cut:cut]) })
			}
		})
	}
}

func checkCut(t *testing.T, sound *File, b []byte) {
	cut := int64(len(b))
	f, err := OpenBytes(b, "cut")
	if err != nil {
		wantFormatError(t, err, cut)
		if len(sound.Results) > 0 && sound.Results[0].entry.end() <= cut {
			t.Errorf("cut at %d: no result, want one", cut)
		}
		return
	}
	atBlock := false // a cut between blocks is no defect that one could see
	for _, b := range sound.Blocks {
		atBlock = atBlock || b.Offset == cut
	}
	if len(f.Problems()) == 0 && !atBlock {
		t.Errorf("cut at %d: no diagnostic", cut)
	}
	for i, r := range sound.Results {
		if r.entry.end() > cut {
			continue
		}
		if i >= len(f.Results) {
			t.Errorf("cut at %d: %d results, want more", cut, len(f.Results))
			return
		}
		got := f.Results[i]
		if got.DemangledName != r.DemangledName || got.NumMetrics != r.NumMetrics || got.Broken != nil {
			t.Errorf("cut at %d: result %d differs", cut, i)
		}
	}
	// One result decoded stands for all: they are independent, and this test
	// would take minutes otherwise. The last one is the one that may be broken.
	if n := len(f.Results); n > 0 {
		var n2 tally
		_ = n2.addResult(f.Results[n-1])
	}
}

// wantFormatError checks that an error tells where and what.
func wantFormatError(t *testing.T, err error, size int64) {
	t.Helper()
	var fe *formatError
	if !errors.As(err, &fe) {
		t.Errorf("error %v is no FormatError", err)
		return
	}
	if fe.File == "" || fe.Want == "" || fe.Found == "" || fe.Offset < 0 || fe.Offset > size {
		t.Errorf("error tells too little: %+v", fe)
	}
}

// TestFlips flips bytes of every report, 2000 times one by one: half of them
// anywhere, half of them where the structure is. Whatever a flip hits, what it
// does not hit must stay.
func TestFlips(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	for _, name := range corpusFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			whole := append([]byte(nil), b...)
			sound, err := OpenBytes(whole, name)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(2, uint64(len(b))))
			places := structure(sound)
			for i := range 2000 {
				at := rng.Int64N(int64(len(b)))
				if i%2 == 0 {
					at = places[rng.IntN(len(places))]
				}
				bits := byte(1 + rng.IntN(255))
				b[at] ^= bits
				guarded(t, name, len(b), func() { checkFlip(t, sound, b, at, i < 100) })
				b[at] ^= bits
			}
		})
	}
}

// structure lists offsets of sizes, block headers and the heads of entries.
func structure(f *File) []int64 {
	var at []int64
	add := func(off, n int64) {
		for i := range n {
			at = append(at, off+i)
		}
	}
	add(0, 10)
	for _, b := range f.Blocks {
		add(b.Offset, 4+min(b.header.n, 200))
		for _, list := range [][]span{b.sources, b.results} {
			for _, s := range list {
				add(s.off-4, 4+min(s.n, 40))
			}
		}
	}
	return at
}

func checkFlip(t *testing.T, sound *File, b []byte, at int64, all bool) {
	f, err := OpenBytes(b, "flipped")
	if err != nil {
		wantFormatError(t, err, int64(len(b)))
		if at >= 4 {
			t.Errorf("flip at %d: %v", at, err)
		}
		return
	}
	found := make(map[int64]*Result)
	for _, r := range f.Results {
		found[r.entry.off] = r
	}
	for i, r := range sound.Results {
		if at >= r.entry.off && at < r.entry.end() {
			continue
		}
		if i > 3 && i != len(sound.Results)-1 && i%20 != 0 {
			continue // some stand for all
		}
		got := found[r.entry.off]
		if got == nil && b[at] == 7<<3 {
			continue // a tag turned to that of NumRangeResults: the result counts as one of those
		}
		if got == nil {
			t.Errorf("flip at %d: result %d at %d is lost: %v", at, i, r.entry.off, f.Problems().err())
			continue
		}
		if got.DemangledName != r.DemangledName || got.NumMetrics != r.NumMetrics {
			t.Errorf("flip at %d: result %d at %d differs", at, i, r.entry.off)
		}
	}
	for _, r := range f.Results {
		if at >= r.entry.off-4 && at < r.entry.end() {
			decodeHit(r, at, all)
		}
	}
	for _, s := range f.Sources {
		for _, e := range s.Entries {
			if at >= e.entry.off-4 && at < e.entry.end() {
				var n tally
				_ = n.addSource(s)
			}
		}
	}
}

// decodeHit decodes a result with a flip in it, of the instances only those of
// the metric that was hit unless all are asked for: the others are as before, and
// decoding them 50000 times takes minutes.
func decodeHit(r *Result, at int64, all bool) {
	if all {
		var n tally
		_ = n.addResult(r)
		return
	}
	ms, _ := r.Metrics()
	for i := range ms.All {
		m := &ms.All[i]
		if off := r.entry.off + int64(m.off); at >= off-8 && at < off+int64(m.size)+8 {
			_, _ = m.Instances()
		}
	}
	_, _ = r.Sections()
	_, _ = r.Rules()
	_, _ = r.Nvtx()
	_, _ = r.CallStack()
}
