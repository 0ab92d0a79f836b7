package kineto

// fields are those of one event, as spans of the window.
type fields struct {
	name, cat, ph, id, ts, dur, pid, tid, other span
	args                                        args
}

// args are the members of args whose names are known, and those that are not.
type args struct {
	at    [argCount]span
	has   [(argCount + 63) / 64]uint64
	extra []member
}

type member struct{ key, value span }

func (a *args) reset() { a.has, a.extra = [len(a.has)]uint64{}, a.extra[:0] }

func (a *args) get(k argument) (span, bool) {
	return a.at[k], a.has[k>>6]>>(k&63)&1 != 0
}

// mostExtra is how many members without a known name an event may have.
const mostExtra = 256

// event reads the event whose brace is at i. On a fault, next is where it is.
// A key that comes twice has its last value, as Python's json has it.
func (f *fields) event(b []byte, n, i int) (next int, out outcome) {
	f.name, f.cat, f.ph, f.id, f.ts, f.dur, f.pid, f.tid, f.other = span{}, span{}, span{}, span{}, span{}, span{}, span{}, span{}, span{}
	f.args.reset()
	for i = space(b, i+1); ; i = space(b, i) {
		switch b[i] {
		case '}':
			return i + 1, done
		case ',':
			i++
			continue
		case '"':
		default:
			return i, ended(n, i)
		}
		k, at, out := key(b, n, i)
		if out != done {
			return at, out
		}
		var v span
		if name := k.of(b); string(name) == "args" && b[at] == '{' {
			if i, out = f.args.read(b, n, at); out != done {
				return i, out
			}
		} else {
			if v, i, out = value(b, n, at); out != done {
				return i, out
			}
			f.take(name, v)
		}
		if i = space(b, i); b[i] != ',' && b[i] != '}' {
			return i, ended(n, i)
		}
	}
}

func (f *fields) take(name []byte, v span) {
	switch string(name) {
	case "name":
		f.name = v
	case "cat":
		f.cat = v
	case "ph":
		f.ph = v
	case "ts":
		f.ts = v
	case "dur":
		f.dur = v
	case "pid":
		f.pid = v
	case "tid":
		f.tid = v
	case "id":
		f.id = v
	case "args":
		f.args.reset()
		f.other = v // args that are no object
	}
}

// read reads the object of args at i.
func (a *args) read(b []byte, n, i int) (next int, out outcome) {
	a.reset()
	for i = space(b, i+1); ; i = space(b, i) {
		switch b[i] {
		case '}':
			return i + 1, done
		case ',':
			i++
			continue
		case '"':
		default:
			return i, ended(n, i)
		}
		k, at, out := key(b, n, i)
		if out != done {
			return at, out
		}
		var v span
		if v, i, out = value(b, n, at); out != done {
			return i, out
		}
		if arg := argumentOf(k.of(b)); arg < argCount {
			a.at[arg] = v
			a.has[arg>>6] |= 1 << (arg & 63)
		} else if arg == argUnknown && len(a.extra) < mostExtra {
			a.extra = append(a.extra, member{k, v})
		}
		if i = space(b, i); b[i] != ',' && b[i] != '}' {
			return i, ended(n, i)
		}
	}
}
