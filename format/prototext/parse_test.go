package prototext

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParse(t *testing.T) {
	in := "\ufeff# a comment\r\nIdentifier: \"Sample\" 'Section'\n" +
		"Header{ Metrics < Name : \"a\\n\\x41\\101\\u00e4\" >; Order: [1, -2,0x1f] }\n" +
		"Flag: true, Ratio: -1.5e-3f; Kind: RowMajor\n[com.x/ext] { }\nEmpty: []\nBig: 0xc83feae1569676cb Neg: -inf"
	m, err := Parse("f", in)
	if err != nil {
		t.Fatal(err)
	}
	want := Message{
		{Name: "Identifier", Kind: KindString, Text: "SampleSection"},
		{Name: "Header", Message: Message{
			{Name: "Metrics", Message: Message{{Name: "Name", Kind: KindString, Text: "a\nAAä"}}},
			{Name: "Order", Kind: KindNumber, Text: "1"}, {Name: "Order", Kind: KindNumber, Text: "-2"}, {Name: "Order", Kind: KindNumber, Text: "0x1f"},
		}},
		{Name: "Flag", Kind: KindIdentifier, Text: "true"},
		{Name: "Ratio", Kind: KindNumber, Text: "-1.5e-3f"},
		{Name: "Kind", Kind: KindIdentifier, Text: "RowMajor"},
		{Name: "[com.x/ext]"},
		{Name: "Big", Kind: KindNumber, Text: "0xc83feae1569676cb"},
		{Name: "Neg", Kind: KindIdentifier, Text: "-inf"},
	}
	if d := cmp.Diff(want, m, cmpopts.IgnoreFields(Field{}, "Pos", "Value"), cmpopts.EquateEmpty()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if p := m[1].Message[0].Message[0].Pos; p != (Pos{3, 19}) {
		t.Errorf("Name is at %v", p)
	}
	if v, ok := m[3].Float64(); !ok || v != -0.0015 {
		t.Errorf("Ratio is %v", v)
	}
	if v, ok := m[6].Uint64(); !ok || v != 0xc83feae1569676cb {
		t.Errorf("Big is %x", v)
	}
	if v, ok := m[7].Float64(); !ok || !math.IsInf(v, -1) {
		t.Errorf("Neg is %v", v)
	}
	if v, ok := m[2].Bool(); !ok || !v {
		t.Errorf("Flag is %v", v)
	}
}

func TestSyntaxErrors(t *testing.T) {
	for in, want := range map[string]string{
		"A: \"x\nB: 1":                        "f:1:4: expected the closing \", found the end of the line",
		"A {\n  B: 1\n":                       "f:3:1: expected a field name or '}', found the end of the text",
		"A: 1 }":                              "f:1:6: expected a field name, found \"}\"",
		"A 1":                                 "f:1:3: expected ':' or '{' after A, found \"1\"",
		"A: ":                                 "f:1:4: expected a value of A, found the end of the text",
		"A: - x{":                             "f:1:7: expected a field name, found \"{\"",
		"A: [1 2]":                            "f:1:7: expected ',' or ']', found \"2\"",
		"A: \"\\q\"":                          "f:1:5: expected an escape, found \"\\\\q\"",
		"\x00\x01":                            "f:1:1: expected a field name, found \"\\x00\"",
		"A { B > }":                           "f:1:7: expected ':' or '{' after B, found \">\"",
		strings.Repeat("a{", 1000):            "expected messages at most 64 deep",
		strings.Repeat("{", 1000):             "f:1:1: expected a field name, found \"{\"",
		"[a":                                  "expected a name and ']', found the end of the text",
		"A: 'x":                               "f:1:4: expected the closing ', found the end of the text",
		strings.Repeat("a: 1\n", maxSize/5+1): "expected a text of at most",
	} {
		_, err := Parse("f", in)
		var se *SyntaxError
		if !errors.As(err, &se) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.30q: %v, want %s", in, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("Identifier: \"x\" Header { Metrics { Name: 'a' Label: \"\\u00e4\" } }")
	f.Add("A: [1, -2, 0x3] # c\nB <C: inf;>")
	f.Fuzz(func(t *testing.T, in string) {
		m, err := Parse("f", in)
		if err == nil {
			walk(m)
		}
	})
}

func walk(m Message) {
	for i := range m {
		m[i].Uint64()
		m[i].Int64()
		m[i].Float64()
		m[i].Bool()
		walk(m[i].Message)
	}
}

func BenchmarkParse(b *testing.B) {
	one := "Metrics {\n  Label: \"Theoretical Work\"\n  Name: \"derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2\"\n  Filter { MinArch: CC_70 MaxArch: CC_90 }\n}\n"
	text := strings.Repeat(one, 1_500_000/len(one))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse("f", text); err != nil {
			b.Fatal(err)
		}
	}
}
