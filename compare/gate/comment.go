package gate

import (
	"fmt"
	"io"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
)

// marker is the first line of a comment, by which a later run finds it.
const marker = "<!-- gpuprof:check -->"

// Comment writes the report for a pull request: the verdict first, then the
// worst results, all else folded, 40 lines at most.
func (r *Report) Comment(w io.Writer) error {
	c := compare.NewComment(w)
	c.Line("%s", marker)
	c.Line("### GPU performance: %s", compare.Plain(r.First()))
	c.Line("%s", r.about())
	c.Line("")
	var open, rest []*Result
	for i := range r.Results {
		x := &r.Results[i]
		switch {
		case x.Status <= NotClear:
			open = append(open, x)
		case x.Status == Passed && x.Row != nil && x.Change != nil && x.Change.Word.String() == "less":
			open = append(open, x)
		default:
			rest = append(rest, x)
		}
	}
	if len(open) > 0 {
		c.Line("| | what | old → new | change | 90 %% interval | why |")
		c.Line("|---|---|---|---|---|---|")
	}
	const most = 10
	for _, x := range open[:min(len(open), most)] {
		c.Line("%s", row(x, true))
	}
	if len(open) > most {
		c.Line("| | and %d more | | | | |", len(open)-most)
	}
	for _, cmp := range r.Comparisons {
		c.Line("")
		c.Line("%s", totals(cmp))
	}
	if len(rest) > 0 {
		c.Line("")
		c.Line("<details><summary>%d more</summary>", len(rest))
		c.Line("")
		c.Line("| what | limit | result |")
		c.Line("|---|---|---|")
		for _, x := range rest[:min(len(rest), 5)] {
			c.Line("| %s | %s | %s |", compare.Code(className(x)), compare.Code(caseName(x)), compare.Cell(x.Text))
		}
		if len(rest) > 5 {
			c.Line("| and %d more | | |", len(rest)-5)
		}
		c.Line("")
		c.Line("</details>")
	}
	return c.Err()
}

// about says what was compared.
func (r *Report) about() string {
	parts := []string{fmt.Sprintf("%d + %d runs", r.Old, r.New)}
	if len(r.Comparisons) > 0 { // all are of the same machine
		c := r.Comparisons[0]
		for _, what := range []compare.Subject{compare.GPU, compare.Driver} {
			if v := c.New[0].Fact(what); v != "" {
				if what == compare.Driver {
					v = "driver " + v
				}
				parts = append(parts, compare.Plain(v))
			}
		}
	}
	parts = append(parts, fmt.Sprintf("gate: +%s, α %g", r.Policy.Defaults.MaxIncrease, r.Policy.Defaults.Alpha))
	return strings.Join(parts, " · ")
}

var signs = map[Status]string{Broken: "❌", Missing: "❌", NotComparable: "❌", Undecided: "❔", Warning: "⚠️", NotClear: "❔", Passed: "✅"}

// row is a result as a line of the table.
func row(x *Result, why bool) string {
	values, change, interval := "", "", ""
	said := x.Text
	if x.Change != nil {
		old, new := x.Change.Medians()
		values = compare.Arrow(old, new, x.Change.Unit)
		if x.Change.Ratio.OK {
			change = "**" + compare.Percent(x.Change.Ratio.Value) + "**"
			interval = compare.IntervalText(x.Change.Ratio)
		}
		if x.Status == Broken || x.Status == Passed {
			said = ""
		}
	}
	if why {
		details := x.why()
		if said == "" && len(details) > 0 {
			said = strings.Join(details[:min(len(details), 4)], ", ")
		}
	}
	name := compare.Code(x.Name)
	if x.Launch != "" {
		name += " " + compare.Cell(x.Launch)
	}
	if x.Metric != "" && !strings.Contains(x.Metric, "time") {
		name += " " + compare.Code(x.Metric)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", signs[x.Status], name, values, change, interval, compare.Cell(said))
}

// totals is the time of all that both sides have.
func totals(c *compare.Comparison) string {
	old, new, unit := c.Total()
	if old == 0 {
		return ""
	}
	s := fmt.Sprintf("Total of matched %s: %s (%s).", c.Kind, compare.Arrow(old, new, unit), compare.Percent(new/old))
	if c.Kind == compare.Launches {
		s = strings.Replace(s, "launches", "kernels", 1)
	}
	n := c.Count(compare.Kernel, compare.Benchmark)
	if n.OnlyNew > 0 {
		s += fmt.Sprintf(" Only new: %d.", n.OnlyNew)
	}
	if n.OnlyOld > 0 {
		s += fmt.Sprintf(" Only old: %d.", n.OnlyOld)
	}
	return s
}
