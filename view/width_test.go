package view

import (
	"bytes"
	"strings"
	"testing"
)

// TestWideCell: one wide cell does not make all rows as wide, and is printed whole.
func TestWideCell(t *testing.T) {
	tb := &Table{Columns: []Column{{Name: "a", Label: "A", Type: Text}, {Name: "b", Label: "B", Type: Text}}}
	wide := strings.Repeat("w", 70_000)
	tb.Rows = append(tb.Rows, []Value{String(wide), String("x")})
	content := len(wide)
	for range 3000 {
		tb.Rows = append(tb.Rows, []Value{String("narrow"), String("x")})
		content += 7
	}
	var s Section
	s.AddTable(tb)
	var b bytes.Buffer
	if err := Render(&b, &Document{Sections: []Section{s}}, FormatText, Options{}); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 30*content || !strings.Contains(b.String(), wide) {
		t.Errorf("%d bytes of text for %d bytes of cells", b.Len(), content)
	}
	// A table of a usual size keeps its columns as wide as their widest cell.
	tb.Rows = tb.Rows[:3]
	b.Reset()
	if err := Render(&b, &Document{Sections: []Section{s}}, FormatText, Options{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "narrow"+strings.Repeat(" ", 70_000-6)+" x") {
		t.Error("columns of a small table are not aligned")
	}
}
