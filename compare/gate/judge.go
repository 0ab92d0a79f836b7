package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/policy"
	"github.com/gpuprof/gpuprof/compare/sample"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Judge judges runs by a policy. Runs of different kinds are families of their
// own; old may be empty where the policy has no relative limits.
func Judge(p *policy.Policy, old, new []*compare.Run) *Report {
	r := &Report{Policy: p, Old: len(old), New: len(new)}
	for _, kind := range []compare.Kind{compare.Launches, compare.Timeline, compare.Benchmarks} {
		a, b := ofKind(old, kind), ofKind(new, kind)
		if len(b) == 0 {
			continue
		}
		j := &judge{report: r, policy: p, kind: kind}
		j.run(a, b)
	}
	r.unused(new)
	r.sort()
	return r
}

func ofKind(runs []*compare.Run, kind compare.Kind) []*compare.Run {
	var out []*compare.Run
	for _, r := range runs {
		if r.Kind == kind {
			out = append(out, r)
		}
	}
	return out
}

// judge judges the runs of one kind.
type judge struct {
	report *Report
	policy *policy.Policy
	kind   compare.Kind
	c      *compare.Comparison
	rules  sample.Rules
	bare   bool // there is no baseline
	tests  []*test
}

// test is a relative limit of a kernel that waits for the family.
type test struct {
	result Result
	limit  *policy.Limit
	change compare.Change
	shift  bool // in units
	number int
}

func (j *judge) run(old, new []*compare.Run) {
	d := j.policy.Defaults
	j.rules = sample.Rules{Alpha: d.Alpha, Threshold: d.MaxIncrease.Share, Least: d.Least}
	j.bare = len(old) == 0
	if j.bare {
		old = new // for what both sides have; nothing is compared
	}
	j.c = compare.Compare(old, new, compare.Options{Rules: j.rules})
	if !j.bare {
		j.report.Comparisons = append(j.report.Comparisons, j.c)
		if !j.comparable() {
			return
		}
	}
	switch j.kind {
	case compare.Launches:
		j.kernels()
	case compare.Timeline:
		j.timelines()
	case compare.Benchmarks:
		j.benchmarks()
	}
	j.test()
}

// refusing are the differences that a gate refuses unless the policy allows them.
var refusing = map[string]bool{"device": true, "graphs": true}

// comparable tells of differences between the sides, and reports whether they
// can be compared at all.
func (j *judge) comparable() bool {
	ok := true
	for _, n := range j.c.Notes {
		if slices.Contains(j.policy.Allow, n.Subject) {
			continue
		}
		res := Result{Status: Note, Rule: Unlike, Section: string(j.kind), Name: n.Subject, Text: n.Text, Related: j.c}
		switch {
		case n.Level == compare.Refuse && refusing[n.Subject]:
			res.Status = NotComparable
			ok = false
		case n.Level == compare.Warn && n.Subject != "clock" && n.Subject != "work": // these are told for each kernel
			res.Status = Warning
		case n.Level == compare.Info:
			if n.Subject == "file" || n.Subject == "extends" || n.Subject == "command" || n.Subject == "passes" {
				continue
			}
		}
		j.report.Results = append(j.report.Results, res)
	}
	return ok
}

// names are the forms of a row's name that patterns may match.
func names(r *compare.Row) []string {
	var out []string
	for _, e := range []*compare.Entity{r.NewEntity(), r.OldEntity()} {
		if e != nil {
			out = append(out, e.Name, e.Full, e.Base, compare.ShortName(e.Base))
		}
	}
	return out
}

func (j *judge) add(res Result) {
	res.Related = j.c
	if res.Row != nil {
		res.Name, res.Launch = res.Row.Name(), res.Row.Shapes()
		res.File, res.Line = sourceOf(res.Row)
	}
	j.report.Results = append(j.report.Results, res)
}

// sourceOf is a place in the source that the report has of a kernel: where a
// finding points to.
func sourceOf(r *compare.Row) (string, int) {
	if e := r.NewEntity(); e != nil {
		for _, f := range e.Source.Findings() {
			if f.File != "" {
				return f.File, f.Line
			}
		}
	}
	return "", 0
}

// action is the status that an action of the policy gives.
func action(a policy.Action, fail Status) Status {
	return map[policy.Action]Status{policy.Fail: fail, policy.Warn: Warning, policy.Note: Note}[a]
}

// missing tells that a rule names what is not there.
func (j *judge) missing(rule Rule, section, name, metric, text string, at policy.Place, row *compare.Row) {
	j.add(Result{Status: action(j.policy.Defaults.Missing, Missing), Rule: rule, Section: section, Name: name, Metric: metric, Text: text, Policy: at, Row: row})
}

// limit judges one limit of a row that both sides have, or the new one.
func (j *judge) limit(section string, row *compare.Row, l *policy.Limit, metric string) {
	res := Result{Section: section, Row: row, Metric: metric, Policy: l.Place}
	e := row.NewEntity()
	if e == nil {
		return // told as missing by its rule
	}
	if l.Max != nil || l.Min != nil || l.Equals != nil {
		j.absolute(res, row, l, metric)
	}
	if !l.Relative() {
		return
	}
	res.Rule, res.Limit = Increase, "max_increase "+boundText(l.MaxIncrease)
	if l.MaxDecrease != nil {
		res.Rule, res.Limit = Decrease, "max_decrease "+boundText(l.MaxDecrease)
	}
	switch {
	case j.bare:
		res.Status = action(j.policy.Defaults.Missing, Missing)
		res.Text = "there is no baseline to compare with: give --baseline, or baseline in the policy"
		j.add(res)
		return
	case row.OldEntity() == nil:
		res.Status, res.Rule = action(j.policy.Defaults.New, Broken), NewKernel
		res.Text = "new: the baseline does not have it, so that it cannot increase"
		j.add(res)
		return
	}
	ch := j.c.Change(row, metric)
	if lacking(ch.Old) || lacking(ch.New) {
		side := "a new run"
		if lacking(ch.Old) {
			side = "a run of the baseline"
		}
		j.missing(MissingMetric, section, "", metric, metric+": "+side+" does not have it", l.Place, row)
		return
	}
	t := &test{result: res, limit: l, change: ch}
	for _, b := range []*policy.Bound{l.MaxIncrease, l.MaxDecrease} {
		t.shift = t.shift || b != nil && b.Units
	}
	j.tests = append(j.tests, t)
}

func lacking(v []float64) bool { return slices.ContainsFunc(v, math.IsNaN) }

func boundText(b *policy.Bound) string {
	if b == nil {
		return ""
	}
	return b.String()
}

// absolute judges bounds that need no baseline. Attributes of the launch and
// equalities hold for every launch of every run, other metrics for the median
// of the new runs.
func (j *judge) absolute(res Result, row *compare.Row, l *policy.Limit, metric string) {
	exact := compare.DirectionOf(metric).Class == "exact" || l.Equals != nil
	var values []float64
	unit := ""
	for _, e := range row.New {
		if e == nil {
			continue
		}
		each, u := e.Source.Each(metric)
		if len(each) == 0 {
			j.missing(MissingMetric, res.Section, "", metric, metric+": a new run does not have it", l.Place, row)
			return
		}
		if u != "" {
			unit = u
		}
		if !exact {
			each = []float64{sample.Median(each)}
		}
		values = append(values, each...)
	}
	if !exact {
		values = []float64{sample.Median(values)}
	}
	res.Rule = Absolute
	if exact {
		res.Rule = Exact
	}
	for _, b := range []struct {
		q    *policy.Quantity
		word string
		ok   func(v, q float64) bool
	}{
		{l.Max, "max", func(v, q float64) bool { return v <= q }},
		{l.Min, "min", func(v, q float64) bool { return v >= q }},
		{l.Equals, "equals", func(v, q float64) bool { return v == q }},
	} {
		if b.q == nil {
			continue
		}
		one := res
		one.Limit = b.word + " " + b.q.Text
		if !fits(b.q.Kind, unit) {
			one.Status = action(j.policy.Defaults.Missing, Missing)
			one.Text = fmt.Sprintf("%s has the unit %q, the limit is %s", metric, unit, b.q.Text)
			j.add(one)
			continue
		}
		one.Status = Passed
		worst := values[0]
		for _, v := range values {
			if !b.ok(v, b.q.V) {
				one.Status, worst = Broken, v
				break
			}
		}
		shown, _, u := compare.Scaled(worst, worst, unit)
		one.Text = strings.TrimSpace(fmt.Sprintf("%s is %s %s", metric, shown, u)) + fmt.Sprintf(", the limit is %s", one.Limit)
		j.add(one)
	}
}

// fits reports whether a quantity is of the kind of a metric's unit.
func fits(kind, unit string) bool {
	switch kind {
	case "":
		return true
	case "hz":
		return unit == "cycle_per_second"
	case "byte":
		return strings.HasPrefix(unit, "byte")
	}
	return unit == kind
}

// test judges the relative limits together.
func (j *judge) test() {
	if len(j.tests) == 0 {
		return
	}
	f := sample.NewFamily(len(j.c.Old), len(j.c.New))
	for _, t := range j.tests {
		if t.shift {
			t.number = f.AddShift(t.change.Old, t.change.New, t.change.Unit)
		} else {
			t.number = f.AddRatio(t.change.Old, t.change.New)
		}
	}
	more, less := make([]float64, f.Len()), make([]float64, f.Len())
	if j.decides() {
		more, _ = f.P(sample.More)
		less, _ = f.P(sample.Less)
	}
	for _, t := range j.tests {
		j.verdict(t, f, more[t.number], less[t.number])
	}
}

func (j *judge) decides() bool {
	return j.rules.Decides(len(j.c.Old), len(j.c.New)) && !j.shared()
}

func (j *judge) shared() bool { return j.c.Shared && !slices.Contains(j.policy.Allow, "same") }

// verdict judges one relative limit.
func (j *judge) verdict(t *test, f *sample.Family, pMore, pLess float64) {
	res, ch, l := &t.result, &t.change, t.limit
	bound, word := l.MaxIncrease, sample.TakesMore
	p := pMore
	if l.MaxDecrease != nil || l.Better == compare.Higher {
		word, p = sample.TakesLess, pLess
		if l.MaxDecrease != nil {
			bound = l.MaxDecrease
		}
	}
	rules := j.rules
	rules.Threshold = bound.Share
	n, m := len(j.c.Old), len(j.c.New)
	ch.P = p
	res.Change = ch
	old, new := ch.Medians()
	defer func() { j.add(*res) }()
	if j.unlike(t) {
		return
	}
	var e sample.Estimate
	if t.shift {
		if !fits(bound.Amount.Kind, ch.Unit) {
			res.Status = action(j.policy.Defaults.Missing, Missing)
			res.Text = fmt.Sprintf("%s has the unit %q, the limit is %s", ch.Metric, ch.Unit, bound)
			return
		}
		e = sample.Shift(ch.Old, ch.New, sample.Level)
		ch.Word = rules.JudgeShift(n, m, e, pMore, pLess, bound.Amount.V)
	} else {
		e = ch.Ratio
		ch.Word = rules.Judge(n, m, e, pMore, pLess)
	}
	values := compare.Arrow(old, new, ch.Unit)
	said := compare.Sentence(ch.Word, ch.Ratio.Value, ch.IsTime())
	if t.shift && (ch.Word == sample.TakesMore || ch.Word == sample.TakesLess) {
		amount, _, unit := compare.Scaled(math.Abs(e.Value), math.Abs(e.Value), ch.Unit)
		said = map[sample.Verdict]string{sample.TakesMore: "takes ", sample.TakesLess: "takes "}[ch.Word] + amount + " " + unit +
			map[sample.Verdict]string{sample.TakesMore: " more", sample.TakesLess: " less"}[ch.Word]
	}
	switch {
	case !t.shift && !f.Tested(t.number) && old == 0 && new == 0 && constant(ch.Old) && constant(ch.New):
		res.Status, res.Text = Passed, ch.Metric+" is zero in all runs"
		return
	case !t.shift && !ch.Ratio.OK:
		res.Status = j.undecided()
		res.Rule = TooFew
		res.Text = fmt.Sprintf("%s: %s: values of zero have no ratio; limit it in its unit, or by max or equals", ch.Metric, values)
		return
	case !j.decides():
		j.tooFew(t, e, values, word)
		return
	case ch.Word == word:
		res.Status = Broken
	case ch.Word == sample.NotClear:
		res.Status = NotClear
		ch.Runs = rules.RunsToTell(f.Spread(t.number))
		if ch.Runs > 0 && !t.shift {
			said += ": about " + itoa(ch.Runs) + " runs a side would tell"
		}
	default:
		res.Status = Passed
	}
	res.Text = fmt.Sprintf("%s: %s (%s; limit %s)", said, values, strings.TrimSpace(shareText(ch, t.shift)), bound)
}

// shareText is the change with its interval.
func shareText(ch *compare.Change, shift bool) string {
	s := compare.Percent(ch.Ratio.Value)
	if !ch.Ratio.OK {
		s = "no ratio"
	}
	if i := compare.IntervalText(ch.Ratio); i != "" && !shift {
		s += ", 90 % interval " + i
	}
	return s
}

func constant(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return x != v[0] })
}

func (j *judge) undecided() Status {
	if j.policy.Defaults.Undecided == policy.Warn {
		return Warning
	}
	return Undecided
}

// unlike tells that a kernel ran at another clock or had other work to do, where
// the policy does not allow that.
func (j *judge) unlike(t *test) bool {
	r := t.result.Row
	text := ""
	switch {
	case t.change.IsTime() && r.Class == compare.Kernel && strings.Contains(t.change.Metric, "time") && r.ClockMoved() && !slices.Contains(j.policy.Allow, "clock"):
		text = fmt.Sprintf("the clock differs by %s and the time by %s; limit cycles, lock the clocks, or allow: [clock]", compare.Percent(r.Clock.Ratio.Value), compare.Percent(t.change.Ratio.Value))
	case j.kind == compare.Launches && r.OtherWork() && !slices.Contains(j.policy.Allow, "work"):
		text = fmt.Sprintf("another amount of work: %s instructions executed at the same launch; or allow: [work]", compare.Percent(r.Work.Ratio.Value))
	default:
		return false
	}
	t.result.Status, t.result.Rule, t.result.Text = NotComparable, Unlike, text
	return true
}

// tooFew ends a limit for which there are too few runs: undecided, unless the
// policy takes one run a side by its ratio.
func (j *judge) tooFew(t *test, e sample.Estimate, values string, word sample.Verdict) {
	res := &t.result
	if (t.limit.AllowSingle || j.policy.Defaults.AllowSingle) && !j.shared() && e.OK {
		bound := t.limit.MaxIncrease
		if t.limit.MaxDecrease != nil {
			bound = t.limit.MaxDecrease
		}
		low, high := 1/(1+bound.Share), 1+bound.Share
		if t.shift {
			low, high = -bound.Amount.V, bound.Amount.V
		}
		res.Status = Passed
		if word == sample.TakesMore && e.Value >= high && e.Value > 1-boolTo(t.shift) || word == sample.TakesLess && e.Value <= low && e.Value < 1-boolTo(t.shift) {
			res.Status = Broken
		}
		res.Text = fmt.Sprintf("%s (%s; limit %s; too few runs to know the noise, judged by the ratio as the policy asks)", values, compare.Percent(t.change.Ratio.Value), bound)
		return
	}
	res.Status, res.Rule = j.undecided(), TooFew
	need := j.rules.RunsToDecide()
	res.Text = fmt.Sprintf("cannot tell: %s (%s); %d + %d runs, %d a side decide", values, compare.Percent(t.change.Ratio.Value), len(j.c.Old), len(j.c.New), need)
	if j.shared() {
		res.Text = fmt.Sprintf("cannot tell: %s: both sides hold the same measurement", values)
	}
}

func boolTo(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
