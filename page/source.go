package page

import (
	"context"

	"github.com/gpuprof/gpuprof/view"
)

var sourcePage = &Page{
	Name:    "source",
	Short:   "TODO",
	Example: "gpuprof source report.ncu-rep",
	Group:   GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Load: true,
	Options: append(append([]Option{metricsOption}, kernelOptions...), printOptions...),
	Build:   buildSource,
}

func buildSource(ctx context.Context, q *Request) (*view.Document, error) {
	return nil, Usagef("not yet")
}
