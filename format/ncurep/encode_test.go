package ncurep

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
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
				same[blockHeader](t, "block header", b.header.off, raw)
				total++
			}
			for _, r := range f.Results {
				total += sameField[Section](t, r, resultSections)
				total += sameField[RuleResult](t, r, resultRules)
				total += sameField[NvtxState](t, r, resultNvtx)
				total += sameField[CallStack](t, r, resultCallStack)
				total += sameField[Comment](t, r, resultComments)
				h := r.ResultHeader
				if got := h.Unknown.numbers(); len(got) > 0 && !slices.Equal(got, []int{31}) { // an empty message; its meaning is not known
					t.Errorf("result %d: unknown fields %v", r.Index, got)
				}
				h.Unknown = nil
				wantKnown(t, "result header", reflect.ValueOf(h))
			}
		})
	}
	if total < 2500 {
		t.Errorf("only %d messages seen", total)
	}
}

func sameField[M any](t *testing.T, r *Result, num int) int {
	n := 0
	check(t, r.each(num, func(_ *decoder, v wireValue) {
		same[M](t, r.FunctionName, v.at, v.b)
		n++
	}))
	return n
}

func same[M any](t *testing.T, what string, at int64, raw []byte) {
	t.Helper()
	d := newDecoder("", at, raw)
	m := newMessage[M](d, wireValue{b: raw, at: at})
	check(t, d.problems.err())
	wantKnown(t, fmt.Sprintf("%s at %d", what, at), reflect.ValueOf(m).Elem())
	if got := appendMessage[M](nil, m); !bytes.Equal(got, raw) {
		i := 0
		for i < len(got) && i < len(raw) && got[i] == raw[i] {
			i++
		}
		t.Errorf("%s at %d: %T encodes to %d bytes that differ from the %d read at byte %d", what, at, m, len(got), len(raw), i)
	}
}

// wantKnown checks that no message in v has fields without a name.
func wantKnown(t *testing.T, what string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			wantKnown(t, what, v.Elem())
		}
	case reflect.Slice:
		if u, ok := v.Interface().(Unknown); ok {
			if len(u) > 0 {
				t.Errorf("%s: unknown fields %v", what, u.numbers())
			}
			return
		}
		for i := range v.Len() {
			wantKnown(t, what, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Value]() {
			return
		}
		for i := range v.NumField() {
			wantKnown(t, what+"."+v.Type().Field(i).Name, v.Field(i))
		}
	}
}
