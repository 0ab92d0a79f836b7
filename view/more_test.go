package view

import (
	"bytes"
	"fmt"
	"testing"
)

// TestMoreLooksTheSame: rows that are made when they are wanted look as those that
// are there, in every format, and text keeps none of them.
func TestMoreLooksTheSame(t *testing.T) {
	rows := make([][]Value, 3000)
	for i := range rows {
		rows[i] = []Value{Int(int64(i*i), "ns"), String(fmt.Sprintf("name %d\nof several lines", i%7)), Float(float64(i)/3, "%")}
	}
	rows[2999][1] = String("the last is the widest of all names, and wraps")
	for _, f := range Formats() {
		for _, frame := range []Frame{FrameHeader, FrameOpen, FrameFull} {
			render := func(late bool) string {
				tb := Table{ID: "t", Title: "T", Layout: &Layout{Frame: frame}, Columns: []Column{{Name: "a", Unit: "ns", Type: Number}, {Name: "b", Type: Text, MaxWidth: 20}, {Name: "c", Unit: "%", Type: Number}}}
				if late {
					tb.More = func(yield func([]Value) bool) {
						buf := make([]Value, 3)
						for _, r := range rows {
							copy(buf, r)
							if !yield(buf) {
								return
							}
						}
					}
				} else {
					tb.Rows = rows
				}
				s := Section{ID: "s", Title: "S"}
				s.AddTable(&tb)
				var b bytes.Buffer
				if err := Render(&b, &Document{Title: "d", Sections: []Section{s}}, Format(f), Options{}); err != nil {
					t.Fatal(err)
				}
				return b.String()
			}
			if a, b := render(false), render(true); a != b || len(a) < 3000 {
				t.Errorf("%s, frame %v: %d bytes, and %d when made late", f, frame, len(a), len(b))
			}
		}
	}
}
