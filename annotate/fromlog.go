package annotate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/gpuprof/gpuprof/format/nvtxt"
)

// LogRule makes annotations of the log lines that match Pattern. These named
// groups of the pattern have a meaning; others can be used in Text:
//
//	time      when it happened, or began (also "start")
//	end       when the range ended
//	duration  how long the range was: 1.5ms, or a number in the unit of the times
//	message   the text (also "msg")
//	process, thread (also "pid", "tid"), category: a number, or a name that gets one
//	color     a colour's name, or 0xAARRGGBB
//	payload   an integer or floating-point number
//	id        joins RangeStart and RangeEnd
type LogRule struct {
	Pattern *regexp.Regexp
	// Command is what a matching line becomes. NoCommand is a range if the line
	// tells an end or a duration, else a marker. RangeStart and RangeEnd are
	// joined, by id or else by thread and text, and written as one range.
	Command nvtxt.Command
	// Text is the text of the annotation, with $name for groups as in
	// [regexp.Regexp.Expand]. "" is the group "message", else the whole line.
	Text  string
	Color uint32 // ARGB; 0 for none
}

// LogOptions say how [FromLog] reads a log.
type LogOptions struct {
	Rules []LogRule // the first that matches a line counts
	// TimeFormat is "ns", "us", "ms", "s" for numbers, or a layout of package
	// time. "" takes numbers with a point as seconds, others as ns, and knows
	// the usual forms of date and time.
	TimeFormat  string
	Location    *time.Location // of times that do not tell; nil is UTC
	Origin      int64          // ns, subtracted from all times
	Process     uint32         // of lines that do not tell
	Thread      uint32
	DisplayName string
	Writer      nvtxt.WriterOptions
}

// LogStats are what [FromLog] did.
type LogStats struct {
	Lines       int
	Matched     int
	Written     int // markers and ranges; a push and its pop are two
	Diagnostics nvtxt.Diagnostics
}

// maxLogOpen is how many ranges may wait for their ends.
const maxLogOpen = 1 << 20

// namedIDs is where the ids of threads, processes and categories with names
// instead of numbers begin: beyond the usual ids, within 24 bits.
const namedIDs = 1 << 23

// FromLog makes annotations out of an existing log. The error is about the
// options, the input or the output; matching lines that make no sense are
// reported in the Diagnostics and left out.
func FromLog(ctx context.Context, dst io.Writer, src io.Reader, name string, opt LogOptions) (LogStats, error) {
	c := &logConverter{opt: &opt, name: name, w: nvtxt.NewWriter(dst, opt.Writer), open: map[logKey][]nvtxt.Event{}, ids: map[namedID]uint32{}}
	var err error
	if c.rules, err = opt.compile(); err != nil {
		return c.stats, err
	}
	loc := opt.Location
	if loc == nil {
		loc = time.UTC
	}
	c.time = logTime{format: opt.TimeFormat, location: loc}
	if opt.DisplayName != "" {
		if err := c.w.SetFileDisplayName(opt.DisplayName); err != nil {
			return c.stats, err
		}
	}
	l := nvtxt.NewLines(&reader{ctx: ctx, Reader: src})
	if l.Begin() {
		return c.stats, fmt.Errorf("%s is UTF-16, expected UTF-8", name)
	}
	for {
		line, _, long, ok := l.Next()
		if !ok {
			break
		}
		c.stats.Lines++
		if long {
			c.complain(nvtxt.Warning, c.stats.Lines, line, fmt.Sprintf("the line is longer than %d bytes: it is passed over", nvtxt.MaxLine))
			continue
		}
		if err := c.line(line); err != nil {
			return c.stats, err
		}
	}
	if l.Err() != nil {
		return c.stats, fmt.Errorf("%s: line %d: %w", name, l.Number()+1, l.Err())
	}
	c.finish()
	return c.stats, c.w.Flush()
}

// Validate reports what is wrong with the rules.
func (o *LogOptions) Validate() error {
	_, err := o.compile()
	return err
}

func (o *LogOptions) compile() ([]compiledRule, error) {
	if len(o.Rules) == 0 {
		return nil, errors.New("no pattern is given")
	}
	rules := make([]compiledRule, len(o.Rules))
	for i := range o.Rules {
		var err error
		if rules[i], err = compileRule(&o.Rules[i]); err != nil {
			return nil, fmt.Errorf("pattern %d: %w", i+1, err)
		}
	}
	return rules, nil
}

// compiledRule is a rule with the numbers of its groups.
type compiledRule struct {
	*LogRule
	time, end, duration, message, process, thread, category, color, payload, id int
}

func compileRule(r *LogRule) (c compiledRule, err error) {
	if r.Pattern == nil {
		return c, errors.New("it is empty")
	}
	switch r.Command {
	case nvtxt.NoCommand, nvtxt.CmdMarker, nvtxt.CmdRangeStartEnd, nvtxt.CmdRangePush, nvtxt.CmdRangePop, nvtxt.CmdRangeStart, nvtxt.CmdRangeEnd:
	default:
		return c, fmt.Errorf("%v makes no event", r.Command)
	}
	group := func(names ...string) int {
		for _, n := range names {
			if i := r.Pattern.SubexpIndex(n); i > 0 {
				return i
			}
		}
		return 0
	}
	c = compiledRule{
		LogRule: r,
		time:    group("time", "start"), end: group("end"), duration: group("duration"),
		message: group("message", "msg"),
		process: group("process", "pid"), thread: group("thread", "tid"),
		category: group("category"), color: group("color"), payload: group("payload"), id: group("id"),
	}
	if c.time == 0 {
		return c, errors.New(`it has no group "time": (?P<time>…)`)
	}
	if r.Command == nvtxt.CmdRangeStartEnd && c.end == 0 && c.duration == 0 {
		return c, errors.New(`it has no group "end" or "duration"`)
	}
	return c, nil
}

// logKey joins the end of a range to its start.
type logKey struct {
	process, thread uint32
	id, text        string
}

// namedID is a name that stands for a number.
type namedID struct {
	param   nvtxt.Param
	process uint32
	name    string
}

type logConverter struct {
	opt   *LogOptions
	name  string
	w     *nvtxt.Writer
	rules []compiledRule
	time  logTime
	open  map[logKey][]nvtxt.Event
	opens int
	ids   map[namedID]uint32
	stats LogStats

	text  []byte
	match []int
}

// line converts one line; an error ends the conversion.
func (c *logConverter) line(line []byte) error {
	for i := range c.rules {
		r := &c.rules[i]
		c.match = r.Pattern.FindSubmatchIndex(line)
		if c.match == nil {
			continue
		}
		c.stats.Matched++
		if err := c.convert(r, line); err != nil {
			if c.w.Err() != nil {
				return c.w.Err()
			}
			c.complain(nvtxt.Error, c.stats.Lines, line, err.Error())
		}
		return nil
	}
	return nil
}

func (c *logConverter) complain(s nvtxt.Severity, number int, line []byte, found string) {
	c.stats.Diagnostics.Add(nvtxt.Diagnostic{File: c.name, Line: number, Class: nvtxt.Loading, Severity: s, Found: found}, line)
}

// group returns what group i matched; ok is false if it took no part.
func (c *logConverter) group(line []byte, i int) (s string, ok bool) {
	if i == 0 || c.match[2*i] < 0 {
		return "", false
	}
	return string(line[c.match[2*i]:c.match[2*i+1]]), true
}

// convert makes the annotation of a line that r matches.
func (c *logConverter) convert(r *compiledRule, line []byte) error {
	e := nvtxt.Event{Type: nvtxt.TypeMarker, Process: c.opt.Process, Thread: c.opt.Thread, Line: c.stats.Lines}
	cmd := r.Command
	if err := c.times(r, line, &e, &cmd); err != nil {
		return err
	}
	if err := c.attributes(r, line, &e); err != nil {
		return err
	}
	id, _ := c.group(line, r.id)
	switch cmd {
	case nvtxt.CmdRangePop:
		c.stats.Written++
		return c.w.Pop(e.Start, e.Process, e.Thread)
	case nvtxt.CmdRangePush:
		e.Type, e.Open = nvtxt.TypePushPopRange, true
	case nvtxt.CmdRangeStartEnd:
		e.Type = nvtxt.TypeStartEndRange
	case nvtxt.CmdRangeStart, nvtxt.CmdRangeEnd:
		k := logKey{process: e.Process, id: id}
		if id == "" {
			k.thread, k.text = e.Thread, e.Text
		}
		return c.join(cmd, k, e)
	}
	if err := c.w.Event(&e); err != nil {
		return err
	}
	c.stats.Written++
	return nil
}

// times sets the times of e and the command of a rule that has none.
func (c *logConverter) times(r *compiledRule, line []byte, e *nvtxt.Event, cmd *nvtxt.Command) (err error) {
	s, ok := c.group(line, r.time)
	if !ok {
		return errors.New("the line has no time")
	}
	if e.Start, err = c.time.parse(s); err != nil {
		return err
	}
	e.End = e.Start
	ranged := false
	if s, ok = c.group(line, r.end); ok {
		ranged = true
		e.End, err = c.time.parse(s)
	} else if s, ok = c.group(line, r.duration); ok {
		ranged = true
		var d int64
		if d, err = c.time.duration(s); err == nil {
			e.End, err = addTime(e.Start, d)
		}
	}
	if err != nil {
		return err
	}
	switch {
	case *cmd == nvtxt.CmdRangeStartEnd && !ranged:
		return errors.New("the line tells no end")
	case *cmd == nvtxt.NoCommand && ranged:
		*cmd = nvtxt.CmdRangeStartEnd
	case *cmd == nvtxt.NoCommand:
		*cmd = nvtxt.CmdMarker
	}
	if *cmd != nvtxt.CmdRangeStartEnd {
		e.End = e.Start
	}
	if c.opt.Origin == math.MinInt64 {
		return errRange
	}
	if e.Start, err = addTime(e.Start, -c.opt.Origin); err == nil {
		e.End, err = addTime(e.End, -c.opt.Origin)
	}
	return err
}

// attributes sets all of e but its times.
func (c *logConverter) attributes(r *compiledRule, line []byte, e *nvtxt.Event) (err error) {
	if s, ok := c.group(line, r.process); ok {
		e.Process, err = c.id(nvtxt.ParamProcess, 0, s)
	}
	if s, ok := c.group(line, r.thread); ok && err == nil {
		e.Thread, err = c.id(nvtxt.ParamThread, e.Process, s)
	}
	if s, ok := c.group(line, r.category); ok && err == nil && s != "" && c.opt.Writer.Dialect == nvtxt.Guide {
		e.HasCategory = true
		e.Category, err = c.id(nvtxt.ParamCategory, e.Process, s)
	}
	if err != nil {
		return err
	}
	e.Color, e.HasColor = r.Color, r.Color != 0
	if s, ok := c.group(line, r.color); ok && s != "" {
		if e.Color, err = nvtxt.ParseColor(s); err != nil {
			return err
		}
		e.HasColor = true
	}
	if s, ok := c.group(line, r.payload); ok && s != "" {
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			e.Payload = nvtxt.PayloadOfInt(i)
		} else if f, err := strconv.ParseFloat(s, 64); err == nil && c.opt.Writer.Dialect == nvtxt.Guide {
			e.Payload = nvtxt.PayloadOfFloat(f)
		} else {
			return fmt.Errorf("%s is no payload", nvtxt.QuoteName(s))
		}
	}
	switch s, ok := c.group(line, r.message); {
	case r.Text != "":
		c.text = r.Pattern.Expand(c.text[:0], []byte(r.Text), line, c.match)
		e.Text = string(c.text)
	case ok:
		e.Text = s
	default:
		e.Text = string(line)
	}
	return nil
}

// id returns the number that s is, or gives one to the name that it is.
func (c *logConverter) id(p nvtxt.Param, process uint32, s string) (uint32, error) {
	if u, err := nvtxt.ParseID(s); err == nil {
		return u, nil
	}
	k := namedID{p, process, s}
	if id, ok := c.ids[k]; ok {
		return id, nil
	}
	if len(c.ids) >= 1<<16 {
		return 0, fmt.Errorf("%s %s: expected a number, or one of at most 65536 names", p, nvtxt.QuoteName(s))
	}
	id := namedIDs + uint32(len(c.ids))
	c.ids[k] = id
	switch p {
	case nvtxt.ParamProcess:
		return id, c.w.NameProcess(id, s)
	case nvtxt.ParamThread:
		return id, c.w.NameOsThread(process, id, s)
	}
	return id, c.w.NameCategory(process, id, s)
}

// join keeps the start of a range, or writes the range that e ends.
func (c *logConverter) join(cmd nvtxt.Command, k logKey, e nvtxt.Event) error {
	waiting := c.open[k]
	if cmd == nvtxt.CmdRangeStart {
		if c.opens >= maxLogOpen {
			return fmt.Errorf("%d ranges wait for their ends: expected fewer", c.opens)
		}
		c.opens++
		c.open[k] = append(waiting, e)
		return nil
	}
	n := len(waiting)
	if n == 0 {
		return errors.New("nothing that is open ends here")
	}
	start := waiting[n-1]
	if c.opens--; n == 1 {
		delete(c.open, k)
	} else {
		c.open[k] = waiting[:n-1]
	}
	start.Type, start.End = nvtxt.TypeStartEndRange, e.Start
	if err := c.w.Event(&start); err != nil {
		return err
	}
	c.stats.Written++
	return nil
}

// finish deals with the ranges that nothing ended, in the order of their lines.
func (c *logConverter) finish() {
	var left []nvtxt.Event
	for _, es := range c.open {
		left = append(left, es...)
	}
	slices.SortFunc(left, func(a, b nvtxt.Event) int { return a.Line - b.Line })
	for i := range left {
		e := &left[i]
		found := "nothing ends the range that begins here"
		if c.opt.Writer.Dialect == nvtxt.Guide {
			e.Type, e.Open = nvtxt.TypeStartEndRange, true
			if c.w.Event(e) == nil {
				c.stats.Written++
			}
		} else {
			found += ": it is left out"
		}
		c.complain(nvtxt.Warning, e.Line, nil, found)
	}
}
