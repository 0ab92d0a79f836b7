package nsysrep

import (
	"bytes"
	"math/rand"
	"os"
	"runtime"
	"testing"
)

// TestWhole checks that every event is found: the summary counts them.
func TestWhole(t *testing.T) {
	reports(t, func(t *testing.T, b []byte, f *File) {
		n, broken := all(b)
		if want := int(f.Summary.Int(1)); n != want || broken {
			t.Errorf("%d events, want %d; broken: %v", n, want, broken)
		}
		texts, _, err := f.Strings()
		if want := int(f.Summary.Int(3)); len(texts) != want || err != nil {
			t.Errorf("%d texts, want %d; %v", len(texts), want, err)
		}
	})
}

// thorough reports whether a report is damaged in all ways: the large ones only
// where asked for with GPUPROF_HOSTILE=1, which takes minutes.
func thorough(b []byte) bool {
	return len(b) < 100<<10 && !testing.Short() || os.Getenv("GPUPROF_HOSTILE") == "1"
}

// A meter tells the most that one piece of work took from the heap.
type meter struct {
	before runtime.MemStats
	most   uint64
}

func (m *meter) start() { runtime.ReadMemStats(&m.before) }

func (m *meter) stop() {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	m.most = max(m.most, now.TotalAlloc-m.before.TotalAlloc)
}

// bound is what reading all of a damaged report may take from the heap, one
// thing after the other: four times what its frames may unpack to, for their
// columns, scan by scan.
func bound(b []byte) uint64 { return 4 * uint64(maxTotal(int64(len(b)))) }

// TestCut cuts reports at 200 places: nothing may panic, and the longer the rest
// the more events it yields.
func TestCut(t *testing.T) {
	reports(t, func(t *testing.T, b []byte, _ *File) {
		last := 0
		var m meter
		for i := range 200 {
			cut := b[:len(b)*i/200]
			if i%50 != 1 && !thorough(b) { // the frames in front of the cut are the same
				Open(bytes.NewReader(cut), int64(len(cut)), "")
				continue
			}
			m.start()
			n, broken := all(cut)
			m.stop()
			if !broken {
				t.Errorf("cut at %d of 200 it seems whole", i)
			}
			if n >= 0 && n < last {
				t.Errorf("cut at %d of 200: %d events, %d when shorter", i, n, last)
			}
			last = max(last, n)
		}
		if m.most > bound(b) {
			t.Errorf("%d bytes are taken, at most %d expected", m.most, bound(b))
		}
		t.Logf("at most %d MB from the heap", m.most>>20)
	})
}

// TestFlips changes single bytes, 2000 of them where thorough: nothing may panic,
// and memory is bounded.
func TestFlips(t *testing.T) {
	reports(t, func(t *testing.T, b []byte, _ *File) {
		r := rand.New(rand.NewSource(1))
		flips := 20
		if thorough(b) {
			flips = 2000
		}
		var m meter
		whole := 0
		for i := range flips {
			at := r.Intn(len(b))
			old := b[at]
			b[at] ^= byte(1 + r.Intn(255))
			m.start()
			if i%20 == 0 {
				if _, broken := all(b); !broken {
					whole++
				}
			} else if f, err := Open(bytes.NewReader(b), int64(len(b)), ""); err == nil {
				f.readAround(int64(at))
			}
			m.stop()
			b[at] = old
		}
		if m.most > bound(b) {
			t.Errorf("%d bytes are taken, at most %d expected", m.most, bound(b))
		}
		t.Logf("at most %d MB from the heap; %d of %d seemed whole", m.most>>20, whole, (flips+19)/20)
	})
}

// readAround reads the frame that holds an offset.
func (f *File) readAround(at int64) {
	for _, fr := range f.Frames {
		if at >= fr.Offset && at < fr.Offset+int64(fr.Packed) {
			readFrame(f, fr)
			return
		}
	}
}

func TestBomb(t *testing.T) {
	f := &File{in: bytes.NewReader([]byte{10, 0xff, 0xff, 0xff, 0x7f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), size: 15}
	if _, err := f.frame(0, 15); err == nil {
		t.Error("a frame of 10 bytes that claims 256 MB is taken")
	}
}
