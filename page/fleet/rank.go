package fleet

import (
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
)

// rankNumbers are the numbers of the ranks in a report, as far as it tells.
func rankNumbers(ctx context.Context, tr *trace.Trace) ([]int64, error) {
	devices, err := steps.Read(ctx, tr, nil)
	if err != nil {
		return nil, err
	}
	list, err := ranks.Numbers(ctx, tr, devices)
	list = slices.DeleteFunc(list, func(n int64) bool { return n < 0 })
	slices.Sort(list)
	return slices.Compact(list), err
}
