package kineto

import "bytes"

// eventKeys are the keys that an event may begin with.
var eventKeys = [...]string{"ph", "cat", "name", "pid", "tid", "ts", "dur", "args", "id", "s", "bp"}

// resume passes over what cannot be read, to the next place where an event
// begins or the array of events ends. It is false when there is none.
func (p *parser) resume() bool {
	p.i++
	for {
		if at := p.nextStart(p.i); at >= 0 {
			p.i = at
			return true
		}
		p.i = max(p.i, p.n-256) // a start may lie across the end of the window
		if !p.more() {
			p.i = p.n
			return false
		}
	}
}

// nextStart finds the brace of an event, or the bracket at the beginning of a
// line that ends the array; -1 if there is none in the window. An event begins
// behind a comma or bracket with one of the keys of events, so that a brace in a
// name that was not escaped is not taken for one.
func (p *parser) nextStart(i int) int {
	b := p.b[:p.n+1]
	for ; i < p.n; i++ {
		k := bytes.IndexAny(b[i:p.n], "{]")
		if k < 0 {
			return -1
		}
		i += k
		before := i - 1
		line := false
		for before >= 0 && b[before]-1 < ' ' {
			line = line || b[before] == '\n'
			before--
		}
		if b[i] == ']' {
			if line && endsArray(b, p.n, i) {
				return i
			}
			continue
		}
		if before >= 0 && b[before] != ',' && b[before] != '[' && b[before] != '}' {
			continue
		}
		if q := space(b, i+1); b[q] == '"' {
			if name, _, out := key(b, p.n, q); out == done && isEventKey(name.of(b)) {
				return i
			}
		}
	}
	return -1
}

func isEventKey(name []byte) bool {
	for _, k := range eventKeys {
		if string(name) == k {
			return true
		}
	}
	return false
}

// endsArray reports whether behind the bracket at i stands what may follow the
// array of events: another key, the end of the object or of the text.
func endsArray(b []byte, n, i int) bool {
	i = space(b, i+1)
	if b[i] == ',' {
		i = space(b, i+1)
		return b[i] == '"' || b[i] == '}'
	}
	return b[i] == '}' || i >= n
}
