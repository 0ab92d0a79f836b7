package nsysrep

import (
	"bytes"
	"context"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

func reports(t testing.TB) []string {
	return append(corpustest.Files(t, "corpus/nsys-rep/*.nsys-rep"), corpustest.Files(t, "corpus/nsys-rep/*.qdrep")...)
}

// all reads every event and counts them; -1 if the report does not open.
func all(b []byte) (events int, broken bool) {
	f, err := Open(bytes.NewReader(b), int64(len(b)), "")
	if err != nil {
		return -1, true
	}
	f.Strings()
	x, err := f.Index(context.Background(), 1<<20)
	if err != nil {
		return -1, true
	}
	for k := range Kinds {
		for _, stacks := range []bool{false, true} {
			x.Scan(context.Background(), Want{Kind: k, Stacks: stacks, Columns: 1<<maxColumns - 1}, func(b *Batch) error {
				if !stacks {
					events += b.N
				}
				return nil
			})
		}
	}
	if n := counted(x); n > events {
		events = n // of which nothing is known
	}
	return events, len(f.Problems()) > 0 || len(x.Problems) > 0
}

// counted is how many events an index counts, known or not.
func counted(x *Index) (events int) {
	for k := range Kinds {
		n, _, _ := x.Count(k)
		events += n
	}
	for u, n := range x.Unknown {
		if u.Field == 0 && u.Class == 0 && !u.Inside {
			events += n
		}
	}
	return events
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

// flipped reads the frame that holds an offset.
func flipped(f *File, at int64) {
	for _, fr := range f.Frames {
		if at >= fr.Offset && at < fr.Offset+int64(fr.Packed) {
			readFrame(f, fr)
		}
	}
}

// readFrame reads all of one frame.
func readFrame(f *File, fr Frame) *Index {
	x := &Index{Unknown: map[Unknown]int{}, file: f, frames: make([]frameIndex, 1)}
	f.Frames = []Frame{fr}
	out := walked{unknown: x.Unknown}
	x.frames[0].page = &page{}
	if err := f.index(fr, x.frames[0].page, &walker{}, &out); err != nil {
		x.Problems = append(x.Problems, err)
	}
	x.frames[0].count = out.count
	var b Batch
	for k := range Kinds {
		for _, stacks := range []bool{false, true} {
			x.read(&reader{}, 0, Want{Kind: k, Stacks: stacks, Columns: 1<<maxColumns - 1}, &b)
		}
	}
	return x
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

// FuzzFrame unpacks and decodes a frame, given with its head.
func FuzzFrame(f *testing.F) {
	f.Add(pack([]byte{10, 7, 8, 79, 0xda, 6, 2, 8, 1}))
	f.Add(pack([]byte{10, 11, 8, 47, 0xe2, 6, 6, 0x30, 0, 0x7a, 2, 8, 1}))
	f.Fuzz(func(t *testing.T, b []byte) {
		file := &File{in: bytes.NewReader(b), size: int64(len(b))}
		fr, err := file.frame(0, int64(len(b)))
		if err != nil {
			return
		}
		if fr.Size > maxRatio*len(b) {
			t.Errorf("%d bytes from %d", fr.Size, len(b))
		}
		readFrame(file, fr)
	})
}

// FuzzEvent decodes an event: of whatever it holds, no more rows come than it has
// bytes.
func FuzzEvent(f *testing.F) {
	f.Add([]byte{8, 79, 0xda, 6, 2, 8, 1})
	f.Add([]byte{8, 47, 0xe2, 6, 6, 0x30, 0, 0x7a, 2, 8, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		var w walker
		out := walked{unknown: map[Unknown]int{}}
		w.event(b, 0, len(b), &out)
		p := page{msg: b}
		p.sort(&w)
		x := &Index{Unknown: out.unknown, frames: []frameIndex{{out.count, &p}}}
		var batch Batch
		for k := range Kinds {
			for _, stacks := range []bool{false, true} {
				x.read(&reader{}, 0, Want{Kind: k, Stacks: stacks, Columns: 1<<maxColumns - 1}, &batch)
				if batch.N > len(b) {
					t.Errorf("%d rows from %d bytes", batch.N, len(b))
				}
			}
		}
	})
}

// BenchmarkDecode is of one core: frames are unpacked, counted, and each table
// is read once.
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
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	size := 0
	for _, fr := range f.Frames {
		size += fr.Size
	}
	for _, keep := range []int64{0, 1 << 30} {
		b.Run(map[bool]string{true: "unpacked again", false: "kept"}[keep == 0], func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				x, err := f.Index(context.Background(), keep)
				if err != nil {
					b.Fatal(err)
				}
				for k := range Kinds {
					for _, stacks := range []bool{false, true} {
						x.Scan(context.Background(), Want{Kind: k, Stacks: stacks, Columns: 1<<maxColumns - 1}, func(b *Batch) error { return nil })
					}
				}
			}
		})
	}
}
