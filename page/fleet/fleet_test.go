package fleet_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/simlog/loggen"
	"github.com/gpuprof/gpuprof/internal/ranksgen"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/catalogue"
	"github.com/gpuprof/gpuprof/view"
)

func pageOf(t testing.TB, name string) *page.Page {
	t.Helper()
	for _, p := range catalogue.Pages() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("there is no page %s", name)
	return nil
}

// ask builds a page and returns it as csv.
func ask(t testing.TB, name string, values map[string][]string, args ...string) (*view.Document, string) {
	t.Helper()
	d, err := pageOf(t, name).Do(context.Background(), &page.Request{Args: args, Values: values, Format: view.FormatCSV})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d, rendered(t, d)
}

// rendered is a document as csv.
func rendered(t testing.TB, d *view.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := view.Render(&b, d, view.FormatCSV, view.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func made(t testing.TB, s ranksgen.Setup) string {
	t.Helper()
	dir := t.TempDir()
	if err := ranksgen.Make(s).Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func options(pairs ...string) map[string][]string {
	out := map[string][]string{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = append(out[pairs[i]], pairs[i+1])
	}
	return out
}

// TestRanks compares the answer of shards with that of one process.
func TestRanks(t *testing.T) {
	s := ranksgen.Default(3)
	s.Straggler, s.Factor = 5, 1.2
	dir := made(t, s)
	_, want := ask(t, "ranks", nil, dir)
	_, got := ask(t, "fleet ranks", nil, dir)
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestWork makes a plan, lets three workers do it, one of them twice, and merges;
// then damages a part, which resuming mends.
func TestWork(t *testing.T) {
	s := ranksgen.Default(4)
	dir, work := made(t, s), filepath.Join(t.TempDir(), "work")
	files, err := filepath.Glob(filepath.Join(dir, "*.sqlite"))
	if err != nil || len(files) != s.Ranks {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[2], []byte("SQLite format 3\x00 and no more"), 0o666); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte("# reports\n"+filepath.Join(dir, "*.sqlite")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	first, want := ask(t, "fleet stats", options("work", work, "shard-size", "1", "per-rank", "true"), "@"+list)
	if last := first.Sections[len(first.Sections)-1]; !first.Failed || last.ID != "problems" || !strings.Contains(last.Items[0].Message.Text, filepath.Base(files[2])) {
		t.Errorf("the broken report is not named: %+v", last)
	}
	parts, _ := filepath.Glob(filepath.Join(work, "parts", "*"))
	for _, p := range parts {
		os.Remove(p)
	}
	for _, task := range []string{"0", "1", "1", "2"} {
		ask(t, "fleet work", options("task", task, "tasks", "3"), work)
	}
	if _, got := ask(t, "fleet merge", nil, work); got != want {
		t.Errorf("workers say %s\nwant %s", got, want)
	}
	parts, _ = filepath.Glob(filepath.Join(work, "parts", "*.part"))
	if err := os.Truncate(parts[0], 3); err != nil {
		t.Fatal(err)
	}
	if d, got := ask(t, "fleet merge", nil, work); !d.Failed || !strings.Contains(got, "to do") {
		t.Errorf("a part that is cut: %s", got)
	}
	if _, got := ask(t, "fleet status", nil, work); !strings.Contains(got, "to do") {
		t.Errorf("status does not tell what lacks: %s", got)
	}
	if _, got := ask(t, "fleet resume", nil, work); got != want {
		t.Errorf("resumed: %s\nwant %s", got, want)
	}
}

// TestStats compares sums over all with those of the reports.
func TestStats(t *testing.T) {
	s := ranksgen.Default(5)
	dir := made(t, s)
	d, _ := ask(t, "fleet stats", options("report", "cuda_gpu_kern_sum", "report", "no*", "per-rank", "true"), dir)
	all, each := d.Sections[0].Items[0].Table, d.Sections[0].Items[1].Table
	at := func(tb *view.Table, name string) int {
		for i, c := range tb.Columns {
			if c.Name == name {
				return i
			}
		}
		t.Fatalf("there is no column %s", name)
		return -1
	}
	type sum struct {
		total, count, most uint64
		reports            int
	}
	want := map[string]sum{}
	for _, r := range each.Rows {
		name := r[at(each, "name")].Text()
		x := want[name]
		v := r[at(each, "total_time")].Uint64()
		want[name] = sum{x.total + v, x.count + r[at(each, "instances")].Uint64(), max(x.most, v), x.reports + 1}
	}
	if len(all.Rows) != len(want) || len(each.Rows) != len(want)*s.Ranks {
		t.Fatalf("%d and %d rows of %d kernels", len(all.Rows), len(each.Rows), len(want))
	}
	for _, r := range all.Rows {
		w := want[r[at(all, "name")].Text()]
		got := sum{r[at(all, "total_time")].Uint64(), r[at(all, "instances")].Uint64(), r[at(all, "most")].Uint64(), int(r[at(all, "reports")].Uint64())}
		if got != w {
			t.Errorf("%s: %+v, want %+v", r[0].Text(), got, w)
		}
		if mean := r[at(all, "avg")].Float64(); mean*float64(w.count)/float64(w.total) < 0.999999 || mean*float64(w.count)/float64(w.total) > 1.000001 {
			t.Errorf("mean %g of %d in %d", mean, w.total, w.count)
		}
	}
}

// TestLifetimes compares a log in shards with the whole.
func TestLifetimes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.log")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := loggen.Write(f, loggen.Options{Bytes: 5 << 20, Kernels: 30}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	_, want := ask(t, "lifetimes", nil, name)
	work := filepath.Join(t.TempDir(), "work")
	if _, got := ask(t, "fleet lifetimes", options("shard-size", "1", "work", work), name); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if parts, _ := filepath.Glob(filepath.Join(work, "parts", "*.part")); len(parts) < 4 {
		t.Errorf("%d shards of 5 MB", len(parts))
	}
}

// TestMistakes asks for what cannot be.
func TestMistakes(t *testing.T) {
	dir := made(t, ranksgen.Default(6))
	for _, c := range []struct {
		page   string
		values map[string][]string
		args   []string
		want   string
	}{
		{"fleet ranks", nil, []string{"s3://bucket/run"}, "file system"},
		{"fleet ranks", nil, []string{filepath.Join(dir, "*.none")}, "pattern"},
		{"fleet ranks", nil, []string{t.TempDir()}, "expected a folder"},
		{"fleet ranks", options("engine", "slurm"), []string{dir}, "--work"},
		{"fleet stats", options("report", "no_such_sum"), []string{dir}, "no report"},
		{"fleet merge", nil, []string{t.TempDir()}, "plan.json"},
		{"fleet stats", options("report", "nvtx_pushpop_trace"), []string{dir}, "found none"},
	} {
		_, err := pageOf(t, c.page).Do(context.Background(), &page.Request{Args: c.args, Values: c.values})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %q", c.page, c.args, err, c.want)
		}
	}
}

// TestScripts prints the work for schedulers.
func TestScripts(t *testing.T) {
	dir, work := made(t, ranksgen.Default(7)), filepath.Join(t.TempDir(), "work")
	var b bytes.Buffer
	p := pageOf(t, "fleet ranks")
	if err := p.Stream(context.Background(), &page.Request{Page: p, Args: []string{dir}, Values: options("dry-run", "true", "partition", "long", "work", work)}, &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"#SBATCH --array=0-", "#SBATCH --partition=long", "fleet work " + work, "fleet merge " + work, "afterany"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s\nlacks %s", b.String(), want)
		}
	}
	if _, err := os.Stat(work); err == nil {
		t.Error("a dry run made the folder")
	}
	ask(t, "fleet ranks", options("work", work), dir)
	b.Reset()
	p = pageOf(t, "fleet script")
	if err := p.Stream(context.Background(), &page.Request{Page: p, Args: []string{"k8s", work}}, &b); err != nil || !strings.Contains(b.String(), "completionMode: Indexed") {
		t.Errorf("%s, %v", b.String(), err)
	}
}

// TestTogether refuses a second coordinator, and other work in the folder.
func TestTogether(t *testing.T) {
	dir, work := made(t, ranksgen.Default(8)), filepath.Join(t.TempDir(), "work")
	ask(t, "fleet ranks", options("work", work), dir)
	p := pageOf(t, "fleet ranks")
	do := func(values map[string][]string) error {
		_, err := p.Do(context.Background(), &page.Request{Args: []string{dir}, Values: values})
		return err
	}
	if err := do(options("work", work)); err != nil {
		t.Errorf("again: %v", err)
	}
	if err := do(options("work", work, "steps", "2")); err == nil || !strings.Contains(err.Error(), "other work") {
		t.Errorf("other options: %v", err)
	}
	if err := os.WriteFile(filepath.Join(work, "lock"), fmt.Appendf(nil, "process 1 on another host\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := do(options("work", work)); err == nil || !strings.Contains(err.Error(), "another host") {
		t.Errorf("a second coordinator: %v", err)
	}
}

// TestDetails takes a metric of several reports.
func TestDetails(t *testing.T) {
	dir := t.TempDir()
	b, err := os.ReadFile(filepath.Join("..", "..", "examples", "transpose.ncu-rep"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".ncu-rep")), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "4.ncu-rep"), b[:100], 0o666); err != nil {
		t.Fatal(err)
	}
	d, _ := ask(t, "fleet details", options("metric", "gpu__time_duration.sum"), dir)
	one, _ := ask(t, "fleet details", options("metric", "gpu__time_duration.sum"), filepath.Join(dir, "0.ncu-rep"))
	rows, of := d.Sections[0].Items[0].Table.Rows, one.Sections[0].Items[0].Table.Rows
	if !d.Failed || len(rows) == 0 || len(rows) != len(of) {
		t.Fatalf("%d rows of three reports, %d of one", len(rows), len(of))
	}
	for i, r := range rows {
		if r[2].Uint64() != 3 || r[3].Uint64() != 3*of[i][3].Uint64() || r[4].Float64() != of[i][4].Float64() || r[8].Float64() != of[i][8].Float64() {
			t.Errorf("%v, want thrice %v", r, of[i])
		}
	}
}

// TestConvert writes a dataset twice: the second time changes nothing.
func TestConvert(t *testing.T) {
	dir, data := made(t, ranksgen.Default(9)), filepath.Join(t.TempDir(), "data")
	for range 2 {
		d, _ := ask(t, "fleet convert", options("dataset", data, "run", "nightly/17"), dir)
		if d.Failed {
			t.Fatal(d.Sections)
		}
	}
	names, err := filepath.Glob(filepath.Join(data, "CUPTI_ACTIVITY_KIND_KERNEL", "source=*", "run=nightly_17", "date=20*", "rank=*", "*.parquet"))
	if err != nil || len(names) != 8 {
		t.Errorf("%v, %v: want a file for each of 8 ranks", names, err)
	}
	if left, _ := filepath.Glob(filepath.Join(data, ".conv*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
