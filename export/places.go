package export

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gpuprof/gpuprof/trace"
)

// places knows the names of where slices are: of threads, programs and GPUs.
type places struct {
	threads  map[trace.GlobalID]trace.Thread
	programs map[trace.GlobalID]string
	gpus     map[int64]string // by device
}

func readPlaces(ctx context.Context, tr *trace.Trace) (p *places, err error) {
	p = &places{}
	if p.threads, err = tr.NamedThreads(ctx); err != nil {
		return nil, err
	}
	if p.programs, err = tr.Programs(ctx); err != nil {
		return nil, err
	}
	p.gpus, err = tr.GPUs(ctx)
	return p, err
}

// A gpuPlace is a GPU as a process sees it. It is a process of its own in the
// files, apart from that of the host: "GPU 0: A100 (python 1234)".
type gpuPlace struct {
	process trace.GlobalID
	device  int64
}

// gpuPIDs begins the numbers of such processes: above those that Linux gives, below
// those of [otherPIDs].
const gpuPIDs = 1 << 29

// name is the name of a GPU as the process of that name sees it.
func (p *places) gpu(g gpuPlace, program string) string {
	s := fmt.Sprintf("GPU %d", g.device)
	if n := p.gpus[g.device]; n != "" {
		s += ": " + n
	}
	if g.process == 0 {
		return s
	}
	return s + " (" + cmp.Or(program, fmt.Sprintf("%s %d", cmp.Or(p.programs[g.process], "process"), g.process.PID())) + ")"
}

// process is the name of a process of the host.
func (p *places) process(g trace.GlobalID) string {
	switch n := p.programs[g]; {
	case n != "":
		return n
	case g == 0:
		return "System"
	}
	return fmt.Sprintf("Process %d", g.PID())
}
