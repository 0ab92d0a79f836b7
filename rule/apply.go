package rule

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gpuprof/gpuprof/profile"
)

// An Outcome is what one rule did with one launch.
type Outcome struct {
	Rule    *Rule
	Result  profile.RuleResult
	Added   []profile.Metric // metrics that it added to the launch
	Printed string
	Asked   []Asked // metrics that it looked up, with Job.Trace
	Err     error   // why it failed: an *Error; what it said before still counts
	Off     bool    // it was not run: it took too long for a launch before, as Err says
	Elapsed time.Duration
}

// Asked is a metric that a rule looked up.
type Asked struct {
	Name  string
	Found bool
}

// A Job names rules and a launch.
type Job struct {
	Report  *profile.Report
	Action  *profile.Action
	Overlay *profile.Overlay // what rules see of this and the other actions beside what the report has; may be nil
	Rules   []*Rule          // of the host's Set, in the order of it
	Trace   bool             // note the metrics that rules ask for
}

// applyJob is a Job as the program takes it.
type applyJob struct {
	Job   string             `json:"job"`
	Place place              `json:"place"`
	Rules []int              `json:"rules"`
	Trace bool               `json:"trace"`
	Dicts map[string]numbers `json:"dicts"`
	Vault map[string]numbers `json:"vault"`

	overlay *profile.Overlay
}

// Apply applies rules to a launch, one after the other. Err is about the host or
// the end of ctx; the failure of a rule is in its Outcome, and the rules after
// it are applied all the same.
func (h *Host) Apply(ctx context.Context, j Job) ([]Outcome, error) {
	out := make([]Outcome, 0, len(j.Rules))
	job := applyJob{Job: "apply", Trace: j.Trace, Dicts: map[string]numbers{}, Vault: map[string]numbers{}, overlay: j.Overlay}
	for len(out) < len(j.Rules) {
		if why := h.off[j.Rules[len(out)]]; why != nil {
			o := newOutcome(j.Rules[len(out)], nil)
			o.Err, o.Off = why, true
			out = append(out, o)
			continue
		}
		if err := h.ready(ctx); err != nil {
			return out, err
		}
		var err error
		if job.Place, err = h.run.place(j.Report, j.Action); err != nil {
			return out, err
		}
		job.Rules = job.Rules[:0]
		next := j.Rules[:len(out)]
		for _, r := range j.Rules[len(out):] {
			if h.off[r] != nil {
				break
			}
			job.Rules, next = append(job.Rules, r.number), j.Rules[:len(next)+1]
		}
		started := time.Now()
		stopped, err := h.run.apply(ctx, &job, next, &out)
		if stopped == nil && err == nil {
			continue
		}
		h.reset()
		if err != nil {
			return out, err
		}
		r := j.Rules[len(out)]
		o := newOutcome(r, nil)
		o.Err, o.Elapsed = &Error{File: r.File, Text: stopped.Error()}, time.Since(started)
		if slow := (*slowError)(nil); errors.As(stopped, &slow) {
			h.turnOff(r, o.Err)
		}
		out = append(out, o)
	}
	return out, nil
}

// turnOff keeps a rule from being run again: one that took too long would do so for
// each launch of a report.
func (h *Host) turnOff(r *Rule, why error) {
	if h.off == nil {
		h.off = map[*Rule]error{}
	}
	h.off[r] = why
	if h.options.Warn != nil {
		h.options.Warn(fmt.Sprintf("%v; the rule %s is off for the rest of this run", why, r.ID))
	}
}

// apply runs a job and appends what comes of it to out. Stopped is why the rule
// after the last outcome ended the interpreter.
func (s *session) apply(ctx context.Context, job *applyJob, rules []*Rule, out *[]Outcome) (stopped, err error) {
	if err := s.send(ctx, job); err != nil {
		return nil, err
	}
	timer := time.NewTimer(s.host.options.Time)
	defer timer.Stop()
	begun := time.Now()
	for len(*out) < len(rules) {
		e, stopped, err := s.next(ctx, timer.C)
		switch {
		case stopped != nil || err != nil:
			return stopped, err
		case e.begun:
			begun = time.Now()
			timer.Reset(s.host.options.Time)
		case e.applied != nil:
			o := newOutcome(rules[len(*out)], e.applied)
			o.Elapsed = time.Since(begun)
			if e.applied.Dict != nil {
				job.Dicts[o.Rule.ID] = e.applied.Dict
			}
			if e.applied.Vault != nil {
				job.Vault = e.applied.Vault
			}
			*out = append(*out, o)
		}
	}
	return nil, nil
}
