package load

import (
	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/trace"
)

// An AMD is a session file of AMD's profilers, with what other files of the
// session hold: Counters and Occupancy of a trace, Occupancy of counters. At
// least one field is not nil.
type AMD struct {
	Trace     *amd.Trace
	Counters  *amd.Counters
	Occupancy *amd.Occupancies

	joined []int32 // for each row of Counters, that of Occupancy plus one, or 0
}

func openAMDTrace(f *File) error {
	t, err := amd.ReadTrace(f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	f.AMD = &AMD{Trace: t}
	f.Trace = trace.New(f.Name, amdTables(t))
	f.Trace.Tool, _ = t.Get("ProfilerVersion")
	return nil
}

func openAMDCounters(f *File) error {
	c, err := amd.ReadCounters(f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	f.AMD = &AMD{Counters: c}
	f.Report = counterReport(f, c)
	return nil
}

func openAMDOccupancy(f *File) error {
	o, err := amd.ReadOccupancy(f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	f.AMD = &AMD{Occupancy: o}
	f.Report = occupancyReport(f, o)
	return nil
}

func (a *AMD) problems() []string {
	var list []*amd.FormatError
	switch {
	case a == nil:
	case a.Trace != nil:
		list = a.Trace.Problems
	case a.Counters != nil:
		list = a.Counters.Problems
	case a.Occupancy != nil:
		list = a.Occupancy.Problems
	}
	var out []string
	for _, p := range list {
		out = append(out, p.Error())
	}
	return out
}

// Header are the names and values of the file's own header, in its order.
func (a *AMD) Header() []amd.Entry {
	switch {
	case a.Trace != nil:
		return a.Trace.Header
	case a.Counters != nil:
		return a.Counters.Header
	case a.Occupancy != nil:
		return a.Occupancy.Header
	}
	return nil
}
