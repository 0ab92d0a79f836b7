package ranks

import (
	"fmt"
	"strings"

	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/view"
)

// nanoseconds is a time in words.
func nanoseconds(v int64) string { return view.Words(view.Int(v, "ns")) }

// percent is a share in words.
func percent(share float64) string { return view.Words(view.Float(100*share, "%")) }

// count is a number of things: "1 host", "2 hosts".
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// longer is a ratio in words: "20 %" for 1.2.
func longer(ratio float64) string { return percent(ratio - 1) }

// who names a rank and where it ran.
func who(r *ranks.Rank) string {
	var where []string
	if r.Host != "" {
		where = append(where, r.Host)
	}
	where = append(where, fmt.Sprintf("GPU %d", r.Device))
	return fmt.Sprintf("Rank %d (%s)", r.Number, strings.Join(where, ", "))
}

// findings are the messages of a run: a sentence each for what matters.
func findings(run *ranks.Run) (out []*view.Message) {
	for _, f := range run.Chronic {
		out = append(out, &view.Message{Type: view.Optimization, Source: "straggler", Title: fmt.Sprintf("Rank %d", f.Rank.Number), Text: chronic(&f),
			Speedup: &view.Speedup{Global: true, Percent: 100 * float64(f.Gain) / float64(max(usualWall(run), 1))}})
	}
	for _, f := range run.Single {
		out = append(out, &view.Message{Type: view.Warning, Source: "stall", Title: fmt.Sprintf("Rank %d", f.Rank.Number), Text: single(&f)})
	}
	for _, s := range run.Slow {
		out = append(out, &view.Message{Type: view.Warning, Source: "slow communicator", Title: "Slow communicator", Text: slow(run, &s)})
	}
	if len(out) == 0 && len(run.Ranks) > 1 && len(run.Steps) > 0 {
		out = append(out, &view.Message{Type: view.OK, Source: "straggler", Title: "No straggler",
			Text: "No rank stands out in its steps, and no communicator among those like it."})
	}
	return out
}

// usualWall is the median step, ns.
func usualWall(run *ranks.Run) int64 {
	var sum, n int64
	for _, s := range run.Steps {
		if !s.Edge {
			sum, n = sum+s.Wall, n+1
		}
	}
	return sum / max(n, 1)
}

func chronic(f *ranks.Finding) string {
	s := fmt.Sprintf("%s needs %s (%s of a step) more than the median rank in %d of %d steps", who(f.Rank), nanoseconds(f.Excess), percent(f.Share), f.Of, f.All)
	if !f.Always {
		s += fmt.Sprintf(", since step %d", f.Since)
	}
	switch f.Cause {
	case ranks.Device:
		s += fmt.Sprintf("; all its compute kernels take %s longer: look at the GPU, its clock, its power, other users of it", longer(f.Ratio))
	case ranks.OneKernel:
		s += fmt.Sprintf("; its kernel %s takes %s longer, the others do not: look at the data that it gets", f.Kernel, longer(f.Ratio))
	case ranks.MoreWork:
		s += fmt.Sprintf("; it runs %s more kernels than the others", longer(f.Ratio))
	case ranks.Kernels:
		s += fmt.Sprintf("; some of its compute kernels take longer, all together %s", longer(f.Ratio))
	case ranks.Copies:
		s += fmt.Sprintf("; its copies take %s more of a step beside which nothing is computed", nanoseconds(f.Part))
	case ranks.Host:
		s += fmt.Sprintf("; its GPU is idle for %s more, and the work behind the pauses was launched late: look at the host", nanoseconds(f.Part))
	case ranks.Idle:
		s += fmt.Sprintf("; its GPU is idle for %s more although work was launched in time", nanoseconds(f.Part))
	}
	return s + fmt.Sprintf(". As fast as the next slowest, it would shorten a step by up to %s (an estimate).", nanoseconds(f.Gain))
}

func single(f *ranks.Finding) string {
	where := fmt.Sprintf("in step %d", f.Step)
	if f.Next {
		where = fmt.Sprintf("between step %d and step %d", f.Step, f.Step+1)
	}
	s := fmt.Sprintf("%s, %s, once: ", who(f.Rank), where)
	switch f.Cause {
	case ranks.Host:
		s += fmt.Sprintf("nothing was launched for %s", nanoseconds(f.Gap.End-f.Gap.Start))
	case ranks.Idle:
		s += fmt.Sprintf("its GPU was idle for %s although work had been launched", nanoseconds(f.Gap.End-f.Gap.Start))
	case ranks.Copies:
		s += fmt.Sprintf("copies took %s more than usual", nanoseconds(f.Part))
	default:
		s += fmt.Sprintf("its kernels took %s more than usual", nanoseconds(f.Part))
	}
	return s + fmt.Sprintf("; the step took it %s (%s) longer than the median rank.", nanoseconds(f.Excess), percent(f.Share))
}

func slow(run *ranks.Run, s *ranks.SlowGroup) string {
	what := s.Class.String()
	if s.Bytes > 0 {
		what += " of " + view.Words(view.Int(s.Bytes, "byte"))
	}
	return fmt.Sprintf("The communicator of %s is slow: %s takes %s, in %s like it %s. Look at its links.",
		s.Group.Label(run), what, nanoseconds(s.Stay), count(s.Of, "other"), nanoseconds(s.Others))
}
