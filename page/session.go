package page

import (
	"context"

	"github.com/gpuprof/gpuprof/view"
)

var sessionPage = &Page{
	Name:    "session",
	Short:   "TODO",
	Example: "gpuprof session report.ncu-rep",
	Group:   GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Load: true,
	Options: append(append([]Option{metricsOption}, kernelOptions...), printOptions...),
	Build:   buildSession,
}

func buildSession(ctx context.Context, q *Request) (*view.Document, error) {
	return nil, Usagef("not yet")
}
