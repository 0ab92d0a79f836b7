package terminal

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/gpuprof/gpuprof/view"
)

// folding folds the lines that pass it to the width of a terminal. A line that comes in
// several writes is not folded.
type folding struct {
	w     io.Writer
	width int
	hang  int // by how much the lines are set in that follow the first of a line
}

// foldFor is w, or what folds for it where a terminal of a known width is behind.
func foldFor(w, terminal io.Writer, hang int) io.Writer {
	if width := widthOf(terminal); IsTerminal(terminal) && width > 20 {
		return &folding{w, width, hang}
	}
	return w
}

func (f *folding) Write(p []byte) (int, error) {
	var b bytes.Buffer
	for line := range strings.Lines(string(p)) {
		text, whole := strings.CutSuffix(line, "\n")
		if !whole {
			b.WriteString(line)
			continue
		}
		for _, part := range fold(text, f.width, f.hang) {
			b.WriteString(part + "\n")
		}
	}
	if _, err := f.w.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// listed is a line of a list in help: a command or a flag, blanks, and what it is.
var listed = regexp.MustCompile(`^ +\S.*?(  +)\S`)

// fold folds a line; those after the first are set in by hang, those of an entry of a
// list as far as what it says, which has lines of its own where that is too far.
func fold(line string, width, hang int) []string {
	if utf8.RuneCountInString(line) <= width {
		return []string{line}
	}
	m := listed.FindStringSubmatchIndex(line)
	if m == nil {
		return view.Fold(line, width, len(line)-len(strings.TrimLeft(line, " "))+hang)
	}
	if at := utf8.RuneCountInString(line[:m[3]]); at <= width/2 {
		return view.Fold(line, width, at)
	}
	const indent = 10
	rest := view.Fold(strings.Repeat(" ", indent)+line[m[3]:], width, indent)
	return append(view.Fold(line[:m[2]], width, indent), rest...)
}

// foldHelp makes the help of all commands fit a terminal: paragraphs are filled anew.
func foldHelp(root *cobra.Command, stdout io.Writer) {
	to := foldFor(stdout, stdout, 0)
	if to == stdout {
		return
	}
	root.SetOut(to)
	usual := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long = filled(c.Long)
		usual(c, args)
	})
}

// filled joins the lines of each paragraph of a text; lines that are set in stay.
func filled(text string) string {
	var out []string
	open := false // the last line goes on
	for _, line := range strings.Split(text, "\n") {
		flows := line != "" && line[0] != ' '
		if open && flows {
			out[len(out)-1] += " " + line
		} else {
			out = append(out, line)
		}
		open = flows
	}
	return strings.Join(out, "\n")
}
