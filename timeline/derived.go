package timeline

import (
	"context"
	"fmt"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/critical"
	"github.com/gpuprof/gpuprof/trace/projection"
)

// Tracks of what is no table: NVTX ranges as the streams saw them, and the critical
// path. Both hold all calls and operations while they are made, so they are left out
// where these are more than mostDerived.
const (
	mostDerived = 2_000_000

	kindCritical  = Kind("critical")
	tableCritical = "critical path" // of no file
)

// readProjected reads the NVTX ranges as the streams saw them, from the first to the
// last operation that a range caused there.
func (b *builder) readProjected(ctx context.Context) (*rows, error) {
	if !b.work || !b.tr.HasColumn(trace.TableNvtx, "start") {
		return nil, nil
	}
	if b.ties > mostDerived {
		b.x.Notes = append(b.x.Notes, fmt.Sprintf("NVTX ranges beside streams and the critical path are left out: %d calls and operations are more than %d", b.ties, mostDerived))
		return nil, nil
	}
	n, err := b.tr.Ranges(ctx)
	if err != nil {
		return nil, err
	}
	spans, streams, err := projection.OntoStreams(ctx, b.tr, n)
	for _, t := range projection.Tables {
		b.tr.Forget(t)
	}
	if err != nil || len(spans) == 0 {
		return nil, err
	}
	var p part
	var ids []int64
	for _, s := range spans {
		at := streams[s.Stream]
		l := line{kind: kindStream, shown: kindNvtx, label: b.words.Ranges, pid: at.Process, device: at.Device, context: at.Context, stream: at.Stream}
		p.start, p.end = append(p.start, s.Start), append(p.end, s.End)
		p.name = append(p.name, b.namer.ofSym(n.Text[s.Range]))
		p.line = append(p.line, b.lineOf(l, place{}))
		ids = append(ids, n.Row[s.Range])
	}
	clear(b.recent[:])
	b.odd.mend(&p, nil)
	r := whole(trace.TableNvtx, p)
	r.gpu, r.rowid = true, ids
	return r, nil
}

// readCritical reads the critical path.
func (b *builder) readCritical(ctx context.Context) (*rows, error) {
	if !b.work || b.ties > mostDerived {
		return nil, nil
	}
	path, err := critical.Path(ctx, b.tr)
	for _, t := range critical.Tables {
		b.tr.Forget(t)
	}
	if err != nil || len(path) == 0 {
		return nil, err
	}
	var p part
	l := b.lineOf(line{kind: kindCritical, label: "Critical path"}, place{})
	for _, s := range path {
		p.start, p.end = append(p.start, s.Start), append(p.end, s.End)
		p.name = append(p.name, b.namer.ofSym(b.tr.Strings.Intern(s.Name)))
		p.line = append(p.line, l)
	}
	b.odd.mend(&p, nil)
	b.x.path = path
	return whole(tableCritical, p), nil
}
