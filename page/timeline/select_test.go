package timeline

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// twoRanks are two files of one program.
func twoRanks(t *testing.T, devices int) []string {
	t.Helper()
	var out []string
	for i, name := range []string{"run.rank0.sqlite", "run.rank1.sqlite"} {
		path := filepath.Join(t.TempDir(), name)
		if err := nsysgen.Write(path, nsysgen.Size{Kernels: 200 * (i + 1), Ranges: 70, Copies: 20, Threads: 4, Devices: devices, Names: 3, Seed: uint64(i)}); err != nil {
			t.Fatal(err)
		}
		out = append(out, path)
	}
	return out
}

// document renders a page of files.
func document(t *testing.T, p *page.Page, f view.Format, values map[string][]string, files ...string) (string, []string) {
	t.Helper()
	q := &page.Request{Args: files, Format: f, Values: values}
	var notes []string
	q.Note = func(s string) { notes = append(notes, s) }
	for _, name := range files {
		in, err := load.Open(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		q.Files = append(q.Files, in)
	}
	d, err := p.Do(context.Background(), q)
	if err != nil {
		return err.Error(), notes
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, f, q.ViewOptions()); err != nil {
		t.Fatal(err)
	}
	return b.String(), notes
}

// TestSelect asks reports, rules and flames of parts of a file.
func TestSelect(t *testing.T) {
	file := twoRanks(t, 2)[0]
	for _, c := range []struct{ option, value, want string }{
		{"device", "1", "100"}, {"pid", "5000", "100"}, {"thread", "6001", "50"}, {"thread", "5001:6001", "50"}, {"thread", "5000:6001", ""}, {"device", "7", ""},
		{"kernel-regex", "kernel_9", ""}, {"range-regex", "layer", "20"},
	} {
		got, _ := document(t, Stats, view.FormatCSV, pagetest.Options("report", "cuda_gpu_sum", c.option, c.value), file)
		kernels := 0
		for _, l := range strings.Split(got, "\n") {
			if f := strings.Split(l, ","); strings.Contains(l, "CUDA_KERNEL") {
				n := 0
				for _, d := range f[2] {
					n = n*10 + int(d-'0')
				}
				kernels += n
			}
		}
		switch {
		case c.want == "" && kernels > 0, c.want == "20" && (kernels == 0 || kernels == 200):
			t.Errorf("--%s %s: %d kernels", c.option, c.value, kernels)
		case len(c.want) > 1 && c.want != "20" && c.want != view.Words(view.Int(int64(kernels), "")):
			t.Errorf("--%s %s: %d kernels, want %s", c.option, c.value, kernels, c.want)
		}
	}
	for _, bad := range [][2]string{{"device", "x"}, {"thread", "a:b"}, {"kernel-regex", "("}, {"rank", "first"}, {"filter-time", "5/1"}} {
		if got, _ := document(t, Stats, view.FormatCSV, pagetest.Options(bad[0], bad[1]), file); !strings.Contains(got, "--"+bad[0]) {
			t.Errorf("--%s %s: %q", bad[0], bad[1], got)
		}
	}
	if _, notes := document(t, Stats, view.FormatCSV, pagetest.Options("rank", "3"), file); !strings.Contains(strings.Join(notes, " "), "none of the ranks 3") {
		t.Errorf("notes %q", notes)
	}
	whole, _ := document(t, Flame, view.FormatText, pagetest.Options("by", "nvtx"), file)
	folded, _ := document(t, Flame, view.FormatText, pagetest.Options("by", "nvtx", "fold", "true", "pid", "5000"), file)
	if whole == folded || !strings.Contains(folded, "step/layer_N") {
		t.Errorf("flame:\n%s", folded)
	}
}

// TestSeveralFiles tells files apart in every form.
func TestSeveralFiles(t *testing.T) {
	files := twoRanks(t, 1)
	one := pagetest.Options("report", "cuda_gpu_kern_sum:base")
	got, _ := document(t, Stats, view.FormatCSV, one, files...)
	for _, want := range []string{"File,Rank,Time (%)", "run.rank0.sqlite,0,", "run.rank1.sqlite,1,"} {
		if !strings.Contains(got, want) {
			t.Errorf("csv lacks %q:\n%s", want, got)
		}
	}
	text, _ := document(t, Stats, view.FormatText, one, files...)
	if !strings.Contains(text, "All files side by side") || !strings.Contains(text, "run.rank1.sqlite") {
		t.Errorf("text:\n%s", text)
	}
	js, _ := document(t, Stats, view.FormatJSON, one, files...)
	if !json.Valid([]byte(js)) || !strings.Contains(js, "from_rank") {
		t.Errorf("json: %.300s", js)
	}
	alone, _ := document(t, Stats, view.FormatCSV, one, files[0])
	if strings.Contains(alone, "File") {
		t.Errorf("a file alone is told apart:\n%s", alone)
	}
	rank, _ := document(t, Stats, view.FormatCSV, pagetest.Options("report", "cuda_gpu_kern_sum:base", "rank", "1"), files...)
	if strings.Contains(rank, "run.rank0.sqlite,") || !strings.Contains(rank, "run.rank1.sqlite,1,") {
		t.Errorf("--rank 1:\n%s", rank)
	}
}
