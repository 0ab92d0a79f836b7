package simlog

import (
	"fmt"
	"io/fs"
)

// layerRun merges the traces of one layer by cycle.
type layerRun struct {
	layer
	kernel Kernel
	traces []*openTrace
	last   int64
	any    bool
}

// openTrace is one trace with its next row.
type openTrace struct {
	file   string
	f      fs.File
	rows   sortedTrace
	info   Info
	column string // of DETAILED_ACCESS_REPORT
	row    traceRow
	done   bool
}

func (l *layerRun) open(s *ScaleSim, file string, level LevelID, op Op, column string) {
	f, err := s.fsys.Open(file)
	if err != nil {
		s.notes.add(0, file+" is missing: what it would show is not counted")
		return
	}
	t := &openTrace{file: file, f: f, rows: sortedTrace{r: NewTraceReader(f)}, info: MakeInfo(level, op, StatusUnknown, 0, 0), column: column}
	l.traces = append(l.traces, t)
	t.advance()
}

// advance takes the trace's next row.
func (t *openTrace) advance() {
	t.rows.recycle(t.row.addrs)
	var ok bool
	t.row, ok = t.rows.next()
	t.done = !ok
}

// next adds the row with the smallest cycle to the batch; of rows in the same
// cycle the stores come first, so that what arrives can be used at once. It
// reports whether there was one.
func (l *layerRun) next(b *Batch, s *ScaleSim) bool {
	var t *openTrace
	for _, c := range l.traces {
		if !c.done && (t == nil || c.row.cycle < t.row.cycle || c.row.cycle == t.row.cycle && c.info.Op() == OpStore && t.info.Op() != OpStore) {
			t = c
		}
	}
	if t == nil {
		return false
	}
	for _, a := range t.row.addrs {
		b.Cycle, b.Addr, b.Info = append(b.Cycle, t.row.cycle), append(b.Addr, a), append(b.Info, t.info)
	}
	if !l.any || t.row.cycle > l.last {
		l.last, l.any = t.row.cycle, true
	}
	s.tally.Accesses += int64(len(t.row.addrs))
	t.advance()
	return true
}

// tallies sums up the traces, with what the simulator says it counted.
func (l *layerRun) tallies(s *ScaleSim) []TraceTally {
	var out []TraceTally
	rep := s.reports["DETAILED_ACCESS_REPORT.csv"]
	for _, t := range l.traces {
		r := t.rows.r
		tt := TraceTally{Layer: l.id, File: t.file, Rows: r.Rows, Accesses: r.Accesses, Idle: r.Idle, Padding: r.Padding, First: r.First, Last: r.Last, Reported: -1}
		s.tally.Lines += r.Rows
		s.tally.Bytes += r.Bytes
		s.tally.Malformed += r.Skipped
		for _, n := range r.Notes() {
			s.notes.addN(n.Line, n.Count, t.file+": "+n.Text)
		}
		s.notes.addN(0, t.rows.late, t.file+": rows too far out of order; they count at the latest cycle before them")
		if t.rows.err != nil {
			s.notes.add(r.Rows, t.file+" breaks off: "+t.rows.err.Error())
		}
		if rep != nil {
			if v, ok := rep.Get(l.id, t.column); ok {
				tt.Reported = int64(v)
				if tt.Reported != tt.Accesses {
					s.notes.add(0, fmt.Sprintf("%s holds %d addresses, DETAILED_ACCESS_REPORT says %d", t.file, tt.Accesses, tt.Reported))
				}
			}
		}
		out = append(out, tt)
	}
	return out
}

func (l *layerRun) close() {
	for _, t := range l.traces {
		t.f.Close()
	}
}
