package nvtxt_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nvtxt"
)

// vast is an input that is made as it is read: first, then as many fill bytes
// as there is room for, then last.
type vast struct {
	first, last string
	fill        byte
	size        int64
}

func (v *vast) ReadAt(b []byte, off int64) (n int, err error) {
	if off+int64(len(b)) >= v.size {
		b, err = b[:v.size-off], io.EOF
	}
	for i := range min(len(b), 4096) {
		b[i] = v.fill
	}
	for n = 4096; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
	if off < int64(len(v.first)) {
		copy(b, v.first[off:])
	}
	if tail := v.size - int64(len(v.last)); off+int64(len(b)) > tail {
		if d := tail - off; d >= 0 {
			copy(b[d:], v.last)
		} else {
			copy(b, v.last[-d:])
		}
	}
	return len(b), err
}

// TestLongLine: a line of 1 GB costs one message and little memory, and the
// lines around it are kept.
func TestLongLine(t *testing.T) {
	for i, c := range []struct {
		first string
		fill  byte
		want  string
	}{
		{"@Marker, Time\nMarker, 1\nMarker, 2, \"", 'x', "x:3:1: lexing error: the line is longer than 8388608 bytes; expected a shorter one"},
		{"@Marker, Time\nMarker, 1\n", 0, "x:3:1: lexing error: the line is longer than 8388608 bytes; expected a shorter one"},
		{"@Marker, Time\nMarker, 1\n # ", 'x', ""},
		{"@Marker, Time\nMarker, 1\nMarker,", ',', "x:3:1: lexing error: the line is longer than 8388608 bytes; expected a shorter one"},
	} {
		src := &vast{first: c.first, last: "\r\nMarker, 3\r\n", fill: c.fill, size: 64 << 20}
		if i == 0 && !testing.Short() {
			src.size = 1 << 30
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := annotate.Load(context.Background(), src, src.size, "x", annotate.LoadOptions{})
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if f.Events.Len() != 2 || f.Counts.Lines != 4 || f.Counts.Bytes != src.size {
			t.Errorf("%s, %+v", summary(f), f.Counts)
		}
		got := ""
		if err := f.Diagnostics.Err(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
			t.Errorf("%d MB allocated", n>>20)
		}
	}
}

// TestLongestLine: the longest line is read, whatever its end.
func TestLongestLine(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r", ""} {
		head := "@Marker, Time, Message\nMarker, 1, \""
		text := strings.Repeat("x", nvtxt.MaxLine-len("Marker, 1, \"\""))
		f := readText(t, head+text+"\""+end, annotate.LoadOptions{})
		if f.Events.Len() != 1 || f.Events.At(0).Text != text {
			t.Errorf("end %q: %v", end, f.Diagnostics.Err())
		}
	}
}

// TestShortMessages: messages about long words do not repeat them.
func TestShortMessages(t *testing.T) {
	long := strings.Repeat("1", 1<<20)
	for _, line := range []string{"A = " + long, "A = 0x" + long, "A = 1." + long + "x", "x" + long + ", 1", "@x" + long + ",", "@Marker, x" + long,
		"A = $x" + long, "TimeBase = x" + long + "\nRangePop, 1", "Color = x" + long + "\nSetFileDisplayColor", "x" + long + " = \"",
		"NameProcess, x" + long + ", x", "Payload = " + long + "," + long, "x." + long + " = 1"} {
		for _, d := range []nvtxt.Dialect{nvtxt.Guide, nvtxt.Nsys} {
			f := readText(t, head+line+"\n", annotate.LoadOptions{Options: nvtxt.Options{Dialect: d, Notes: true}})
			for _, m := range f.Diagnostics.Messages() {
				if n := len(m.Error()) + len(m.Caret()); n > 2000 {
					t.Errorf("%v: %d bytes about %.20s", d, n, line)
				}
			}
			if d == nvtxt.Guide && f.Diagnostics.Count(nvtxt.Error) == 0 {
				t.Errorf("%v: no error in %.20s", d, line)
			}
		}
	}
}

// TestManyMessages: 1000 are kept, with errors first, and all are counted.
func TestManyMessages(t *testing.T) {
	for _, bad := range []string{"Nope, 1", "\x00\x01", "Marker, 5, 5", "@", "$X", "\"", "A = $A"} {
		text := "TimeBase = Manual\n@RangePop, Time\n" + strings.Repeat("RangePop, 1\n", 1500) + strings.Repeat(bad+"\n", 1200)
		f := readText(t, text, annotate.LoadOptions{Options: nvtxt.Options{Notes: true}})
		d := &f.Diagnostics
		if d.Count(nvtxt.Error) != 1200 || d.Count(nvtxt.Warning) != 1500 || len(d.Messages()) != nvtxt.MaxMessages || d.Dropped() != d.Total()-1000 {
			t.Errorf("%q: %d errors, %d warnings, %d kept", bad, d.Count(nvtxt.Error), d.Count(nvtxt.Warning), len(d.Messages()))
		}
		for _, m := range d.Messages() {
			if m.Severity != nvtxt.Error {
				t.Fatalf("%v has precedence over an error", &m)
			}
		}
		var b bytes.Buffer
		if err := d.WriteText(&b); err != nil || strings.Count(b.String(), " error: ") != 1000 ||
			!strings.HasSuffix(b.String(), "1700 more messages not shown (1200 errors, 1500 warnings, 0 notes in all)\n") {
			t.Errorf("%v: %s", err, b.String()[b.Len()-200:])
		}
	}
}

func TestUTF16(t *testing.T) {
	for _, text := range []string{"\xff\xfeA\x00=\x001\x00\n\x00", "\xfe\xff\x00A\x00=\x001", "A\x00 \x00=\x00 \x001\x00", "\x00A\x00 \x00="} {
		f := readText(t, text, annotate.LoadOptions{})
		if m := messages(f); len(m) != 1 || m[0] != "1:1: lexing error: the file is UTF-16; expected UTF-8" {
			t.Error(m)
		}
		f = readText(t, text, annotate.LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}})
		if m := messages(f); len(m) != 1 || !strings.HasPrefix(m[0], "1:") || !strings.Contains(m[0], "the file is UTF-16") {
			t.Error(m)
		}
	}
}

// failing is an input with a broken part.
type failing struct{ vast }

var errBroken = errors.New("broken")

func (f *failing) ReadAt(b []byte, off int64) (int, error) {
	if off > 300<<10 {
		return 0, errBroken
	}
	return f.vast.ReadAt(b, off)
}

func TestBrokenInput(t *testing.T) {
	src := &failing{vast{first: "@Marker, Time\nMarker, 1\n", fill: '\n', size: 1 << 20}}
	if _, err := annotate.Load(context.Background(), src, src.size, "x", annotate.LoadOptions{}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := annotate.Load(ctx, src, src.size, "x", annotate.LoadOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r := nvtxt.NewReader(iotest.ErrReader(errBroken), "x", nvtxt.Options{})
	if r.Next() || !errors.Is(r.Err(), errBroken) {
		t.Error(r.Err())
	}
	if _, err := nvtxt.Format(io.Discard, iotest.ErrReader(errBroken), nvtxt.Guide); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	if err := nvtxt.NewWriter(brokenWriter{}, nvtxt.WriterOptions{}).Flush(); err != nil {
		t.Error(err)
	}
	w := nvtxt.NewWriter(brokenWriter{}, nvtxt.WriterOptions{})
	w.Marker(1, 2, 3, "x")
	if err := w.Flush(); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }
