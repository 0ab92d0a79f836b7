package annotate

import (
	"bytes"
	"context"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/nvtxt"
)

func fromLog(t *testing.T, log string, opt LogOptions) (string, LogStats) {
	t.Helper()
	var b bytes.Buffer
	st, err := FromLog(context.Background(), &b, strings.NewReader(log), "app.log", opt)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), st
}

func TestFromLog(t *testing.T) {
	log := `2024-05-01T10:00:00.000000100Z [main] INFO start epoch 1
2024-05-01 10:00:00.5 [worker-1] WARN slow batch took 12.5ms
nothing of interest
2024-05-01 10:00:01 [main] INFO stop epoch 1
2024-05-01 10:00:02 [main] INFO start epoch 2
2024-05-01 10:00:03 [main] INFO stop epoch 7
2024-99-01 10:00:03 [main] INFO what
2024-05-01 10:00:04 [12] INFO what, "and" 'how'
`
	const prefix = `^(?P<time>[-0-9]+[T ][:.0-9]+Z?) \[(?P<thread>[^]]*)\] `
	opt := LogOptions{
		Rules: []LogRule{
			{Pattern: regexp.MustCompile(prefix + `INFO start epoch (?P<id>\d+)`), Command: nvtxt.CmdRangeStart, Text: "epoch $id"},
			{Pattern: regexp.MustCompile(prefix + `INFO stop epoch (?P<id>\d+)`), Command: nvtxt.CmdRangeEnd},
			{Pattern: regexp.MustCompile(prefix + `WARN (?P<message>.*) took (?P<duration>\S+)`), Color: 0xFFFF0000},
			{Pattern: regexp.MustCompile(prefix + `INFO (?P<message>.*)`)},
		},
		Origin:      1714557600e9,
		Process:     42,
		DisplayName: "app",
	}
	text, st := fromLog(t, log, opt)
	f := loadText(t, text, LoadOptions{Options: nvtxt.Options{Notes: true}})
	want := `start/end 500000000..512500000 "slow batch" 42/8388609 #FFFF0000; start/end 100..1000000000 "epoch 1" 42/8388608; ` +
		`marker 4000000000 "what, \"and\" 'how'" 42/12; start/end 2000000000.. "epoch 2" 42/8388608`
	if got := textOf(f); got != want {
		t.Errorf("got  %s\nwant %s\n%s", got, want, text)
	}
	if d := cmp.Diff([]ThreadName{{42, namedIDs, "main", 0}, {42, namedIDs + 1, "worker-1", 0}}, f.Threads,
		cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Line" }, cmp.Ignore())); d != "" || f.DisplayName != "app" {
		t.Error(d, f.DisplayName)
	}
	var messages []string
	for _, d := range st.Diagnostics.Messages() {
		messages = append(messages, d.Error())
	}
	if d := cmp.Diff([]string{
		"app.log:5: loading warning: nothing ends the range that begins here",
		"app.log:6: loading error: nothing that is open ends here",
		`app.log:7: loading error: "2024-99-01 10:00:03" is no known form of time`,
	}, messages); d != "" {
		t.Error(d)
	}
	if st.Lines != 8 || st.Matched != 7 || st.Written != 4 {
		t.Errorf("%+v", st)
	}
}

// TestFromLogNsys: what comes out suits the importer.
func TestFromLogNsys(t *testing.T) {
	opt := LogOptions{
		Rules: []LogRule{
			{Pattern: regexp.MustCompile(`^(?P<time>\d+) push (?P<message>\S+) in (?P<category>\S+) at (?P<tid>\S+)`), Command: nvtxt.CmdRangePush},
			{Pattern: regexp.MustCompile(`^(?P<time>\d+) pop at (?P<tid>\S+)`), Command: nvtxt.CmdRangePop},
			{Pattern: regexp.MustCompile(`^(?P<time>\d+) begin (?P<msg>\S+)`), Command: nvtxt.CmdRangeStart},
			{Pattern: regexp.MustCompile(`^(?P<time>\d+) value (?P<payload>\S+) (?P<color>\S+)`), Text: "v"},
		},
		TimeFormat: "us",
		Writer:     nvtxt.WriterOptions{Dialect: nvtxt.Nsys},
	}
	text, st := fromLog(t, "5 push a in x at 007\n6 pop at 7\n7 begin c\n8 value 010 Red\n9 value 1.5 Red\n10 value 1 Reddish\n", opt)
	f := loadText(t, text, LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}})
	if got := textOf(f); got != `push/pop 5000..6000 "a" 0/7 #FF000000; marker 8000 "v" 0/0 #FFFF0000` {
		t.Errorf("%s\n%s", got, text)
	}
	if st.Diagnostics.Count(nvtxt.Error) != 2 || st.Diagnostics.Count(nvtxt.Warning) != 1 {
		t.Errorf("%+v", st.Diagnostics.Messages())
	}
}

func TestFromLogRefuses(t *testing.T) {
	for _, r := range []LogRule{
		{},
		{Pattern: regexp.MustCompile(`x`)},
		{Pattern: regexp.MustCompile(`(?P<time>x)`), Command: nvtxt.CmdRangeStartEnd},
		{Pattern: regexp.MustCompile(`(?P<time>x)`), Command: nvtxt.CmdNameProcess},
	} {
		if _, err := FromLog(context.Background(), new(bytes.Buffer), strings.NewReader(""), "x", LogOptions{Rules: []LogRule{r}}); err == nil {
			t.Errorf("%+v is accepted", r)
		}
	}
}

func TestLogTime(t *testing.T) {
	for _, c := range []struct {
		format, text string
		want         int64 // math.MinInt64 for an error
	}{
		{"", "123", 123},
		{"", "1.5", 1500000000},
		{"", "1714557600.123456789", 1714557600123456789},
		{"s", "9223372036.854775807", math.MaxInt64},
		{"s", "9223372036.854775808", math.MinInt64},
		{"s", "-1,25", -1250000000},
		{"ms", "0.0000019", 1},
		{"us", "7", 7000},
		{"ns", "7.9", 7},
		{"ns", "x", math.MinInt64},
		{"ns", "", math.MinInt64},
		{"", "1970-01-01T01:00:00+01:00", 0},
		{"", "1970-01-01 00:00:01,5", 1500000000},
		{"", "1970/01/01 00:00:00.000000001", 1},
		{"", "Jan  2 00:00:00", 86400e9},
		{"", "00:01:00.25", 60250000000},
		{"", "9999-01-01 00:00:00", math.MinInt64},
		{"02.01.2006 15:04", "02.01.1970 00:01", 86460e9},
		{"02.01.2006 15:04", "1970", math.MinInt64},
	} {
		l := logTime{format: c.format, location: time.UTC}
		got, err := l.parse(c.text)
		if err != nil {
			got = math.MinInt64
		}
		if got != c.want {
			t.Errorf("%q as %q: got %d, %v, want %d", c.text, c.format, got, err, c.want)
		}
	}
}

// FuzzFromLog: whatever the log, what is made of it is a sound file.
func FuzzFromLog(f *testing.F) {
	f.Add([]byte("12.5 main push a\n13 main pop\n14 x start 5\n15 x end 5\n16 x took 3ms: it's \"so\"\n17 8 Red\n"), false)
	f.Add([]byte("-9223372036854775808 1 took -1h: \xff\\\n00:00:00,1 2 start 1"), true)
	rules := []LogRule{
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<thread>\S+) push (?P<message>.*)`), Command: nvtxt.CmdRangePush},
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<thread>\S+) pop`), Command: nvtxt.CmdRangePop},
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<pid>\S+) start (?P<id>\S+)`), Command: nvtxt.CmdRangeStart},
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<pid>\S+) end (?P<id>\S+)`), Command: nvtxt.CmdRangeEnd},
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<category>\S+) took (?P<duration>\S+): (?P<message>.*)`)},
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<payload>\S+) (?P<color>\S+)`)},
	}
	f.Fuzz(func(t *testing.T, log []byte, nsys bool) {
		opt := LogOptions{Rules: rules}
		if nsys {
			opt.Writer.Dialect = nvtxt.Nsys
		}
		var b bytes.Buffer
		st, err := FromLog(context.Background(), &b, bytes.NewReader(log), "log", opt)
		if err != nil {
			return // UTF-16
		}
		file, err := Load(context.Background(), bytes.NewReader(b.Bytes()), int64(b.Len()), "x", LoadOptions{Options: nvtxt.Options{Dialect: opt.Writer.Dialect}})
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Diagnostics.Err(); err != nil && !strings.Contains(err.Error(), "before its start") && !strings.Contains(err.Error(), "beyond 64 bits") {
			t.Errorf("%v in %q", err, b.Bytes())
		}
		if n := file.Events.Len(); n > st.Written {
			t.Errorf("%d events of %d written", n, st.Written)
		}
	})
}
