package page

import (
	"context"

	"github.com/gpuprof/gpuprof/view"
)

var rawPage = &Page{
	Name:    "raw",
	Short:   "Show every metric of every kernel launch",
	Example: "gpuprof raw report.ncu-rep\ngpuprof raw --csv --metrics gpu__time_duration.sum,regex:^dram__ report.ncu-rep",
	Group:   GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Load: true,
	Options: append(append([]Option{metricsOption}, kernelOptions...), printOptions...),
	Build:   buildRaw,
}

// metricsOption chooses metrics.
var metricsOption = Option{Name: "metrics", Kind: List, Arg: "NAME,...",
	Help: "only these metrics; regex:EXPR takes all names in which EXPR is found"}

func buildRaw(ctx context.Context, q *Request) (*view.Document, error) {
	return nil, Usagef("not yet")
}
