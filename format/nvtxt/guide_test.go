package nvtxt_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// messages prints the messages of a file without its name.
func messages(f *annotate.File) (out []string) {
	for _, d := range f.Diagnostics.Messages() {
		out = append(out, strings.TrimPrefix(d.Error(), f.Path+":"))
	}
	return out
}

func TestGuideReads(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"variables of any name", "Pid = 0x10A4\nTime_2 = 5\nProcessId = $Pid\n@Marker, Time, Message\nMarker, $Time_2, m", `marker 5 "m" 4260/0`},
		{"a variable keeps its value until assigned again", "A = 1\nB = $A\nA = 2\n@Marker, Time\nMarker, $B\nMarker, $A", `marker 1 "" 0/0; marker 2 "" 0/0`},
		{"no expansion between quotes", "A = 1\n@Marker, Time, Message\nMarker, 1, \"$A\"\nMarker, 2, '$A'", `marker 1 "$A" 0/0; marker 2 "$A" 0/0`},
		{"expansion of command and arguments", "C = Marker\nT = Time\n@$C, $T\n$C, 5", `marker 5 "" 0/0`},
		{"expansion on the left", "A = B\n$A = 5\n@Marker, Time\nMarker, $B", `marker 5 "" 0/0`},
		{"documented default definition", "RangeStartEnd, 1, 2, Manual, 3, 4, 5, Blue, \"m\", 6", `start/end 1..2 "m" 3/4 #FF0000FF c5 p6`},
		{"defaults by analogy", "Marker, 1, Manual, 3, 4, 5, Blue, m, 6\nRangePush, 1, Manual, 3, 4, 5, Blue, m, 6\nRangePop, 2, Manual, 3, 4",
			`marker 1 "m" 3/4 #FF0000FF c5 p6; push/pop 1..2 "m" 3/4 #FF0000FF c5 p6`},
		{"static values are those at the call", "@Marker, Time\nColor = Red\nMarker, 1\nColor = 0x00112233\nMarker, 2", `marker 1 "" 0/0 #FFFF0000; marker 2 "" 0/0 #00112233`},
		{"values of calls do not stay", "@Marker, Time, Message, Color, ThreadId\nMarker, 1, m, Red, 5\n@Marker, Time\nMarker, 2", `marker 1 "m" 0/5 #FFFF0000; marker 2 "" 0/0`},
		{"redefinition", "@Marker, Time, Message\nMarker, 1, a\n@Marker, Message, Time\nMarker, b, 2", `marker 1 "a" 0/0; marker 2 "b" 0/0`},
		{"integers", "@Marker, Time, Payload\nMarker, -5, +6\nMarker, 010, 0X1f\nMarker, 9223372036854775807, -9223372036854775808",
			`marker -5 "" 0/0 p6; marker 10 "" 0/0 p31; marker 9223372036854775807 "" 0/0 p-9223372036854775808`},
		{"floating payloads", "@Marker, Time, Payload\nMarker, 1, 1.5\nMarker, 2, -2e-3\nMarker, 3, 1e9", `marker 1 "" 0/0 p1.5; marker 2 "" 0/0 p-0.002; marker 3 "" 0/0 p1e+09`},
		{"bare words", "@Marker, Time, Message\nMarker, 1, a.b:c/d<e>#f\nMarker, 2, héllo", `marker 1 "a.b:c/d<e>#f" 0/0; marker 2 "héllo" 0/0`},
		{"strings", "@Marker, Time, Message\nMarker, 1, \"a, 'b' # c\"\nMarker, 2, 'say \"hi\"'\nMarker, 3, \"C:\\dir\\\"\nMarker, 4, \"a\\\"b\"\nMarker, 5, \"a\\nb\"",
			`marker 1 "a, 'b' # c" 0/0; marker 2 "say \"hi\"" 0/0; marker 3 "C:\\dir\\" 0/0; marker 4 "a\\\"b" 0/0; marker 5 "a\\nb" 0/0`},
		{"escapes where announced", "@Marker, Time, Message\n  #escapes: \\n \\r \\xHH \nMarker, 1, \"a\\nb\\x5c\\q\\x4\"", `marker 1 "a\nb\\\\q\\x4" 0/0`},
		{"comments and empty lines", "# a\n   # b\n\n \t\n@Marker, Time # c\nMarker, 5# d\n", `marker 5 "" 0/0`},
		{"line ends and a mark", "\ufeff@Marker, Time\r\nMarker, 1\rMarker, 2\n", `marker 1 "" 0/0; marker 2 "" 0/0`},
		{"other case", "@marker, time, MESSAGE\nMARKER, 1, m\nTimeBase = manual\nColor = red\nMarker, 2, m", `marker 1 "m" 0/0; marker 2 "m" 0/0 #FFFF0000`},
		{"optional values left empty", "Color = Red\n@Marker, Time, Color, Payload, Message\nMarker, 1, , , m", `marker 1 "m" 0/0 #FFFF0000`},
		{"start and end by id", "@RangeStart, Time, Id, Message, ThreadId\n@RangeEnd, Time, Id\nRangeStart, 1, 7, a, 1\nRangeStart, 2, 8, b, 1\nRangeEnd, 3, 7\nRangeEnd, 4, 8",
			`start/end 1..3 "a" 0/1; start/end 2..4 "b" 0/1`},
		{"start and end without id", "@RangeStart, Time, Message\n@RangeEnd, Time\nRangeStart, 1, a\nRangeStart, 2, b\nRangeEnd, 3\nRangeEnd, 4",
			`start/end 1..4 "a" 0/0; start/end 2..3 "b" 0/0`},
		{"ranges without length", "@RangeStartEnd, Start, End\nRangeStartEnd, 5, 5", `start/end 5..5 "" 0/0`},
		{"pairs by file order", head + "RangePush, 200, a\nRangePop, 300\nRangePush, 100, b\nRangePop, 400", `push/pop 200..300 "a" 100/7; push/pop 100..400 "b" 100/7`},
		{"stacks of threads and processes", "@RangePush, Time, ProcessId, ThreadId, Message\n@RangePop, Time, ProcessId, ThreadId\nRangePush, 1, 1, 1, a\nRangePush, 2, 1, 2, b\nRangePush, 3, 2, 1, c\nRangePop, 4, 1, 1\nRangePop, 5, 1, 2\nRangePop, 6, 2, 1",
			`push/pop 1..4 "a" 1/1; push/pop 2..5 "b" 1/2; push/pop 3..6 "c" 2/1`},
		{"a wrong colour costs only the colour", "@Marker, Time, Color, Message\nMarker, 1, Bleu, m\nColor = Rouge\n@Marker, Time\nMarker, 2", `marker 1 "m" 0/0; marker 2 "" 0/0`},
		{"ids of 32 bits", "ProcessId = 4294967295\n@Marker, Time\nMarker, 1", `marker 1 "" 4294967295/0`},
		{"64-bit patterns", "@Marker, Time, Payload\nMarker, 1, 0xFFFFFFFFFFFFFFFF", `marker 1 "" 0/0 p-1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := readText(t, c.text, annotate.LoadOptions{})
			if got := summary(f); got != c.want {
				t.Errorf("got  %s\nwant %s\n%s", got, c.want, strings.Join(messages(f), "\n"))
			}
		})
	}
}

// TestGuideMessages: each wrong line has its message, and no other line is lost.
func TestGuideMessages(t *testing.T) {
	const good = "\n@Marker, Time\nMarker, 77\n"
	for _, c := range []struct{ text, want string }{
		{"Marker, $Nope", `1:9: lexing error: variable "Nope" has not been assigned; expected a line 'Nope = value' before this one`},
		{"A = ${B}", `1:5: lexing error: $ without a variable's name; expected a name directly after $`},
		{"A = 9223372036854775808", `1:5: lexing error: 9223372036854775808 does not fit Int64; expected at most 9223372036854775807 and at least -9223372036854775808`},
		{"A = 0x10000000000000000", `1:5: lexing error: "0x10000000000000000" is not a hexadecimal number of 64 bits; expected 0x and up to 16 digits`},
		{"A = 0x", `1:5: lexing error: "0x" begins with a digit but is not a number; expected a letter or '_' first, or only digits`},
		{"A = 1x", `1:5: lexing error: "1x" begins with a digit but is not a number; expected a letter or '_' first, or only digits`},
		{"A = -", `1:5: lexing error: '-' without digits; expected an integer`},
		{"A = -x", `1:5: lexing error: "-x" is neither a word nor a number; expected a letter first, or only digits`},
		{`A = "b`, `1:5: lexing error: the string is not closed on its line; expected a closing "`},
		{`A = (b)`, `1:5: lexing error: '(' cannot begin a value; expected a word, a quoted string, an integer or $ and a variable's name`},
		{"A = \xff", ""},
		{"\x01", `1:1: lexing error: '\x01' cannot begin a line; expected a variable and =, a command and its values, @ and a command, or #`},
		{"9bad = 1", `1:1: lexing error: a name cannot begin with a digit; expected a variable and =, a command and its values, @ and a command, or #`},
		{"@ Marker, Time", `1:2: lexing error: ' ' after @; expected a command's name directly after @`},
		{"A =", `1:4: parsing error: an assignment without a value; expected a string or an integer`},
		{"A = b, c", `1:6: parsing error: ',' after the value; expected the end of the line`},
		{"A.b = 1", `1:1: parsing error: "A.b" is not a variable's name; expected letters, digits and '_'`},
		{`"a" = 1`, `1:1: parsing error: a line cannot begin with a string; expected a variable and =, a command and its values, @ and a command, or #`},
		{"= 1", `1:1: parsing error: a line cannot begin with '='; expected a variable and =, a command and its values, @ and a command, or #`},
		{"Marker 1", `1:8: parsing error: '1' after a name; expected = and a value, or a comma and values`},
		{"Marker, 1 2", `1:11: parsing error: '2' after a value; expected a comma between values`},
		{"@Marker", `1:8: parsing error: a definition without arguments; expected a comma and names of arguments`},
		{"@Marker Time", `1:9: parsing error: 'T' after the command's name; expected a comma and names of arguments`},
		{`@Marker, "Time"`, `1:10: parsing error: a string in a definition; expected the name of an argument`},
		{"@Marker, Time, Nope", `1:16: parsing error: "Nope" is not an argument; expected one of Time, TimeBase, ProcessId, ThreadId, CategoryId, Color, Message, Payload`},
		{"@Mark, Time", `1:2: parsing error: "Mark" is not a command; expected one of ` + nvtxt.CommandList + "; did you mean Marker?"},
		{"Markr, 1", `1:1: parsing error: "Markr" is not a command; expected one of ` + nvtxt.CommandList + "; did you mean Marker?"},
		{"@Marker, Tim", `1:10: parsing error: "Tim" is not an argument; expected one of Time, TimeBase, ProcessId, ThreadId, CategoryId, Color, Message, Payload; did you mean Time?`},
		{"NoSuch, 1", `1:1: parsing error: "NoSuch" is not a command; expected one of ` + nvtxt.CommandList},
		{"@RangePop, Time\nRangePop, 1, 2", `2:14: parsing error: RangePop has 2 values; expected 1 for the definition on line 1 (Time)`},
		{"RangeStartEnd, 1, 2", `1:1: parsing error: RangeStartEnd has 2 values; expected 9 for the default definition (Start, End, TimeBase, ProcessId, ThreadId, CategoryId, Color, Message, Payload)`},
		{"@RangePop, Time\nRangePop, \"5\"", `2:11: parsing error: Time is a string; expected an integer`},
		{"@RangePop, Time\nRangePop, 1.5", `2:11: parsing error: Time is a floating-point number; expected an integer`},
		{"@RangePop, Time\nRangePop, ,", `2:11: parsing error: Time is nothing; expected an integer`},
		{"@RangePop, ThreadId\nRangePop, 1", `2:1: parsing error: RangePop has no Time; expected it in the call or as a variable`},
		{"@RangePop, Time, ThreadId\nRangePop, 1, -1", `2:14: parsing error: ThreadId is -1; expected 0 to 4294967295`},
		{"ThreadId = x\n@RangePop, Time\nRangePop, 1\nThreadId = 1", `3:1: parsing error: the static value on line 1: ThreadId is a word; expected an integer`},
		{"@RangePop, Time, TimeBase\nRangePop, 1, Tsc", `2:14: parsing error: time base "Tsc" is unknown; expected Manual, Relative, ClockMonotonicRaw, CNTVCT or Qpc`},
		{"SetFileDisplayColor, Bleu", `1:22: parsing error: colour "Bleu" is unknown; expected one of the 140 names of .NET, such as Blue, or 0xAARRGGBB`},
		{"@RangeStartEnd, Start, End\nRangeStartEnd, 300, 250", `2:21: loading error: the range ends at 250, before its start at 300; expected an End that is not before the Start`},
	} {
		f := readText(t, "TimeBase = Manual\n"+c.text+good, annotate.LoadOptions{})
		var errs []string
		for _, d := range errorsOf(f) {
			d.Line--
			errs = append(errs, strings.TrimPrefix(d.Error(), "x.nvtxt:"))
		}
		c.want = strings.ReplaceAll(c.want, "definition on line 1", "definition on line 2")
		c.want = strings.ReplaceAll(c.want, "value on line 1", "value on line 2")
		if got := strings.Join(errs, "\n"); got != c.want {
			t.Errorf("%q:\ngot  %s\nwant %s", c.text, got, c.want)
		}
		if n := f.Events.Len(); n != 1 || f.Events.At(0).Start != 77 {
			t.Errorf("%q: %s", c.text, summary(f))
		}
	}
}

func TestCaret(t *testing.T) {
	f := readText(t, "\tMarker, é \"x\"\n", annotate.LoadOptions{})
	d := f.Diagnostics.Messages()[0]
	if got, want := d.Caret(), "\tMarker, é \"x\"\n\t          ^\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	long := "@Marker, Time\nMarker, 1, \"" + strings.Repeat("é", 500) + "\" \x00, 5\n"
	d = readText(t, long, annotate.LoadOptions{}).Diagnostics.Messages()[0]
	line, caret, _ := strings.Cut(d.Caret(), "\n")
	if n := len([]rune(line)); n > 120+2 || !strings.HasPrefix(line, "…") || strings.Index(caret, "^") > 120 {
		t.Errorf("%d:\n%s", n, d.Caret())
	}
}

// TestGuideExample is the example of the documentation.
func TestGuideExample(t *testing.T) {
	const text = `@RangeStartEnd, Start, End, Message
ProcessId = 1844
ThreadId = 4880
CategoryId = 1
Color = Blue
TimeBase = Qpc
RangeStartEnd, 8236719005, 8236928073, "My Message"
`
	f := readText(t, text, annotate.LoadOptions{Frequency: 10e6})
	if got, want := summary(f), `start/end 823671900500..823692807300 "My Message" 1844/4880 #FF0000FF c1`; got != want || f.Diagnostics.Total() != 0 {
		t.Error(got, messages(f))
	}
	f = readText(t, text, annotate.LoadOptions{Options: nvtxt.Options{Notes: true}})
	if d := cmp.Diff([]string{
		`6:12: note: the importer of Nsight Systems refuses this line: time base "Qpc" is not supported; expected Manual, Relative, ClockMonotonicRaw or CNTVCT`,
		`7:1: loading warning: ticks of Qpc are taken as ns; expected the frequency of the clock, or mode lin`,
		`7:1: note: the importer of Nsight Systems drops CategoryId, here and in all later calls`,
	}, messages(f)); d != "" {
		t.Error(d)
	}
}

func TestGuideNames(t *testing.T) {
	f := readText(t, `SetFileDisplayName, Foo
SetFileDisplayName, 5
SetFileDisplayColor, 0x112233
NameProcess, 1, "p"
NameOsThread, 1, 2, t
@NameCategory, CategoryId, Name
ProcessId = 1
NameCategory, 3, c
@NameOsThread, Name, ThreadId, ProcessId
NameOsThread, u, 4, 3
`, annotate.LoadOptions{})
	if f.DisplayName != "5" || f.DisplayColor != 0x112233 {
		t.Errorf("%q %#x", f.DisplayName, f.DisplayColor)
	}
	if d := cmp.Diff([]annotate.ProcessName{{Process: 1, Name: "p", Line: 4}}, f.Processes) + cmp.Diff([]annotate.ThreadName{{Process: 1, Thread: 2, Name: "t", Line: 5}, {Process: 3, Thread: 4, Name: "u", Line: 10}}, f.Threads) +
		cmp.Diff([]annotate.CategoryName{{Process: 1, Category: 3, Name: "c", Line: 8}}, f.Categories); d != "" {
		t.Error(d)
	}
}

func corpusFile(t *testing.T, name string, opt annotate.LoadOptions) *annotate.File {
	t.Helper()
	f, err := annotate.LoadFile(context.Background(), filepath.Join(corpustest.Dir(t), "corpus", "nvtxt", name), opt)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCorpus loads files that others wrote.
func TestCorpus(t *testing.T) {
	f := corpusFile(t, "ka-31089.nvtxt", annotate.LoadOptions{})
	if got := summary(f); got != `push/pop 515251367655304..515256007484357 "Costly computation" 31089/1 #FF0000FF c1` ||
		f.Session != (annotate.Window{Start: 515251367000000, End: 515256008000000}) || f.DisplayName != "KernelAbstractions" || f.Diagnostics.Total() != 0 {
		t.Error(got, f.Session, messages(f))
	}
	f = corpusFile(t, "ka-31089.nvtxt", annotate.LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}})
	if f.Imported != 2 || f.Diagnostics.Total() != 0 {
		t.Error(f.Imported, messages(f))
	}
	f = corpusFile(t, "derived-ka-2020-hex-times.nvtxt", annotate.LoadOptions{})
	if got := summary(f); got != `start/end 515251367655304..515256007484357 "Costly computation" 31089/1 #FF0000FF c1; marker 515251367655304 "checkpoint" 31089/2 #FF0000FF c1` {
		t.Error(got)
	}
	f = corpusFile(t, "derived-spark-rapids-converter.nvtxt", annotate.LoadOptions{})
	if f.Events.Len() != 5 || f.Diagnostics.Count(nvtxt.Error) != 1 || errorsOf(f)[0].Line != 17 || len(f.Threads) != 1 {
		t.Error(summary(f), messages(f))
	}
}

// TestCorpusEdgeCases: a fitting message for each line of the file of edge
// cases.
func TestCorpusEdgeCases(t *testing.T) {
	f := corpusFile(t, "synthetic-edge-cases.nvtxt", annotate.LoadOptions{})
	var got []string
	for _, d := range f.Diagnostics.Messages() {
		got = append(got, strings.TrimPrefix(d.Error(), f.Path+":"))
	}
	if d := cmp.Diff([]string{
		"14:21: loading error: the range ends at 250, before its start at 300; expected an End that is not before the Start",
		"15:1: parsing error: RangeStartEnd has 2 values; expected 3 for the definition on line 11 (Start, End, Message)",
		"16:35: parsing error: RangeStartEnd has 4 values; expected 3 for the definition on line 11 (Start, End, Message)",
		"17:16: parsing error: Start is a string; expected an integer",
		`18:16: lexing error: variable "Undefined" has not been assigned; expected a line 'Undefined = value' before this one`,
		"27:1: loading warning: RangePop ends nothing: no range of this thread (4880 of process 4260) is open",
		"28:1: loading warning: nothing ends the range that begins at 800 ns",
		`29:1: parsing error: "NoSuchCommand" is not a command; expected one of ` + nvtxt.CommandList,
		`30:19: parsing error: "NoSuchArgument" is not an argument; expected one of Time, TimeBase, ProcessId, ThreadId, CategoryId, Color, Message, Payload`,
		"31:1: lexing error: a name cannot begin with a digit; expected a variable and =, a command and its values, @ and a command, or #",
		"33:10: lexing error: 9223372036854775808 does not fit Int64; expected at most 9223372036854775807 and at least -9223372036854775808",
	}, got); d != "" {
		t.Error(d)
	}
	want := `start/end 100..200 "a, comma and a $Pid and a # stay literal" 4260/4880 #FF76B900 c1; start/end 100..200 "hex times" 4260/4880 #FF76B900 c1; ` +
		`start/end 500..600 "now red" 4260/4880 #FFFF0000 c1; push/pop 700..730 "outer" 4260/4880 #FFFF0000 c1; push/pop 710..720 "inner" 4260/4880 #FFFF0000 c1; ` +
		`push/pop 800.. "never popped" 4260/4880 #FFFF0000 c1`
	if got := summary(f); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestNotes: a note on each line that the importer would refuse or read
// otherwise, and on no other.
func TestNotes(t *testing.T) {
	const text = `TimeBase = Manual
@Marker, Time, Message
Marker, 1, fine
Pid = 5
Marker, 010, m
Marker, 2, a#b
Marker, 3, m # behind
@Marker, Time, Message, Color
Marker, 4, m, Red
@Marker, Time, Message
Marker, 5, m
@RangeStartEnd, Start, End
RangeStartEnd, 6, 6
RangeStartEnd, 7, 8
Payload = 010
Marker, 9, "C:\dir\"
@NameOsThread, Name, ThreadId, ProcessId
NameOsThread, "5", 6, 7
Color = red
Marker, -1, m
SetFileDisplayColor, Red
ProcessId = 16777216
@Marker, Time, Message, Payload
Marker, 11, m, 5
Marker, 12, m, 1.5
`
	f := readText(t, text, annotate.LoadOptions{Options: nvtxt.Options{Notes: true}})
	const is, refuses = "the importer of Nsight Systems", "note: the importer of Nsight Systems refuses this line: "
	want := []string{
		`4:1: ` + refuses + `"Pid" is not an argument's name; expected one of ` + nvtxt.NsysParams.String(),
		`5:9: note: ` + is + ` reads Time 8 here, not Time 10: a leading 0 means octal to it`,
		`6:12: note: ` + is + ` reads Message "a" here, not Message "a#b": # begins a comment for it`,
		`7:14: note: a comment behind an instruction is not documented; ` + is + ` takes it as one, too`,
		`11:1: note: ` + is + ` reads Color #FFFF0000 here, not Color #FF000000: a value in an earlier call stays for later calls (and 1 more lines like it)`,
		`13:1: note: ` + is + `: the range from 6 to 6 is skipped; expected an End after the Start`,
		`14:1: note: ` + is + ` reads Message "m" here, not Message "": a value in an earlier call stays for later calls`,
		`15:11: note: ` + is + ` reads 8 here, not 10: a leading 0 means octal to it`,
		`16:12: ` + refuses + `the string is not closed on its line: a backslash before a quote keeps it open; expected a closing "`,
		`18:23: note: ` + is + ` reads ProcessId 5 here, not ProcessId 7`,
	}
	got := messages(f)
	if d := cmp.Diff(want, got[:min(len(got), len(want))]); d != "" {
		t.Error(d)
	}
	for _, line := range []string{"19:9: note", "20:9: note", "21:1: note", "24:1: note", "25:17: note"} {
		if !strings.Contains(strings.Join(got, "\n"), "\n"+line) {
			t.Errorf("nothing about line %s\n%s", line, strings.Join(got, "\n"))
		}
	}
	if n := f.Diagnostics.Count(nvtxt.Error); n != 0 {
		t.Errorf("%d errors", n)
	}
}
