package amd

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func seed(f *testing.F, ext string) {
	for _, name := range vectors(f, ext) {
		if s := readFile(f, name); len(s) < 8<<10 {
			f.Add(s)
		}
	}
}

// FuzzTrace: no input makes the reader fail but with an error that names the
// file, and what was read is read again from what is written.
func FuzzTrace(f *testing.F) {
	seed(f, "atp")
	f.Add(small[:400])
	f.Fuzz(func(t *testing.T, text string) {
		tr, err := ReadTrace(strings.NewReader(text), int64(len(text)), "t.atp")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "t.atp:") {
				t.Fatalf("error without file: %v", err)
			}
			return
		}
		for _, p := range tr.Problems {
			if p.Line < 1 || p.Line > strings.Count(text, "\n")+2 {
				t.Errorf("problem on line %d: %v", p.Line, p)
			}
		}
		for _, m := range tr.Modules() {
			for _, th := range tr.Threads(m) {
				for i := range th.Len() {
					c := th.Call(i)
					SplitArgs(nil, c.Args)
					th.Times(i)
				}
			}
		}
		for _, s := range tr.Sections {
			for _, b := range s.Blocks {
				for _, l := range b.Lines {
					ParseFrame(l)
				}
			}
		}
		again := traceText(t, tr)
		sameTrace(t, readTrace(t, again), tr)
	})
}

func FuzzCounters(f *testing.F) {
	f.Add(counterFile)
	f.Add(strings.ReplaceAll(counterFile, ",", ";"))
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadCounters(strings.NewReader(text), int64(len(text)), "f.csv")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.csv:") {
				t.Fatalf("error without file: %v", err)
			}
			return
		}
		var b bytes.Buffer
		if _, err := c.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		again := readCounters(t, b.String())
		if len(again.Rows) != len(c.Rows) || len(again.Columns) != len(c.Columns) {
			t.Fatalf("%d rows of %d columns, read again %d of %d", len(c.Rows), len(c.Columns), len(again.Rows), len(again.Columns))
		}
		for i := range c.Rows {
			x, _ := c.Cells(nil, i)
			y, _ := again.Cells(nil, i)
			if strings.Join(x, "\x01") != strings.Join(y, "\x01") {
				t.Fatalf("row %d: %q, read again %q", i, x, y)
			}
			c.Kernel(x)
		}
	})
}

func FuzzOccupancy(f *testing.F) {
	seed(f, "occupancy")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ReadOccupancy(strings.NewReader(text), int64(len(text)), "f.occupancy")
		if err != nil {
			var fe *FormatError
			if !errors.As(err, &fe) || fe.File != "f.occupancy" {
				t.Fatalf("error without place: %v", err)
			}
			return
		}
		for i := range o.Len() {
			o.Row(i)
		}
	})
}
