package nvtxt_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nvtxt"
)

// seeds adds the inputs of testdata to a fuzz target.
func seeds(f *testing.F) {
	files, _ := filepath.Glob("../../annotate/testdata/nsys/*.nvtxt")
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) < 4096 {
			f.Add(b)
		}
	}
	f.Add([]byte("#escapes: \\n \\r \\xHH" + "\n@Marker, Time, Message\r\nMarker, 1, \"a\\n\\x22\"\rMarker, 1.5e-3, x\n"))
	f.Add([]byte("Marker, 1, 2, 3, 4, 5, 6, 7, 8\n@RangeStart, Time, Id\nRangeStart, 1, 2\n@RangeEnd, Time, Id\nRangeEnd, 3, 2"))
}

// FuzzLoad reads anything in both dialects: it must not panic, every message
// has a place in the file, and every event lies in order.
func FuzzLoad(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, o := range []nvtxt.Options{{Dialect: nvtxt.Guide, Notes: true}, {Dialect: nvtxt.Nsys}} {
			file, err := annotate.Load(context.Background(), bytes.NewReader(data), int64(len(data)), "x", annotate.LoadOptions{Options: o})
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
		l := nvtxt.NewLines(&pieces{data: data, n: piece})
		var got []string
		for {
			line, off, _, ok := l.Next()
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
		for _, d := range []nvtxt.Dialect{nvtxt.Guide, nvtxt.Nsys} {
			var once, twice bytes.Buffer
			if _, err := nvtxt.Format(&once, bytes.NewReader(data), d); err != nil {
				return // UTF-16
			}
			if _, err := nvtxt.Format(&twice, bytes.NewReader(once.Bytes()), d); err != nil {
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

// meaning lists the records of a file and how many errors it has.
func meaning(data []byte, d nvtxt.Dialect) (out []string) {
	r := nvtxt.NewReader(bytes.NewReader(data), "x", nvtxt.Options{Dialect: d})
	for r.Next() {
		rec := *r.Record()
		rec.Line = 0
		out = append(out, cmpString(&rec))
	}
	for s := range nvtxt.Note {
		out = append(out, s.String(), strings.Repeat("|", r.Diagnostics().Count(s)))
	}
	return out
}
