package compare

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/examples"
	"github.com/gpuprof/gpuprof/internal/kinetogen"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// TestMadeTimelines compares timelines that are made for it: with itself, where
// nothing differs, and with one of more work.
func TestMadeTimelines(t *testing.T) {
	dir := t.TempDir()
	database := func(name string, kernels int) string {
		path := filepath.Join(dir, name)
		size := nsysgen.Size{Kernels: kernels, Ranges: kernels / 4, Copies: kernels / 10, Threads: 2, Devices: 2, Names: 6, Seed: 1}
		if err := nsysgen.Write(path, size); err != nil {
			t.Fatal(err)
		}
		return path
	}
	torch := func(name string, layers int) string {
		var b bytes.Buffer
		if _, err := kinetogen.Write(&b, kinetogen.Options{Steps: 4, Layers: layers}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, pair := range [][2]string{
		{database("old.sqlite", 2000), database("new.sqlite", 3000)},
		{torch("old.pt.trace.json", 3), torch("new.pt.trace.json", 5)},
	} {
		if same := madeDiff(t, pair[0], pair[0]); !strings.Contains(same, "nothing differs") {
			t.Errorf("%s with itself: %.300s", pair[0], same)
		}
		there, back := madeDiff(t, pair[0], pair[1]), madeDiff(t, pair[1], pair[0])
		if strings.Contains(there, "nothing differs") || there == back {
			t.Errorf("%s: %.300s", pair, there)
		}
	}
}

func madeDiff(t *testing.T, names ...string) string {
	t.Helper()
	q := &page.Request{Format: view.FormatText, Values: map[string][]string{}}
	for _, name := range names {
		f, err := load.Open(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		q.Files = append(q.Files, f)
	}
	d, err := Diff.Do(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, view.FormatText, view.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// madeReports are two reports of kernel launches, in files.
func madeReports(t *testing.T) []string {
	t.Helper()
	var out []string
	for i, name := range []string{"old.ncu-rep", "new.ncu-rep"} {
		r := examples.Transpose()
		r.Session.CreationTime = ncurep.Some(uint64(1767225600 + 100*i))
		for _, x := range r.Results {
			for k := range x.Metrics {
				if x.Metrics[k].Name == "gpu__time_duration.sum" {
					ns, _ := x.Metrics[k].Value.Uint64()
					x.Metrics[k].Value = ncurep.Uint64Value(ns * uint64(10+i) / 10)
				}
			}
		}
		path := filepath.Join(t.TempDir(), name)
		if err := r.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		out = append(out, path)
	}
	return out
}

// diffDocument is the answer of diff to files and option values.
func diffDocument(t *testing.T, values map[string][]string, names ...string) (*view.Document, error) {
	t.Helper()
	q := &page.Request{Format: view.FormatJSON, Values: values}
	for _, name := range names {
		f, err := load.Open(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		q.Files = append(q.Files, f)
	}
	return Diff.Do(context.Background(), q)
}

// table is the table of a document by its id, nil if there is none.
func table(d *view.Document, id string) *view.Table {
	for i := range d.Sections {
		for k := range d.Sections[i].Items {
			if tb := d.Sections[i].Items[k].Table; tb != nil && tb.ID == id {
				return tb
			}
		}
	}
	return nil
}

// sum adds up a column.
func sum(tb *view.Table, column string) (total float64) {
	for i, c := range tb.Columns {
		if c.Name == column {
			for _, row := range tb.Rows {
				total += row[i].Float64()
			}
		}
	}
	return total
}

// TestRowsLead: rows of launches lead to them, and each table says what its names are.
func TestRowsLead(t *testing.T) {
	d, err := diffDocument(t, pagetest.Options("metrics", "gpu__time_duration.sum"), madeReports(t)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"kernels", "metrics"} {
		tb := table(d, id)
		if tb == nil || tb.Link == nil || tb.Link.To != view.ToLaunch || len(tb.Rows) != 3 {
			t.Fatalf("%s: %+v", id, tb)
		}
		at := map[view.Role]int{}
		for i, c := range tb.Columns {
			at[c.Role] = i
		}
		numbers := map[float64]bool{}
		for _, row := range tb.Rows {
			if len(row) != len(tb.Columns) || row[at[view.RoleOperand]].Float64() != 1 {
				t.Errorf("%s: %v", id, row)
			}
			numbers[row[at[view.RoleLaunch]].Float64()] = true
		}
		if _, ok := at[view.RoleKernel]; !ok || !numbers[0] || !numbers[1] || !numbers[2] {
			t.Errorf("%s: roles %v, launches %v", id, at, numbers)
		}
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, view.FormatText, view.Options{Brief: &view.Brief{Budget: 4000}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "1/2") {
		t.Errorf("the brief has no keys of launches:\n%s", b.String())
	}
}

// TestSelections chooses parts of timelines, and refuses what does not apply.
func TestSelections(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made.sqlite")
	if err := nsysgen.Write(path, nsysgen.Size{Kernels: 400, Ranges: 70, Copies: 20, Threads: 2, Devices: 2, Names: 3, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.sqlite")
	if err := nsysgen.Write(other, nsysgen.Size{Kernels: 400, Ranges: 70, Copies: 20, Threads: 2, Devices: 2, Names: 3, Seed: 2}); err != nil {
		t.Fatal(err)
	}
	kernels := func(values ...string) float64 {
		d, err := diffDocument(t, pagetest.Options(values...), path, other)
		if err != nil {
			t.Fatal(values, err)
		}
		tb := table(d, "kernels")
		if tb == nil {
			return 0
		}
		if tb.Link == nil || tb.Columns[1].Role != view.RoleKernel {
			t.Errorf("%v: names of kernels lead nowhere", values)
		}
		return sum(tb, "old_calls")
	}
	if n := kernels(); n != 400 {
		t.Errorf("%v kernels", n)
	}
	if n := kernels("device", "1"); n != 200 {
		t.Errorf("--device 1: %v kernels", n)
	}
	for _, v := range [][]string{{"filter-time", "0/1ns"}, {"kernel-regex", "no such kernel"}, {"pid", "1"}} {
		if n := kernels(v...); n != 0 {
			t.Errorf("%v: %v kernels", v, n)
		}
	}
	for _, v := range [][]string{{"filter-time", "/" + "10ms"}, {"range-regex", "layer"}} {
		if n := kernels(v...); n >= 400 {
			t.Errorf("%v: %v kernels", v, n)
		}
	}
	reports := madeReports(t)
	for _, x := range []struct {
		option string
		files  []string
	}{{"nvtx-include", []string{path, other}}, {"launch-skip", []string{path, other}}, {"device", reports}, {"filter-time", reports}} {
		if _, err := diffDocument(t, pagetest.Options(x.option, "1"), x.files...); err == nil || !strings.Contains(err.Error(), "--"+x.option) {
			t.Errorf("--%s: %v", x.option, err)
		}
	}
}
