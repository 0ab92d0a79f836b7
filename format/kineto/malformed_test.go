package kineto

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// rows shows the slices of a trace, a line each: table, name, start+duration.
func rows(t *Trace) string {
	var out []string
	for i, s := range t.slices() {
		for k := range s.Rows() {
			out = append(out, fmt.Sprintf("%s %s %d+%d", []string{"op", "range", "span", "python", "call", "kernel", "copy", "set", "sync", "overhead", "other"}[i],
				t.Text(s.Name.At(k)), s.Start.At(k), s.Dur.At(k)))
		}
	}
	return strings.Join(out, "\n")
}

const (
	goodRows  = "call cudaLaunchKernel 990000+4500\ncall cudaLaunchKernel 1010000+4500\nkernel void k(float*) 1000250+5001\nkernel void k(float*) 1020500+5001"
	oneCall   = "call cudaLaunchKernel 990000+4500\n"
	oneKernel = "kernel void k(float*) 1000250+5001"
)

func TestMalformed(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "corpus/kineto/malformed")
	for _, c := range []struct{ file, rows, problem string }{
		{"good.json", goodRows, ""},
		{"truncated_after_comma.json", oneCall + oneKernel, "expected the end of the array of events, found the end of the file"},
		{"truncated_in_string.json", oneCall + oneKernel, "expected the end of an event, found the end of the file"},
		{"trailing_comma.json", oneCall + oneKernel, ""},
		{"bandwidth_inf.json", "copy Memcpy HtoD (Pageable -> Device) 1614800519473220000+0", ""},
		{"bandwidth_nan.json", oneKernel, ""},
		{"unescaped_quote_in_name.json", oneCall + oneKernel, `offset 723: expected a key, a comma or the end of the event, found "d"; the event is left out`},
		{"invalid_escape.json", `python C:\Users\me\x.py(3): f 1000+2000` + "\n" + oneKernel, ""},
		{"invalid_utf8.json", "kernel bad \uFFFD name 1000250+5001", ""},
		{"duplicate_keys.json", "kernel void k(float*) 1000250+5001\nkernel b 3000000+1000", ""},
		{"two_trace_events.json", "op b 2000+1000", "traceEvents again: its events replace those before"},
		{"ts_forms.json", "op t0 1712195495519689047+63813\nop t1 1000+1000\nop t2 1500+1\nop t3 1000000+125000\nop t4 1712195495519689047+1000\nop t5 1+0\nop t6 -3250+1000\nop t7 1365627862757064+831697\nop t8 5000+0", ""},
		{"big_uint64.json", "op record_param_comms 1000+1000", ""},
		{"ids_as_strings.json", "kernel a 5000+2000\nother PyTorch Profiler (0) 0+10000", ""},
		{"array_form.json", "kernel a 5000+2000\nkernel b 8000+2000", ""},
		{"begin_end.json", "range inner 2000+1000\nrange outer 1000+4000", "1 that began and did not end"},
		{"no_events.json", "", ""},
		{"empty_name_pid.json", "kernel  1000+1000", ""},
		{"bom_crlf.json", goodRows, ""},
		{"concatenated.json", goodRows, "more text behind the trace"},
		{"two_members.json.gz", goodRows, ""},
		{"crc_wrong.json.gz", goodRows, "checksum"},
		{"named_json_but_gz.json", goodRows, ""},
		{"named_gz_but_plain.json.gz", goodRows, ""},
		{"deep_nesting.json", "op a 1000+1000", ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			tr, err := readFile(t, filepath.Join(dir, c.file))
			if err != nil {
				t.Fatal(err)
			}
			if got := rows(tr); got != c.rows {
				t.Errorf("rows:\n%s\nwant:\n%s", got, c.rows)
			}
			if all := fmt.Sprint(tr.Problems); c.problem == "" && len(tr.Problems) > 0 || !strings.Contains(all, c.problem) {
				t.Errorf("problems %s, want %q", all, c.problem)
			}
		})
	}
	for _, name := range []string{"truncated_in_event.json", "truncated.json.gz", "control_char_in_name.json"} {
		tr, err := readFile(t, filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d events, %v", name, tr.Events, tr.Problems)
		if cut := strings.HasPrefix(name, "trunc"); cut && (tr.Events < 100 || len(tr.Problems) == 0) || !cut && tr.Events != 2 {
			t.Errorf("%s: %d events, problems %v", name, tr.Events, tr.Problems)
		}
	}
}

func TestValuesOfMalformed(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "corpus/kineto/malformed")
	read := func(name string) *Trace {
		tr, err := readFile(t, filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	if k := &read("duplicate_keys.json").Kernels; k.Stream.At(0) != 9 || k.Stream.At(1) != 7 {
		t.Errorf("streams %d and %d, want 9 and 7", k.Stream.At(0), k.Stream.At(1))
	}
	if k := &read("ids_as_strings.json").Kernels; k.Device.At(0) != 0 || k.Stream.At(0) != 7 || k.Correlation.At(0) != 12 {
		t.Error("device, stream, correlation are not 0, 7, 12")
	}
	if b := read("bandwidth_inf.json").Copies.Bytes.At(0); b != 200 {
		t.Errorf("%d bytes, want 200", b)
	}
	big := read("big_uint64.json")
	if f := uint64(big.Ops.Forward.At(0)); f != 18446744073709551615 {
		t.Errorf("Fwd thread id %d", f)
	}
	if text := big.Text(big.Ops.Extra.At(0)) + fmt.Sprint(big.Collectives); !strings.Contains(text, "10159970886766084423") {
		t.Errorf("Comms Id is not in %q", text)
	}
}

func TestNoTrace(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "corpus/kineto")
	files := corpustest.Files(t, "corpus/kineto/neighbours/*.*")
	files = append(files, filepath.Join(dir, "malformed/not_kineto_pprof.json"))
	for _, name := range files {
		_, err := readFile(t, name)
		if !errors.Is(err, errNotTrace) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Log(err)
	}
}
