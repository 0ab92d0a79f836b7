package compare_test

import (
	"context"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/sample"
	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
)

// runsOf makes runs of a file: of its launches, of its timeline, or of both.
func runsOf(t *testing.T, name string) []*compare.Run {
	t.Helper()
	f, err := load.Open(context.Background(), name)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { f.Close() })
	var out []*compare.Run
	if f.Report != nil {
		out = append(out, compare.FromReport(f.Report.Report, nil, &compare.Names{}, false))
	}
	if f.Trace != nil {
		r, err := compare.FromTrace(context.Background(), f.Trace, &compare.Names{}, compare.TimelineOptions{})
		if err != nil {
			t.Logf("%s: %v", name, err)
			return out
		}
		out = append(out, r)
	}
	return out
}

// profiles are the files and folders of the corpus that are opened by name.
func profiles(t *testing.T) []string {
	var out []string
	for _, folder := range []string{"workloads/bmm2/MI300X_A1", "bmm", "ck_bmm", "trace_20251211_0701"} { // of rocprof and rocprof-compute
		out = append(out, filepath.Join(corpustest.Dir(t), "corpus", "rocm", "HGLiu1998__batched_gemm", folder))
	}
	for _, dir := range []string{"ncu", "nsys", "nsys-rep", "amd", "rocm", "hostile", "nvtxt", "sim", "kineto"} {
		root := filepath.Join(corpustest.Dir(t), "corpus", dir)
		filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && d.Name() != "MANIFEST.tsv" && !strings.HasSuffix(p, ".md") {
				out = append(out, p)
			}
			return nil
		})
	}
	return out
}

// TestSelfIsEmptyAndSwapInverts compares every file with itself: nothing
// differs, everything matches, and it is said that nothing was measured twice;
// and with its neighbour, both ways.
func TestSelfIsEmptyAndSwapInverts(t *testing.T) {
	n, pairs := 0, 0
	before := map[compare.Kind]*compare.Run{}
	for _, name := range profiles(t) {
		for _, r := range runsOf(t, name) {
			n++
			selfIsEmpty(t, name, r)
			if o := before[r.Kind]; o != nil {
				swapInverts(t, o, r)
				pairs++
			}
			before[r.Kind] = r
		}
	}
	if n < 250 {
		t.Errorf("%d runs", n)
	}
	t.Logf("%d runs, %d pairs", n, pairs)
}

func selfIsEmpty(t *testing.T, name string, r *compare.Run) {
	c := compare.Compare([]*compare.Run{r}, []*compare.Run{r}, compare.Options{})
	if len(c.OnlyOld)+len(c.OnlyNew) > 0 {
		t.Errorf("%s: %d only old, %d only new", name, len(c.OnlyOld), len(c.OnlyNew))
	}
	if !c.Shared {
		t.Errorf("%s: not said to be the same measurement", name)
	}
	for _, row := range c.Rows {
		if row.Time.Ratio.OK && row.Time.Ratio.Value != 1 || row.Time.Word == sample.TakesMore || row.Time.Word == sample.TakesLess {
			t.Errorf("%s: %s: %+v", name, row.Name(), row.Time)
		}
		if row.Loose || row.OldEntity() != row.NewEntity() {
			t.Errorf("%s: %s matches %s", name, row.OldEntity().Name, row.NewEntity().Name)
		}
		if len(c.With(row, false)) > 0 {
			t.Errorf("%s: %s: something goes with no change", name, row.Name())
		}
	}
}

func swapInverts(t *testing.T, a, b *compare.Run) {
	there := compare.Compare([]*compare.Run{a}, []*compare.Run{b}, compare.Options{})
	back := compare.Compare([]*compare.Run{b}, []*compare.Run{a}, compare.Options{})
	if len(there.OnlyOld) != len(back.OnlyNew) || len(there.OnlyNew) != len(back.OnlyOld) || len(there.Rows) != len(back.Rows) {
		t.Errorf("%s and %s: %d+%d+%d rows, back %d+%d+%d", a.Name, b.Name, len(there.OnlyOld), len(there.Rows), len(there.OnlyNew), len(back.OnlyNew), len(back.Rows), len(back.OnlyOld))
		return
	}
	rows := map[*compare.Entity]*compare.Row{}
	for _, r := range back.Rows {
		rows[r.NewEntity()] = r
	}
	for _, r := range there.Rows {
		o := rows[r.OldEntity()]
		if o == nil || o.OldEntity() != r.NewEntity() {
			t.Errorf("%s and %s: %s is matched otherwise on the way back", a.Name, b.Name, r.Name())
			continue
		}
		if r.Time.Ratio.OK != o.Time.Ratio.OK || r.Time.Ratio.OK && math.Abs(r.Time.Ratio.Value*o.Time.Ratio.Value-1) > 1e-12 {
			t.Errorf("%s: %v and %v", r.Name(), r.Time.Ratio.Value, o.Time.Ratio.Value)
		}
	}
}
