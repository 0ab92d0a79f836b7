package timeline

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/launch"
	"github.com/gpuprof/gpuprof/view"
)

// TestConvertAMD: what is OpenCL's and HSA's own survives the conversion of an
// AMD trace to SQLite, and the other formats are not empty.
func TestConvertAMD(t *testing.T) {
	const in = "../../format/amd/testdata/vectors/234-sections-all.atp"
	dir := t.TempDir()
	for _, ext := range []string{".sqlite", ".pftrace", ".json"} {
		out := filepath.Join(dir, "s"+ext)
		if _, err := Convert.Do(context.Background(), &page.Request{Args: []string{in, out}}); err != nil {
			t.Fatal(ext, err)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(b, []byte("clEnqueueNDRangeKernel")) || !bytes.Contains(b, []byte("hsa_init")) {
			t.Errorf("%s lacks calls of the trace", ext)
		}
	}
	a, err := load.Open(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := load.Open(context.Background(), filepath.Join(dir, "s.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for table, column := range map[string]string{"AMD_CALLS": "parameters", "AMD_COMMANDS": "kernelName", "AMD_PACKETS": "agent", "AMD_SOURCES": "file", "NVTX_EVENTS": "group"} {
		x, err := a.Trace.Table(context.Background(), table, column)
		if err != nil || x == nil {
			t.Fatal(table, x, err)
		}
		y, err := b.Trace.Table(context.Background(), table, column)
		if err != nil || y == nil || y.Rows != x.Rows || y.Col(column) == nil {
			t.Errorf("%s: %+v of %d rows, %v", table, y, x.Rows, err)
			continue
		}
		for i := range x.Rows {
			if p, q := a.Trace.Strings.Text(x.Col(column).Syms[i]), b.Trace.Strings.Text(y.Col(column).Syms[i]); p != q {
				t.Errorf("%s row %d: %q became %q", table, i, p, q)
			}
		}
	}
}

// TestDetailsAMD: details of an .atp file shows the pages that stats shows one by
// one, the lists too.
func TestDetailsAMD(t *testing.T) {
	const in = "../../format/amd/testdata/vectors/001-api-basic.atp"
	whole, _ := pagetest.Render(t, launch.Details, in, view.FormatCSV, nil)
	one, _ := pagetest.Render(t, Stats, in, view.FormatCSV, pagetest.Options("report", "CLAPISummary"))
	if len(one) < 50 || !bytes.Contains([]byte(whole), []byte(one)) {
		t.Errorf("details lacks the API summary:\n%s\n%s", whole, one)
	}
}
