package page

import (
	"context"

	"github.com/gpuprof/gpuprof/view"
)

var detailsPage = &Page{
	Name:    "details",
	Short:   "TODO",
	Example: "gpuprof details report.ncu-rep",
	Group:   GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Load: true,
	Options: append(append([]Option{metricsOption}, kernelOptions...), printOptions...),
	Build:   buildDetails,
}

func buildDetails(ctx context.Context, q *Request) (*view.Document, error) {
	return nil, Usagef("not yet")
}
