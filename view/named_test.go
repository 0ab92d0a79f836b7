package view

import (
	"bytes"
	"testing"
)

// TestRagged ends lines where their text ends.
func TestRagged(t *testing.T) {
	d := &Document{Sections: []Section{{Items: []Item{{Table: &Table{Layout: &Layout{Ragged: true},
		Columns: []Column{{Name: "n", Type: Number}, {Name: "text", Type: Text}},
		Rows:    [][]Value{{Uint(10, ""), String("longer than the name")}, {Uint(9, ""), String("short")}, {Uint(8, ""), Null}, {String(""), Null}}}}}}}}
	var b bytes.Buffer
	if err := Render(&b, d, FormatText, Options{}); err != nil {
		t.Fatal(err)
	}
	if want := " n text\n-- ----\n10 longer than the name\n 9 short\n 8\n\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// TestNamed shows people the name and programs the number.
func TestNamed(t *testing.T) {
	tb := &Table{ID: "t", Columns: []Column{{Name: "space", Type: Number}}, Rows: [][]Value{{Named(20, "Global,Shared")}, {Named(0, "")}, {Missing("-")}},
		Layout: &Layout{Preamble: [][]Value{{String("Kernel Name"), String(`a "b"`), Null}}}}
	d := &Document{Sections: []Section{{Title: "one", Items: []Item{{Table: tb}, {Table: tb}}}}}
	table := "\"Kernel Name\",\"a \"\"b\"\"\",\n\"space\"\n\"Global,Shared\"\n\"\"\n\"-\"\n"
	for _, c := range []struct {
		format Format
		want   string
	}{
		{FormatCSV, table + table}, // in place of titles and empty lines
		{FormatJSON, `"rows":[[20],[0],[null]]`},
		{FormatText, "Global,Shared\n"},
	} {
		var b bytes.Buffer
		if err := Render(&b, d, c.format, Options{}); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); c.format == FormatCSV && got != c.want || !bytes.Contains(b.Bytes(), []byte(c.want)) {
			t.Errorf("%s: got\n%s\nwant %s", c.format, got, c.want)
		}
	}
}
