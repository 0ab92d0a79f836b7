package torchmem

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// pickle writes a pickle of protocol 2 out of lists, tuples, maps in the order of pairs,
// texts, numbers and None; again is the memo of a list that was put.
type (
	pairs []any // key, value, key, value
	tuple []any
	keep  struct{ list []any } // puts it into memo 0
	again struct{}
)

func pickle(v any) []byte {
	var b bytes.Buffer
	b.WriteString("\x80\x02")
	var add func(v any)
	all := func(list []any, begin, end string) {
		b.WriteString(begin)
		for _, x := range list {
			add(x)
		}
		b.WriteString(end)
	}
	add = func(v any) {
		switch v := v.(type) {
		case nil:
			b.WriteByte('N')
		case int:
			fmt.Fprintf(&b, "I%d\n", v)
		case string:
			fmt.Fprintf(&b, "V%s\n", v)
		case []any:
			all(v, "](", "e")
		case tuple:
			all(v, "(", "t")
		case pairs:
			all(v, "}(", "u")
		case keep:
			b.WriteString("]q\x00")
			all(v.list, "(", "e")
		case again:
			b.WriteString("h\x00")
		}
	}
	add(v)
	b.WriteByte('.')
	return b.Bytes()
}

// TestShapes reads snapshots that went through the hands of a program: tuples for lists,
// None for what was off, keys left out.
func TestShapes(t *testing.T) {
	frame := pairs{"filename", "a.py", "line", 3, "name", "f"}
	event := pairs{"action", "alloc", "addr", 4096, "size", 512, "frames", tuple{frame}}
	block := pairs{"address", 4096, "size", 512, "state", "active_allocated", "frames", tuple{frame}}
	segment := pairs{"device", 0, "address", 4096, "total_size", 2048, "blocks", tuple{block}}
	for _, c := range []struct {
		what     string
		snapshot any
		want     string // segments, reserved, events of each trace, frames of the first block or event
	}{
		{"lists", pairs{"segments", []any{segment}, "device_traces", []any{[]any{event, event}}}, "1 2048 [2] a.py:3 f"},
		{"tuples", pairs{"segments", tuple{segment}, "device_traces", tuple{tuple{event}, tuple{}}}, "1 2048 [1 0] a.py:3 f"},
		{"no history", pairs{"segments", []any{segment}, "device_traces", nil}, "1 2048 [] a.py:3 f"},
		{"no segments", pairs{"device_traces", []any{[]any{event}}}, "0 0 [1] a.py:3 f"},
		{"segments are None", pairs{"segments", nil, "device_traces", []any{[]any{event}}}, "0 0 [1] a.py:3 f"},
		{"no size of the segment", pairs{"segments", []any{pairs{"blocks", []any{block, block}}}}, "1 1024 [] a.py:3 f"},
	} {
		s, err := readBytes(pickle(c.snapshot))
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		reserved, stack, events := int64(0), uint32(0), []int{}
		for _, g := range s.Segments {
			reserved, stack = reserved+g.Total, g.Blocks[0].Stack
		}
		for i := range s.Traces {
			events = append(events, s.Traces[i].Len())
		}
		if stack == 0 && s.Events.Stack.Len() > 0 {
			stack = s.Events.Stack.At(0)
		}
		got := fmt.Sprintf("%d %d %v", len(s.Segments), reserved, events)
		for _, f := range s.Stack(stack) {
			got += fmt.Sprintf(" %s:%d %s", f.File, f.Line, f.Name)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// TestSharedRecords refuses files in which a few records become billions by reference.
func TestSharedRecords(t *testing.T) {
	repeat := func(n int, v any) (list []any) {
		for range n {
			list = append(list, v)
		}
		return list
	}
	events := repeat(3000, pairs{"action", "alloc"})
	blocks := repeat(3000, pairs{"size", 5, "state", "inactive"})
	segment := func(blocks any) any { return pairs{"blocks", blocks} }
	for what, snapshot := range map[string]any{
		"traces": pairs{"segments", []any{}, "device_traces", append([]any{keep{events}}, repeat(1000, again{})...)},
		"blocks": pairs{"segments", append([]any{segment(keep{blocks})}, repeat(1000, segment(again{}))...)},
	} {
		if s, err := readBytes(pickle(snapshot)); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v, %v", what, s != nil, err)
		}
	}
}

func TestProse(t *testing.T) {
	if _, err := readBytes([]byte("hello world, no pickle\n")); err == nil || !strings.Contains(err.Error(), `expected a pickle, found text that begins with "hello world, no "`) {
		t.Error(err)
	}
}
