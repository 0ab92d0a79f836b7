package share

import (
	"context"
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
)

// clocks tells by how much the times of each timeline are moved to be on the clock of
// the first, in ns, and by what that is known. A nil shift: it is not.
func clocks(ctx context.Context, files []*load.File) (shift []int64, how string, err error) {
	var began []int64
	for _, f := range files {
		at, err := beginning(ctx, f.Trace)
		if err != nil {
			return nil, "", err
		}
		began = append(began, at)
	}
	one := !slices.ContainsFunc(began, func(at int64) bool { return at != began[0] })
	if one && began[0] != 0 {
		return make([]int64, len(files)), "they are parts of one recording", nil
	}
	if shift, n := byCollectives(ctx, files); shift != nil {
		return shift, fmt.Sprintf("the ends of %d collectives that the ranks share", n), ctx.Err()
	}
	if slices.Contains(began, 0) {
		return nil, "", nil
	}
	for _, at := range began {
		shift = append(shift, at-began[0])
	}
	return shift, "the times of day at which the recordings began, which are as good as the clocks of the machines agree", nil
}

// beginning is the time of day of time 0 in ns; 0: not told.
func beginning(ctx context.Context, tr *trace.Trace) (int64, error) {
	const table = "TARGET_INFO_SESSION_START_TIME"
	if !tr.Has(table) {
		return 0, nil
	}
	t, err := tr.Table(ctx, table, "utcEpochNs")
	if err != nil || t.Rows == 0 {
		return 0, err
	}
	return slices.Min(t.Ints("utcEpochNs")), nil
}

// byCollectives finds the clocks of ranks as 'gpuprof ranks' does; nil where they do
// not share collectives.
func byCollectives(ctx context.Context, files []*load.File) (shift []int64, collectives int) {
	var all []*ranks.Partial
	of := map[*ranks.Partial]int{}
	for i, f := range files {
		list, err := ranks.Map(ctx, f.Trace, &steps.Options{})
		if err != nil {
			return nil, 0
		}
		for _, p := range list {
			of[p] = i
			all = append(all, p)
		}
	}
	run, err := ranks.Analyze(all, nil)
	if err != nil || run.Clock.Collectives == 0 {
		return nil, 0
	}
	moved, known := make([]int64, len(files)), make([]bool, len(files))
	for _, r := range run.Ranks {
		i := of[r.Partial]
		if known[i] || slices.Contains(run.Clock.Unaligned, r.Number) {
			continue
		}
		middle := r.Span.Start + (r.Span.End-r.Span.Start)/2
		moved[i], known[i] = r.At(middle)-middle, true
	}
	if slices.Contains(known, false) {
		return nil, 0
	}
	for _, m := range moved {
		shift = append(shift, m-moved[0])
	}
	return shift, run.Clock.Collectives
}
