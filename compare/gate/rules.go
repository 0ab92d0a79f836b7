package gate

import (
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/policy"
)

// rows are all rows of the comparison of some class.
func (j *judge) rows(class compare.Class) []*compare.Row {
	var out []*compare.Row
	lists := [][]*compare.Row{j.c.Rows}
	if !j.bare {
		lists = append(lists, j.c.OnlyOld, j.c.OnlyNew)
	}
	for _, list := range lists {
		for _, r := range list {
			if r.Class == class {
				out = append(out, r)
			}
		}
	}
	return out
}

// gone reports whether an entity is on the old side alone.
func gone(r *compare.Row) bool { return r.NewEntity() == nil }

// kernels judges the rules for kernels. The first rule that matches a kernel is
// its rule.
func (j *judge) kernels() {
	rows := j.rows(compare.Kernel)
	taken := make([]bool, len(rows))
	for k := range j.policy.Kernels {
		rule := &j.policy.Kernels[k]
		found := 0
		for i, r := range rows {
			if taken[i] || !rule.Match.Match(names(r)...) {
				continue
			}
			taken[i] = true
			found++
			if rule.Ignore {
				continue
			}
			if gone(r) {
				j.missing(MissingKernel, "kernels", "", "", "the baseline has it, no new run does", rule.Place, r)
				continue
			}
			j.kernel(rule, r)
		}
		if found == 0 && !rule.Ignore {
			j.missing(MissingKernel, "kernels", rule.Match.String(), "", fmt.Sprintf("%q matches no kernel", rule.Match), rule.Place, nil)
		}
	}
	for i, r := range rows {
		if !taken[i] && !j.bare && r.OldEntity() == nil {
			j.add(Result{Status: action(j.policy.Defaults.New, Broken), Rule: NewKernel, Section: "kernels", Row: r, Text: "new: no rule and no baseline knows it"})
		}
	}
}

// kernel judges a kernel by its rule. A rule without any limit bounds the time by
// the default.
func (j *judge) kernel(rule *policy.Kernel, r *compare.Row) {
	limits := rule.Limits
	if len(limits) == 0 && len(rule.Forbid)+len(rule.Require) == 0 && rule.Min == 0 && rule.Max == 0 {
		limits = []policy.Limit{{Place: rule.Place}}
	}
	for i := range limits {
		l := limits[i]
		metric := l.Metric
		if metric == "" {
			metric = r.Time.Metric
		}
		if metric == "cycles" {
			metric = r.Cycles.Metric
			if metric == "" {
				metric = "sm__cycles_elapsed.max"
			}
		}
		j.limit("kernels", r, j.withDefault(&l), metric)
	}
	j.count(rule, r)
	j.findings(rule, r)
}

// withDefault gives a limit without any bound that of the defaults.
func (j *judge) withDefault(l *policy.Limit) *policy.Limit {
	if !l.Relative() && l.Max == nil && l.Min == nil && l.Equals == nil {
		b := j.policy.Defaults.MaxIncrease
		l.MaxIncrease = &b
	}
	return l
}

func (j *judge) count(rule *policy.Kernel, r *compare.Row) {
	for _, e := range r.New {
		if e == nil {
			continue
		}
		res := Result{Status: Passed, Rule: Launched, Section: "kernels", Row: r, Metric: "count", Policy: rule.Place}
		switch {
		case rule.Min > 0 && e.Launches < rule.Min:
			res.Status, res.Limit = Broken, fmt.Sprintf("count min %d", rule.Min)
		case rule.Max > 0 && e.Launches > rule.Max:
			res.Status, res.Limit = Broken, fmt.Sprintf("count max %d", rule.Max)
		default:
			continue
		}
		res.Text = fmt.Sprintf("launched %d times, the limit is %s", e.Launches, res.Limit)
		j.add(res)
		return
	}
}

// findings judges what the profiler's rules found.
func (j *judge) findings(rule *policy.Kernel, r *compare.Row) {
	if len(rule.Forbid)+len(rule.Require) == 0 {
		return
	}
	var have []compare.Finding
	for _, e := range r.New {
		if e != nil {
			have = append(have, e.Source.Findings()...)
		}
	}
	find := func(f policy.Finding) *compare.Finding {
		i := slices.IndexFunc(have, func(h compare.Finding) bool {
			return (h.Rule == f.Rule || h.Title == f.Rule) && h.Speedup >= f.MinSpeedup
		})
		if i < 0 {
			return nil
		}
		return &have[i]
	}
	for _, f := range rule.Forbid {
		res := Result{Status: Passed, Rule: Forbidden, Section: "kernels", Row: r, Metric: f.Rule, Limit: "forbidden", Policy: f.Place, Text: "not found: " + f.Rule}
		if h := find(f); h != nil {
			res.Status = Broken
			res.Text = "found: " + h.Title
			if h.Speedup > 0 {
				res.Text += fmt.Sprintf(" (est. %.1f %%)", h.Speedup)
			}
		}
		j.add(res)
	}
	for _, f := range rule.Require {
		res := Result{Status: Passed, Rule: Required, Section: "kernels", Row: r, Metric: f.Rule, Limit: "required", Policy: f.Place, Text: "found: " + f.Rule}
		if find(f) == nil {
			res.Status, res.Text = Broken, "not found: "+f.Rule
		}
		j.add(res)
	}
}

// timelines judges the rules for timelines.
func (j *judge) timelines() {
	for k := range j.policy.Timeline {
		rule := &j.policy.Timeline[k]
		class := map[policy.What]compare.Class{policy.Ranges: compare.Range, policy.Kernels: compare.Kernel}[rule.What]
		if class == "" {
			class = compare.Device
		}
		found := 0
		for _, r := range j.rows(class) {
			if class != compare.Device && !rule.Match.Match(names(r)...) {
				continue
			}
			if rule.What == policy.Exposed && !has(r, compare.ExposedTime) {
				continue
			}
			found++
			if gone(r) {
				j.missing(MissingKernel, "timeline", "", "", "the baseline has it, no new run does", rule.Place, r)
				continue
			}
			l := rule.Limit
			l.Place = rule.Place
			j.limit("timeline", r, j.withDefault(&l), timelineMetric(rule, &l, r))
		}
		if found == 0 {
			name := rule.Match.String()
			if class == compare.Device {
				name = string(rule.What)
			}
			j.missing(MissingKernel, "timeline", name, "", fmt.Sprintf("%s %q matches nothing in the timeline", rule.What, name), rule.Place, nil)
		}
	}
}

// timelineMetric is what a rule for timelines bounds: of the idle time its share
// where the bound is a percentage.
func timelineMetric(rule *policy.Timeline, l *policy.Limit, r *compare.Row) string {
	switch rule.What {
	case policy.DeviceIdle:
		if l.Max != nil && l.Max.Kind == "%" || l.Min != nil && l.Min.Kind == "%" {
			return compare.IdleShare
		}
		return compare.IdleTime
	case policy.Exposed:
		return compare.ExposedTime
	}
	switch rule.Of {
	case "total":
		return compare.TotalTime
	case "per_step":
		return compare.StepTime
	case "median":
		return compare.MedianTime
	case "count":
		return compare.Count
	}
	return r.Time.Metric
}

func has(r *compare.Row, metric string) bool {
	each, _ := r.Any().Source.Each(metric)
	return len(each) > 0
}

// benchmarks judges the rules for benchmarks.
func (j *judge) benchmarks() {
	rows := j.rows(compare.Benchmark)
	taken := make([]bool, len(rows))
	for k := range j.policy.Benchmarks {
		rule := &j.policy.Benchmarks[k]
		found := 0
		for i, r := range rows {
			if taken[i] || !rule.Match.Match(names(r)...) {
				continue
			}
			found++
			if gone(r) {
				j.missing(MissingKernel, "benchmarks", "", "", "the baseline has it, no new run does", rule.Place, r)
				continue
			}
			l := rule.Limit
			l.Place = rule.Place
			metric := l.Metric
			if metric == "" {
				metric = compare.BenchmarkTime
			}
			j.limit("benchmarks", r, j.withDefault(&l), metric)
		}
		if found == 0 {
			j.missing(MissingKernel, "benchmarks", rule.Match.String(), "", fmt.Sprintf("%q matches no benchmark", rule.Match), rule.Place, nil)
		}
	}
}

// unused tells of sections of the policy for which no file was given: limits
// that are looked at by nobody are no pass.
func (r *Report) unused(new []*compare.Run) {
	for _, s := range []struct {
		rules   int
		kind    compare.Kind
		section string
		what    string
	}{
		{len(r.Policy.Kernels), compare.Launches, "kernels", "reports of kernel launches"},
		{len(r.Policy.Timeline), compare.Timeline, "timeline", "timelines"},
		{len(r.Policy.Benchmarks), compare.Benchmarks, "benchmarks", "results of benchmarks"},
	} {
		if s.rules > 0 && len(ofKind(new, s.kind)) == 0 {
			r.Results = append(r.Results, Result{Status: action(r.Policy.Defaults.Missing, Missing), Rule: MissingKernel, Section: s.section, Name: s.section,
				Text: fmt.Sprintf("the policy has rules for %s, and no %s were given", s.section, s.what)})
		}
	}
}
