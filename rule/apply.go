package rule

import (
	"context"
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
		if err := h.ready(ctx); err != nil {
			return out, err
		}
		var err error
		if job.Place, err = h.run.place(j.Report, j.Action); err != nil {
			return out, err
		}
		job.Rules = job.Rules[:0]
		for _, r := range j.Rules[len(out):] {
			job.Rules = append(job.Rules, r.number)
		}
		started := time.Now()
		stopped, err := h.run.apply(ctx, &job, j.Rules, &out)
		if stopped == nil && err == nil {
			break
		}
		h.reset()
		if err != nil {
			return out, err
		}
		r := j.Rules[len(out)]
		o := newOutcome(r, nil)
		o.Err, o.Elapsed = &Error{File: r.File, Text: stopped.Error()}, time.Since(started)
		out = append(out, o)
	}
	return out, nil
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
