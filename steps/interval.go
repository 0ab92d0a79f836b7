package steps

import "github.com/gpuprof/gpuprof/trace/interval"

// A Span is the time from Start to before End, ns.
type Span = interval.Span
