package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// output says where a document goes and how it looks.
type output struct {
	format, file, color, charts *string
	csv                         *bool
}

func outputFlags(fs *pflag.FlagSet) *output {
	o := lookFlags(fs)
	o.format = fs.String("format", "text", "`"+strings.Join(view.Formats(), "|")+"` of the output")
	o.file = fs.StringP("output", "o", "", "write to `FILE` instead of the terminal (-)")
	return o
}

// lookFlags declares the flags of how a document looks.
func lookFlags(fs *pflag.FlagSet) *output {
	format, file := string(view.FormatText), ""
	return &output{
		format: &format,
		file:   &file,
		csv:    fs.Bool("csv", false, "the same as --format csv"),
		color:  fs.String("color", "auto", "`auto|always|never` use colours; auto: on a terminal without NO_COLOR"),
		charts: fs.String("charts", "auto", "`auto|always|never` draw charts in text; auto: on a terminal without --compat"),
	}
}

func (o *output) chosen() (view.Format, error) {
	if *o.file == "-" {
		*o.file = "" // the terminal, as everywhere
	}
	if *o.csv {
		return view.FormatCSV, nil
	}
	switch *o.color {
	case "auto", "always", "never":
	default:
		return "", misuse("--color: %q is not one of auto, always, never", *o.color)
	}
	switch *o.charts {
	case "auto", "always", "never":
	default:
		return "", misuse("--charts: %q is not one of auto, always, never", *o.charts)
	}
	for _, f := range view.Formats() {
		if f == *o.format {
			return view.Format(f), nil
		}
	}
	return "", misuse("--format: %q is not one of %s", *o.format, strings.Join(view.Formats(), ", "))
}

// report tells whether the output is to be a report, by its name.
func (o *output) report() bool {
	return strings.HasSuffix(*o.file, ".ncu-rep") || strings.HasSuffix(*o.file, ".nsight-cuprof-report")
}

// write renders doc to stdout, or to a file that appears only when it is whole.
// Rows of large documents are made meanwhile, so an interruption may come here.
func (o *output) write(ctx context.Context, stdout io.Writer, doc *view.Document, f view.Format, vo view.Options) error {
	vo.Charts = *o.charts == "always" ||
		*o.charts == "auto" && *o.file == "" && isTerminal(stdout) && vo.Spelling == view.SpellingCurrent
	vo.Width = widthOf(stdout)
	if *o.file == "" {
		vo.Color = *o.color == "always" ||
			*o.color == "auto" && isTerminal(stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if err := view.Render(stdout, doc, f, vo); err != nil {
			return fmt.Errorf("%w: %v", errOutput, err)
		}
		return ctx.Err()
	}
	err := atomicfile.Write(*o.file, func(file *atomicfile.File) error {
		w := bufio.NewWriterSize(file, 1<<18)
		if err := view.Render(w, doc, f, vo); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		return ctx.Err()
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %v", errOutput, err)
	}
	return err
}

// stream lets a page write its output itself; done is false where it does not.
func (o *output) stream(stdout io.Writer, write func(io.Writer) (bool, error)) (done bool, err error) {
	if *o.file == "" {
		w := &failing{w: stdout}
		done, err = write(w)
		if w.err != nil {
			err = fmt.Errorf("%w: %v", errOutput, w.err)
		}
		return done, err
	}
	var b bytes.Buffer
	if done, err = write(&b); done && (err == nil || errors.Is(err, page.ErrIncomplete)) {
		if failed := atomicfile.WriteBytes(*o.file, b.Bytes()); failed != nil {
			err = fmt.Errorf("%w: %v", errOutput, failed)
		}
	}
	return done, err
}

// failing remembers the error of a writer, to tell it from others.
type failing struct {
	w   io.Writer
	err error
}

func (f *failing) Write(b []byte) (int, error) {
	n, err := f.w.Write(b)
	f.err = err
	return n, err
}

// widthOf is the number of columns of a terminal, else what COLUMNS says; 0 if
// neither is known.
func widthOf(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	n, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || n < 0 || n > 1000 {
		return 0
	}
	return n
}

func isTerminalFile(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
