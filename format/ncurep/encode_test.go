package ncurep

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// TestMessagesEncodeBack decodes every message of the corpus that has a field
// table, encodes it and expects the very bytes: the tables know all fields, in
// the writer's order.
func TestMessagesEncodeBack(t *testing.T) {
	total := 0
	for _, name := range corpusFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := OpenFile(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for _, b := range f.Blocks {
				raw, err := f.in.bytes(b.header)
				check(t, err)
				same[BlockHeader](t, "block header", b.header.off, raw)
				total++
			}
			for _, r := range f.Results {
				total += sameField[Section](t, r, resultSections)
				total += sameField[RuleResult](t, r, resultRules)
				total += sameField[NvtxState](t, r, resultNvtx)
				total += sameField[CallStack](t, r, resultCallStack)
				total += sameField[Comment](t, r, resultComments)
				if u := r.Unknown; len(u) > 0 {
					t.Logf("result %d: unknown fields %v", r.Index, u.Numbers())
				}
			}
		})
	}
	if total < 2500 {
		t.Errorf("only %d messages seen", total)
	}
}

func sameField[M any, P message[M]](t *testing.T, r *Result, num int) int {
	n := 0
	check(t, r.each(num, func(_ *decoder, v wireValue) {
		same[M, P](t, r.FunctionName, v.at, v.b)
		n++
	}))
	return n
}

func same[M any, P message[M]](t *testing.T, what string, at int64, raw []byte) {
	t.Helper()
	d := newDecoder("", at, raw)
	m := newMessage[M, P](d, wireValue{b: raw, at: at})
	check(t, d.problems.err())
	if u := *P(m).table().unknown(m); len(u) > 0 {
		t.Errorf("%s at %d: %T has unknown fields %v", what, at, m, u.Numbers())
	}
	if got := appendMessage[M, P](nil, m); !bytes.Equal(got, raw) {
		i := 0
		for i < len(got) && i < len(raw) && got[i] == raw[i] {
			i++
		}
		t.Errorf("%s at %d: %T encodes to %d bytes that differ from the %d read at byte %d", what, at, m, len(got), len(raw), i)
	}
}

var _ = cursor.Len
