package rocm

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

const textFile = `ROCProfilerV2: Collecting the following counters:
- GRBM_COUNT
Dispatch_ID(1), GPU_ID(4), Queue_ID(3), Process_ID(7), Thread_ID(8), Grid_Size(1024), Workgroup_Size(64), LDS(512), Scratch_Size(0), Arch_VGPR(8), Accumulative_VGPR(4), SGPR(16), Wave_Size(64), Kernel_Name("f(int), g("), Begin_Timestamp(100), End_Timestamp(250), Correlation_ID(9), GRBM_COUNT(40539.500000)
Success!
Domain(HIP_API_DOMAIN), Function(hipMalloc), Start_Timestamp(10), End_Timestamp(20), Correlation_ID(2)
Domain(HSA_OPS_DOMAIN), Operation_Name(COPY), Start_Timestamp(30), End_Timestamp(45), Correlation_ID(33)
Domain(ROCTX_DOMAIN), Timestamp(50), ROCTX_ID(0), ROCTX_Message(mark)
Domain(ROCTX_DOMAIN), Timestamp(60), ROCTX_ID(1), ROCTX_Message(range)
Domain(ROCTX_DOMAIN), Timestamp(80), ROCTX_ID(1),
Domain(HIP_API_DOMAIN), Function(cut
Domain(HIP_API_DOMAIN), Function(f), Start_Timestamp(x), End_Timestamp(20)
`

func TestText(t *testing.T) {
	s, err := openText(textFile)
	if err != nil {
		t.Fatal(err)
	}
	want := &Session{Name: s.Name, Kind: KindText, Processes: []Process{{}},
		Dispatches: []Dispatch{{ID: 1, Kernel: "f(int), g(", Agent: 4, Queue: 3, PID: 7, TID: 8, Correlation: 9, Start: 100, End: 250,
			Grid: [3]uint64{1024, 1, 1}, Group: [3]uint64{64, 1, 1}, LDS: 512, VGPRs: 8, AGPRs: 4, SGPRs: 16, Wave: 64}},
		Calls:    []Call{{Domain: "HIP_API_DOMAIN", Name: "hipMalloc", Correlation: 2, Start: 10, End: 20}},
		Ranges:   []Range{{Domain: "ROCTX_DOMAIN", Text: "mark", Start: 50, End: 50, Mark: true}, {Domain: "ROCTX_DOMAIN", Text: "range", Start: 60, End: 80}},
		Copies:   []Copy{{Direction: "COPY", Bytes: -1, Correlation: 33, Start: 30, End: 45}},
		Counters: []Counter{{Dispatch: 1, Name: "GRBM_COUNT", Value: 40539.5}},
	}
	problems := s.Problems
	s.Problems = nil
	if d := cmp.Diff(want, s, cmp.AllowUnexported(Session{})); d != "" {
		t.Error(d)
	}
	if len(problems) != 2 || problems[0].Line != 10 || problems[1].Line != 11 {
		t.Errorf("problems %v, want lines 10 and 11", problems)
	}
}

// TestTextNesting: ranges of id 0 are those of a stack where each ends; a begin
// without an end is a mark, and which one it is cannot be known.
func TestTextNesting(t *testing.T) {
	line := func(at, message string) string {
		return "Domain(ROCTX_DOMAIN), Timestamp(" + at + "), ROCTX_ID(0)," + message + "\n"
	}
	a, b, end := " ROCTX_Message(a)", " ROCTX_Message(b)", ""
	for _, c := range []struct {
		name, text string
		want       []uint64 // ends of a and b
	}{
		{"nested", line("10", a) + line("20", b) + line("30", end) + line("40", end), []uint64{40, 30}},
		{"one after the other", line("10", a) + line("20", end) + line("30", b) + line("40", end), []uint64{20, 40}},
		{"a mark among them", line("10", a) + line("20", b) + line("30", end), []uint64{10, 20}},
		{"an end too many", line("10", a) + line("20", end) + line("30", end) + line("40", b), []uint64{10, 40}},
	} {
		s, err := openText(c.text)
		if err != nil || len(s.Ranges) != 2 || len(s.Problems) > 0 {
			t.Fatalf("%s: %+v, %v", c.name, s, err)
		}
		if got := []uint64{s.Ranges[0].End, s.Ranges[1].End}; !cmp.Equal(got, c.want) {
			t.Errorf("%s: ends %d, want %d", c.name, got, c.want)
		}
	}
}

// TestTextCorpus: every line of the kind is read from real files.
func TestTextCorpus(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(corpustest.Dir(t), "corpus", "amd", "ROCm__rocprofiler__v2*traces.txt"))
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := "\n" + string(b)
		dispatches := strings.Count(text, "\nDispatch_ID(")
		if dispatches+strings.Count(text, "\nDomain(") == 0 {
			continue
		}
		s, err := Open(context.Background(), strings.NewReader(string(b)), int64(len(b)), name)
		if err != nil || len(s.Problems) > 0 {
			t.Error(name, err, s.Problems)
			continue
		}
		if n := strings.Count(text, ", Function("); len(s.Dispatches) != dispatches || len(s.Calls) < n {
			t.Errorf("%s: %d dispatches and %d calls, want %d and at least %d", name, len(s.Dispatches), len(s.Calls), dispatches, n)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add(textFile)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 || !strings.Contains(text, "Domain(") && !strings.Contains(text, "Dispatch_ID(") {
			return
		}
		s, err := openText(text)
		if err == nil && s == nil {
			t.Error("neither session nor error")
		}
	})
}
