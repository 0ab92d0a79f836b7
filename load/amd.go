package load

import (
	"sync"
	"sync/atomic"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/trace"
)

// An AMD is a session file of AMD's profilers, with what other files of the
// session hold: Counters and Occupancy of a trace, Occupancy of counters. It has at
// least one of them.
type AMD struct {
	Counters  *amd.Counters
	Occupancy *amd.Occupancies

	trace   *lateTrace // nil: none
	outline *amd.Outline
	joined  []int32 // for each row of Counters, that of Occupancy plus one, or 0
}

// A lateTrace is a trace that is read when it is first asked for.
type lateTrace struct {
	read func() (*amd.Trace, error)
	done atomic.Bool
}

// IsTrace reports whether the file is an application trace.
func (a *AMD) IsTrace() bool { return a != nil && a.trace != nil }

// Trace is that of an application trace, which this may read; nil of other files. The
// error is that of reading.
func (a *AMD) Trace() (*amd.Trace, error) {
	if !a.IsTrace() {
		return nil, nil
	}
	return a.trace.read()
}

// readTrace is the trace where it has been read; nil where it has not.
func (a *AMD) readTrace() *amd.Trace {
	if !a.IsTrace() || !a.trace.done.Load() {
		return nil
	}
	t, _ := a.trace.read()
	return t
}

// outlineSize is the size from which on a trace is counted before it is read, where
// Options.Outline asks for no more. Tests set it lower.
var outlineSize int64 = 16 << 20

// openAMDTrace reads a trace. Of a large and sound one it reads the header and counts
// the rest, where no more was asked for.
func openAMDTrace(f *File) error {
	late := &lateTrace{}
	late.read = sync.OnceValues(func() (*amd.Trace, error) {
		t, err := amd.ReadTrace(f.in, f.Size, f.Name)
		late.done.Store(true)
		return t, err
	})
	f.AMD = &AMD{trace: late}
	if f.outline && f.Size >= outlineSize {
		f.AMD.outline = amd.ReadOutline(f.in, f.Size, f.Name)
	}
	if o := f.AMD.outline; o != nil {
		f.Trace = trace.New(f.Name, newAMDOutline(f.AMD))
	} else {
		t, err := late.read()
		if err != nil {
			return err
		}
		f.Trace = trace.New(f.Name, amdTables(t))
	}
	f.Trace.Tool, _ = f.AMD.header("ProfilerVersion")
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
	case a.readTrace() != nil:
		list = a.readTrace().Problems
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
	case a.outline != nil:
		return a.outline.Header
	case a.readTrace() != nil:
		return a.readTrace().Header
	case a.Counters != nil:
		return a.Counters.Header
	case a.Occupancy != nil:
		return a.Occupancy.Header
	}
	return nil
}
