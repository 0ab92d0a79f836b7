package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
	"github.com/gpuprof/gpuprof/view/visible"
)

// look says how documents look on a terminal.
type look struct {
	color, charts string
	csvSafe, wide bool
	brief         briefFlags
}

// briefFlags ask for an answer that fits.
type briefFlags struct {
	size   Size // 0: not asked for
	cursor string
}

// defaultBrief is the size of a brief answer whose size is not given.
const defaultBrief = "4K"

// shorten makes the request for an answer that fits, which is Markdown, or JSON where
// that is asked for.
func (out *asked) shorten() (*view.Brief, error) {
	f := out.look.brief
	if f.size == 0 {
		if f.cursor != "" {
			return nil, misuse("--cursor: expected --brief beside it")
		}
		return nil, nil
	}
	if f.size < view.MinBudget || f.size > view.MaxBudget {
		return nil, misuse("--brief: %d bytes; expected %d to %d", int64(f.size), view.MinBudget, view.MaxBudget)
	}
	b := &view.Brief{Budget: int(f.size), Cursor: f.cursor, Narrow: "options choose launches, sections, reports or metrics; --brief=16K; --cursor continues"}
	for _, form := range out.forms {
		switch form {
		case "json":
			b.JSON = true
		case "", "text", "md":
		default:
			return nil, misuse("--brief: %s has no brief form; expected md or json", form)
		}
	}
	out.forms = []string{"md"}
	return b, nil
}

// asked says in which forms the answer is wanted, where, and how it looks.
type asked struct {
	forms, outputs []string
	replace        bool // outputs that exist
	look
}

// output holds the flags that say so.
type output struct {
	format, file string
	csv, replace bool
	look
}

// asked are the values of the flags.
func (o *output) asked() asked {
	out := asked{forms: []string{o.format}, outputs: []string{o.file}, replace: o.replace, look: o.look}
	if o.csv {
		out.forms = []string{"csv"}
	}
	return out
}

// outputFlags declares the flags of the output of a page.
func outputFlags(fs *pflag.FlagSet, p *page.Page) *output {
	o := &output{look: look{color: "auto", charts: "auto"}}
	file := "write to `FILE` instead of the terminal (-)"
	ReplaceFlag(fs, &o.replace, "f")
	switch p.Output {
	case page.OneText:
		fs.StringVarP(&o.file, "output", "o", "", file)
		return o
	case page.OwnFolder:
		file = "also write the results as files into the folder `DIR`"
	}
	lookFlags(fs, o)
	fs.StringVar(&o.format, "format", "text", "`"+strings.Join(view.Formats(), "|")+"` of the output")
	fs.StringVarP(&o.file, "output", "o", "", file)
	return o
}

// ReplaceFlag declares the flag without which no output that exists is overwritten.
func ReplaceFlag(fs *pflag.FlagSet, to *bool, short string) {
	if fs.ShorthandLookup("f") != nil {
		short = ""
	}
	fs.BoolVarP(to, "force-overwrite", short, false, "replace outputs that exist")
}

// lookFlags declares the flags of how a document looks.
func lookFlags(fs *pflag.FlagSet, o *output) {
	fs.Var(&o.brief.size, "brief", "an answer of at most so many bytes, for agents: compact Markdown, or JSON with --format json; it says what it leaves out")
	fs.Lookup("brief").NoOptDefVal = defaultBrief
	fs.StringVar(&o.brief.cursor, "cursor", "", "continue the brief answer that ended with this `CURSOR`")
	fs.BoolVar(&o.csv, "csv", false, "the same as --format csv")
	fs.BoolVar(&o.csvSafe, "csv-safe", false, "in csv and tsv set a ' before texts that spreadsheets would take for formulas")
	fs.BoolVar(&o.wide, "wide", false, "on a terminal, too, print lines as long as they are")
	fs.StringVar(&o.color, "color", "auto", "`auto|always|never` use colours; auto: on a terminal without NO_COLOR")
	fs.StringVar(&o.charts, "charts", "auto", "`auto|always|never` draw charts in text; auto: on a terminal without --compat")
}

func (l look) check() error {
	for _, f := range [][2]string{{"color", l.color}, {"charts", l.charts}} {
		switch f[1] {
		case "auto", "always", "never":
		default:
			return misuse("--%s: %q is not one of auto, always, never", f[0], f[1])
		}
	}
	return nil
}

// at makes what changes the options of documents for the terminal, or for a file.
func (l look) at(stdout io.Writer, file bool) func(*view.Options) {
	terminal := !file && IsTerminal(stdout)
	return func(o *view.Options) {
		o.Charts = l.charts == "always" || l.charts == "auto" && terminal && o.Spelling == view.SpellingCurrent
		o.Width, o.CSVSafe = widthOf(stdout), l.csvSafe
		if terminal && !l.wide && o.Spelling == view.SpellingCurrent {
			o.Fit = o.Width
		}
		o.Color = !file && (l.color == "always" || l.color == "auto" && terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
	}
}

// A sink is the terminal, with files and commands beside it.
type sink struct {
	*App
	look  look
	brief *view.Brief // nil: all of it
	bar   *progress
}

func (s *sink) Note(text string) {
	s.bar.done()
	fmt.Fprintf(s.Stderr, "gpuprof: %s\n", text)
}

func (s *sink) Progress(done, of int) { s.bar.step(done, of) }

// at is how documents look on the terminal, or in a file.
func (s *sink) at(file bool) func(*view.Options) {
	look := s.look.at(s.Stdout, file)
	return func(o *view.Options) {
		look(o)
		o.Brief = s.brief
	}
}

// Put writes an answer to the terminal, into a command, or to a file that appears
// only when it is whole.
func (s *sink) Put(_ context.Context, a *page.Answer) error {
	if command, pipe := strings.CutPrefix(a.Output, "@"); pipe {
		return s.pipe(command, a)
	}
	if a.Output == "" {
		s.bar.done()
		return s.show(a)
	}
	return atomicfile.Write(a.Output, func(file *atomicfile.File) error {
		w := bufio.NewWriterSize(file, 1<<18)
		if err := a.Write(w, s.at(true)); err != nil {
			return err
		}
		return w.Flush()
	})
}

// show writes an answer to standard output. Documents for people bring nothing that
// a terminal obeys; what is for programs keeps the characters of its file, so on a
// terminal, and only there, they are made visible.
func (s *sink) show(a *page.Answer) error {
	look := s.at(false)
	switch a.Format {
	case view.FormatText, view.FormatMarkdown, view.FormatJSON:
		return a.Write(s.Stdout, look)
	}
	if !IsTerminal(s.Stdout) {
		return a.Write(s.Stdout, look)
	}
	w := visible.NewWriter(s.Stdout)
	err := a.Write(w, look)
	if e := w.Close(); err == nil {
		err = e
	}
	return err
}

// pipe runs a command with the answer as its input. The command is split at
// blanks; no shell sees it.
func (s *sink) pipe(command string, a *page.Answer) error {
	words := strings.Fields(command)
	if len(words) == 0 {
		return misuse("--output: @ expects a command")
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdout, cmd.Stderr = s.Stdout, s.terminal
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = a.Write(in, s.at(true))
	if e := in.Close(); err == nil {
		err = e
	}
	if errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EPIPE) {
		err = nil // the command has read enough
	}
	if e := cmd.Wait(); err == nil && e != nil {
		return fmt.Errorf("%s: %w", words[0], e)
	}
	return err
}

// widthOf is the number of columns that COLUMNS says, else that of a terminal; 0 if
// neither is known.
func widthOf(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 && n <= 1000 {
		return n
	}
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 0
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
