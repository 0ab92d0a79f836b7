package nvtxt_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nvtxt"
)

func readText(t testing.TB, text string, opt annotate.LoadOptions) *annotate.File {
	t.Helper()
	f, err := annotate.Load(context.Background(), strings.NewReader(text), int64(len(text)), "x.nvtxt", opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

// errorsOf are the errors of a file that are kept.
func errorsOf(f *annotate.File) (out []nvtxt.Diagnostic) {
	for _, d := range f.Diagnostics.Messages() {
		if d.Severity == nvtxt.Error {
			out = append(out, d)
		}
	}
	return out
}

// summary prints what a file makes of itself on the timeline.
func summary(f *annotate.File) string {
	var b bytes.Buffer
	if d := errorsOf(f); len(d) > 0 && f.Events.Len() == 0 {
		return fmt.Sprintf("%s error, line %d", d[0].Class, d[0].Line)
	}
	for i, e := range f.Events.All() {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s %d", strings.Fields(e.Type.String())[0], e.Start)
		if e.Open {
			b.WriteString("..")
		} else if e.Type != nvtxt.TypeMarker {
			fmt.Fprintf(&b, "..%d", e.End)
		}
		fmt.Fprintf(&b, " %q %d/%d", e.Text, e.Process, e.Thread)
		if e.HasColor {
			fmt.Fprintf(&b, " #%08X", e.Color)
		}
		if e.HasCategory {
			fmt.Fprintf(&b, " c%d", e.Category)
		}
		switch e.Payload.Kind {
		case nvtxt.IntPayload:
			fmt.Fprintf(&b, " p%d", e.Payload.Int())
		case nvtxt.FloatPayload:
			fmt.Fprintf(&b, " p%g", e.Payload.Float())
		}
	}
	if b.Len() == 0 {
		return "nothing"
	}
	return b.String()
}

const (
	head    = "TimeBase=Manual\nProcessId=100\nThreadId=7\n@RangePush, Time, Message\n@RangePop, Time\n@RangeStartEnd, Start, End, Message\n@Marker, Time, Message\n"
	oneMark = `marker 1000 "m" 100/7`
)

// TestNsysReads holds what is known of the importer beyond testdata/nsys. The
// lines given stand after the seven of head.
func TestNsysReads(t *testing.T) {
	for _, c := range []struct{ name, lines, want string }{
		{"single quotes", `Marker, 1000, 'm'`, oneMark},
		{"empty string", `Marker, 1000, ""`, `marker 1000 "" 100/7`},
		{"dot in a word", `Marker, 1000, a.b`, "parsing error, line 8"},
		{"slash in a word", `Marker, 1000, a/b`, "parsing error, line 8"},
		{"non-ASCII word", `Marker, 1000, é`, "lexing error, line 8"},
		{"backslash before the other quote", `Marker, 1000, 'a\"b'`, `marker 1000 "a\\\"b" 100/7`},
		{"backslash inside", `Marker, 1000, "a\\b"`, `marker 1000 "a\\\\b" 100/7`},
		{"tab and NUL in quotes", "Marker, 1000, \"a\tb\x00c\"", `marker 1000 "a\tb\x00c" 100/7`},
		{"CR in quotes", "Marker, 1000, \"a\rb\"", "lexing error, line 8"},
		{"hash ends a word", `Marker, 1000, m#re`, oneMark},
		{"hash after an assignment", "Name = a # c\nMarker, 1000, m", oneMark},
		{"negative zero", `Marker, -0, m`, `marker 0 "m" 100/7`},
		{"lower hexadecimal", `Marker, 0x3e8, m`, oneMark},
		{"exponent", `Marker, 1e3, m`, "parsing error, line 8"},
		{"octal without octal digits", `Marker, 08, m`, `marker 0 "m" 100/7`},
		{"below Int64", `Payload = -9223372036854775809`, "lexing error, line 8"},
		{"least Int64", "Payload = -9223372036854775808\nMarker, 1000, m", oneMark},
		{"octal beyond Int64", `Payload = 01000000000000000000000`, "lexing error, line 8"},
		{"mark in mid-file", "\xef\xbb\xbfMarker, 1000, m", "lexing error, line 8"},
		{"VT and FF are blanks", "\vMarker\f,\v1000 , m\f", oneMark},
		{"NBSP is none", "Marker,\u00a01000, m", "lexing error, line 8"},
		{"empty last element", `Marker, 1000, ,`, `marker 1000 "" 100/7`},
		{"two instructions on a line", `Marker, 1000, m Marker, 1000, m`, "parsing error, line 8"},
		{"comma after an assignment", `Name = a,`, "parsing error, line 8"},
		{"string at the start", `"Marker", 1000, m`, "parsing error, line 8"},
		{"argument in other case", `time = 5`, "loading error, line 8"},
		{"unused variable", `Unused = 5`, "loading error, line 8"},
		{"expansion on the left", "Name = Message\n$Name = x\n@Marker, Time\nMarker, 1000", `marker 1000 "x" 100/7`},
		{"no joining", "Name = a\nMarker, 1000, $Name$Name", "parsing error, line 9"},
		{"expansion of a number in a definition", "Payload = 5\n@Marker, $Payload", "parsing error, line 9"},
		{"quoted expansion in a definition", "Name = \"Time\"\n@Marker, $Name", "parsing error, line 9"},
		{"undefined before its line", "Marker, 1000, $Name\nName = m", "lexing error, line 8"},
		{"negative static", `Time = -1`, "loading error, line 8"},
		{"$ does not see values of calls", "Marker, 1000, m\nMarker, 2000, $Message", "lexing error, line 9"},
		{"thread of a push serves its pop", "@RangePush, Time, Message, ThreadId\nRangePush, 5, m, 9\nRangePop, 6", `push/pop 5..6 "m" 100/9`},
		{"names leave no values", "NameProcess, 5, \"P\"\nNameOsThread, 5, 6, \"T\"\nMarker, 1000, m", oneMark},
		{"only statics", "@Foo,\nTime = 1000\nMessage = m\n@Marker,\nMarker", oneMark},
		{"no arity beside the last definition", "@Marker, Time\nMarker, 1000, m", "loading error, line 9"},
		{"unknown argument, called", "@Marker, Time, Bogus\nMarker, 1000, m", "loading error, line 9"},
		{"trailing comma in a definition", "@Marker, Time, Message,\nMarker, 1000, m", oneMark},
		{"unknown command without values", "Foo\nMarker, 1000, m", oneMark},
		{"unknown command, defined and wrong arity", "@Foo, Time\nFoo, 1, 2", "loading error, line 9"},
		{"quoted time base", "TimeBase = \"Manual\"\nMarker, 1000, m", oneMark},
		{"Relative on its own", "TimeBase = Relative\nMarker, 1000, m", oneMark},
		{"colour without alpha", "Color = 0xFF0000\nMarker, 1000, m", oneMark + " #00FF0000"},
		{"negative colour", "Color = -1\nMarker, 1000, m", oneMark + " #FFFFFFFF"},
		{"negative payload", "Payload = -5\nMarker, 1000, m", oneMark},
		{"floating payload", `Payload = 1.5`, "parsing error, line 8"},
		{"greatest ids", "ProcessId = 16777215\nThreadId = 16777215\nMarker, 1000, m", `marker 1000 "m" 16777215/16777215`},
		{"negative ids", `ThreadId = -1`, "loading error, line 8"},
		{"string for an id", `ProcessId = "100"`, "loading error, line 8"},
		{"pid not a number", `NameProcess, abc, "P"`, "loading error, line 8"},
		{"pid beyond 24 bits", `NameProcess, 16777216, "P"`, "loading error, line 8"},
		{"names only after events count", "NameProcess, \"100\", 5\nMarker, 1000, m", oneMark},
		{"no display name", `SetFileDisplayName`, "loading error, line 8"},
		{"pop before its push in time", "RangePush, 500, m\nRangePop, 300", "loading error, line 9"},
		{"a later error comes before it", "RangePush, 500, m\nRangePop, 300\nFoo, 1", "loading error, line 10"},
		{"stacks of threads", "RangePush, 5, a\nThreadId = 8\nRangePush, 6, b\nThreadId = 7\nRangePop, 7\nThreadId = 8\nRangePop, 8", `push/pop 5..7 "a" 100/7; push/pop 6..8 "b" 100/8`},
		{"never popped", `RangePush, 5, m`, `push/pop 5.. "m" 100/7`},
		{"lexing error before any meaning", `Foo, "a`, "lexing error, line 8"},
		{"text of 65534 bytes", `Marker, 1000, "` + strings.Repeat("y", 65534) + `"`, fmt.Sprintf("marker 1000 %q 100/7", strings.Repeat("y", 65534))},
		{"text of 65535 bytes", `Marker, 1000, "` + strings.Repeat("y", 65535) + `"`, "loading error, line 8"},
		{"name of 65535 bytes", `NameProcess, 1, "` + strings.Repeat("y", 65535) + `"`, "loading error, line 8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := readText(t, head+c.lines+"\n", annotate.LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}})
			if got := summary(f); got != c.want {
				t.Errorf("got  %.300s\nwant %.300s\n%v", got, c.want, f.Diagnostics.Err())
			}
		})
	}
}

// TestNsysWithoutTimeBase: it is the only argument that has no default.
func TestNsysWithoutTimeBase(t *testing.T) {
	f := readText(t, "@Marker, Time\nMarker, 1\n", annotate.LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}})
	if got := summary(f); got != "loading error, line 2" {
		t.Error(got)
	}
}

// TestNsysGarbage: where the importer answers with garbage, there is an error.
func TestNsysGarbage(t *testing.T) {
	nsys := annotate.LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}}
	f := readText(t, head+"Marker, 9223372036854775807, m\n", nsys)
	if got := summary(f); got != "loading error, line 8" {
		t.Error(got)
	}
	n := func(i int64) *int64 { return &i }
	for _, m := range []annotate.Mode{
		{Kind: annotate.Lerp, NsA: n(5), NsB: n(4)},
		{Kind: annotate.Lerp, NsA: n(5), NsB: n(9), NvtxtA: n(7), NvtxtB: n(6)},
		{Kind: annotate.Lerp, NsA: n(-5), NsB: n(9)},
		{Kind: annotate.Lin, NsA: n(0), Freq: -1},
		{Kind: annotate.Lin, Freq: 1},
		{Kind: 9},
	} {
		nsys.Mode = m
		if _, err := annotate.Load(context.Background(), strings.NewReader(""), 0, "x", nsys); err == nil {
			t.Errorf("mode %+v is accepted", m)
		}
	}
	nsys.Mode = annotate.Mode{Kind: annotate.Lerp, NsA: n(5), NsB: n(5)} // all events at one time
	f = readText(t, head+"Marker, 1, m\nMarker, 2, m\n", nsys)
	if got := summary(f); got != `marker 5 "m" 100/7; marker 5 "m" 100/7` {
		t.Error(got)
	}
}

// TestNsysMergeBelowZero: what converts to a time below 0 is left out even of
// a session that is widened.
func TestNsysMergeBelowZero(t *testing.T) {
	n := func(i int64) *int64 { return &i }
	opt := annotate.LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}, Session: &annotate.Window{Start: 10e6, End: 20e6}, Widen: true,
		Mode: annotate.Mode{Kind: annotate.Lin, NsA: n(0), NvtxtA: n(1000), Freq: 1e9}}
	f := readText(t, head+"Marker, 999, a\nMarker, 1001, b\n", opt)
	if got := summary(f); got != `marker 1 "b" 100/7` || f.Outside != 1 || f.Session != (annotate.Window{Start: 0, End: 20e6}) {
		t.Error(got, f.Outside, f.Session)
	}
}

// pieces hands out its data n bytes at a time.
type pieces struct {
	data []byte
	n    int
}

func (p *pieces) Read(b []byte) (int, error) {
	n := copy(b[:min(len(b), p.n)], p.data)
	p.data = p.data[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func cmpString(r *nvtxt.Record) string { return fmt.Sprintf("%+v", *r) }
