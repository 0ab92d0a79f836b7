package view

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

func TestHTMLIsEscaped(t *testing.T) {
	evil := "<script>alert(1)</script>\x1b[31m\x00&\"'"
	s := Section{Title: evil, Description: evil}
	s.AddMessage(&Message{Type: Warning, Text: evil})
	s.AddTable(&Table{Title: evil, Columns: []Column{{Name: "name", Label: evil, Type: Text}, {Name: "v", Type: Number, Unit: "second"}, {Name: "hidden", For: Programs}},
		Rows: [][]Value{{String(evil), Float(1500, "second"), String("not to be seen")}}})
	var b bytes.Buffer
	if err := WriteHTML(&b, &Document{Title: evil, Sections: []Section{s}}, Options{}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	if strings.Contains(got, "<script") || strings.ContainsAny(got, "\x1b\x00") || strings.Contains(got, "not to be seen") || !strings.Contains(got, ">1.50<") {
		t.Errorf("%s", got)
	}
	d := xml.NewDecoder(strings.NewReader(got))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
	}
}
