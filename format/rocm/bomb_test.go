package rocm

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// repeated packs a beginning and a piece again and again, size bytes in all.
func repeated(t testing.TB, begin, piece string, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	w.Write([]byte(begin))
	many := []byte(strings.Repeat(piece, max(1, 1<<20/len(piece))))
	for n := 0; n < size; n += len(many) {
		w.Write(many)
	}
	w.Close()
	return b.Bytes()
}

// TestBombs: files that unpack to 32 MB where 24 are allowed end early, with a
// problem that says so, and take no more than 20 times what they may unpack to.
// The limits that hold where none is given are a matter of package packed.
func TestBombs(t *testing.T) {
	const allowed = 24 << 20
	const process = `{"rocprofiler-sdk-tool":[{"buffer_records":{"kernel_dispatch":[`
	for name, f := range map[string]struct{ begin, piece string }{
		"rows.csv.gz":         {"Dispatch_ID,Kernel_Name,GPU_ID,BeginNs,EndNs\n", "1,kernel_of_some_length(int),0,1000,2000\n"},
		"short.csv.gz":        {"Index,KernelName\n", "1,k\n"},
		"cells.csv.gz":        {"Index,KernelName" + strings.Repeat(",C", 500) + "\n", "1,k" + strings.Repeat(",1", 500) + "\n"},
		"one-row.csv.gz":      {"Index,KernelName\n\"", "aaaaaaaaaaaaaaaa\n"},
		"one-line.csv.gz":     {"Index,KernelName\n", "aaaaaaaaaaaaaaaa,"},
		"records.json.gz":     {process, `{"dispatch_info":{"dispatch_id":1,"kernel_id":2},"start_timestamp":1,"end_timestamp":2},`},
		"empty.json.gz":       {process, "{},"},
		"deep.json.gz":        {`{"rocprofiler-sdk-tool":[],"x":`, "["},
		"deep-object.json.gz": {`{"rocprofiler-sdk-tool":[],"x":`, `{"a":`},
		"long-text.json.gz":   {`{"rocprofiler-sdk-tool":[],"x":"`, "aaaaaaaaaaaaaaaa"},
		"skipped.json.gz":     {`{"rocprofiler-sdk-tool":[],"x":[`, `"aaaaaaaaaaaaaaaa",`},
		"text.txt.gz":         {"", "Dispatch_ID(1), GPU_ID(1), Kernel_Name(\"k\")\n"},
		"strings.json.gz":     {`{"rocprofiler-sdk-tool":[{"strings":{"marker_api":[`, `{"key":1,"value":"a"},`},
		"symbols.json.gz":     {`{"rocprofiler-sdk-tool":[{"kernel_symbols":[`, `{},`},
		"agents.json.gz":      {`{"rocprofiler-sdk-tool":[{"agents":[`, `{},`},
		"processes.json.gz":   {`{"rocprofiler-sdk-tool":[`, `{},`},
	} {
		t.Run(name, func(t *testing.T) {
			b := repeated(t, f.begin, f.piece, 32<<20)
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s, err := Options{MaxUnpacked: allowed}.Open(context.Background(), bytes.NewReader(b), int64(len(b)), name)
			runtime.GC()
			runtime.ReadMemStats(&after)
			told := errors.Is(err, ErrTooLarge)
			if s != nil {
				for _, p := range s.Problems {
					told = told || errors.Is(p, ErrTooLarge)
				}
			}
			if !told {
				t.Errorf("nothing tells of the limit: %v", err)
			}
			took := int64(after.HeapAlloc) - int64(before.HeapAlloc)
			if took > 20*allowed {
				t.Errorf("%d bytes packed: %d bytes kept", len(b), took)
			}
			t.Logf("%d KB packed: %d MB kept, %d MB allocated", len(b)>>10, took>>20, (after.TotalAlloc-before.TotalAlloc)>>20)
			runtime.KeepAlive(s)
		})
	}
}

// TestMaxUnpacked: the user may allow more.
func TestMaxUnpacked(t *testing.T) {
	b := repeated(t, "Dispatch_ID,Kernel_Name,GPU_ID,BeginNs,EndNs\n", "1,kernel_of_some_length_and_then_some_more(int float double),0,1000,2000\n", 70<<20)
	s, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), "x.csv.gz")
	if err != nil || len(s.Problems) != 1 || !errors.Is(s.Problems[0], ErrTooLarge) || len(s.Dispatches) < 200_000 {
		t.Fatal(err, len(s.Problems), s.Problems[:min(len(s.Problems), 2)])
	}
	few := len(s.Dispatches)
	s, err = Options{MaxUnpacked: 100 << 20}.Open(context.Background(), bytes.NewReader(b), int64(len(b)), "x.csv.gz")
	if err != nil || len(s.Problems) != 0 || len(s.Dispatches) <= few {
		t.Fatal(err, len(s.Problems), s.Problems[:min(len(s.Problems), 2)])
	}
}
