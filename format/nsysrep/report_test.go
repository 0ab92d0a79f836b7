package nsysrep

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
)

// reports yields a made report and those of the corpus, opened; a test of its
// own for each.
func reports(t *testing.T, do func(t *testing.T, b []byte, f *File)) {
	made := nsysrepgen.Sample().Bytes()
	t.Run("made", func(t *testing.T) { do(t, made, opened(t, made, "made")) })
	for _, name := range append(corpustest.Files(t, "corpus/nsys-rep/*.nsys-rep"), corpustest.Files(t, "corpus/nsys-rep/*.qdrep")...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(name), func(t *testing.T) { do(t, b, opened(t, b, name)) })
	}
}

func opened(t testing.TB, b []byte, name string) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(b), int64(len(b)), name)
	if err != nil {
		t.Fatal(err)
	}
	return f
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
