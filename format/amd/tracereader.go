package amd

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// traceReader holds what is needed while a trace is read.
type traceReader struct {
	problems
	trace   *Trace
	l       *lines
	devices []string // names that the header gives, as enqueue lines spell them
	args    []string // scratch
	command Enqueue  // scratch
	work    Work     // scratch
	works   *works
}

// ReadTrace reads an .atp file of the given size in bytes; name stands in
// messages. Damage does not stop it: see [Trace.Problems]. The error is not nil
// where nothing could be read or the text is no trace at all.
func ReadTrace(in io.ReaderAt, size int64, name string) (*Trace, error) {
	src, err := newSource(in, size, name)
	if err != nil {
		return nil, err
	}
	return readSource(src, name)
}

func readSource(src *source, name string) (*Trace, error) {
	r := &traceReader{problems: problems{file: name}, l: newWindow(src), trace: &Trace{Name: name}, works: newWorks()}
	t, err := r.read()
	if src.err != nil {
		return nil, fmt.Errorf("%s: offset %d: %w", name, src.off, src.err)
	}
	return t, err
}

func (r *traceReader) read() (*Trace, error) {
	if err := checkEncoding(r.l.s, r.file); err != nil {
		return nil, err
	}
	r.trace.CRLF = r.l.crlf
	if err := r.header(); err != nil {
		return nil, err
	}
	dropped := false // the last line was cut, and is kept nowhere
	for {
		line, ok := r.l.next()
		if !ok {
			break
		}
		if title, ok := sectionTitle(line); ok {
			r.section(title)
		} else if !blank(line) {
			r.fail("a line =====title=====", quote(line))
			dropped = r.l.cut
		}
	}
	if len(r.trace.Sections) == 0 {
		r.l.num++
		r.problems.add(ErrTruncated, r.l.num, r.l.pos(), "a line =====title=====", "the end of the file")
	}
	r.trace.Cut = !dropped && !blank(r.l.tail) && len(r.trace.Header)+len(r.trace.Sections) > 0
	r.missing()
	r.trace.Problems = r.done()
	if src := r.l.src; src.nul >= 0 {
		nul := &FormatError{File: r.file, Offset: src.nul, Line: 1 + src.lines, Want: "text", Found: "a zero byte", Err: ErrCorrupt}
		r.trace.Problems = slices.Insert(r.trace.Problems, 0, nul)
	}
	return r.trace, nil
}

// fail notes a problem with the line last read.
func (r *traceReader) fail(want, found string, args ...any) {
	r.add(ErrCorrupt, r.l.num, r.l.pos(), want, found, args...)
}

// ahead notes a problem with the line that comes next, or the end of the file.
func (r *traceReader) ahead(want string) {
	found, cause := "the end of the file", ErrTruncated
	if line, ok := r.l.peek(); ok {
		found, cause = quote(line), ErrCorrupt
	}
	r.add(cause, r.l.num+1, r.l.pos(), want, "%s", found)
}

// sectionTitle returns what stands between the rows of "=".
func sectionTitle(line string) (string, bool) {
	if !strings.HasPrefix(line, "=====") {
		return "", false
	}
	t := strings.Trim(line, "= \t")
	return t, t != ""
}

func (r *traceReader) header() error {
	t := r.trace
	for {
		line, ok := r.l.peek()
		if !ok || strings.HasPrefix(line, "=") {
			break
		}
		r.l.next()
		if strings.HasPrefix(line, "//TraceFileVersion=") || strings.HasPrefix(line, "//==") {
			return &FormatError{File: r.file, Line: r.l.num, Want: "the header of an application trace",
				Found: "that of a frame analysis trace (DirectX 12, Vulkan)", Err: ErrFrameAnalysis}
		}
		e, ok := headerEntry(line)
		switch {
		case ok:
			t.Header = append(t.Header, e)
		case blank(line):
		case len(t.Header) == 0:
			return &FormatError{File: r.file, Line: r.l.num, Want: "a header line key=value", Found: quote(line), Err: ErrCorrupt}
		default:
			r.fail("a header line key=value", quote(line))
		}
		if d, ok := strings.CutPrefix(e.Key, "Device "); ok {
			for _, what := range []string{" Platform Vendor", " Platform Name"} {
				if d, ok := strings.CutSuffix(d, what); ok {
					d = strings.ReplaceAll(d, " ", "_")
					if !slices.Contains(r.devices, d) && len(r.devices) < 1000 {
						r.devices = append(r.devices, d)
					}
				}
			}
		}
	}
	if _, ok := t.Get("TraceFileVersion"); !ok && len(t.Header) > 0 {
		r.add(ErrCorrupt, 1, 0, "a header with TraceFileVersion", "none")
	}
	return nil
}

// headerEntry splits a line at its first "=".
func headerEntry(line string) (Entry, bool) {
	i := strings.IndexByte(line, '=')
	if i <= 0 {
		return Entry{}, false
	}
	if line[i-1] == ' ' && strings.HasPrefix(line[i:], "= ") {
		return Entry{line[:i-1], " = ", line[i+2:]}, true
	}
	return Entry{line[:i], "=", line[i+1:]}, true
}

func (r *traceReader) section(title string) {
	s := &Section{Title: title, Line: r.l.num}
	s.Kind, s.Module = parseTitle(title)
	r.trace.Sections = append(r.trace.Sections, s)
	switch s.Kind {
	case APITrace:
		r.calls(s)
	case Timestamps:
		r.stamps(s)
	case KernelTimestamps:
		r.packets(s)
	case StackTrace, PerfMarkers:
		r.texts(s)
	default:
		r.fail("a section of a known kind", quote(title))
		for {
			line, ok := r.inSection()
			if !ok {
				return
			}
			s.Lines = append(s.Lines, line)
		}
	}
}

// inSection returns the next line unless it begins another section.
func (r *traceReader) inSection() (string, bool) {
	if line, ok := r.l.peek(); !ok || strings.HasPrefix(line, "=====") {
		return "", false
	}
	return r.l.next()
}

// A body takes the lines of the blocks of a section.
type body struct {
	what  string                         // the lines, in the plural
	begin func(thread uint64, count int) // a block begins with the next line
	add   func(line string)
	lead  *[]string // takes key=value lines before the first block
}

// blocks reads thread blocks up to the next section.
func (r *traceReader) blocks(b body) {
	open := false // a block has begun
	for {
		line, ok := r.inSection()
		if !ok {
			return
		}
		if blank(line) {
			continue
		}
		thread, ok := integerLine(line)
		switch {
		case ok:
			count, ok := r.count(b.what)
			begun := r.l.num
			b.begin(thread, count)
			open = true
			if ok {
				r.block(b, count, begun)
			} else {
				r.extra(b)
			}
		case b.lead != nil && !open && strings.Contains(line, "="):
			*b.lead = append(*b.lead, line)
		case !open:
			r.fail("the number of a thread", quote(line))
			r.l.off, r.l.num = r.l.offBefore(line), r.l.num-1
			b.begin(0, 0)
			open = true
			r.extra(b)
		default:
			r.fail(fmt.Sprintf("a thread or the end of the section after the %s that the count announces", b.what), quote(line))
			b.add(line)
			r.extra(b)
		}
	}
}

// count reads the number of lines in a block.
func (r *traceReader) count(what string) (int, bool) {
	line, ok := r.l.peek()
	if n, isNumber := integerLine(line); ok && isNumber {
		r.l.next()
		if n < 1<<40 {
			return int(n), true
		}
		r.fail("how many "+what+" follow", quote(line))
		return 1 << 40, true
	}
	r.ahead("how many " + what + " follow")
	return 0, false
}

// block reads the lines of a block, of which there should be n.
func (r *traceReader) block(b body, n, begun int) {
	for i := range n {
		line, ok := r.l.peek()
		if ok && blank(line) {
			if line, ok = r.l.more(); ok && !strings.HasPrefix(line, "=====") {
				if _, isNumber := integerLine(line); !isNumber {
					line = "" // a hole in the block keeps its place
				}
			}
		}
		if _, isNumber := integerLine(line); !ok || strings.HasPrefix(line, "=====") || isNumber {
			r.ahead(fmt.Sprintf("%d %s, as line %d announces, after %d", n, b.what, begun, i))
			return
		}
		line, _ = r.l.next()
		if r.l.cut && i+1 == n {
			r.l.cut = false // the last line of the file needs no line end
		}
		b.add(line)
	}
}

// extra reads lines beyond the count of a block, up to the next block.
func (r *traceReader) extra(b body) {
	for {
		line, ok := r.l.peek()
		if !ok || strings.HasPrefix(line, "=====") {
			return
		}
		if _, isNumber := integerLine(line); isNumber {
			return
		}
		r.l.next()
		if !blank(line) {
			b.add(line)
		}
	}
}

// offBefore is where the line last returned begins.
func (l *lines) offBefore(line string) int {
	i := l.off
	if i > 0 && l.s[i-1] == '\n' {
		i--
	}
	if i > 0 && l.s[i-1] == '\r' {
		i--
	}
	return i - len(line)
}

// room bounds a declared count by what the rest of the file can hold.
func (r *traceReader) room(count, atLeast int) int {
	return int(min(int64(count), r.l.left()/int64(atLeast)+1))
}

func (r *traceReader) calls(s *Section) {
	var c *CallBlock
	r.blocks(body{what: "calls",
		begin: func(thread uint64, count int) {
			n := r.room(count, 24)
			c = &CallBlock{Thread: thread, Declared: count, Line: r.l.num + 1, Lines: make([]string, 0, n), API: make([]uint32, 0, n)}
			s.Calls = append(s.Calls, c)
		},
		add: func(line string) {
			_, name, _, whole := splitCall(line)
			if !whole {
				want := "a call such as CL_SUCCESS = clFinish ( 0x1 )"
				if r.l.cut {
					r.add(ErrTruncated, r.l.num, r.l.pos(), want, "the end of the file after "+quote(line))
				} else {
					r.fail(want, quote(line))
				}
			}
			c.Lines = append(c.Lines, line)
			c.API = append(c.API, r.trace.intern(name))
		}})
}

func (r *traceReader) stamps(s *Section) {
	var b *StampBlock
	var calls *CallBlock
	r.blocks(body{what: "times of calls",
		begin: func(thread uint64, count int) {
			calls = r.callsFor(s, thread)
			n := r.room(count, 40)
			b = &StampBlock{Thread: thread, Declared: count, Line: r.l.num + 1, ID: make([]int32, 0, n), API: make([]uint32, 0, n),
				Start: make([]uint64, 0, n), End: make([]uint64, 0, n), extra: make([]int32, 0, n)}
			s.Stamps = append(s.Stamps, b)
		},
		add: func(line string) {
			i, expect := b.len(), ""
			if calls != nil && i < len(calls.Lines) {
				expect = calls.Lines[i]
			}
			if f := r.stamp(b, line, expect, r.l.cut); f != nil {
				cause := ErrCorrupt
				if r.l.cut {
					cause = ErrTruncated
				}
				r.add(cause, r.l.num, r.l.pos(), f.want, "%s", f.found)
			}
		}})
}

// callsFor finds the calls to which the next block of times of a thread belongs.
func (r *traceReader) callsFor(s *Section, thread uint64) *CallBlock {
	nth := 0
	for _, o := range r.trace.Sections {
		if o.Kind == Timestamps && o.Module == s.Module {
			for _, b := range o.Stamps {
				if b.Thread == thread {
					nth++
				}
			}
		}
	}
	for _, o := range r.trace.Sections {
		if o.Kind == APITrace && o.Module == s.Module {
			for _, b := range o.Calls {
				if b.Thread == thread {
					if nth == 0 {
						return b
					}
					nth--
				}
			}
		}
	}
	return nil
}

func (r *traceReader) texts(s *Section) {
	var b *TextBlock
	what := "places in the source"
	if s.Kind == PerfMarkers {
		what = "perf markers"
	}
	r.blocks(body{what: what, lead: &s.Lines,
		begin: func(thread uint64, count int) {
			b = &TextBlock{Thread: thread, Declared: count, Line: r.l.num + 1, Lines: make([]string, 0, r.room(count, 8))}
			s.Blocks = append(s.Blocks, b)
		},
		add: func(line string) {
			if s.Kind == PerfMarkers {
				if _, ok := ParseMarker(line); !ok {
					r.fail("clBeginPerfMarker or clEndPerfMarker with a time", quote(line))
				}
			}
			b.Lines = append(b.Lines, line)
		}})
}

func (r *traceReader) packets(s *Section) {
	major, minor := r.trace.version()
	indexed := major > 3 || major == 3 && minor >= 2
	counted := false
	for {
		line, ok := r.inSection()
		if !ok {
			break
		}
		if blank(line) {
			continue
		}
		if n, isNumber := integerLine(line); isNumber && !counted {
			s.Declared, counted, s.countLine = int(min(n, 1<<40)), true, r.l.num
			s.Packets = make([]Packet, 0, r.room(s.Declared, 30))
			continue
		}
		if !counted {
			r.fail("how many packets follow", quote(line))
			counted, s.Declared = true, -1
		}
		p, f := parsePacket(line, indexed)
		p.Line = r.l.num
		if f != nil {
			r.fail(f.want, f.found)
		}
		s.Packets = append(s.Packets, p)
	}
	if s.Declared >= 0 && len(s.Packets) != s.Declared || !counted {
		r.ahead(fmt.Sprintf("%d packets, found %d, then a section", s.Declared, len(s.Packets)))
	}
}
