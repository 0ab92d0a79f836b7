package kineto

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"strings"
	"testing"
)

// readText reads a trace out of a text.
func readText(text string) (*Trace, error) {
	return Read(context.Background(), strings.NewReader(text), int64(len(text)), "x.json")
}

// TestOdd reads traces that other programs wrote, or wrote again.
func TestOdd(t *testing.T) {
	const mm = `"cat":"cpu_op","name":"mm","pid":1,"tid":1,"args":{"External id":5,"Input Dims":[[2,3]]}`
	for _, c := range []struct {
		what, text string
		rows       string // as rows shows them
		more       string // devices, base, args
		problem    string // "" none
	}{
		{"begins and ends of all kinds",
			`[{"ph":"B","ts":1,` + mm + `},{"ph":"B","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":2,"args":{"correlation":7}},` +
				`{"ph":"E","pid":1,"tid":1,"ts":3},{"ph":"E","pid":1,"tid":1,"ts":6},` +
				`{"ph":"B","cat":"kernel","name":"k","pid":0,"tid":7,"ts":4,"args":{"device":2,"stream":9,"correlation":7,"grid":[3,1,1]}},{"ph":"E","pid":0,"tid":7,"ts":5}]`,
			"op mm 1000+5000\ncall cudaLaunchKernel 2000+1000\nkernel k 4000+1000", "external 5 dims [[2,3]] correlation 7 7 device 2 grid [3 1 1]", ""},
		{"work as we write it", `[{"ph":"X","pid":536870913,"tid":3,"cat":"kernel","name":"k","args":{"deviceId":1,"streamId":7,"correlation":100},"ts":300.5,"dur":1},` +
			`{"ph":"X","pid":1,"tid":3,"cat":"api","name":"cudaLaunchKernel","ts":300,"dur":1},{"ph":"X","pid":536870913,"tid":4,"cat":"memcpy","name":"[CUDA memcpy Host-to-Device]","ts":8300.0,"dur":1}]`,
			"kernel k 300500+1000\ncopy [CUDA memcpy Host-to-Device] 8300000+1000\nother cudaLaunchKernel 300000+1000", "device 1 stream 7", ""},
		{"a duration that is none", `[{"ph":"X","ts":1,"dur":NaN,` + mm + `},{"ph":"X","ts":2,"dur":"soon",` + mm + `}]`, "op mm 1000+0\nop mm 2000+0", "external 5 dims [[2,3]]", `found "NaN"; the event has no duration`},
		{"one broken device", `{"deviceProperties":[null,{"id":"1","name":"a","numSms":"8","totalGlobalMem":1e9},5,{"name":"b","computeMajor":9.0}],"traceEvents":[]}`, "", "devices [1 a 8 1000000000 0] [3 b 0 0 9]", ""},
		{"devices by number", `{"deviceProperties":{"2":{"name":"a","numSms":8}},"traceEvents":[]}`, "", "devices [2 a 8 0 0]", ""},
		{"a base as a float", `{"baseTimeNanoseconds":1.7e18,"traceEvents":[]}`, "", "base 1700000000000000000", ""},
		{"a base as text", `{"baseTimeNanoseconds":"1700000000000000000","traceEvents":[]}`, "", "base 1700000000000000000", ""},
	} {
		tr, err := readText(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := rows(tr); got != c.rows {
			t.Errorf("%s: rows\n%s\nwant\n%s", c.what, got, c.rows)
		}
		if got := facts(tr); got != c.more {
			t.Errorf("%s: %s, want %s", c.what, got, c.more)
		}
		if all := fmt.Sprint(tr.Problems); c.problem == "" && len(tr.Problems) > 0 || !strings.Contains(all, c.problem) {
			t.Errorf("%s: problems %s, want %q", c.what, all, c.problem)
		}
	}
}

// facts shows what a trace tells beside its rows.
func facts(t *Trace) string {
	var out []string
	note := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if t.HasBase {
		note("base %d", t.Base)
	}
	for i, d := range t.Devices {
		if i == 0 {
			note("devices")
		}
		note("[%d %s %d %d %d]", d.ID, d.Name, d.SMs, d.Memory, d.Major)
	}
	if t.Ops.Rows() > 0 {
		note("external %d dims %s", t.Ops.Linked.At(0), t.Text(t.Ops.Dims.At(0)))
	}
	if t.Calls.Rows() == 0 && t.Kernels.Rows() > 0 {
		note("device %d stream %d", t.Kernels.Device.At(0), t.Kernels.Stream.At(0))
	}
	if t.Calls.Rows() > 0 && t.Kernels.Rows() > 0 {
		note("correlation %d %d device %d grid %v", t.Calls.Correlation.At(0), t.Kernels.Correlation.At(0), t.Kernels.Device.At(0), t.Kernels.Grid.At(0))
	}
	return strings.Join(out, " ")
}

// TestNoEvents tells what stands in the place of the events.
func TestNoEvents(t *testing.T) {
	for _, c := range []struct{ text, found string }{
		{`{"traceEvents":null}`, `"traceEvents" that begins with "n"`},
		{`{"traceEvents":{"0":{}}}`, `"traceEvents" that begins with "{"`},
		{`{"TraceEvents":[]}`, `"TraceEvents" that begins with "["`},
		{`{"a":1}`, "JSON without traceEvents"},
	} {
		if _, err := readText(c.text); err == nil || !strings.Contains(err.Error(), "found "+c.found) {
			t.Errorf("%s: %v, want %s", c.text, err, c.found)
		}
	}
}

// TestBehindGzip reads gzip with something else behind it.
func TestBehindGzip(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(`{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":1}]}`))
	_ = z.Close()
	b.WriteString(strings.Repeat("\x00", 512))
	tr, err := readText(b.String())
	if err != nil || tr.Kernels.Rows() != 1 || !strings.Contains(fmt.Sprint(tr.Problems), "something else behind it") {
		t.Errorf("%v, %v", tr.Problems, err)
	}
}
