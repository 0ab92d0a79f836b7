package load

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/gpuprof/gpuprof/format/kineto"
	"github.com/gpuprof/gpuprof/trace"
)

// kinetoTableOf are the tables whose rows are those of a table of a Chrome trace.
var kinetoTableOf = map[kineto.Table]string{kineto.InOps: trace.TableOps, kineto.InAnnotations: trace.TableNvtx, kineto.InGPUSpans: "PYTORCH_GPU_RANGES",
	kineto.InPython: trace.TablePython, kineto.InCalls: trace.TableRuntime, kineto.InKernels: trace.TableKernel, kineto.InCopies: trace.TableMemcpy,
	kineto.InSets: trace.TableMemset, kineto.InOverhead: "PROFILER_OVERHEAD", kineto.InOthers: trace.TableOther, kineto.InMemory: trace.TableMemory,
	kineto.InCounters: "PYTORCH_COUNTERS", kineto.InInstants: "PYTORCH_COUNTERS", kineto.InSyncs: tableSync}

const (
	tableSync   = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"
	tableRecord = "CUPTI_ACTIVITY_KIND_CUDA_EVENT"
)

// cutChrome writes a Chrome trace with the events whose rows are kept. Names of
// processes and threads stay, and what is no event; an arrow stays where the slices at
// all of its ends do. An event is added that tells at what time the trace began, so
// that times are still counted from there.
func (f *File) cutChrome(ctx context.Context, to io.Writer, rows Rows) error {
	k, places, err := kineto.Locate(ctx, f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	placeUntimed(k)
	a := &kinetoAdapter{k: k, numbers: map[string]int64{}}
	a.span()
	a.number()
	c := &kinetoCut{k: k, places: places, keep: make([]bool, len(places))}
	if err := c.choose(ctx, rows); err != nil {
		return err
	}
	c.arrows()
	var added [][]byte
	if a.end > 0 && !a.told {
		added = append(added, fmt.Appendf(nil, `{"ph": "M", "name": "%s", "pid": %d, "tid": 0, "ts": 0, "args": {"name": "%d"}}`, kineto.OriginLabel, a.process.PID(), a.origin))
	}
	return kineto.Cut(to, f.in, f.Size, places, func(i int) bool { return c.keep[i] }, added...)
}

// kinetoCut chooses among the events of a trace.
type kinetoCut struct {
	k      *kineto.Trace
	places []kineto.Place
	keep   []bool
}

// choose asks for each row.
func (c *kinetoCut) choose(ctx context.Context, rows Rows) error {
	asked := map[string]func(int64) bool{}
	for _, table := range kinetoTableOf {
		if _, ok := asked[table]; ok {
			continue
		}
		var err error
		if asked[table], err = rows(ctx, table); err != nil {
			return err
		}
	}
	var err error
	if asked[tableRecord], err = rows(ctx, tableRecord); err != nil {
		return err
	}
	syncTable, syncRow := c.syncRows()
	for i := range c.places {
		p := &c.places[i]
		table, row := kinetoTableOf[p.Table], int64(p.Row)+1
		switch p.Table {
		case kineto.InSyncs:
			table, row = syncTable[p.Row], syncRow[p.Row]
		case kineto.InInstants:
			row += int64(c.k.Counters.Time.Len())
		}
		keep := asked[table]
		c.keep[i] = keep == nil || keep(row)
	}
	return nil
}

// syncRows tells of each wait or record which row of which table it is.
func (c *kinetoCut) syncRows() (tables []string, rows []int64) {
	var waits, records int64
	for i := range c.k.Syncs.Rows() {
		if isRecord(c.k, i) {
			records++
			tables, rows = append(tables, tableRecord), append(rows, records)
			continue
		}
		waits++
		tables, rows = append(tables, tableSync), append(rows, waits)
	}
	return tables, rows
}

// isRecord reports whether an event of the table of waits is the record of an event.
func isRecord(k *kineto.Trace, i int) bool { return k.Text(k.Syncs.Cat.At(i)) == "cuda_event" }

// An arrowEnd is a moment of a track.
type arrowEnd struct {
	track uint32
	time  int64
}

// arrows leaves out the arrows of which an end lost its slice.
func (c *kinetoCut) arrows() {
	type arrow struct {
		cat kineto.Text
		id  int64
	}
	there, lost := map[arrowEnd]bool{}, map[arrowEnd]bool{} // ends are at the beginning of slices, or at their end
	for i := range c.places {
		s := c.k.Slices(c.places[i].Table)
		if s == nil {
			continue
		}
		row := int(c.places[i].Row)
		into := lost
		if c.keep[i] {
			into = there
		}
		start := s.Start.At(row)
		into[arrowEnd{s.Track.At(row), start}] = true
		into[arrowEnd{s.Track.At(row), start + s.Dur.At(row)}] = true
	}
	f := &c.k.Flows
	cut := map[arrow]bool{}
	for i := range f.ID.Len() {
		e := arrowEnd{f.Track.At(i), f.Time.At(i)}
		if lost[e] && !there[e] {
			cut[arrow{f.Cat.At(i), f.ID.At(i)}] = true
		}
	}
	for i := range c.places {
		if p := &c.places[i]; p.Table == kineto.InFlows {
			c.keep[i] = !cut[arrow{f.Cat.At(int(p.Row)), f.ID.At(int(p.Row))}]
		}
	}
}

// toldOrigin is the time that a cut trace says it began at, and the process that its
// GPUs work for.
func toldOrigin(k *kineto.Trace) (ns int64, process trace.GlobalID, ok bool) {
	for _, l := range k.Labels {
		if l.Kind == kineto.OriginLabel {
			if n, err := strconv.ParseInt(l.Text, 10, 64); err == nil && (!ok || n < ns) {
				ns, process, ok = n, trace.MakeGlobalID(0, 0, max(l.Track.PID, 0), 0), true
			}
		}
	}
	return ns, process, ok
}
