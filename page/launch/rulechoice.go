package launch

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile/choose"
	"github.com/gpuprof/gpuprof/rule"
)

// applyOptions go with page.RuleOptions on pages that show advice.
var applyOptions = []page.Option{
	{Name: "apply-rules", Remote: true, Kind: page.Choice, Values: []string{"no", "yes"}, Default: "no",
		Help: "yes: apply rules to the launches; --rule chooses among them and implies it"},
}

// ruledLaunches are the launches that q asks for, with what the rules that it asks
// for say of them.
func ruledLaunches(ctx context.Context, q *page.Request) ([]page.Launch, error) {
	launches, err := page.SelectLaunches(q)
	if err != nil {
		return nil, err
	}
	d, err := page.ChooseSections(q)
	if err != nil {
		return nil, err
	}
	return launches, applyRules(ctx, q, launches, d)
}

// applyRules applies the rules that q asks for and adds what they say to the
// overlay of q. It does nothing unless it is asked to.
//
// With d, its sections count as those of a launch, too, and rules see the metrics
// that they derive.
func applyRules(ctx context.Context, q *page.Request, launches []page.Launch, d *page.SectionChoice) error {
	if !rulesWanted(q) {
		return nil
	}
	h, s, err := page.NewRules(ctx, q)
	if err != nil {
		return err
	}
	defer h.Close()
	for _, p := range s.Problems {
		q.Notef("%v", p)
	}
	chosen, err := s.Select(q.List("rule"))
	if err != nil {
		return page.Usagef("--rule: %v", err)
	}
	var run rule.Run
	launches = longest(q, launches)
	for i, l := range launches {
		q.Progress(i, len(launches))
		sections, err := sectionsOf(l)
		if err != nil {
			return err
		}
		if d != nil {
			d.Prepare(l, sections)
		}
		if err := run.Apply(ctx, h, rule.Job{Report: l.File.Report.Report, Action: l.Action, Overlay: q.Overlay, Rules: chosen}, sections); err != nil {
			return err
		}
	}
	if text := run.Lacking(); text != "" {
		q.Notef("%s", text)
	}
	return nil
}

// mostRuled is to how many launches rules are applied, a millisecond each for the
// stock rules: nobody reads the advice on more.
const mostRuled = 5000

// longest are the launches that took most time, in their order, where there are more
// than rules are applied to.
func longest(q *page.Request, launches []page.Launch) []page.Launch {
	if len(launches) <= mostRuled {
		return launches
	}
	q.Notef("rules are applied to the %d launches that took most time, of %d; -k and -c choose others", mostRuled, len(launches))
	took, order := make([]float64, len(launches)), make([]int, len(launches))
	for i, l := range launches {
		order[i] = i
		if m := page.MetricsOf(q, l).Lookup("gpu__time_duration.sum"); m != nil {
			took[i] = m.Value.Double()
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(took[b], took[a]) })
	order = order[:mostRuled]
	slices.Sort(order)
	out := make([]page.Launch, mostRuled)
	for i, k := range order {
		out[i] = launches[k]
	}
	return out
}

// rulesWanted reports whether q asks for rules to be applied.
func rulesWanted(q *page.Request) bool {
	return q.Text("apply-rules") == "yes" || q.Given("rule") && !q.Given("apply-rules")
}

// askedRules are the rules that --rule names, if rules are applied.
func askedRules(q *page.Request) []choose.Name {
	if !rulesWanted(q) {
		return nil
	}
	names, _ := choose.ParseNames(q.List("rule")) // applyRules told of what is wrong
	return names
}

// sectionsOf are the identifiers of the sections that a launch has.
func sectionsOf(l page.Launch) (map[string]bool, error) {
	all, err := l.File.Report.Sections(l.Action)
	if err != nil && len(all) == 0 {
		return nil, err
	}
	ids := make(map[string]bool, len(all))
	for _, s := range all {
		ids[s.Identifier] = true
	}
	return ids, nil
}
