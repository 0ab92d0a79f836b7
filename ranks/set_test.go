package ranks_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/ranksgen"
	"github.com/gpuprof/gpuprof/ranks"
)

func written(t testing.TB, s *ranks.Set) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := s.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d bytes and says %d: %v", b.Len(), n, err)
	}
	return b.Bytes()
}

func setOf(t testing.TB, list ...*ranks.Partial) *ranks.Set {
	t.Helper()
	s := &ranks.Set{}
	if err := s.Add(list...); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMergeAnyWay splits partials in any way, in any order, some twice, and merges
// them in a tree of any shape: the bytes are the same.
func TestMergeAnyWay(t *testing.T) {
	all := partials(t, ranksgen.Make(ranksgen.Default(7)))
	want := written(t, setOf(t, all...))
	rapid.Check(t, func(rt *rapid.T) {
		order := rapid.Permutation(all).Draw(rt, "order")
		order = append(order, rapid.SliceOfN(rapid.SampledFrom(all), 0, 4).Draw(rt, "again")...)
		var sets []*ranks.Set
		for len(order) > 0 {
			n := rapid.IntRange(1, len(order)).Draw(rt, "part")
			sets, order = append(sets, setOf(t, order[:n]...)), order[n:]
		}
		for len(sets) > 1 {
			i := rapid.IntRange(0, len(sets)-2).Draw(rt, "pair")
			if rapid.Bool().Draw(rt, "through a file") {
				back, err := ranks.ReadSet(bytes.NewReader(written(t, sets[i])), "part")
				if err != nil {
					rt.Fatal(err)
				}
				sets[i] = back
			}
			sets[i+1].Merge(sets[i])
			sets = append(sets[:i], sets[i+1:]...)
		}
		if got := written(t, sets[0]); !bytes.Equal(got, want) {
			rt.Fatalf("%d bytes, want the %d of one set", len(got), len(want))
		}
	})
}

// TestSameAnswer compares the analysis of what was mapped with that of what was
// written and read, in another order.
func TestSameAnswer(t *testing.T) {
	check := func(t *testing.T, all []*ranks.Partial) {
		t.Helper()
		want, err := ranks.Analyze(all, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ranks.ReadSet(bytes.NewReader(written(t, setOf(t, all...))), "all")
		if err != nil {
			t.Fatal(err)
		}
		back, problems := s.Partials()
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for _, p := range back {
			p.Digest = ranks.Digest{} // only sets give one
		}
		got, err := ranks.Analyze(back, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("the answer from partials differs from that from reports")
		}
	}
	t.Run("made", func(t *testing.T) {
		s := ranksgen.Default(8)
		s.Straggler, s.Factor, s.Late, s.Missing = 2, 1.2, 4, 5
		check(t, partials(t, ranksgen.Make(s)))
		s.Names = false
		check(t, partials(t, ranksgen.Make(s)))
	})
	for _, dir := range corpustest.Files(t, "oracle/ranks/*") {
		names, _ := filepath.Glob(filepath.Join(dir, "*.sqlite"))
		var all []*ranks.Partial
		for _, n := range names {
			all = append(all, mapFile(t, n)...)
		}
		if len(all) > 0 {
			t.Run(filepath.Base(dir), func(t *testing.T) { check(t, all) })
		}
	}
}

// TestBrokenSet cuts and damages a file of partials: what is whole is still there,
// and the error says where.
func TestBrokenSet(t *testing.T) {
	all := partials(t, ranksgen.Make(ranksgen.Default(9)))
	b := written(t, setOf(t, all...))
	s, err := ranks.ReadSet(bytes.NewReader(b[:len(b)-10]), "cut.gpr")
	var at *ranks.FormatError
	if !errors.As(err, &at) || at.File != "cut.gpr" || s.Len() != len(all)-1 {
		t.Errorf("%d partials and %v, want %d and a place", s.Len(), err, len(all)-1)
	}
	bad := bytes.Clone(b)
	bad[len(bad)-20] ^= 1
	if s, err = ranks.ReadSet(bytes.NewReader(bad), "bad.gpr"); err != nil {
		t.Fatal(err)
	}
	if list, problems := s.Partials(); len(list) != len(all)-1 || len(problems) != 1 {
		t.Errorf("%d partials and %v, want %d and a problem", len(list), problems, len(all)-1)
	}
	if _, err = ranks.ReadSet(bytes.NewReader([]byte("SQLite format 3\x00")), "x"); err == nil {
		t.Error("a database is no file of partials")
	}
}

func FuzzReadSet(f *testing.F) {
	s := ranksgen.Default(1)
	s.Ranks, s.Steps, s.Layers = 2, 2, 1
	f.Add(written(f, setOf(f, partials(f, ranksgen.Make(s))...)))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, _ := ranks.ReadSet(bytes.NewReader(b), "fuzz")
		list, _ := s.Partials()
		if len(list) > 0 {
			ranks.Analyze(list, nil)
		}
	})
}
