package lifetime

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// object is a JSON object whose keys keep their order.
type object []field

type field struct {
	key   string
	value value
}

// value is what a report holds: text, a number, an object, a list, or null.
type value interface {
	write(w *bufio.Writer, indent string)
}

type (
	text  string
	float float64
	whole int64
	truth bool
	list  []value
)

func (t text) write(w *bufio.Writer, _ string) {
	b, _ := json.Marshal(string(t)) // a string always can be
	w.Write(b)
}

// A float is printed as Python prints it; NaN and infinity, for which JSON has no
// form, are null.
func (f float) write(w *bufio.Writer, _ string) {
	if v := float64(f); math.IsNaN(v) || math.IsInf(v, 0) {
		w.WriteString("null")
	} else {
		w.WriteString(pythonFloat(v))
	}
}

func (n whole) write(w *bufio.Writer, _ string) { w.WriteString(strconv.FormatInt(int64(n), 10)) }
func (t truth) write(w *bufio.Writer, _ string) { w.WriteString(strconv.FormatBool(bool(t))) }

func (o object) write(w *bufio.Writer, indent string) {
	if len(o) == 0 {
		w.WriteString("{}")
		return
	}
	w.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n" + indent + "    ")
		text(f.key).write(w, "")
		w.WriteString(": ")
		f.value.write(w, indent+"    ")
	}
	w.WriteString("\n" + indent + "}")
}

func (l list) write(w *bufio.Writer, indent string) {
	if len(l) == 0 {
		w.WriteString("[]")
		return
	}
	w.WriteByte('[')
	for i, v := range l {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n" + indent + "    ")
		v.write(w, indent+"    ")
	}
	w.WriteString("\n" + indent + "]")
}

// writeJSON writes an object indented by four blanks, as Python's json does.
func writeJSON(w io.Writer, o object) error {
	b := bufio.NewWriter(w)
	o.write(b, "")
	b.WriteByte('\n')
	return b.Flush()
}
