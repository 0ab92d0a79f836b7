package page

import (
	"context"

	"github.com/gpuprof/gpuprof/view"
)

var infoPage = &Page{
	Name:    "info",
	Short:   "TODO",
	Example: "gpuprof info report.ncu-rep",
	Group:   GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Load: true,
	Options: append(append([]Option{metricsOption}, kernelOptions...), printOptions...),
	Build:   buildInfo,
}

func buildInfo(ctx context.Context, q *Request) (*view.Document, error) {
	return nil, Usagef("not yet")
}
