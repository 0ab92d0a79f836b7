package load

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/trace"
)

func annotationFile(t *testing.T, path string, lines ...string) *annotate.File {
	t.Helper()
	text := "TimeBase = Manual\nProcessId = 7\nThreadId = 8\n@Marker, Time, CategoryId, Message\n@NameCategory, CategoryId, Name\n" + strings.Join(lines, "\n")
	f, err := annotate.Load(context.Background(), strings.NewReader(text), int64(len(text)), path, annotate.LoadOptions{})
	if err != nil || f.Diagnostics.Total() > 0 {
		t.Fatal(err, f.Diagnostics.Messages())
	}
	return f
}

// named lists the markers of a timeline with the names of their categories.
func named(t *testing.T, tr *trace.Trace) map[string]string {
	t.Helper()
	ctx := context.Background()
	d, err := tr.Domains(ctx)
	if err != nil {
		t.Fatal(err)
	}
	e, err := tr.Table(ctx, trace.TableNvtx, "eventType", "globalTid", "category", "text", "textId")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for i, typ := range e.Ints("eventType") {
		if typ == trace.NvtxMark {
			out[tr.NvtxText(e, i)] = d.Category(trace.GlobalID(e.Ints("globalTid")[i]), 0, e.Ints("category")[i])
		}
	}
	return out
}

// TestCategoriesOfFiles: files share no ids, and a file shares those of the
// report that it does not name.
func TestCategoriesOfFiles(t *testing.T) {
	ctx := context.Background()
	report := annotationFile(t, "report", `NameCategory, 1, io`, `Marker, 1, 1, r1`, `Marker, 1, 9, r9`)
	a := annotationFile(t, "a.nvtxt", `NameCategory, 1, cpu`, `NameCategory, 2, io`, `Marker, 1, 1, a1`, `Marker, 1, 2, a2`, `Marker, 1, 3, a3`)
	b := annotationFile(t, "b.nvtxt", `NameCategory, 2, net`, `NameCategory, 3, io`, `Marker, 1, 2, b2`, `Marker, 1, 1, b1`, `Marker, 1, 3, b3`)
	c := annotationFile(t, "c.nvtxt", `Marker, 1, 2, c2`)

	base, notes := NewAnnotations([]*annotate.File{report}, AnnotationOptions{})
	if len(notes) > 0 {
		t.Error(notes)
	}
	tr, notes, err := Annotate(ctx, base, []*annotate.File{a, b, c}, AnnotationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"r1": "io", "r9": "", "a1": "cpu", "a2": "io", "a3": "", "b1": "io", "b2": "net", "b3": "io", "c2": ""}
	if d := cmp.Diff(want, named(t, tr)); d != "" {
		t.Error(d)
	}
	wantNotes := []string{
		"a.nvtxt: category 1 of process 7 becomes 10, for the report has another of this number",
		"b.nvtxt: category 2 of process 7 becomes 11, for a.nvtxt has another of this number",
		"b.nvtxt: category 3 of process 7 becomes 12, for a.nvtxt has another of this number",
		"c.nvtxt: category 2 of process 7 becomes 13, for a.nvtxt has another of this number",
	}
	if d := cmp.Diff(wantNotes, notes); d != "" {
		t.Error(d)
	}
}

// TestLargestCategory: without a number above, the least free one is taken.
func TestLargestCategory(t *testing.T) {
	a := annotationFile(t, "a.nvtxt", `NameCategory, 4294967295, x`, `NameCategory, 1, y`)
	b := annotationFile(t, "b.nvtxt", `NameCategory, 1, z`, `NameCategory, 2, w`, `Marker, 1, 1, b`)
	tr, notes := NewAnnotations([]*annotate.File{a, b}, AnnotationOptions{})
	if got := named(t, tr)["b"]; got != "z" || len(notes) != 1 || !strings.Contains(notes[0], "category 1 of process 7 becomes 3,") {
		t.Error(got, notes)
	}
}
