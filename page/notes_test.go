package page

import (
	"fmt"
	"testing"
)

func TestNotes(t *testing.T) {
	var told []string
	n := &notes{to: func(s string) { told = append(told, s) }}
	for i := range 1000 {
		n.add("the same")
		n.add(fmt.Sprint("note ", i))
	}
	n.end()
	if len(told) != mostNotes+1 || told[0] != "the same" || told[mostNotes] != "and 901 notes more" {
		t.Errorf("%d notes, the last %q", len(told), told[len(told)-1])
	}
}
