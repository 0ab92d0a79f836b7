package benchjson

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

func read(t *testing.T, name, text string) *File {
	t.Helper()
	f, err := Read(strings.NewReader(text), name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func primary(t *testing.T, f *File, key string) float64 {
	t.Helper()
	for i := range f.Results {
		if r := &f.Results[i]; r.Key() == key {
			v, ok := r.Value(r.Primary)
			if !ok {
				t.Fatalf("%s has no value: %+v", key, r)
			}
			return v.V
		}
	}
	var have []string
	for i := range f.Results {
		have = append(have, f.Results[i].Key())
	}
	t.Fatalf("no result %q among %q", key, have)
	return 0
}

const layoutA = `{"devices":[{"id":0,"name":"GPU A","sm_version":610,"number_of_sms":3}],"benchmarks":[{"name":"scan","axes":[],"states":[
 {"index":0,"description":"Device=0 In=I32","device":0,"axis_values":[{"name":"In","type":"type","value":"I32"}],
  "summaries":[{"index":0,"name":"Average GPU Time (Cold)","values":[{"name":"hint","type":"string","value":"duration"},{"name":"value","type":"float64","value":0.001}]}]},
 {"description":"Device=0 In=F32","device":0,"axis_values":[{"name":"In","type":"type","value":"F32"}],"summaries":null,"is_skipped":true,"skip_reason":"too small"}]}]}`

const layoutB = `{"devices":[{"id":0,"name":"GPU A"}],"benchmarks":[{"name":"scan","axes":{},"states":{"Device=0 In=I32":
 {"device":0,"axis_values":{"In":{"type":"type","value":"I32"}},"summaries":{"Average GPU Time (Cold)":{"hint":{"type":"string","value":"duration"},"value":{"type":"float64","value":"0.001"}}}}}}]}`

const layoutC = `{"meta":{"argv":["a.out"],"version":{"json":{"string":"1.0.0"},"nvbench":{"string":"0.1.0","git_version":"v9"}}},"devices":[{"id":2,"name":"GPU A"}],
 "benchmarks":[{"name":"scan","states":[{"name":"Device=2 In=I32","device":2,"axis_values":[{"name":"In","type":"string","value":"I32"}],"is_skipped":false,
  "summaries":[{"tag":"nv/cold/time/gpu/mean","data":[{"name":"value","type":"float64","value":"0.001"}]},
   {"tag":"nv/cold/time/gpu/stdev/absolute","hint":"percentage","data":[{"name":"value","type":"float64","value":"1e-06"}]},
   {"tag":"nv/cold/time/gpu/stdev/relative","data":[{"name":"value","type":"float64","value":"inf"}]},
   {"tag":"nv/cold/sm_clock_rate/mean","data":[{"name":"value","type":"float64","value":"1.4e9"}]},
   {"tag":"nv/json/bin:nv/cold/sample_times","data":[{"name":"filename","type":"string","value":"x/y.json-bin/0.bin"},{"name":"size","type":"int64","value":"2"}]}]},
  {"name":"Device=2","device":2,"axis_values":null,"summaries":null,"is_skipped":true,"skip_reason":"no"}]}]}`

// TestLayoutsOfNVBench reads one measurement in the layouts of all years.
func TestLayoutsOfNVBench(t *testing.T) {
	for layout, text := range map[string]string{"A": layoutA, "B2": layoutB, "C": layoutC} {
		f := read(t, "x.json", text)
		if f.Tool != NVBench || f.Layout != layout {
			t.Errorf("%s is taken for %s %s", layout, f.Tool, f.Layout)
		}
		if v := primary(t, f, "scan In=I32 [GPU A]"); v != 1e6 {
			t.Errorf("%s: %v ns", layout, v)
		}
	}
	f := read(t, "x.json", layoutC)
	r := f.Results[0]
	if v, _ := r.Value("nv/cold/time/gpu/stdev/absolute"); v.Unit != "ns" || v.V != 1000 {
		t.Errorf("the standard deviation is %+v", v)
	}
	if v, _ := r.Value("nv/cold/time/gpu/stdev/relative"); !math.IsInf(v.V, 1) {
		t.Errorf("inf is %v", v.V)
	}
	if len(r.Sidecars) != 1 || r.Sidecars[0] != (Sidecar{"nv/cold/sample_times", "x/y.json-bin/0.bin", 2}) {
		t.Errorf("sidecars %+v", r.Sidecars)
	}
	if s := f.Results[1]; s.Skipped != "skipped: no" || s.Primary != "" {
		t.Errorf("%+v", s)
	}
}

func TestSidecarsStayInTheFolder(t *testing.T) {
	dir := t.TempDir()
	os.MkdirAll(filepath.Join(dir, "y.json-bin"), 0o755)
	os.WriteFile(filepath.Join(dir, "y.json-bin", "0.bin"), []byte{0, 0, 128, 63, 0, 0, 0, 64}, 0o644)
	fsys := os.DirFS(dir)
	v, err := Sidecar{Name: "x/y.json-bin/0.bin", Count: 2}.Read(fsys)
	if err != nil || len(v) != 2 || v[0] != 1 || v[1] != 2 {
		t.Errorf("%v %v", v, err)
	}
	for _, bad := range []Sidecar{{Name: "../y.json-bin/0.bin", Count: 2}, {Name: "/etc/passwd", Count: 2}, {Name: `C:\x`, Count: 2},
		{Name: "y.json-bin/0.bin", Count: 3}, {Name: "y.json-bin/0.bin", Count: -1}, {Name: "", Count: 0}} {
		if _, err := bad.Read(fsys); err == nil {
			t.Errorf("%+v is read", bad)
		}
	}
}

func TestGoogle(t *testing.T) {
	f := read(t, "g.json", `{"context":{"date":"2024-01-01T00:00:00+00:00","host_name":"h","library_build_type":"debug"},"benchmarks":[
 {"name":"BM_a/8","run_name":"BM_a/8","run_type":"iteration","repetitions":2,"repetition_index":0,"real_time":1.5,"cpu_time":NaN,"time_unit":"us","items_per_second":-Infinity,"label":"says NaN"},
 {"name":"BM_a/8","run_name":"BM_a/8","run_type":"iteration","repetitions":2,"repetition_index":1,"real_time":2.5,"cpu_time":1,"time_unit":"us"},
 {"name":"BM_a/8_mean","run_name":"BM_a/8","run_type":"aggregate","aggregate_name":"mean","real_time":2,"cpu_time":1,"time_unit":"us"},
 {"name":"BM_b","run_name":"BM_b","run_type":"iteration","error_occurred":true,"error_message":"no GPU"},
 {"name":"BM_c_mean","run_name":"BM_c","run_type":"aggregate","aggregate_name":"mean","real_time":2,"cpu_time":1,"time_unit":"ms"},
 {"name":"BM_c_median","run_name":"BM_c","run_type":"aggregate","aggregate_name":"median","real_time":3,"cpu_time":1,"time_unit":"ms"},
 {"name":"BM_c_cv","run_name":"BM_c","run_type":"aggregate","aggregate_name":"cv","aggregate_unit":"percentage","real_time":0.1,"cpu_time":1,"time_unit":"ms"}]}`)
	if len(f.Results) != 4 || f.Results[1].Repetition != 1 {
		t.Fatalf("%+v", f.Results)
	}
	if v := primary(t, f, "BM_a/8"); v != 1500 {
		t.Errorf("%v", v)
	}
	if v := primary(t, f, "BM_c"); v != 3e6 {
		t.Errorf("the median of aggregates is %v", v)
	}
	if v, _ := f.Results[0].Value("items_per_second"); !math.IsInf(v.V, -1) {
		t.Errorf("%+v", f.Results[0])
	}
	if f.Results[2].Skipped != "error: no GPU" {
		t.Errorf("%+v", f.Results[2])
	}
	old := read(t, "g.json", `{"context":{"date":"2016-08-02 17:44:46"},"benchmarks":[{"name":"BM_x","real_time":10,"cpu_time":9,"time_unit":"ns"},{"name":"BM_x_mean","real_time":99,"cpu_time":9,"time_unit":"ns"}]}`)
	if len(old.Results) != 1 || primary(t, old, "BM_x") != 10 {
		t.Errorf("%+v", old.Results)
	}
	cut := read(t, "g.json", `{"context":{},"benchmarks":[{"name":"a","real_time":1,"time_unit":"ns"},{"name":"b","real_time":2,"time_un`)
	if len(cut.Problems) == 0 || primary(t, cut, "a") != 1 {
		t.Errorf("%+v", cut)
	}
}

func TestOthers(t *testing.T) {
	f := read(t, "p.json", `{"machine_info":{"node":"n","cpu":{"brand_raw":"c"}},"benchmarks":[{"fullname":"t.py::test[1]","stats":{"median":0.002,"mean":0.003,"data":[0.001,0.003]}}],"version":"4.0.0"}`)
	if f.Tool != PytestBenchmark || primary(t, f, "t.py::test[1]") != 2e6 || len(f.Results[0].Samples) != 2 {
		t.Errorf("%+v", f)
	}
	f = read(t, "h.json", `{"results":[{"command":"x","median":9,"mean":9,"stddev":null,"parameters":{"n":"4"},"times":[1,2,9],"exit_codes":[0,0,1]}]}`)
	if f.Tool != Hyperfine || primary(t, f, "x n=4") != 1.5e9 || len(f.Problems) != 1 {
		t.Errorf("%+v", f)
	}
	f = read(t, "m.csv", "M,cuBLAS,Triton\n256.0,3.6,\n384.0,11.1,10.1\n")
	if f.Tool != Triton || primary(t, f, "Triton M=384.0") != 10.1 || f.Results[1].Skipped == "" {
		t.Errorf("%+v", f)
	}
	f = read(t, "raw.csv", string(criterionHead)+"\ng,f,10,,,100.0,ns,1\ng,f,10,,,240.0,ns,2\ng,f,10,,,390.0,ns,3\n")
	if f.Tool != Criterion || primary(t, f, "g/f/10") != 120 {
		t.Errorf("%+v", f)
	}
}

func TestErrorsSayWhere(t *testing.T) {
	var at *Error
	if _, err := Read(strings.NewReader(`{"benchmarks": [}`), "x.json"); !errors.As(err, &at) || at.Offset == 0 {
		t.Errorf("%v", err)
	}
	if _, err := Read(strings.NewReader(`{"a": 1}`), "x.json"); !errors.Is(err, ErrFormat) {
		t.Errorf("%v", err)
	}
	if _, err := Read(strings.NewReader(strings.Repeat("[", 100000)), "x.json"); err == nil {
		t.Error("no limit of depth")
	}
}

// TestCorpus opens every real file, and compares the sidecars of nvbench with the
// summaries that were made of them.
func TestCorpus(t *testing.T) {
	var names []string
	for _, dir := range []string{"nvbench", "gbench", "pytest", "hyperfine", "criterion", "triton"} {
		names = append(names, corpustest.Files(t, "corpus/bench/"+dir+"/*")...)
	}
	results, checked := 0, 0
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // a folder of sidecars
		}
		if !Sniff(b[:min(len(b), 64<<10)], name) && !strings.Contains(name, "tukey") && filepath.Base(name) != "v0.3.0_sample.json" {
			t.Errorf("%s is not told by its beginning", name)
		}
		f, err := Read(bytes.NewReader(b), name)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		values := 0
		for i := range f.Results {
			r := &f.Results[i]
			if r.Primary != "" {
				values++
			} else if r.Skipped == "" {
				t.Errorf("%s: %s has no value and does not say why", name, r.Key())
			}
			for _, s := range r.Sidecars {
				mean := map[string]string{"nv/cold/sample_times": gpuMean, "nv/cold/sample_freqs": "nv/cold/sm_clock_rate/mean"}[s.Tag]
				samples, err := s.Read(os.DirFS(filepath.Dir(name)))
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				sum := 0.0
				for _, v := range samples {
					sum += float64(v)
				}
				sum /= float64(len(samples))
				v, _ := r.Value(mean)
				if v.Unit == "ns" {
					sum *= 1e9
				}
				if math.Abs(sum-v.V) > 1e-6*v.V {
					t.Errorf("%s: %s: the mean of the samples is %v, the file says %v", name, s.Name, sum, v.V)
				}
				checked++
			}
		}
		results += len(f.Results)
		if values == 0 && !strings.Contains(name, "upstream_test4") && !strings.Contains(name, "tukey") && !strings.Contains(name, "criterion/v0.4_benchmark") && !strings.Contains(name, "criterion/v0.3.0_benchmark") {
			t.Errorf("%s: no values in %d results", name, len(f.Results))
		}
		t.Logf("%-44s %-16s %-2s %4d results, %d with values", filepath.Base(name), f.Tool, f.Layout, len(f.Results), values)
	}
	if results < 300 || checked < 100 {
		t.Errorf("%d results, %d sidecars", results, checked)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{layoutA, layoutB, layoutC, `{"context":{},"benchmarks":[{"name":"a","real_time":NaN}]}`, `{"results":[{"command":"x","times":[1]}]}`,
		`{"machine_info":{},"benchmarks":[{"stats":{"data":[1]}}]}`, `{"median":{"point_estimate":1}}`, `[[1],[2]]`, "a,b\n1,2\n", `{"iters":[1],"times":[2]}`} {
		f.Add([]byte(s), strings.HasPrefix(s, "a,"))
	}
	f.Fuzz(func(t *testing.T, b []byte, table bool) {
		name := "x.json"
		if table {
			name = "x.csv"
		}
		Sniff(b, name)
		file, err := Read(bytes.NewReader(b), name)
		if err != nil {
			return
		}
		for i := range file.Results {
			r := &file.Results[i]
			r.Key()
			if _, ok := r.Value(r.Primary); r.Primary != "" && !ok {
				t.Errorf("%+v names a value that it does not have", r)
			}
		}
	})
}
