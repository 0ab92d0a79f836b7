package nvtxt_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nvtxt"
	"pgregory.net/rapid"
)

// texts draws texts with all that is difficult to write.
func texts() *rapid.Generator[string] {
	difficult := rapid.SliceOf(rapid.SampledFrom([]string{
		`"`, `'`, `\`, `\n`, "\n", "\r", "\r\n", ",", "#", "$Name", "=", " ", "\t", "\v", "\x00", "é", "日本", "\xff", "@", "x41", "a", "#escapes: \\n \\r \\xHH",
	}))
	return rapid.OneOf(
		rapid.Map(difficult, func(s []string) string { return strings.Join(s, "") }),
		rapid.String(),
		rapid.Just("iteration"),
	)
}

func events(d nvtxt.Dialect) *rapid.Generator[nvtxt.Event] {
	return rapid.Custom(func(t *rapid.T) nvtxt.Event {
		e := nvtxt.Event{
			Type:    rapid.SampledFrom([]nvtxt.EventType{nvtxt.TypeMarker, nvtxt.TypePushPopRange, nvtxt.TypeStartEndRange}).Draw(t, "type"),
			Process: rapid.Uint32Range(0, 3).Draw(t, "process"),
			Thread:  rapid.OneOf(rapid.Uint32Range(0, 2), rapid.Uint32Range(0, 1<<24-1)).Draw(t, "thread"),
			Text:    texts().Draw(t, "text"),
		}
		least := int64(-1 << 60)
		if d == nvtxt.Nsys {
			least = 0
		}
		e.Start = rapid.Int64Range(least, 1<<52).Draw(t, "start")
		e.End = e.Start
		if e.Type != nvtxt.TypeMarker {
			e.End = e.Start + rapid.Int64Range(1, 1<<40).Draw(t, "length")
			e.Open = e.Type == nvtxt.TypePushPopRange && rapid.Bool().Draw(t, "open")
		}
		if rapid.Bool().Draw(t, "coloured") {
			e.HasColor, e.Color = true, rapid.Uint32().Draw(t, "color")
		}
		if rapid.Bool().Draw(t, "categorised") {
			e.HasCategory, e.Category = true, rapid.Uint32().Draw(t, "category")
		}
		switch rapid.IntRange(0, 3).Draw(t, "payload") {
		case 0:
			e.Payload = nvtxt.PayloadOfInt(rapid.Int64().Draw(t, "int"))
		case 1:
			if d == nvtxt.Guide {
				e.Payload = nvtxt.PayloadOfFloat(rapid.Float64Range(-1e300, 1e300).Draw(t, "float"))
			}
		}
		if d == nvtxt.Guide && e.Type == nvtxt.TypeStartEndRange {
			e.Open = rapid.Bool().Draw(t, "open")
			if rapid.Bool().Draw(t, "has id") {
				e.HasID, e.ID = true, rapid.Int64Range(-2, 2).Draw(t, "id")
			}
		}
		return e
	})
}

// TestWriteRead: what is written is read again, in the order of writing.
func TestWriteRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(events(nvtxt.Guide), 0, 40).Draw(t, "events")
		base := rapid.SampledFrom([]nvtxt.TimeBase{nvtxt.NoTimeBase, nvtxt.Manual, nvtxt.Relative, nvtxt.ClockMonotonicRaw}).Draw(t, "time base")
		name := texts().Draw(t, "name")
		var b bytes.Buffer
		w := nvtxt.NewWriter(&b, nvtxt.WriterOptions{TimeBase: base})
		check := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		check(w.Comment("made by a test\nof two lines"))
		check(w.SetFileDisplayName(name))
		check(w.SetFileDisplayColor(0x0076B900))
		for i := range want {
			check(w.Event(&want[i]))
			if i == 3 {
				check(w.NameProcess(5, name))
				check(w.NameOsThread(5, 6, name))
				check(w.NameCategory(5, 7, name))
			}
		}
		check(w.Flush())
		f := loadRapid(t, b.Bytes(), annotate.LoadOptions{Options: nvtxt.Options{Notes: true}})
		if f.DisplayName != name || f.DisplayColor != 0x0076B900 {
			t.Errorf("display %q %#x", f.DisplayName, f.DisplayColor)
		}
		if len(want) > 3 {
			got := fmt.Sprintf("%v %v %v", f.Processes[0].Name, f.Threads[0].Name, f.Categories[0].Name)
			if got != fmt.Sprintf("%v %v %v", name, name, name) {
				t.Errorf("names %q", got)
			}
		}
		compareEvents(t, want, f, b.Bytes())
	})
}

// TestWriteReadNsys: what is written for the importer is read again by its
// rules, as far as these keep it. Bytes that are not UTF-8 get lost, and
// escapes stay as they are.
func TestWriteReadNsys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		w := nvtxt.NewWriter(&b, nvtxt.WriterOptions{Dialect: nvtxt.Nsys})
		var want []nvtxt.Event
		for _, e := range rapid.SliceOfN(events(nvtxt.Nsys), 0, 40).Draw(t, "events") {
			if err := w.Event(&e); err != nil {
				t.Fatal(err)
			}
			text := string(nvtxt.AppendQuoted(nil, e.Text, w.Escapes()))
			e.Text = strings.ToValidUTF8(text[1:len(text)-1], "")
			if !e.HasColor {
				e.HasColor, e.Color = true, 0xFF000000
			}
			e.HasCategory, e.Category, e.Payload = false, 0, nvtxt.Payload{}
			want = append(want, e)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		f := loadRapid(t, b.Bytes(), annotate.LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}})
		compareEvents(t, want, f, b.Bytes())
	})
}

func loadRapid(t *rapid.T, data []byte, opt annotate.LoadOptions) *annotate.File {
	f, err := annotate.Load(t.Context(), bytes.NewReader(data), int64(len(data)), "x", opt)
	if err == nil {
		err = f.Diagnostics.Err()
	}
	if err != nil {
		t.Fatalf("%v\n%q", err, data)
	}
	return f
}

func compareEvents(t *rapid.T, want []nvtxt.Event, f *annotate.File, text []byte) {
	var got []nvtxt.Event
	for _, e := range f.Events.All() {
		e.Line = 0
		if e.Open {
			e.End = 0
		}
		got = append(got, e)
	}
	var wanted []nvtxt.Event
	for _, e := range want {
		if e.Open {
			e.End = 0
		}
		wanted = append(wanted, e)
	}
	if d := cmp.Diff(wanted, got, cmp.AllowUnexported(nvtxt.Payload{})); d != "" {
		t.Errorf("%s\n%s", d, text)
	}
}

// TestWriterText shows what a file looks like.
func TestWriterText(t *testing.T) {
	var b bytes.Buffer
	w := nvtxt.NewWriter(&b, nvtxt.WriterOptions{})
	w.SetFileDisplayName("a log")
	w.Push(10, 5, 6, "outer")
	w.Marker(15, 5, 6, "it's")
	w.Pop(20, 5, 6)
	w.Range(30, 40, 5, 7, `say "hi"`)
	w.Event(&nvtxt.Event{Type: nvtxt.TypeMarker, Start: 50, Process: 5, Thread: 7, Text: "both \" and '\nand two lines", HasColor: true, Color: 0xff0000})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	want := `SetFileDisplayName, "a log"
TimeBase = Manual
ProcessId = 5
ThreadId = 6
@RangePush, Time, Message
RangePush, 10, "outer"
@Marker, Time, Message
Marker, 15, "it's"
@RangePop, Time
RangePop, 20
ThreadId = 7
@RangeStartEnd, Start, End, Message
RangeStartEnd, 30, 40, 'say "hi"'
#escapes: \n \r \xHH
@Marker, Time, Color, Message
Marker, 50, 0x00FF0000, "both \x22 and '\nand two lines"
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

// TestWriterRefuses: what the reader meant would not take is not written, and
// the file stays sound.
func TestWriterRefuses(t *testing.T) {
	var b bytes.Buffer
	w := nvtxt.NewWriter(&b, nvtxt.WriterOptions{Dialect: nvtxt.Nsys})
	for _, e := range []nvtxt.Event{
		{Type: nvtxt.TypeMarker, Start: -1},
		{Type: nvtxt.TypeMarker, Process: 1 << 24},
		{Type: nvtxt.TypeMarker, Thread: 1 << 24},
		{Type: nvtxt.TypeMarker, Text: strings.Repeat("x", 65535)},
		{Type: nvtxt.TypeMarker, Text: strings.Repeat("\n", 40000)},
		{Type: nvtxt.TypeStartEndRange},
		{Type: nvtxt.TypeStartEndRange, End: 5, HasID: true},
		{Type: nvtxt.TypePushPopRange, Start: 5, End: 4},
		{Type: nvtxt.TypeMarker, Payload: nvtxt.PayloadOfFloat(1)},
		{Type: nvtxt.TypeProcess},
		{},
	} {
		if err := w.Event(&e); err == nil {
			t.Errorf("%+v is written", e)
		}
	}
	if err := w.NameCategory(1, 2, "x"); err == nil {
		t.Error("NameCategory is written")
	}
	if err := w.SetFileDisplayName(strings.Repeat("x", 65535)); err == nil {
		t.Error("a long name is written")
	}
	if err := w.Marker(5, 1, 2, "good"); err != nil {
		t.Error(err)
	}
	w.Flush()
	f := readText(t, b.String(), annotate.LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}})
	if got := summary(f); got != `marker 5 "good" 1/2 #FF000000` {
		t.Error(got, b.String())
	}
}
