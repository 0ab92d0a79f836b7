package rocm

import (
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// markers are what a text tells of roctx: lines with one time each.
type markers struct {
	open   map[string]int // ranges with an id that have begun: position among the calls
	nested []nesting      // lines of id 0
}

// A nesting is a line of id 0: the begin of a range or a mark, with its position
// among the calls, or, with -1, an end.
type nesting struct {
	call int
	at   uint64
}

const maxMarkers = 1 << 20

// roctx reads a marker. Those with an id are ranges: the line with a message
// begins one, the line without ends it. See nest for id 0.
func (t *table) roctx(names []string, m *markers) {
	cell := func(name string) string {
		for i, n := range names {
			if n == name {
				return strings.Clone(t.row[i])
			}
		}
		return ""
	}
	at, err := strconv.ParseUint(cell("Timestamp"), 10, 64)
	if err != nil {
		t.s.problem(FormatError{Line: t.line, Want: "a whole number", Found: "Timestamp " + strconv.Quote(cell("Timestamp")), Err: cursor.ErrCorrupt})
		return
	}
	id, message := cell("ROCTX_ID"), cell("ROCTX_Message")
	n := nesting{len(t.s.Calls), at}
	if message == "" {
		n.call = -1
	}
	switch {
	case id == "0" || id == "":
		if len(m.nested) < maxMarkers {
			m.nested = append(m.nested, n)
		}
	case message == "":
		if k, ok := m.open[id]; ok {
			t.s.Calls[k].End = at
			delete(m.open, id)
		}
	case len(m.open) < maxMarkers:
		m.open[id] = len(t.s.Calls)
	}
	if message != "" {
		t.s.Calls = append(t.s.Calls, Call{Domain: cell("Domain"), Name: message, Start: at, End: at})
	}
}

// nest ends the ranges of id 0, which stands for ranges that nest and for marks.
// The text does not tell these apart: only where every begin has its end there
// are no marks among them. Else all stay points in time.
func (m *markers) nest(calls []Call) {
	if len(m.nested) == maxMarkers {
		return // not all were noted
	}
	depth := 0
	for _, n := range m.nested {
		if n.call >= 0 {
			depth++
		} else if depth--; depth < 0 {
			return
		}
	}
	if depth != 0 {
		return
	}
	var stack []int
	for _, n := range m.nested {
		if n.call >= 0 {
			stack = append(stack, n.call)
			continue
		}
		calls[stack[len(stack)-1]].End = n.at
		stack = stack[:len(stack)-1]
	}
}
