package nsysrep_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
)

func opened(t *testing.T, b []byte, name string) *nsysrep.File {
	t.Helper()
	f, err := nsysrep.Open(bytes.NewReader(b), int64(len(b)), name)
	if err != nil || len(f.Problems()) > 0 {
		t.Fatal(err, f.Problems())
	}
	return f
}

func countOf(t *testing.T, f *nsysrep.File, k nsysrep.Kind) int {
	t.Helper()
	x, err := f.Index(context.Background(), 1<<20)
	if err != nil || len(x.Problems) > 0 {
		t.Fatal(err, x.Problems)
	}
	n, _, _ := x.Count(k)
	return n
}

// TestCutAndMerge leaves out the kernel in one part and the samples in the other, and
// merges the two.
func TestCutAndMerge(t *testing.T) {
	whole := opened(t, nsysrepgen.Sample().Bytes(), "whole")
	without := func(drop nsysrep.Kind) *nsysrep.File {
		var b bytes.Buffer
		c := nsysrep.Cut{Keep: func(k nsysrep.Kind, n int) bool { return k != drop }}
		for k := range c.Plain { // times and numbers, which are no texts
			c.Plain[k] = 1<<1 | 1<<2 | 1<<3 | 1<<4 | 1<<5 | 1<<6 | 1<<8 | 1<<9 | 1<<11 | 1<<13
		}
		for n := 12; n < 60; n++ {
			c.Plain[nsysrep.Kernel] |= 1 << n
		}
		if err := whole.Cut(&b, c); err != nil {
			t.Fatal(err)
		}
		f := opened(t, b.Bytes(), "part")
		for _, k := range []nsysrep.Kind{nsysrep.Kernel, nsysrep.Sample, nsysrep.NVTX, nsysrep.Runtime} {
			want := countOf(t, whole, k)
			if k == drop {
				want = 0
			}
			if got := countOf(t, f, k); got != want {
				t.Errorf("%d events of kind %d, want %d", got, k, want)
			}
		}
		if got, want := f.Summary.Int(1), whole.Summary.Int(1)-int64(countOf(t, whole, drop)); got != want {
			t.Errorf("the summary counts %d, want %d", got, want)
		}
		return f
	}
	a, b := without(nsysrep.Kernel), without(nsysrep.Sample)
	texts, _, err := a.Strings()
	if err != nil || texts[14] != "" || texts[4] != "cudaLaunchKernel" { // of small numbers some are in fields that are not known
		t.Errorf("%q, %v", texts, err)
	}
	var out bytes.Buffer
	if err := nsysrep.Merge(&out, a, b); err != nil {
		t.Fatal(err)
	}
	m := opened(t, out.Bytes(), "merged")
	for k := range nsysrep.Kinds {
		if got, want := countOf(t, m, k), countOf(t, whole, k); got != want {
			t.Errorf("%d events of kind %d, want %d", got, k, want)
		}
	}
	if m.Summary.Int(1) != whole.Summary.Int(1) {
		t.Errorf("the summary counts %d, want %d", m.Summary.Int(1), whole.Summary.Int(1))
	}
	want, _, _ := whole.Strings()
	for i, s := range want {
		if got, _, _ := m.Strings(); got[i] != s && s != "mmap" && s != "out.txt" {
			t.Errorf("text %d: %q, want %q", i, got[i], s)
		}
	}
	other := nsysrepgen.Sample()
	other.Target = nsysrepgen.Message(90, "another machine")
	if err := nsysrep.Merge(&out, a, opened(t, other.Bytes(), "other")); !errors.Is(err, nsysrep.ErrApart) {
		t.Errorf("of two recordings: %v", err)
	}
}
