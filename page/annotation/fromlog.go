package annotation

import (
	"context"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/page"
)

// FromLog is the page nvtxt from-log.
var FromLog = &page.Page{
	Name:  "nvtxt from-log",
	Short: "Make annotations out of an existing log",
	Long: `A REGEX has Go's syntax; named groups give the values: (?P<time>…), which it must have,
and end, duration, message, process, thread, category, color, payload, id. A thread or
category may be a number or a name.`,
	Example: `gpuprof nvtxt from-log --pattern '^(?P<time>\S+ \S+) \[(?P<thread>\w+)\] (?P<message>.*)' app.log -o app.nvtxt
gpuprof nvtxt from-log --start '(?P<time>\S+) begin (?P<id>\d+)' --end '(?P<time>\S+) done (?P<id>\d+)' app.log -o app.nvtxt`,
	Group: page.GroupNvtxt, Args: "LOG", MinArgs: 1, MaxArgs: 1, Unopened: true, Output: page.OneText,
	Options: append(logCommandOptions(), []page.Option{
		{Name: "text", Kind: page.Text, Arg: "TEMPLATE", Help: "the annotation's text, with $name for groups; default: the group message, or the line"},
		{Name: "event-color", Kind: page.Text, Arg: "NAME", Help: "a colour for the annotations, or 0xAARRGGBB"},
		{Name: "time-format", Kind: page.Text, Arg: "ns|us|ms|s|LAYOUT", Help: "of times; a LAYOUT shows how 2006-01-02 15:04:05 is written"},
		{Name: "name", Kind: page.Text, Arg: "NAME", Help: "of the file on the timeline"},
		{Name: "origin", Kind: page.Text, Arg: "NS", Default: "0", Help: "subtract this from all times"},
		{Name: "process", Kind: page.Text, Arg: "ID", Default: "0", Help: "of the process of lines that do not tell"},
		{Name: "thread", Kind: page.Text, Arg: "ID", Default: "0", Help: "of the thread of lines that do not tell"},
		{Name: "time-base", Kind: page.Text, Arg: "Manual|Relative|ClockMonotonicRaw|CNTVCT|Qpc", Default: "Manual", Help: "of the times"},
		nvtxtOptions[0],
	}...),
	Stream:  fromLog,
	Streams: always,
}

// logCommands are the commands that a pattern can stand for, in the order in
// which patterns are tried.
var logCommands = []struct {
	option  string
	command nvtxt.Command
	help    string
}{
	{"push", nvtxt.CmdRangePush, "a line that it matches begins a nested range"},
	{"pop", nvtxt.CmdRangePop, "it ends the innermost nested range of its thread"},
	{"start", nvtxt.CmdRangeStart, "it begins a range that --end ends: the one of the same id, or else thread and text"},
	{"end", nvtxt.CmdRangeEnd, "it ends a range that --start began"},
	{"pattern", nvtxt.NoCommand, "it is a marker, or a range if it tells an end or a duration"},
}

func logCommandOptions() (out []page.Option) {
	for _, l := range logCommands {
		out = append(out, page.Option{Name: l.option, Kind: page.List, NoComma: true, Arg: "REGEX", Help: l.help})
	}
	return out
}

func logOptions(q *page.Request) (o annotate.LogOptions, err error) {
	o = annotate.LogOptions{TimeFormat: q.Text("time-format"), DisplayName: q.Text("name")}
	if o.Writer.Dialect, err = nvtxt.ParseDialect(q.Text("dialect")); err != nil {
		return o, page.Usagef("--dialect: %v", err)
	}
	if o.Writer.TimeBase, err = nvtxt.ParseTimeBase(q.Text("time-base")); err != nil {
		return o, page.Usagef("--time-base: %v", err)
	}
	if o.Origin, err = strconv.ParseInt(q.Text("origin"), 0, 64); err != nil {
		return o, page.Usagef("--origin: %q is not a whole number", q.Text("origin"))
	}
	for name, to := range map[string]*uint32{"process": &o.Process, "thread": &o.Thread} {
		n, err := strconv.ParseUint(q.Text(name), 0, 32)
		if err != nil {
			return o, page.Usagef("--%s: %q is not a whole number from 0 to %d", name, q.Text(name), uint32(1<<32-1))
		}
		*to = uint32(n)
	}
	var color uint32
	if s := q.Text("event-color"); s != "" {
		if color, err = nvtxt.ParseColor(s); err != nil {
			return o, page.Usagef("--event-color: %v", err)
		}
	}
	for _, l := range logCommands {
		for _, s := range q.List(l.option) {
			re, err := regexp.Compile(s)
			if err != nil {
				return o, page.Usagef("--%s: %v", l.option, err)
			}
			o.Rules = append(o.Rules, annotate.LogRule{Pattern: re, Command: l.command, Text: q.Text("text"), Color: color})
		}
	}
	if err := o.Validate(); err != nil {
		return o, page.Usagef("nvtxt from-log: %v", err)
	}
	return o, nil
}

func fromLog(ctx context.Context, q *page.Request, out io.Writer) error {
	opt, err := logOptions(q)
	if err != nil {
		return err
	}
	name := q.Args[0]
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	st, err := annotate.FromLog(ctx, out, in, name, opt)
	if err != nil {
		return err
	}
	var said strings.Builder
	_ = st.Diagnostics.WriteText(&said) // a Builder does not fail
	if text := strings.TrimSuffix(said.String(), "\n"); text != "" {
		q.Notef("%s", text)
	}
	q.Notef("%d of %d lines match, %d annotations", st.Matched, st.Lines, st.Written)
	if st.Diagnostics.Failed(false) {
		return page.ErrFinding
	}
	return nil
}
