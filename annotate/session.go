package annotate

import (
	"context"
	"math"

	"github.com/gpuprof/gpuprof/trace"
)

// SessionWindow is the window of a timeline in ns and the machine that it tells
// of: what the trace says, else from the first to the last of its times.
func SessionWindow(ctx context.Context, tr *trace.Trace) (w Window, t Target, err error) {
	d, err := tr.Table(ctx, "ANALYSIS_DETAILS", "globalVid", "startTime", "stopTime")
	if err != nil {
		return w, t, err
	}
	if d != nil && d.Rows > 0 {
		g := trace.GlobalID(d.Ints("globalVid")[0])
		w = Window{Start: d.Ints("startTime")[0], End: d.Ints("stopTime")[0]}
		return w, Target{Hw: g.Hardware(), Vm: g.VM()}, nil
	}
	w = Window{Start: math.MaxInt64, End: math.MinInt64}
	for _, info := range tr.Tables() {
		if !tr.HasColumn(info.Name, "start") {
			continue
		}
		tab, err := tr.Table(ctx, info.Name, "start", "end")
		if err != nil {
			return w, t, err
		}
		for _, name := range []string{"start", "end"} {
			c := tab.Col(name)
			if c == nil || c.Kind != trace.Integers {
				continue
			}
			for i, v := range c.Ints {
				if !c.IsNull(i) {
					w.Start, w.End = min(w.Start, v), max(w.End, v)
				}
			}
		}
		tr.Forget(info.Name)
	}
	if w.End < w.Start {
		return Window{}, t, nil
	}
	return w, t, nil
}
