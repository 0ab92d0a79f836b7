package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// nvtxtCommands adds the commands that turn text into annotation files. They
// answer with a file, not with a page.
func (a *app) nvtxtCommands(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() == "nvtxt" {
			c.Short = "Check, format and make annotation files (.nvtxt)"
			c.AddCommand(a.nvtxtFmt(), a.nvtxtFromLog())
		}
	}
}

func dialectFlag(c *cobra.Command) *string {
	d := c.Flags().String("dialect", "guide", "`guide|nsys` the documented language, or what the importer of Nsight Systems makes of it")
	_ = c.RegisterFlagCompletionFunc("dialect", cobra.FixedCompletions([]string{"guide", "nsys"}, cobra.ShellCompDirectiveNoFileComp))
	return d
}

func (a *app) nvtxtFmt() *cobra.Command {
	c := &cobra.Command{
		Use:   "fmt [options] [FILE...]",
		Short: "Lay annotation files out in the standard form",
		Long: `Lay annotation files out in the standard form. What a file means stays the same;
lines in error stay as they are. Without files it reads the standard input.`,
		Example:               "  gpuprof nvtxt fmt frames.nvtxt\n  gpuprof nvtxt fmt -w *.nvtxt",
		DisableFlagsInUseLine: true,
	}
	write := c.Flags().BoolP("write", "w", false, "write the result to the file instead of the terminal")
	list := c.Flags().BoolP("list", "l", false, "only list the files whose form differs; the exit status is 1 if there are any")
	dialect := dialectFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		d, err := nvtxt.ParseDialect(*dialect)
		if err != nil {
			return misuse("--dialect: %v", err)
		}
		if len(args) == 0 {
			if *write || *list {
				return misuse("%s: --write and --list need files", c.CommandPath())
			}
			return a.formatFrom(c.InOrStdin(), "standard input", a.stdout, d)
		}
		for _, name := range args {
			if err := a.formatFile(c.Context(), name, d, *write, *list); err != nil {
				return err
			}
		}
		return nil
	}
	return c
}

func (a *app) formatFrom(in io.Reader, name string, out io.Writer, d nvtxt.Dialect) error {
	wrong, err := nvtxt.Format(out, in, d)
	if err != nil {
		return &inputError{fmt.Errorf("%s: %w", name, err)}
	}
	if wrong > 0 {
		fmt.Fprintf(a.stderr, "gpuprof: %s: %d lines are in error and stay as they are; 'gpuprof nvtxt check' tells which\n", name, wrong)
	}
	return nil
}

// formatFile reads a file as a whole, since with -w the result replaces it.
func (a *app) formatFile(ctx context.Context, name string, d nvtxt.Dialect, write, list bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return &inputError{err}
	}
	var b bytes.Buffer
	if err := a.formatFrom(bytes.NewReader(data), name, &b, d); err != nil {
		return err
	}
	same := bytes.Equal(data, b.Bytes())
	switch {
	case list && !same:
		a.status = exitFinding
		_, err = fmt.Fprintln(a.stdout, name)
	case !list && !write:
		_, err = a.stdout.Write(b.Bytes())
	}
	if err == nil && write && !same {
		err = atomicfile.WriteBytes(name, b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("%w: %v", errOutput, err)
	}
	return nil
}

// logFlags are the flags of nvtxt from-log.
type logFlags struct {
	rules                         map[nvtxt.Command]*[]string
	text, color, timeFormat, name *string
	output, dialect, timeBase     *string
	origin                        *int64
	process, thread               *uint32
}

// logCommands are the commands that a pattern can stand for, in the order in
// which patterns are tried.
var logCommands = []struct {
	flag    string
	command nvtxt.Command
	help    string
}{
	{"push", nvtxt.CmdRangePush, "a line that `REGEX` matches begins a nested range"},
	{"pop", nvtxt.CmdRangePop, "it ends the innermost nested range of its thread"},
	{"start", nvtxt.CmdRangeStart, "it begins a range that --end ends: the one of the same id, or else thread and text"},
	{"end", nvtxt.CmdRangeEnd, "it ends a range that --start began"},
	{"pattern", nvtxt.NoCommand, "it is a marker, or a range if it tells an end or a duration"},
}

func (a *app) nvtxtFromLog() *cobra.Command {
	c := &cobra.Command{
		Use:   "from-log [options] --pattern REGEX LOG -o FILE",
		Short: "Make annotations out of an existing log",
		Long: `Make annotations out of an existing log. A REGEX has Go's syntax; named groups give
the values: (?P<time>…), which it must have, and end, duration, message, process,
thread, category, color, payload, id. A thread or category may be a number or a name.`,
		Example: `  gpuprof nvtxt from-log --pattern '^(?P<time>\S+ \S+) \[(?P<thread>\w+)\] (?P<message>.*)' app.log -o app.nvtxt
  gpuprof nvtxt from-log --start '(?P<time>\S+) begin (?P<id>\d+)' --end '(?P<time>\S+) done (?P<id>\d+)' app.log -o app.nvtxt`,
		DisableFlagsInUseLine: true,
	}
	fs := c.Flags()
	f := &logFlags{rules: map[nvtxt.Command]*[]string{}}
	for _, l := range logCommands {
		f.rules[l.command] = fs.StringArray(l.flag, nil, l.help)
	}
	f.text = fs.String("text", "", "`TEMPLATE` of the annotation's text, with $name for groups; default: the group message, or the line")
	f.color = fs.String("event-color", "", "`NAME` of a colour for the annotations, or 0xAARRGGBB")
	f.timeFormat = fs.String("time-format", "", "`ns|us|ms|s|LAYOUT` of times; a LAYOUT shows how 2006-01-02 15:04:05 is written")
	f.name = fs.String("name", "", "`NAME` of the file on the timeline")
	f.origin = fs.Int64("origin", 0, "`NS` to subtract from all times")
	f.process = fs.Uint32("process", 0, "`ID` of the process of lines that do not tell")
	f.thread = fs.Uint32("thread", 0, "`ID` of the thread of lines that do not tell")
	f.timeBase = fs.String("time-base", "Manual", "`Manual|Relative|ClockMonotonicRaw|CNTVCT|Qpc` of the times")
	f.output = fs.StringP("output", "o", "", "write to `FILE` instead of the terminal")
	f.dialect = dialectFlag(c)
	c.Args = cobra.ExactArgs(1)
	c.RunE = func(c *cobra.Command, args []string) error {
		opt, err := f.options()
		if err != nil {
			return err
		}
		return a.fromLog(c.Context(), args[0], *f.output, opt)
	}
	return c
}

func (f *logFlags) options() (o nvtxt.LogOptions, err error) {
	o = nvtxt.LogOptions{TimeFormat: *f.timeFormat, Origin: *f.origin, Process: *f.process, Thread: *f.thread, DisplayName: *f.name}
	if o.Writer.Dialect, err = nvtxt.ParseDialect(*f.dialect); err != nil {
		return o, misuse("--dialect: %v", err)
	}
	if o.Writer.TimeBase, err = nvtxt.ParseTimeBase(*f.timeBase); err != nil {
		return o, misuse("--time-base: %v", err)
	}
	var color uint32
	if *f.color != "" {
		if color, err = nvtxt.ParseColor(*f.color); err != nil {
			return o, misuse("--event-color: %v", err)
		}
	}
	for _, l := range logCommands {
		for _, s := range *f.rules[l.command] {
			re, err := regexp.Compile(s)
			if err != nil {
				return o, misuse("--%s: %v", l.flag, err)
			}
			o.Rules = append(o.Rules, nvtxt.LogRule{Pattern: re, Command: l.command, Text: *f.text, Color: color})
		}
	}
	if err := o.Validate(); err != nil {
		return o, misuse("nvtxt from-log: %v", err)
	}
	return o, nil
}

func (a *app) fromLog(ctx context.Context, name, output string, opt nvtxt.LogOptions) error {
	in, err := os.Open(name)
	if err != nil {
		return &inputError{err}
	}
	defer in.Close()
	var st nvtxt.LogStats
	convert := func(w io.Writer) (err error) {
		st, err = nvtxt.FromLog(ctx, w, in, name, opt)
		return err
	}
	if output == "" || output == "-" {
		err = convert(a.stdout)
	} else {
		err = streamFile(output, convert)
	}
	if err != nil {
		return &inputError{err}
	}
	if err := st.Diagnostics.WriteText(a.stderr); err != nil {
		return fmt.Errorf("%w: %v", errOutput, err)
	}
	fmt.Fprintf(a.stderr, "gpuprof: %d of %d lines match, %d annotations\n", st.Matched, st.Lines, st.Written)
	if st.Diagnostics.Failed(false) {
		a.status = exitFinding
	}
	return nil
}

// streamFile lets f write a file that appears only when it is whole.
func streamFile(name string, f func(io.Writer) error) error {
	return atomicfile.Write(name, func(t *atomicfile.File) error { return f(t) })
}
