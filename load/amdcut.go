package load

import (
	"context"
	"io"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/trace"
)

// cutATP writes a trace of AMD's CodeXL (.atp) with what is kept. A line stands for a
// call and for the command that it put into a queue: it stays where either is kept.
func (f *File) cutATP(ctx context.Context, to io.Writer, rows Rows) error {
	t, err := f.AMD.Trace()
	if err != nil {
		return err
	}
	var keep amd.Keep
	calls, err := rows(ctx, trace.TableRuntime)
	if err != nil {
		return err
	}
	kernels, err := rows(ctx, trace.TableKernel)
	if err != nil {
		return err
	}
	copies, err := rows(ctx, trace.TableMemcpy)
	if err != nil {
		return err
	}
	markers, err := rows(ctx, trace.TableNvtx)
	if err != nil {
		return err
	}
	if markers != nil {
		keep.Marker = func(n int) bool { return markers(int64(n) + 1) }
	}
	list := newAMDCalls(t)
	c := newAMDCommands(t, list, &ids{}, &ids{})
	if kernels != nil {
		keep.Packet = func(n int) bool { return kernels(int64(c.nKernels+n) + 1) }
	}
	if calls == nil && kernels == nil && copies == nil {
		return t.CutTo(to, io.NewSectionReader(f.in, 0, f.Size), keep)
	}
	work := map[uint32]bool{}
	mark := func(of []uint32, keep func(int64) bool) {
		for i, call := range of {
			if keep == nil || keep(int64(i)+1) {
				work[call] = true
			}
		}
	}
	mark(c.kernelCalls(), kernels)
	mark(c.copyCalls(), copies)
	keep.Call = func(n int) bool { return calls == nil || calls(int64(n)+1) || work[uint32(n)] }
	return t.CutTo(to, io.NewSectionReader(f.in, 0, f.Size), keep)
}
