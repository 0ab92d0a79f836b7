package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/trace"
)

// TestUntangled opens traces in which calls share correlation numbers: each kernel is told
// with the call that launched it, by process and name; "-" where that cannot be known.
func TestUntangled(t *testing.T) {
	slice := func(cat, name, pid, tid string, ts, dur int, args string) string {
		return fmt.Sprintf(`{"ph":"X","cat":%q,"name":%q,"pid":%s,"tid":%s,"ts":%d,"dur":%d,"args":{%s}}`, cat, name, pid, tid, ts, dur, args)
	}
	call := func(name, pid string, ts int, n string) string {
		return slice("cuda_runtime", name, pid, "7", ts, 5, `"correlation":`+n)
	}
	kernel := func(name, pid string, ts int, n string) string {
		return slice("kernel", name, pid, "7", ts, 1, `"device":0,"stream":7,"correlation":`+n)
	}
	for _, c := range []struct {
		what   string
		events []string
		want   string
	}{
		{"0 is no number", []string{call("x", "1", 10, "0"), call("y", "1", 20, "0"), call("z", "1", 30, "9"), kernel("a", "0", 40, "0"), kernel("b", "0", 50, "9")}, "a:- b:1/z"},
		{"nor is -1", []string{call("x", "1", 10, "-1"), call("y", "1", 20, "-1"), kernel("a", "0", 40, "-1")}, "a:-"},
		{"a lone 0 is one", []string{call("x", "1", 10, "0"), kernel("a", "0", 40, "0")}, "a:1/x"},
		{"a graph has one call", []string{call("x", "1", 10, "3"), kernel("a", "0", 40, "3"), kernel("b", "0", 41, "3")}, "a:1/x b:1/x"},
		{"numbers begin anew", []string{call("x", "1", 10, "3"), call("y", "1", 100, "3"), kernel("a", "0", 40, "3"), kernel("b", "0", 140, "3"), kernel("c", "0", 5, "3")}, "a:1/x b:1/y c:1/x"},
		{"ranks with names", []string{call("x", `"[TP00] 12"`, 10, "3"), kernel("a", `"[TP00] 0"`, 50, "3"), call("y", `"[TP01] 13"`, 20, "3"), kernel("b", `"[TP01] 0"`, 50, "3")}, "a:12/x b:13/y"},
		{"ranks of the same numbers", []string{call("x", `"r0 12"`, 10, "3"), kernel("a", `"r0 0"`, 50, "3"), call("y", `"r1 12"`, 20, "3"), kernel("b", `"r1 0"`, 50, "3")}, "a:12/x b:1/y"},
		{"ranks with numbers", []string{call("x", "12", 10, "3"), kernel("a", "0", 50, "3"), call("y", "13", 20, "3"), kernel("b", "1", 50, "3")}, "a:12/x b:13/y"},
		{"names without numbers", []string{call("x", `"python"`, 10, "3"), kernel("a", `"GPU 0"`, 50, "3")}, "a:1/x"},
		{"large numbers", []string{call("x", "4294967297", 10, "3"), kernel("a", "0", 50, "3")}, "a:1/x"},
	} {
		text := "[" + strings.Join(c.events, ",\n") + "]"
		f, err := OpenReader(strings.NewReader(text), int64(len(text)), "x.json")
		if err != nil {
			t.Fatal(err)
		}
		table := func(name string) *trace.Table {
			s, err := f.Trace.All(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		if err := f.Trace.LoadNames(t.Context()); err != nil {
			t.Fatal(err)
		}
		calls, kernels := table(trace.TableRuntime), table(trace.TableKernel)
		index := trace.NewIndex(calls.Ints("globalTid"), calls.Ints("correlationId"))
		var got []string
		for i := range kernels.Rows {
			from := "-"
			if row := index.Find(kernels.Ints("globalPid")[i], kernels.Ints("correlationId")[i]); row >= 0 && !kernels.IsNull("correlationId", i) {
				from = fmt.Sprintf("%d/%s", trace.GlobalID(calls.Ints("globalTid")[row]).PID(), f.Trace.NameText(calls.Ints("nameId")[row]))
			}
			got = append(got, f.Trace.NameText(kernels.Ints("demangledName")[i])+":"+from)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.what, s, c.want)
		}
	}
}

// TestProcessNames opens a trace whose processes and GPUs are told by names.
func TestProcessNames(t *testing.T) {
	text := `{"traceEvents":[
{"ph":"M","name":"process_name","pid":"[TP01] 12","tid":0,"args":{"name":"python3"}},
{"ph":"M","name":"thread_name","pid":"[TP01] 12","tid":7,"args":{"name":"thread 7 (main)"}},
{"ph":"X","cat":"cpu_op","name":"a","pid":"[TP00] 12","tid":7,"ts":1,"dur":5},
{"ph":"X","cat":"cpu_op","name":"b","pid":"[TP01] 12","tid":7,"ts":2,"dur":5},
{"ph":"X","cat":"kernel","name":"k","pid":"GPU 3","tid":"stream 7","ts":3,"dur":5},
{"ph":"X","cat":"kernel","name":"k","pid":"accelerator","tid":"stream 7","ts":3,"dur":5}]}`
	f, err := OpenReader(strings.NewReader(text), int64(len(text)), "x.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Trace.Session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range s.Processes {
		got = append(got, fmt.Sprintf("%d %s", p.ID.PID(), p.Name))
	}
	if all := strings.Join(got, ", "); all != "1 [TP01] 12, 12 [TP00] 12" {
		t.Errorf("processes %s", all)
	}
	k, _ := f.Trace.All(t.Context(), trace.TableKernel)
	if got := fmt.Sprint(k.Ints("deviceId")); got != "[3 0]" {
		t.Errorf("devices %s, want [3 0]", got)
	}
	names, _ := f.Trace.All(t.Context(), "ThreadNames")
	if names == nil || names.Rows != 1 || trace.GlobalID(names.Ints("globalTid")[0]).PID() != 1 {
		t.Error("the thread of the second process has no name")
	}
}

// TestUntoldOfGPU leaves empty what a trace does not tell of a GPU.
func TestUntoldOfGPU(t *testing.T) {
	text := `{"deviceProperties":[{"id":0,"name":"a","computeMajor":9,"computeMinor":0,"numSms":8}],"traceEvents":[{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":1}]}`
	f, err := OpenReader(strings.NewReader(text), int64(len(text)), "x.json")
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Trace.All(t.Context(), "TARGET_INFO_GPU")
	if err != nil || g.IsNull("smMinor", 0) || g.IsNull("smCount", 0) || !g.IsNull("maxRegistersPerSm", 0) || !g.IsNull("totalMemory", 0) {
		t.Errorf("%v: a property that is told is absent, or the other way round", err)
	}
}
