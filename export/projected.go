package export

import (
	"fmt"
	"math"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/critical"
	"github.com/gpuprof/gpuprof/trace/projection"
)

// Above so many calls and operations the walk leaves out what it would have to hold
// all of them for, and the file says so where it would have been.
const mostHeld = 3_000_000

// projected hands over the NVTX ranges as each stream saw them, on tracks beside
// the streams: from the first to the last operation that a range caused there.
func (w *walker) projected() error {
	if !w.tr.HasColumn(trace.TableNvtx, "start") || !w.tr.HasColumn(trace.TableRuntime, "start") {
		return nil
	}
	if w.ties > mostHeld {
		return w.leftOut(w.tr.Words().Ranges + " ranges on streams")
	}
	r, err := w.tr.Ranges(w.ctx)
	if err != nil {
		return err
	}
	spans, streams, err := projection.OntoStreams(w.ctx, w.tr, r)
	for _, t := range projection.Tables {
		w.tr.Forget(t)
	}
	if err != nil {
		return err
	}
	lanes := make([][]*lane, len(streams))
	for _, s := range spans {
		at := streams[s.Stream]
		l := line{process: int64(at.Process), device: at.Device, stream: at.Stream}
		sl := slice{start: s.Start, end: s.End, name: r.Text[s.Range], category: "nvtx_projected", bytes: noBytes, fact: -1, own: []trace.Fact{
			{Name: "operations", Number: int64(s.Ops)}, {Name: "thread", Number: r.Thread[s.Range].TID()}}}
		if lanes[s.Stream], err = w.place(lanes[s.Stream], l, w.tr.Words().Ranges, &sl); err != nil {
			return err
		}
	}
	for _, all := range lanes {
		for _, l := range all {
			if err := w.out.end(l.track); err != nil {
				return err
			}
		}
	}
	return w.ctx.Err()
}

// critical hands over the critical path, on a track of its own.
func (w *walker) critical() error {
	switch {
	case w.ties == 0:
		return nil
	case w.ties > mostHeld:
		return w.leftOut("Critical path")
	}
	path, err := critical.Path(w.ctx, w.tr)
	for _, t := range critical.Tables {
		w.tr.Forget(t)
	}
	if err != nil || len(path) == 0 {
		return err
	}
	t, err := w.alone("Critical path")
	if err != nil {
		return err
	}
	for _, s := range path {
		facts := []trace.Fact{{Name: "step", Text: s.Kind.String(), IsText: true}}
		if s.Stream >= 0 {
			facts = append(facts, trace.Fact{Name: "device", Number: s.Device}, trace.Fact{Name: "stream", Number: s.Stream})
		}
		if s.Thread != 0 {
			facts = append(facts, trace.Fact{Name: "thread", Number: s.Thread.TID()})
		}
		err := w.out.slice(t, &slice{start: s.Start, end: s.End, name: w.tr.Strings.Intern(s.Name), category: "critical_path", bytes: noBytes, fact: -1, own: facts})
		if err != nil {
			return err
		}
	}
	return w.out.end(t)
}

// alone announces a track that is of no process.
func (w *walker) alone(name string) (*track, error) {
	w.next++
	t := &track{id: w.next, name: name, alone: true}
	return t, w.out.track(t)
}

// leftOut is a track that says why there is nothing on it.
func (w *walker) leftOut(what string) error {
	t, err := w.alone(what)
	if err != nil {
		return err
	}
	why := fmt.Sprintf("left out: %d calls and operations, more than %d", w.ties, mostHeld)
	at := w.first
	if at == math.MaxInt64 {
		at = 0
	}
	if err := w.out.slice(t, &slice{start: at, end: at, name: w.tr.Strings.Intern(why), category: "note", instant: true, bytes: noBytes, fact: -1}); err != nil {
		return err
	}
	return w.out.end(t)
}
