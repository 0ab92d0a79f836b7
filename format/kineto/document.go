package kineto

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mostMeta is the largest value beside the events that is kept.
const mostMeta = 1 << 20

// document reads the whole text: an object with traceEvents, or an array of
// events.
func (p *parser) document() error {
	if p.peek(); bytes.HasPrefix(p.b[p.i:p.n], []byte("\xef\xbb\xbf")) {
		p.i += 3
	}
	switch c := p.peek(); c {
	case '{':
		p.object()
	case '[':
		p.i++
		p.seen = true
		p.events()
	case 0:
		if p.i >= p.n && !p.cut() {
			return p.not("an empty file")
		}
		fallthrough
	default:
		if p.cut() {
			return &formatError{File: p.t.File, Offset: p.base + int64(p.n), Want: "a trace", Found: p.last.Error(), Err: errTruncated}
		}
		return p.not("a file that begins with " + quote(p.b[p.i:min(p.i+16, p.n)]))
	}
	if !p.seen {
		what := "JSON without traceEvents"
		if p.instead != "" {
			what = p.instead
		}
		if n := Neighbour(p.head); n != "" {
			what = n
		}
		return p.not(what)
	}
	if p.last != nil && !p.cut() && p.peek() != 0 && p.closedAll {
		p.tell(p.i, "the end of the file", "more text behind the trace, which is left out", errCorrupt)
	}
	return nil
}

func (p *parser) not(found string) error {
	return &formatError{File: p.t.File, Want: "a trace: an object with traceEvents or an array of events", Found: found, Err: errNotTrace}
}

// object reads the keys of the outermost object.
func (p *parser) object() {
	p.i++
	for {
		switch c := p.peek(); c {
		case ',':
			p.i++
			continue
		case '}':
			p.i++
			p.closedAll = true
			p.peek()
			return
		case '"':
		case 0:
			if p.i >= p.n {
				p.ended("the end of the object")
				return
			}
			fallthrough
		default:
			if !p.lostKey("a key") {
				return
			}
			continue
		}
		k, at, out := p.keyAt()
		if out != done {
			if out == short || !p.lostKey("a key with its colon") {
				return
			}
			continue
		}
		p.i = at
		if p.peek(); k == "traceEvents" && p.b[p.i] == '[' {
			if p.seen {
				p.tell(p.i, "traceEvents once", "traceEvents again: its events replace those before", errCorrupt)
				p.restart()
			}
			p.i++
			p.seen = true
			if !p.events() {
				return
			}
			continue
		}
		if p.instead == "" && strings.EqualFold(k, "traceEvents") {
			p.instead = fmt.Sprintf("%s that begins with %s", quote([]byte(k)), quote(p.b[p.i:min(p.i+1, p.n)]))
		}
		if !p.meta(k) {
			return
		}
	}
}

// keyAt reads the key at hand, with as much text as it needs.
func (p *parser) keyAt() (name string, next int, out outcome) {
	for {
		k, at, out := key(p.b, p.n, p.i)
		if out == done {
			return string(unescape(k.of(p.b))), at, done
		}
		if out == bad {
			return "", at, bad
		}
		if !p.more() {
			p.ended("a key")
			return "", 0, short
		}
	}
}

// meta keeps the value of a key beside the events.
func (p *parser) meta(name string) bool {
	for {
		v, at, out := value(p.b, p.n, p.i)
		if out == short && p.more() {
			continue
		}
		if out != done {
			if out == short {
				p.ended("the value of " + quote([]byte(name)))
				return false
			}
			p.i = at
			return p.lostKey("a value")
		}
		text := p.b[p.i:at]
		p.i = at
		if len(text) > mostMeta {
			p.tell(p.i-len(text), fmt.Sprintf("at most %d bytes in %s", mostMeta, quote([]byte(name))), fmt.Sprintf("%d, which are left out", len(text)), errTooLarge)
			return true
		}
		if name == "baseTimeNanoseconds" && v.kind != nested {
			p.t.Base, p.t.HasBase = integer(v.of(p.b))
		}
		p.keep(Entry{name, string(text)})
		return true
	}
}

func (p *parser) keep(e Entry) {
	for i := range p.t.Meta {
		if p.t.Meta[i].Key == e.Key {
			p.t.Meta[i] = e
			return
		}
	}
	if len(p.t.Meta) < 10_000 {
		p.t.Meta = append(p.t.Meta, e)
	}
}

// lostKey tells of a fault beside the events, and goes on at traceEvents if that
// is still to come.
func (p *parser) lostKey(want string) bool {
	p.tell(p.i, want, quote(p.b[p.i:min(p.i+1, p.n)]), errCorrupt)
	if p.seen {
		return false // the events are read; what follows is not worth a guess
	}
	mark := []byte(`"traceEvents"`)
	for p.i++; ; {
		if k := bytes.Index(p.b[p.i:p.n], mark); k >= 0 {
			p.i += k
			return true
		}
		p.i = max(p.i, p.n-len(mark))
		if !p.more() {
			p.i = p.n
			return false
		}
	}
}

// ended tells that the text ends too early.
func (p *parser) ended(want string) {
	p.closedAll = false
	found := "the end of the file"
	switch {
	case p.cut():
		found = p.last.Error()
	case p.full():
		found = fmt.Sprintf("more than %d bytes", mostWindow)
	}
	p.tell(p.i, want, found, errTruncated)
}

// events reads the elements of the array of events. It is false when the text
// ended before the array.
func (p *parser) events() bool {
	for count := 0; ; count++ {
		if count&0xfff == 0 && p.cancelled() {
			return false
		}
		switch c := p.peek(); c {
		case '{':
			if !p.element() {
				return false
			}
		case ',':
			p.i++
		case ']':
			p.i++
			p.closedAll = true
			return true
		default:
			if p.i >= p.n {
				if p.array && !p.cut() {
					return false // the bracket may be missing in this form
				}
				p.ended("the end of the array of events")
				return false
			}
			if v, at, out := value(p.b, p.n, p.i); out == done && v.kind != nested { // null, 1
				p.skipped++
				p.i = at
				continue
			}
			if !p.fault(p.i, "an event") {
				return false
			}
		}
	}
}

// element reads the event at hand.
func (p *parser) element() bool {
	for {
		at, out := p.f.event(p.b, p.n, p.i)
		switch out {
		case done:
			p.add(p.i, at)
			p.here(p.i, at)
			p.i = at
			return true
		case bad:
			return p.fault(at, "a key, a comma or the end of the event")
		}
		if p.more() {
			continue
		}
		if p.full() {
			p.ended("the end of an event")
			p.skipped++
			return p.resume()
		}
		p.ended("the end of an event")
		p.i = p.n
		return false
	}
}

// fault skips an event that cannot be read.
func (p *parser) fault(at int, want string) bool {
	p.skipped++
	if p.skipped <= mostProblems {
		p.tell(at, want, quote(p.b[at:min(at+1, p.n)])+"; the event is left out", errCorrupt)
	}
	if p.resume() {
		return true
	}
	p.ended("the end of the array of events")
	return false
}

// quote shows bytes of the file within a sentence.
func quote(b []byte) string {
	if len(b) > 40 {
		b = b[:40]
	}
	return fmt.Sprintf("%q", b)
}

// settle fills what the keys beside the events say.
func (p *parser) settle() {
	t := p.t
	for _, e := range t.Meta {
		switch e.Key {
		case "deviceProperties", "computeProperties":
			t.Devices = devices(e.Value)
		case "distributedInfo":
			t.distributed(e.Value)
		case "schemaVersion", "cupti_version", "roctracer_version", "record_shapes", "with_stack", "traceName":
			t.PyTorch = true
		}
	}
	for _, c := range t.Counts {
		if kindOf([]byte(c.Category)) != kindOther {
			t.PyTorch = true
		}
	}
}

// devices reads deviceProperties: a list, or an object of them by number. What is no
// device is left out, and numbers that do not fit are 0.
func devices(text string) []Device {
	var out []Device
	add := func(e any, id int64) {
		if d, ok := e.(map[string]any); ok {
			out = append(out, device(d, id))
		}
	}
	var list []any
	var byNumber map[string]any
	switch {
	case decode(text, &list) == nil:
		for i, e := range list {
			add(e, int64(i))
		}
	case decode(text, &byNumber) == nil:
		for _, k := range slices.Sorted(maps.Keys(byNumber)) {
			id, _ := integer([]byte(k))
			add(byNumber[k], id)
		}
	}
	return out
}

// device reads an element of deviceProperties; id is its number where it tells none.
func device(d map[string]any, id int64) Device {
	n := func(keys ...string) int64 {
		for _, k := range keys {
			if v, ok := d[k]; ok {
				x, _ := integer([]byte(fmt.Sprint(v)))
				return x
			}
		}
		return 0
	}
	name, _ := d["name"].(string)
	dev := Device{ID: id, Name: name, Memory: n("totalGlobalMem"), Major: n("computeMajor", "major"), Minor: n("computeMinor", "minor"),
		SMs: n("numSms", "maxComputeUnits"), Warp: n("warpSize"), MaxThreadsBlock: n("maxThreadsPerBlock", "maxWorkGroupSize"), MaxThreadsSM: n("maxThreadsPerMultiprocessor"),
		RegistersBlock: n("regsPerBlock"), RegistersSM: n("regsPerMultiprocessor"), SharedBlock: n("sharedMemPerBlock"),
		SharedSM: n("sharedMemPerMultiprocessor", "maxSharedMemoryPerMultiProcessor"), SharedBlockOptin: n("sharedMemPerBlockOptin")}
	if _, ok := d["id"]; ok {
		dev.ID = n("id")
	}
	return dev
}

// distributed reads distributedInfo.
func (t *Trace) distributed(text string) {
	var d map[string]any
	if decode(text, &d) != nil {
		return
	}
	num := func(v any) int64 {
		if n, ok := integer([]byte(fmt.Sprint(v))); ok {
			return n
		}
		return -1
	}
	t.Rank, t.World = num(d["rank"]), num(d["world_size"])
	list, _ := d["pg_config"].([]any)
	for _, e := range list {
		m, ok := e.(map[string]any)
		if !ok {
			continue
		}
		str := func(k string) string {
			if m[k] == nil {
				return ""
			}
			return fmt.Sprint(m[k])
		}
		ranks, _ := json.Marshal(m["ranks"])
		t.Groups = append(t.Groups, ProcessGroup{Name: str("pg_name"), Description: str("pg_desc"), Backend: str("backend_config"),
			Size: num(m["pg_size"]), Ranks: strings.Trim(string(ranks), `"`)})
	}
}

func decode(text string, into any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}
