package nsysrep

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"
)

// message encodes fields: numbers, and what they hold, an int or bytes.
func message(fields ...any) (b []byte) {
	for i := 0; i < len(fields); i += 2 {
		num := uint64(fields[i].(int))
		switch v := fields[i+1].(type) {
		case int:
			b = binary.AppendUvarint(binary.AppendUvarint(b, num<<3), uint64(v))
		case []byte:
			b = binary.AppendUvarint(binary.AppendUvarint(b, num<<3|2), uint64(len(v)))
			b = append(b, v...)
		}
	}
	return b
}

// reportOf makes a report of one frame.
func reportOf(t *testing.T, events ...[]byte) *Index {
	t.Helper()
	var frame []byte
	for _, e := range events {
		frame = append(frame, message(1, e)...)
	}
	b := append([]byte(Magic+"1."+rawMagic+"\x00\x00"), pack(frame)...)
	f, err := Open(bytes.NewReader(b), int64(len(b)), "made")
	if err != nil {
		t.Fatal(err)
	}
	x, err := f.Index(context.Background(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestDetails reads events of which the corpus has no example: the detail of a
// call of OpenACC, the making of a graph, and the payload of an NVTX event.
func TestDetails(t *testing.T) {
	acc := func(in ...any) []byte {
		return message(1, 47, 108, message(1, 10, 2, 20, 6, 48, 7, 3, 13, 99, 25, message(append([]any{1, 5, 5, 2, 11, 77, 16, 1, 17, 9, 20, 4}, in...)...)))
	}
	x := reportOf(t,
		acc(102, message(1, 4096, 4, 8)), acc(101, message(1, 32, 4, 7)), acc(),
		message(1, 131, 108, message(1, 30, 6, 94, 37, message(1, 1, 2, 2))),
		message(1, 59, 102, message(1, 59, 2, 40, 7, []byte("text"), 8, message(4, 5))))
	for _, c := range []struct {
		kind Kind
		want map[int]int64
	}{
		{OpenACCData, map[int]int64{1: 10, 13: 99, OpenACCDetail + 11: 77, OpenACCDetail + 17: 9, OpenACCDataDetail + 1: 4096, OpenACCDataDetail + 4: 8}},
		{OpenACCLaunch, map[int]int64{OpenACCDetail + 1: 5, OpenACCLaunchDetail + 1: 32, OpenACCLaunchDetail + 4: 7}},
		{OpenACCOther, map[int]int64{7: 3, OpenACCDetail + 20: 4}},
		{Graph, map[int]int64{GraphDetail + 1: 1, GraphDetail + 2: 2}},
		{NVTX, map[int]int64{2: 40, PayloadDetail + 4: 5}},
	} {
		rows := 0
		err := x.Scan(context.Background(), Want{Kind: c.kind, Columns: 1<<maxColumns - 1}, func(b *Batch) error {
			rows += b.N
			for column, want := range c.want {
				if got := b.Column(column)[0]; got != want || !b.Has(column, 0) {
					t.Errorf("kind %d: column %d is %d, want %d", c.kind, column, got, want)
				}
			}
			if c.kind == NVTX && string(b.Text(7, 0)) != "text" {
				t.Errorf("the text is %q", b.Text(7, 0))
			}
			return nil
		})
		if rows != 1 || err != nil {
			t.Errorf("kind %d: %d rows, want 1; %v", c.kind, rows, err)
		}
	}
	if len(x.Unknown) > 0 {
		t.Errorf("not understood: %v", x.Unknown)
	}
}

// TestUnknown counts what is not known, and keeps what stands beside it.
func TestUnknown(t *testing.T) {
	x := reportOf(t,
		message(1, 200, 111, message(1, 1)), message(1, 200, 111, message(1, 2)), // a family
		message(1, 48, 108, message(1, 10, 6, 53)), // a class
		message(1, 41, 106, message(1, 10, 90, 1)), // a field
		message(1, 31, 104, message(1, 10, 5, message(9, 9), 4, message(1, 2), 4, message(1, 3))))
	frames := 0
	for _, w := range []Want{{Kind: Sample, Columns: 2}, {Kind: Sample, Stacks: true, Columns: 1<<1 | 1<<stackDepth}} {
		err := x.Scan(context.Background(), w, func(b *Batch) error {
			if w.Stacks {
				frames = b.N
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for u, want := range map[Unknown]int{
		{Type: 200, Family: 111}:               2,
		{Type: 48, Family: 108, Class: 53}:     1,
		{Type: 41, Family: 106, Field: 90}:     1,
		{Kind: Sample, Inside: true, Field: 9}: 1,
	} {
		if got := x.Unknown[u]; got != want {
			t.Errorf("%v: %d counted, want %d", u, got, want)
		}
	}
	if n, _, _ := x.Count(Sched); n != 1 || frames != 2 {
		t.Errorf("%d events beside an unknown field, want 1; %d frames, want 2", n, frames)
	}
}
