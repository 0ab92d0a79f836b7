package rocm

import (
	"bufio"
	"context"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// A tracer reads what roctracer prints, among lines of the program. It writes two
// forms: times before (BEGIN:END PID:TID NAME(ARGS) :NUMBER), and callbacks in
// angle brackets, without times but for activities.
type tracer struct {
	s     *Session
	kept  interner
	open  map[string][]int // nested ranges of a thread: positions in Ranges
	free  map[string]int   // ranges by their number
	calls map[string]int   // calls that were entered, by name and number
	at    int              // line, from 1
	cut   bool             // the line is the last, and nothing ends it
}

// maxQuoted bounds what a message quotes of a line, in bytes.
const maxQuoted = 80

// readRoctracer reads what roctracer prints.
func (s *Session) readRoctracer(ctx context.Context, r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	t := &tracer{s: s, kept: interner{}, open: map[string][]int{}, free: map[string]int{}, calls: map[string]int{}}
	in.Split(func(b []byte, end bool) (int, []byte, error) {
		n, line, err := bufio.ScanLines(b, end)
		t.cut = end && n == len(b) && n > 0 && b[n-1] != '\n'
		return n, line, err
	})
	for in.Scan() && !s.full {
		if t.at++; t.at&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if t.line(in.Text()); t.cut && !t.whole(in.Text()) {
			t.broken("a whole line", "the end of the file within one")
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		s.problem(FormatError{Want: "a line of at most " + strconv.Itoa(maxLine) + " bytes", Found: "a longer one", Err: cursor.ErrCorrupt})
	} else if errors.Is(err, ErrTooLarge) {
		s.problem(FormatError{Want: "the rest of the text", Found: err.Error(), Err: ErrTooLarge})
	} else if err != nil {
		return err
	}
	return nil
}

// pair reads "A:B".
func pair(s string) (a, b uint64, ok bool) {
	x, y, found := strings.Cut(s, ":")
	a, err1 := strconv.ParseUint(x, 10, 64)
	b, err2 := strconv.ParseUint(y, 10, 64)
	return a, b, found && err1 == nil && err2 == nil
}

// A begun line is one that a file which is cut may end with: a time, and what belongs
// behind it in part. A whole one has its number at the end, or what its call returned.
var (
	begunLine = regexp.MustCompile(`^(\d{6,}|\d+:\d*( [\d:]*)?|\d+ \d+:\d+ .*|\d+:\d+ \d+:\d+ .*|<\w+ id\(.*|\t:\w.*|rocTX <.*)$`)
	wholeLine = regexp.MustCompile(`^(\d+:\d+ \d+:\d+ (.*:\d+:\d+|.*\).* :\d+|.*\) = .+|.*\))|\d+ \d+:\d+ \d:\d+:".*"|<.*>.*|\t:.*\)|rocTX <.*>)$`)
)

// whole reports whether a line that the file ends within says all that its kind does, or
// is the program's.
func (t *tracer) whole(s string) bool { return !begunLine.MatchString(s) || wholeLine.MatchString(s) }

// broken tells what is wrong with a line.
func (t *tracer) broken(want, found string) {
	t.s.problem(FormatError{Line: t.at, Offset: -1, Want: want, Found: found, Err: cursor.ErrCorrupt})
}

// line reads a line; those of the program are passed over.
func (t *tracer) line(s string) {
	if strings.HasPrefix(s, "<") || strings.HasPrefix(s, "\t:") || strings.HasPrefix(s, "rocTX <") {
		t.callback(s)
		return
	}
	when, rest, ok := strings.Cut(s, " ")
	if !ok {
		return
	}
	where, what, ok := strings.Cut(rest, " ")
	if !ok || what == "" || !t.s.take(dispatchTakes) {
		return
	}
	pid, tid, ok := pair(where)
	if !ok {
		return
	}
	if start, end, ok := pair(when); ok {
		t.activity(start, end, pid, tid, what)
	} else if at, err := strconv.ParseUint(when, 10, 64); err == nil {
		t.marker(at, pid, tid, where, what)
	}
}

// activity reads a call, "NAME(ARGS) = RESULT :NUMBER", or work of a GPU,
// "NAME:NUMBER:PID", where the name may hold colons and parentheses.
func (t *tracer) activity(start, end, a, b uint64, what string) {
	if name, ids, ok := cutLast2(what); ok && !strings.HasSuffix(name, " ") {
		number, pid, ok := pair(ids)
		if ok {
			t.work(start, end, a, b, number, pid, t.kept.of(name))
			return
		}
	}
	c := Call{PID: a, TID: b, Start: start, End: end}
	if i := strings.LastIndex(what, " :"); i >= 0 {
		if n, err := strconv.ParseUint(strings.TrimSpace(what[i+2:]), 10, 64); err == nil {
			c.Correlation, what = n, what[:i]
		}
	}
	name, args, ok := strings.Cut(what, "(")
	if !ok { // a name alone may be the half of one
		if !t.cut {
			t.broken("NAME(ARGUMENTS), or NAME:NUMBER:PID", strconv.Quote(what[:min(len(what), maxQuoted)]))
		}
		return
	}
	if i := strings.LastIndexByte(args, ')'); i >= 0 {
		args = args[:i]
	}
	c.Name, c.Args = t.kept.of(strings.TrimSpace(name)), strings.Clone(args)
	c.Domain = "HIP"
	if strings.HasPrefix(c.Name, "hsa_") {
		c.Domain = "HSA"
	}
	t.s.Calls = append(t.s.Calls, c)
}

// cutLast2 cuts a text before its last but one colon.
func cutLast2(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return "", "", false
	}
	k := strings.LastIndexByte(s[:i], ':')
	if k < 0 {
		return "", "", false
	}
	return s[:k], s[k+1:], true
}

func (t *tracer) work(start, end, agent, queue, number, pid uint64, name string) {
	if strings.HasPrefix(name, "Copy") || strings.HasPrefix(name, "Fill") || strings.HasPrefix(name, "hcMemcpy") {
		t.s.Copies = append(t.s.Copies, Copy{Direction: name, From: agent, To: agent, Bytes: -1, PID: pid, Queue: queue, Correlation: number, Start: start, End: end})
		return
	}
	t.s.Dispatches = append(t.s.Dispatches, Dispatch{ID: uint64(len(t.s.Dispatches)) + 1, Kernel: name, Agent: agent, Queue: queue, PID: pid, Correlation: number, Start: start, End: end,
		LDS: -1, Scratch: -1, VGPRs: -1, AGPRs: -1, SGPRs: -1})
}

// marker reads "KIND:RANGE:"TEXT"".
func (t *tracer) marker(at, pid, tid uint64, thread, what string) {
	kind, rest, ok := strings.Cut(what, ":")
	id, text, ok2 := strings.Cut(rest, ":")
	if !ok || !ok2 {
		return
	}
	m := Range{Domain: "ROCTX", Text: t.kept.of(strings.Trim(text, `"`)), PID: pid, TID: tid, Start: at, End: at}
	switch kind {
	case "0":
		m.Mark = true
		t.s.Ranges = append(t.s.Ranges, m)
	case "1":
		if len(t.open[thread]) < maxDepthSlices {
			t.open[thread] = append(t.open[thread], len(t.s.Ranges))
			t.s.Ranges = append(t.s.Ranges, m)
		}
	case "2":
		if stack := t.open[thread]; len(stack) > 0 {
			t.s.Ranges[stack[len(stack)-1]].End = at
			t.open[thread] = stack[:len(stack)-1]
		}
	case "3":
		m.Free = true
		t.free[id] = len(t.s.Ranges)
		t.s.Ranges = append(t.s.Ranges, m)
	case "4":
		if k, ok := t.free[id]; ok {
			t.s.Ranges[k].End = at
			delete(t.free, id)
		}
	}
}

// callback reads the form with brackets: "<NAME id(1)\tcorrelation_id(2) on-enter
// pid(3) tid(4)> ARGS" and "\t:NAME\t: correlation_id(2) time_ns(B:E) …". A call
// has no times, but for those that an activity of its number tells.
func (t *tracer) callback(s string) {
	value := func(name string) string {
		_, rest, ok := strings.Cut(s, name+"(")
		if !ok {
			return ""
		}
		v, _, _ := strings.Cut(rest, ")")
		return v
	}
	number := func(name string) uint64 { v, _ := strconv.ParseUint(value(name), 10, 64); return v }
	switch {
	case strings.HasPrefix(s, "rocTX <"):
		text := strings.TrimSuffix(strings.TrimPrefix(s, `rocTX <"`), `">`)
		if i := strings.LastIndex(text, " pid("); i >= 0 {
			text = text[:i]
		}
		if t.s.take(callTakes) {
			t.s.Ranges = append(t.s.Ranges, Range{Domain: "ROCTX", Text: t.kept.of(text), PID: number(" pid"), TID: number(" tid"), Mark: true})
		}
	case strings.HasPrefix(s, "\t:"):
		name, _, ok := strings.Cut(s[2:], "\t:")
		start, end, timed := pair(value("time_ns"))
		if !ok || !timed || !t.s.take(dispatchTakes) {
			return
		}
		name = t.kept.of(strings.TrimSpace(name))
		id := number("correlation_id")
		if k, ok := t.calls[name+" "+strconv.FormatUint(id, 10)]; ok {
			t.s.Calls[k].Start, t.s.Calls[k].End = start, end
			return
		}
		if strings.Contains(s, "device_id(") || strings.HasPrefix(name, "Copy") || strings.HasPrefix(name, "Kernel") {
			t.work(start, end, number("device_id"), number("queue_id"), id, number("process_id"), name)
			return
		}
		t.s.Calls = append(t.s.Calls, Call{Domain: "HIP", Name: name, Correlation: id, Start: start, End: end, PID: number("process_id"), TID: number("thread_id")})
	case strings.Contains(s, " on-enter"):
		name, _, ok := strings.Cut(s[1:], " ")
		if !ok || !t.s.take(callTakes) {
			return
		}
		_, args, _ := strings.Cut(s, "> ")
		c := Call{Domain: "HIP", Name: t.kept.of(name), Args: strings.Clone(args), PID: number(" pid"), TID: number(" tid"), Correlation: number("correlation_id")}
		t.calls[name+" "+strconv.FormatUint(c.Correlation, 10)] = len(t.s.Calls)
		t.s.Calls = append(t.s.Calls, c)
	}
}
