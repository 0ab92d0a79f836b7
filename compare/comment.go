package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/gpuprof/gpuprof/compare/sample"
)

// A Comment writes Markdown for a pull request, within what GitHub takes.
type Comment struct {
	w     io.Writer
	bytes int
	err   error
}

// maxComment is the number of bytes of a comment that GitHub takes.
const maxComment = 65_536

// NewComment makes a comment that writes to w.
func NewComment(w io.Writer) *Comment { return &Comment{w: w} }

// Line writes a line; one that would make the comment too long is left out.
func (c *Comment) Line(format string, args ...any) {
	line := fmt.Sprintf(format, args...) + "\n"
	if c.err != nil || c.bytes+len(line) > maxComment-64 {
		return
	}
	c.bytes += len(line)
	_, c.err = io.WriteString(c.w, line)
}

// Err is the first error of writing.
func (c *Comment) Err() error { return c.err }

// mostName is the number of characters of a name that a comment shows.
const mostName = 60

// Code is a name in a code span, where nothing in it is markup: the middle of
// long ones is cut, and what would end the span or the cell is replaced.
func Code(name string) string {
	r := []rune(strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f:
			return -1
		case r == '`':
			return '\''
		case r == '|':
			return '¦'
		}
		return r
	}, name))
	if len(r) > mostName {
		r = append(append(append([]rune{}, r[:mostName*2/3]...), '…'), r[len(r)-mostName/3+1:]...)
	}
	if len(r) == 0 {
		return ""
	}
	return "`" + strings.ReplaceAll(string(r), "<!--", "<! --") + "`"
}

// Plain is text outside of tables without markup of its own.
func Plain(s string) string {
	return plainText.Replace(strings.Join(strings.Fields(s), " "))
}

var plainText = strings.NewReplacer("<", "&lt;", ">", "&gt;", "`", "'", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "@", "@\u200b", "#", "\\#", "|", "\\|")

// Cell is text within a table.
func Cell(s string) string { return Plain(s) }

// Markdown writes the comparison for a pull request: the verdict first, the
// kernels that moved, the rest folded, 40 lines at most.
func (c *Comparison) Markdown(w io.Writer) error {
	m := NewComment(w)
	m.Line("<!-- gpuprof:diff -->")
	m.Line("### GPU performance: %s", Plain(c.Verdict()))
	about := []string{fmt.Sprintf("%d + %d runs", len(c.Old), len(c.New))}
	for _, what := range []Subject{GPU, Driver} {
		if v := c.New[0].Fact(what); v != "" {
			about = append(about, strings.TrimPrefix(string(what)+" ", "GPU ")+Plain(v))
		}
	}
	m.Line("%s", strings.Join(about, " · "))
	for _, n := range c.Notes[:min(len(c.Notes), 3)] {
		if n.Level != Info {
			m.Line("")
			m.Line("> %s", Plain(n.Text))
		}
	}
	open, rest := c.sorted()
	m.Line("")
	const most = 10
	if len(open) > 0 {
		m.Line("| | what | old → new | change | 90 %% interval | why |")
		m.Line("|---|---|---|---|---|---|")
	}
	for _, r := range open[:min(len(open), most)] {
		m.Line("%s", c.markdownRow(r))
	}
	if len(open) > most {
		m.Line("| | and %d more | | | | |", len(open)-most)
	}
	old, new, unit := c.Total()
	if old > 0 {
		m.Line("")
		m.Line("Total of what both have: %s (%s). Only old: %d. Only new: %d.", Arrow(old, new, unit), Percent(new/old), len(c.OnlyOld), len(c.OnlyNew))
	}
	if len(rest) > 0 {
		m.Line("")
		m.Line("<details><summary>%d unchanged or within %s</summary>", len(rest), percentOf(c.Rules.Threshold))
		m.Line("")
		m.Line("| what | old → new | change | interval |")
		m.Line("|---|---|---|---|")
		const more = 5
		for _, r := range rest[:min(len(rest), more)] {
			o, n := r.Time.Medians()
			m.Line("| %s | %s | %s | %s |", Code(r.Name()), Arrow(o, n, r.Time.Unit), Percent(r.Time.Ratio.Value), IntervalText(r.Time.Ratio))
		}
		if len(rest) > more {
			m.Line("| and %d more | | | |", len(rest)-more)
		}
		m.Line("")
		m.Line("</details>")
	}
	return m.Err()
}

// sorted are the rows that moved and those that did not.
func (c *Comparison) sorted() (open, rest []*Row) {
	for _, r := range c.Rows {
		moved := false
		switch {
		case c.Verdicts():
			moved = r.Time.Word == sample.TakesMore || r.Time.Word == sample.TakesLess || r.Time.Word == sample.NotClear && r.Class == Kernel
		case r.Time.Ratio.OK:
			moved = r.Time.Ratio.Value >= 1+c.Rules.Threshold || r.Time.Ratio.Value <= 1/(1+c.Rules.Threshold)
		}
		if moved {
			open = append(open, r)
		} else {
			rest = append(rest, r)
		}
	}
	sortByWord(open)
	return open, rest
}

func (c *Comparison) markdownRow(r *Row) string {
	sign := map[sample.Verdict]string{sample.TakesMore: "❌", sample.TakesLess: "✅", sample.NotClear: "❔"}[r.Time.Word]
	old, new := r.Time.Medians()
	var why []string
	for _, d := range c.With(r, false) {
		if len(why) < 3 {
			why = append(why, d.Text())
		}
	}
	if r.Cycles.Ratio.OK {
		why = append(why, "cycles "+Percent(r.Cycles.Ratio.Value)+", clock "+Percent(r.Clock.Ratio.Value))
	}
	if r.Time.Word == sample.NotClear && r.Time.Runs > 0 && c.Verdicts() {
		why = []string{fmt.Sprintf("not clear: about %d runs a side would tell", r.Time.Runs)}
	}
	name := Code(r.Name())
	if s := r.Shapes(); s != "" {
		name += " " + Cell(s)
	}
	return fmt.Sprintf("| %s | %s | %s | **%s** | %s | %s |", sign, name, Arrow(old, new, r.Time.Unit), Percent(r.Time.Ratio.Value), IntervalText(r.Time.Ratio), Cell(strings.Join(why, ", ")))
}
