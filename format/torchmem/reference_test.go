package torchmem

import (
	"bytes"
	"context"
	"testing"
)

// TestReferences reads stacks that are spelled alike, before and after a number of
// the memo came to stand for another frame.
func TestReferences(t *testing.T) {
	short := func(s string) string { return "\x8c" + string(rune(len(s))) + s }
	frame := func(name string) string {
		return "}(" + short("filename") + short("a.py") + short("line") + "K\x07" + short("name") + short(name) + "uq\x00"
	}
	list := "](j\x00\x00\x00\x00j\x00\x00\x00\x00e"
	p := newParser(context.Background(), "t")
	p.src = bytes.NewReader([]byte(frame("f") + list + list + frame("g") + list + list + "](j\x00\x00\x00\x00K\x01e."))
	if _, ok := p.run(); !ok {
		t.Fatal(p.err)
	}
	var got []string
	for _, v := range p.stack {
		if v.kind() != kindList {
			continue
		}
		o := p.list(v)
		if o.tag() != objStack {
			t.Fatalf("a list of frames is %x", uint32(o))
		}
		s := p.snap.Stack(uint32(o.row()))
		got = append(got, s[0].Name+s[1].Name)
	}
	if len(got) != 4 || got[0] != "ff" || got[1] != "ff" || got[2] != "gg" || got[3] != "gg" {
		t.Errorf("stacks %q", got)
	}
	if len(p.spelled) != 0 {
		t.Errorf("%d spellings are kept of a memo that has changed", len(p.spelled))
	}
}

// TestReferencesOfOthers leaves a list alone that is no stack.
func TestReferencesOfOthers(t *testing.T) {
	for _, ops := range []string{"K\x05q\x00](j\x00\x00\x00\x00e.", "](j\x09\x00\x00\x00e.", "]K\x01(j\x00\x00\x00\x00e."} {
		p := newParser(context.Background(), "t")
		p.src = bytes.NewReader([]byte(ops))
		if v, ok := p.run(); ok && p.list(v).tag() != objGeneric {
			t.Errorf("%q is %x", ops, uint32(p.list(v)))
		}
	}
}
