package torch

import (
	"context"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
)

// recorded tells the group of an operator by what it says of itself where the trace has no
// calls of Python: its call stack (traces of 2021 and before) or its modules (those of
// TorchScript). nil if operators say neither.
func (t *Timeline) recorded(ctx context.Context, by By) (func(slice int32) (string, bool), error) {
	if t.Trace.Has(trace.TablePython) {
		return nil, nil
	}
	column := map[By]string{ByLine: "callStackId", ByModule: "modulesId"}[by]
	ops, err := t.Trace.Table(ctx, trace.TableOps, column)
	if err != nil || ops == nil || ops.Col(column) == nil {
		return nil, err
	}
	c := ops.Col(column)
	names := map[int64]string{}
	return func(i int32) (string, bool) {
		row := int(t.Host.Row[i])
		if t.Host.Kind[i] != Op || c.IsNull(row) {
			return "", false
		}
		id := c.Ints[row]
		name, ok := names[id]
		if !ok {
			if name = t.Name(id); by == ByLine {
				name = stackLine(name)
			}
			names[id] = name
		}
		return name, name != ""
	}, nil
}

// stackLine is the innermost frame of a call stack that is not of PyTorch itself, else the
// innermost. The innermost comes first.
func stackLine(stack string) string {
	inner := ""
	for frame := range strings.SplitSeq(stack, ";") {
		if frame = strings.TrimSpace(frame); frame == "" {
			continue
		}
		if inner == "" {
			inner = frame
		}
		if isUserLine(frame) {
			return frame
		}
	}
	return inner
}

// isUserLine tells lines of a program from those of PyTorch and what is installed.
func isUserLine(name string) bool {
	return !strings.HasPrefix(name, "<built-in") && !strings.HasPrefix(name, "nn.Module: ") &&
		!strings.HasPrefix(name, "torch/") && !strings.Contains(name, "site-packages/") && !strings.Contains(name, "/torch/")
}
