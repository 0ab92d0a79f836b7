package rule

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
)

// A Run applies rules to one launch after the other. It remembers which rules found too little to say anything.
type Run struct {
	lacking         map[string]bool // identifiers of rules
	silent, applied int
}

// Apply applies those of the job's rules that are about its launch and adds what
// they say, and the metrics that they add, to the job's overlay. sections are the
// identifiers of the sections that the launch has.
func (r *Run) Apply(ctx context.Context, h *Host, job Job, sections map[string]bool) error {
	job.Rules = applicable(job.Rules, sections)
	out, err := h.Apply(ctx, job)
	if err != nil {
		return err
	}
	var rs []profile.RuleResult
	for k := range out {
		job.Overlay.AddMetrics(job.Action, out[k].Added)
		if said, ok := resultOf(&out[k]); ok {
			rs = append(rs, said)
		} else {
			if r.lacking == nil {
				r.lacking = map[string]bool{}
			}
			r.lacking[out[k].Rule.ID] = true
			r.silent++
		}
		r.applied++
	}
	job.Overlay.AddRuleResults(job.Action, rs)
	return nil
}

// Lacking tells of rules that said nothing for lack of metrics, "" if there are none.
func (r *Run) Lacking() string {
	switch {
	case r.silent == 0:
		return ""
	case r.silent == r.applied:
		return "no rule found the metrics that it needs; the rules of gpuprof read those of Nsight Compute, some those of AMD's profilers"
	}
	return someOf(r.lacking) + " said nothing of some launches for lack of metrics; 'gpuprof rules test RULE REPORT' tells of which"
}

// someOf names a few rules.
func someOf(ids map[string]bool) string {
	names := slices.Sorted(maps.Keys(ids))
	if n := len(names); n > 3 {
		return fmt.Sprintf("%s and %d more rules", strings.Join(names[:2], ", "), n-2)
	}
	return strings.Join(names, ", ")
}

// applicable leaves out rules of sections that the launch does not have. The
// rules of this project find out by themselves, but for those of the other vendor.
func applicable(rules []*Rule, sections map[string]bool) []*Rule {
	const amd = "AMD"
	ofAMD := false
	for id := range sections {
		ofAMD = ofAMD || strings.HasPrefix(id, amd)
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r *Rule) bool {
		if r.Stock && !ofAMD {
			return strings.HasPrefix(r.Section, amd)
		}
		return r.Section != "" && !sections[r.Section]
	})
}

// resultOf is what a rule said, its failure too. It is false for a stock rule
// that lacked metrics.
func resultOf(o *Outcome) (profile.RuleResult, bool) {
	r := o.Result
	if o.Err == nil {
		return r, true
	}
	var e *Error
	raised := errors.As(o.Err, &e) && e.Raised
	if raised && o.Rule.Stock {
		return r, len(r.Messages) > 0
	}
	text := o.Err.Error()
	if raised {
		text = e.Text
	}
	for _, m := range r.Messages {
		if m.Text == text { // it said why
			return r, true
		}
	}
	r.Messages = append(r.Messages, profile.RuleMessage{ID: len(r.Messages) + 1, Type: profile.MessageError, Name: "Rule Failed", Text: text})
	return r, true
}
