package annotation

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/timeline"
	"github.com/gpuprof/gpuprof/trace"
)

const annotationsOfApp = `NameProcess, 7, app
NameOsThread, 7, 8, main
@NameCategory, ProcessId, CategoryId, Name
NameCategory, 7, 3, io
TimeBase = Manual
ProcessId = 7
ThreadId = 8
@RangeStartEnd, Start, End, Message, CategoryId, Payload
RangeStartEnd, 1000, 5000, "outer", 3, 42
@Marker, Time, Message, Color
Marker, 1500, "m $x", Blue
@RangePush, Time, Message
@RangePop, Time
RangePush, 2000, "a ""b"
RangePush, 2000, "p"
RangePop, 3000
`

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// build runs a page and returns what it says beside its document.
func buildFile(t *testing.T, p *page.Page, out string, values map[string][]string, args ...string) (notes string, failed bool, err error) {
	t.Helper()
	var b strings.Builder
	q := &page.Request{Args: args, Output: out, Values: values, Note: func(s string) { b.WriteString(s + "\n") }}
	d, err := p.Do(context.Background(), q)
	return b.String(), d != nil && d.Failed, err
}

// eventTypes counts the rows of NVTX_EVENTS by type.
func eventTypes(t *testing.T, name string) map[int64]int {
	t.Helper()
	f, err := load.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, err := f.Trace.Table(context.Background(), trace.TableNvtx, "eventType")
	if err != nil {
		t.Fatal(err)
	}
	out := map[int64]int{}
	for _, ty := range e.Ints("eventType") {
		out[ty]++
	}
	return out
}

func TestNvtxtCreateAndMerge(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(annotationsOfApp, "RangePush, 2000, \"a \"\"b\"\n", "", 1)
	src := put(t, filepath.Join(dir, "app.nvtxt"), text)
	base := filepath.Join(dir, "base.sqlite")
	if notes, failed, err := buildFile(t, Create, base, nil, src); err != nil || failed || notes != "" {
		t.Fatal(notes, failed, err)
	}
	want := map[int64]int{33: 1, 39: 1, 34: 1, 70: 1, 71: 1}
	if diff := cmp.Diff(want, eventTypes(t, base)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, eventTypes(t, src)); diff != "" {
		t.Error("the file itself:", diff)
	}
	more := put(t, filepath.Join(dir, "more.nvtxt"), "TimeBase=Relative\n@Marker, Time, Message\nMarker, 10, in\nMarker, 9000000000, out\nbad line\n")
	merged := filepath.Join(dir, "merged.sqlite")
	notes, failed, err := buildFile(t, Merge, merged, map[string][]string{"native": {"true"}}, base, more, src)
	if err != nil || !failed || !strings.Contains(notes, "has errors: 1") || !strings.Contains(notes, "left out: 1") {
		t.Error(notes, failed, err)
	}
	want = map[int64]int{33: 2, 39: 2, 34: 3, 70: 1, 71: 1, 59: 1, 60: 1}
	if diff := cmp.Diff(want, eventTypes(t, merged)); diff != "" {
		t.Error(diff)
	}
	if _, failed, err := buildFile(t, Merge, filepath.Join(dir, "none.sqlite"), map[string][]string{"dialect": {"nsys"}}, base, more); err != nil || !failed {
		t.Error(failed, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "none.sqlite")); err == nil {
		t.Error("a file in error was merged in the dialect nsys")
	}
}

func TestNvtxtMergeWidens(t *testing.T) {
	dir := t.TempDir()
	base, out := filepath.Join(dir, "base.sqlite"), filepath.Join(dir, "out.sqlite")
	src := put(t, filepath.Join(dir, "app.nvtxt"), "TimeBase=Manual\n@Marker, Time, Message\nMarker, 5000000, a\n")
	late := put(t, filepath.Join(dir, "late.nvtxt"), "TimeBase=Manual\n@Marker, Time, Message\nMarker, 77000000, late\n")
	if _, _, err := buildFile(t, Create, base, nil, src); err != nil {
		t.Fatal(err)
	}
	if _, _, err := buildFile(t, Merge, out, map[string][]string{"update-report-time": {"true"}, "target": {"1:2"}}, base, late); err != nil {
		t.Fatal(err)
	}
	f, err := load.Open(context.Background(), out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, _, err := annotate.SessionWindow(context.Background(), f.Trace)
	if err != nil || w.Start != 5000000 || w.End < 77000000 {
		t.Error(w, err)
	}
	e, err := f.Trace.Table(context.Background(), trace.TableNvtx, "globalTid")
	if err != nil || e.Rows != 2 || trace.GlobalID(e.Ints("globalTid")[1]).VM() != 2 || trace.GlobalID(e.Ints("globalTid")[1]).Hardware() != 1 {
		t.Error(e, err)
	}
}

// TestNvtxtFolders merges what lies in the two folders of a capture.
func TestNvtxtFolders(t *testing.T) {
	dir := t.TempDir()
	marker := "TimeBase=Relative\n@Marker, Time, Message\nMarker, 0, x\n"
	one := put(t, filepath.Join(dir, "session", "capture", "one.nvtxt"), marker)
	put(t, filepath.Join(dir, "session", "two.nvtxt"), marker)
	put(t, filepath.Join(dir, "elsewhere", "three.nvtxt"), marker)
	base, out := filepath.Join(dir, "session", "capture", "r.sqlite"), filepath.Join(dir, "out.sqlite")
	if _, _, err := buildFile(t, Create, base, nil, one); err != nil {
		t.Fatal(err)
	}
	count := func(values map[string][]string) int {
		t.Helper()
		if _, _, err := buildFile(t, Merge, out, values, base); err != nil {
			t.Fatal(err)
		}
		return eventTypes(t, out)[34]
	}
	t.Setenv("NSIGHT_ANALYSIS_SESSION_OUTPUT_PATH", "")
	if n := count(nil); n != 3 {
		t.Error("both folders:", n)
	}
	if n := count(map[string][]string{"no-session-folder": {"true"}}); n != 2 {
		t.Error("one folder:", n)
	}
	t.Setenv("NSIGHT_ANALYSIS_SESSION_OUTPUT_PATH", filepath.Join(dir, "elsewhere"))
	if n := count(nil); n != 3 {
		t.Error("the folder of the variable:", n)
	}
}

// TestConvertNvtxt writes the annotations of a timeline as text, and once more
// what was written.
func TestConvertNvtxt(t *testing.T) {
	dir := t.TempDir()
	src := put(t, filepath.Join(dir, "app.nvtxt"), "SetFileDisplayName, \"my app\"\nSetFileDisplayColor, Red\n"+strings.Replace(annotationsOfApp, `a ""b`, `it's`, 1))
	db, a, b := filepath.Join(dir, "a.sqlite"), filepath.Join(dir, "a.nvtxt"), filepath.Join(dir, "b.nvtxt")
	for _, step := range [][2]string{{src, db}, {db, a}, {a, b}} {
		if _, _, err := buildFile(t, timeline.Convert, step[1], nil, step[0]); err != nil {
			t.Fatal(err)
		}
	}
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(x), string(y)); diff != "" || !strings.Contains(string(x), `RangeStartEnd, 1000, 5000, 3, "outer", 42`) ||
		!strings.Contains(string(x), `SetFileDisplayName, "my app"`) || !strings.Contains(string(x), "SetFileDisplayColor, 0xFFFF0000") {
		t.Error(diff, string(x))
	}
}
