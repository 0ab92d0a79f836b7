package load

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// TestAnnotationsBeside: annotations that lie beside a report are on its timeline and
// in its export, unless the report is asked for alone; a broken file is told.
func TestAnnotationsBeside(t *testing.T) {
	dir := t.TempDir()
	report := filepath.Join(dir, "capture", "r.nsys-rep")
	if err := os.Mkdir(filepath.Dir(report), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := nsysrepgen.Sample().Bytes()
	write("capture/r.nsys-rep", string(b))
	rows := func(o Options) (n int, f *File) {
		t.Helper()
		f, err := o.Open(context.Background(), report)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		a, err := f.Trace.Table(context.Background(), trace.TableNvtx, "start")
		if err != nil {
			t.Fatal(err)
		}
		if a != nil {
			n = a.Rows
		}
		return n, f
	}
	const head = "TimeBase=Relative\nProcessId=100\nThreadId=7\n@Marker, Time, Message\n"
	before, _ := rows(Options{})
	write("capture/r.nvtxt", head+"Marker, 0, \"beside\"\nMarker, 1, \"x\"\n")
	write("capture/other.nvtxt", head+"Marker, 0, \"of another report\"\n")
	write("r.nvtxt", head+"Marker, 0, \"in the folder of the session\"\nMarker, 1.5, \"broken\"\n")
	if n, f := rows(Options{}); n != before+3 || len(f.Annotations()) != 2 || !strings.Contains(strings.Join(f.Problems(), "\n"), "r.nvtxt:6:9") {
		t.Errorf("%d rows, %d before; %d files, problems %q", n, before, len(f.Annotations()), f.Problems())
	} else {
		x, err := f.ForExport(schema.Newest).Table(context.Background(), trace.TableNvtx, "start")
		if err != nil || x == nil || x.Rows != n {
			t.Errorf("the export has %+v, %v", x, err)
		}
		if f.Bare() == f.Trace {
			t.Error("the timeline alone is the one with annotations")
		}
	}
	if n, f := rows(Options{Alone: true}); n != before || len(f.Annotations()) != 0 {
		t.Errorf("%d rows of the report alone, want %d", n, before)
	}
	t.Setenv(annotate.SessionFolderVariable, filepath.Join(dir, "elsewhere"))
	if err := os.Mkdir(filepath.Join(dir, "elsewhere"), 0o755); err != nil {
		t.Fatal(err)
	}
	write("elsewhere/log.nvtxt", head+"Marker, 0, \"named by the variable\"\n")
	if n, _ := rows(Options{}); n != before+4 {
		t.Errorf("%d rows with the folder of the variable, want %d", n, before+4)
	}
}
