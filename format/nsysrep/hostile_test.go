package nsysrep

import (
	"bytes"
	"context"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

func reports(t testing.TB) []string {
	return append(corpustest.Files(t, "corpus/nsys-rep/*.nsys-rep"), corpustest.Files(t, "corpus/nsys-rep/*.qdrep")...)
}

// all decodes everything and counts events; -1 if the report does not open.
func all(b []byte) (events int, broken bool) {
	f, err := Open(bytes.NewReader(b), int64(len(b)), "")
	if err != nil {
		return -1, true
	}
	broken = len(f.Problems()) > 0
	f.Strings()
	f.Decode(context.Background(), func(b *Batch) error {
		broken = broken || b.Problem != nil
		for k := range kinds {
			if k != SampleFrame && k != APIFrame {
				events += b.Rows(k).N
			}
		}
		for u, n := range b.Unknown {
			if u.Field == 0 {
				events += n
			}
		}
		return nil
	})
	return events, broken
}

// TestWhole checks that every event is found: the summary counts them.
func TestWhole(t *testing.T) {
	for _, name := range reports(t) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Open(bytes.NewReader(b), int64(len(b)), name)
		if err != nil {
			t.Fatal(err)
		}
		n, broken := all(b)
		if want := int(f.Summary.Int(1)); n != want || broken {
			t.Errorf("%s: %d events, want %d; broken: %v", filepath.Base(name), n, want, broken)
		}
		texts, _, err := f.Strings()
		if want := int(f.Summary.Int(3)); len(texts) != want || err != nil {
			t.Errorf("%s: %d texts, want %d; %v", filepath.Base(name), len(texts), want, err)
		}
	}
}

// TestCut cuts reports at places all over: nothing may panic, and the longer the
// rest the more events it yields.
func TestCut(t *testing.T) {
	for _, name := range reports(t) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		for i := range 200 {
			cut := b[:len(b)*i/200]
			if i%50 != 1 { // the frames in front of the cut are the same
				Open(bytes.NewReader(cut), int64(len(cut)), "")
				continue
			}
			n, broken := all(cut)
			if !broken {
				t.Errorf("%s cut at %d of 200 seems whole", filepath.Base(name), i)
			}
			if n >= 0 && n < last {
				t.Errorf("%s cut at %d of 200: %d events, %d when shorter", filepath.Base(name), i, n, last)
			}
			last = max(last, n)
		}
		if testing.Short() {
			break
		}
	}
}

// TestFlips changes single bytes; nothing may panic. All of a file's frames are
// decoded for a few flips, the containers for all.
func TestFlips(t *testing.T) {
	for _, name := range reports(t) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewSource(1))
		flips := 100
		if os.Getenv("GPUPROF_REQUIRE_ALL") == "1" { // takes a minute
			flips = 2000
		}
		for i := range flips {
			at := r.Intn(len(b))
			old := b[at]
			b[at] ^= byte(1 + r.Intn(255))
			if i%50 == 0 {
				all(b)
			} else if f, err := Open(bytes.NewReader(b), int64(len(b)), ""); err == nil {
				flipped(f, int64(at))
			}
			b[at] = old
		}
	}
}

// flipped decodes the frame that holds an offset.
func flipped(f *File, at int64) {
	var w scratch
	for _, fr := range f.Frames {
		if at >= fr.Offset && at < fr.Offset+int64(fr.Packed) {
			f.decode(fr, &w)
		}
	}
}

func TestBomb(t *testing.T) {
	f := &File{in: bytes.NewReader([]byte{10, 0xff, 0xff, 0xff, 0x7f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), size: 15}
	if _, err := f.frame(0, 15); err == nil {
		t.Error("a frame of 10 bytes that claims 256 MB is taken")
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(Magic + "1." + rawMagic + "\x00\x00\x03\x05\x20\x04\x0a\x00"))
	f.Fuzz(func(t *testing.T, b []byte) { all(b) })
}

func FuzzEvent(f *testing.F) {
	f.Add([]byte{8, 79, 0xda, 6, 2, 8, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		d := decoder{batch: &Batch{Unknown: map[Unknown]int{}}}
		d.event(b)
		for k := range kinds {
			if n := d.batch.Rows(k).N; n > len(b) {
				t.Errorf("%d rows from %d bytes", n, len(b))
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	name := filepath.Join(corpustest.Dir(b), "corpus", "nsys-rep", "openhackathons-org__gpubootcamp__hpc_multi_gpu_nways_labs_CFD_English_C_source_code_mpi_reports_report1.qdrep")
	data, err := os.ReadFile(name)
	if err != nil {
		b.Skip(err)
	}
	f, err := Open(bytes.NewReader(data), int64(len(data)), name)
	if err != nil {
		b.Fatal(err)
	}
	size := 0
	for _, fr := range f.Frames {
		size += fr.Size
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var w scratch
	for b.Loop() {
		for _, fr := range f.Frames {
			f.decode(fr, &w)
		}
	}
}
