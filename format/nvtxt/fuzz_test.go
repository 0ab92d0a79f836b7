package nvtxt

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seeds adds the inputs of testdata to a fuzz target.
func seeds(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*.nvtxt")
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) < 4096 {
			f.Add(b)
		}
	}
	f.Add([]byte(escapeLine + "\n@Marker, Time, Message\r\nMarker, 1, \"a\\n\\x22\"\rMarker, 1.5e-3, x\n"))
	f.Add([]byte("Marker, 1, 2, 3, 4, 5, 6, 7, 8\n@RangeStart, Time, Id\nRangeStart, 1, 2\n@RangeEnd, Time, Id\nRangeEnd, 3, 2"))
}

// FuzzLoad reads anything in both dialects: it must not panic, every message
// has a place in the file, and every event lies in order.
func FuzzLoad(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, o := range []Options{{Dialect: Guide, Notes: true}, {Dialect: Nsys}} {
			file, err := Load(context.Background(), bytes.NewReader(data), int64(len(data)), "x", LoadOptions{Options: o})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Diagnostics.Messages() {
				if d.Line < 1 || d.Line > file.Counts.Lines+1 || d.Offset > int64(len(data)) || d.Found == "" || strings.ContainsRune(d.Error(), '\n') {
					t.Errorf("%#v", d)
				}
				_ = d.Caret()
			}
			for _, e := range file.Events.All() {
				if e.End < e.Start || e.Line < 1 {
					t.Errorf("%+v", e)
				}
			}
		}
	})
}

// FuzzLines: lines do not depend on how the input is cut into reads.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\r\nb\rc\n\n\r\r\nd"), 1)
	f.Fuzz(func(t *testing.T, data []byte, piece int) {
		if piece < 1 || piece > 1000 {
			piece = 1
		}
		want := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data)), "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		l := newLines(&pieces{data: data, n: piece})
		var got []string
		for {
			line, off, _, ok := l.next()
			if !ok {
				break
			}
			if !bytes.HasPrefix(data[off:], line) {
				t.Errorf("offset %d of %q", off, line)
			}
			got = append(got, string(line))
		}
		if d := cmp.Diff(want, got); len(want)+len(got) > 0 && d != "" {
			t.Error(d)
		}
	})
}

// FuzzFormat: the standard form means the same, and is its own standard form.
func FuzzFormat(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range []Dialect{Guide, Nsys} {
			var once, twice bytes.Buffer
			if _, err := Format(&once, bytes.NewReader(data), d); err != nil {
				return // UTF-16
			}
			if _, err := Format(&twice, bytes.NewReader(once.Bytes()), d); err != nil {
				return // looks like UTF-16 without the blanks before it
			}
			if !bytes.Equal(once.Bytes(), twice.Bytes()) {
				t.Errorf("%v: %q becomes %q", d, once.Bytes(), twice.Bytes())
			}
			if diff := cmp.Diff(meaning(data, d), meaning(once.Bytes(), d)); diff != "" {
				t.Errorf("%v: %q -> %q:\n%s", d, data, once.Bytes(), diff)
			}
		}
	})
}

// FuzzFromLog: whatever the log, what is made of it is a sound file.
func FuzzFromLog(f *testing.F) {
	f.Add([]byte("12.5 main push a\n13 main pop\n14 x start 5\n15 x end 5\n16 x took 3ms: it's \"so\"\n17 8 Red\n"), false)
	f.Add([]byte("-9223372036854775808 1 took -1h: \xff\\\n00:00:00,1 2 start 1"), true)
	rules := []LogRule{
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<thread>\S+) push (?P<message>.*)`), Command: CmdRangePush},
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<thread>\S+) pop`), Command: CmdRangePop},
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<pid>\S+) start (?P<id>\S+)`), Command: CmdRangeStart},
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<pid>\S+) end (?P<id>\S+)`), Command: CmdRangeEnd},
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<category>\S+) took (?P<duration>\S+): (?P<message>.*)`)},
		{Pattern: regexp.MustCompile(`^(?P<time>\S+) (?P<payload>\S+) (?P<color>\S+)`)},
	}
	f.Fuzz(func(t *testing.T, log []byte, nsys bool) {
		opt := LogOptions{Rules: rules}
		if nsys {
			opt.Writer.Dialect = Nsys
		}
		var b bytes.Buffer
		st, err := FromLog(context.Background(), &b, bytes.NewReader(log), "log", opt)
		if err != nil {
			return // UTF-16
		}
		file, err := Load(context.Background(), bytes.NewReader(b.Bytes()), int64(b.Len()), "x", LoadOptions{Options: Options{Dialect: opt.Writer.Dialect}})
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

// meaning lists the records of a file and how many errors it has.
func meaning(data []byte, d Dialect) (out []string) {
	r := NewReader(bytes.NewReader(data), "x", Options{Dialect: d})
	for r.Next() {
		rec := *r.Record()
		rec.Line = 0
		out = append(out, cmpString(&rec))
	}
	for s := range Note {
		out = append(out, s.String(), strings.Repeat("|", r.Diagnostics().Count(s)))
	}
	return out
}
