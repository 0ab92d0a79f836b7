package trace

import (
	"cmp"
	"context"
	"slices"
)

// workTables are what calls cause, of which a call is kept for.
var workTables = []string{TableKernel, TableMemcpy, TableMemset, TableGraph, TableSync, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
	"CUDA_GPU_MEMORY_USAGE_EVENTS"}

func (p *picked) isWork(table string) bool { return slices.Contains(workTables, table) }

// read reads columns of the trace's own table, as far as there are; nil where there
// is no such table.
func (p *picked) read(ctx context.Context, table string, columns ...string) (*Table, error) {
	info := p.base.info(table)
	if info == nil {
		return nil, nil
	}
	return p.base.Table(ctx, info.Name, append([]string{"rowid"}, columns...)...)
}

// own keeps the rows that meet the conditions that they can be asked: process,
// thread, device, stream, and to have begun inside the ranges.
func (p *picked) own(ctx context.Context, table string) ([]bool, error) {
	info := p.base.info(table)
	has := func(c string) bool { return info != nil && info.column(c) != nil }
	id := "globalTid"
	if !has(id) {
		id = "globalPid"
	}
	s := &p.sel
	byProcess := has(id) && len(s.Processes)+len(s.Units) > 0
	byThread := has("globalTid") && len(s.Threads) > 0
	byDevice := has("deviceId") && len(s.Devices)+len(s.Units) > 0
	byStream := has("streamId") && len(s.Streams) > 0
	byRange := has("globalTid") && has("start") && s.Ranges != nil
	if !byProcess && !byThread && !byDevice && !byStream && !byRange {
		return nil, nil
	}
	t, err := p.read(ctx, table, id, "start", "deviceId", "streamId", "contextId")
	if err != nil {
		return nil, err
	}
	keep := make([]bool, t.Rows)
	pid, device, stream, start := t.Ints(id), t.Ints("deviceId"), t.Ints("streamId"), t.Ints("start")
	if byDevice && table == TableSync {
		of, err := p.base.ContextDevices(ctx)
		if err != nil {
			return nil, err
		}
		cx := t.Ints("contextId")
		device = slices.Clone(device)
		for i := range device {
			device[i] = of(GlobalID(pid[i]), cx[i], device[i])
		}
	}
	if byRange {
		if err := p.findRanges(ctx); err != nil {
			return nil, err
		}
	}
	for i := range keep {
		g := GlobalID(pid[i])
		keep[i] = (len(s.Processes) == 0 || !has(id) || slices.Contains(s.Processes, g.PID())) &&
			(!byThread || s.hasThread(g)) &&
			(!byDevice || len(s.Devices) == 0 || slices.Contains(s.Devices, device[i])) &&
			(!byStream || slices.Contains(s.Streams, stream[i])) &&
			(len(s.Units) == 0 || p.ofUnit(g, has(id), device[i], has("deviceId"))) &&
			(!byRange || p.inside(g, start[i]))
	}
	return keep, nil
}

func (p *picked) ofUnit(g GlobalID, known bool, device int64, placed bool) bool {
	return slices.ContainsFunc(p.sel.Units, func(u Unit) bool {
		return (!known || u.Process == g.Process()) && (!placed || u.Device < 0 || u.Device == device)
	})
}

// callers keeps the calls that meet the conditions of their own.
func (p *picked) callers(ctx context.Context) (keep []bool, err error) {
	if !p.called {
		if p.calls, err = p.own(ctx, TableRuntime); err != nil {
			return nil, err
		}
		p.called = true
	}
	return p.calls, nil
}

// index ties calls that are kept to their rows.
func (p *picked) index(ctx context.Context) (*Index, int, error) {
	t, err := p.read(ctx, TableRuntime, "globalTid", "correlationId")
	if err != nil || t == nil {
		return nil, 0, err
	}
	return NewIndex(t.Ints("globalTid"), t.Ints("correlationId")), t.Rows, nil
}

// causes keeps of the calls those that caused work that is kept.
func (p *picked) causes(ctx context.Context, calls []bool) ([]bool, error) {
	find, n, err := p.index(ctx)
	if err != nil || find == nil {
		return calls, err
	}
	keep := make([]bool, n)
	for _, table := range workTables {
		if table == "CUDA_GPU_MEMORY_USAGE_EVENTS" && (len(p.sel.Streams) > 0 || p.sel.Kernels != nil) {
			continue // an allocation is on no stream, and no kernel
		}
		work, err := p.kept(ctx, table)
		if err != nil {
			return nil, err
		}
		t, err := p.read(ctx, table, "globalPid", "correlationId")
		if err != nil {
			return nil, err
		}
		if t.Col("correlationId") == nil {
			continue
		}
		pid := t.Ints("globalPid")
		for i, c := range t.Ints("correlationId") {
			if c == 0 || work != nil && !work[i] {
				continue
			}
			for r := find.Find(pid[i], c); r >= 0; r = find.Next(r) {
				keep[r] = calls == nil || calls[r]
			}
		}
	}
	return keep, nil
}

// work keeps of a table of work what meets its own conditions, has the names, and
// was caused by a call that is kept.
func (p *picked) work(ctx context.Context, table string) ([]bool, error) {
	keep, err := p.own(ctx, table)
	if err != nil {
		return nil, err
	}
	if p.sel.Kernels != nil {
		if keep, err = p.named(ctx, table, keep); err != nil {
			return nil, err
		}
	}
	if !p.sel.byCall() || !p.base.Has(table) {
		return keep, nil
	}
	calls, err := p.callers(ctx)
	if err != nil || calls == nil {
		return keep, err
	}
	find, _, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	t, err := p.read(ctx, table, "globalPid", "correlationId")
	if err != nil {
		return nil, err
	}
	if keep == nil {
		keep = slices.Repeat([]bool{true}, t.Rows)
	}
	pid := t.Ints("globalPid")
	for i, c := range t.Ints("correlationId") {
		ok := false
		for r := find.Find(pid[i], c); r >= 0 && !ok; r = find.Next(r) {
			ok = calls[r]
		}
		keep[i] = keep[i] && ok
	}
	return keep, nil
}

// named keeps the kernels of the names; other work has none.
func (p *picked) named(ctx context.Context, table string, keep []bool) ([]bool, error) {
	if err := p.base.LoadNames(ctx); err != nil {
		return nil, err
	}
	t, err := p.read(ctx, table, "shortName", "demangledName")
	if err != nil || t == nil {
		return keep, err
	}
	if table != TableKernel {
		return make([]bool, t.Rows), nil
	}
	fits := map[int64]bool{}
	does := func(id int64) bool {
		ok, known := fits[id]
		if !known {
			ok = p.sel.Kernels.MatchString(p.base.NameText(id))
			fits[id] = ok
		}
		return ok
	}
	out := make([]bool, t.Rows)
	short, full := t.Ints("shortName"), t.Ints("demangledName")
	for i := range out {
		out[i] = (keep == nil || keep[i]) && (does(short[i]) || does(full[i]))
	}
	return out, nil
}

// nvtx keeps the events of the processes, threads and texts, and what only tells
// names.
func (p *picked) nvtx(ctx context.Context) ([]bool, error) {
	s := &p.sel
	if len(s.Processes)+len(s.Threads)+len(s.Units) == 0 && s.Ranges == nil || !p.base.Has(TableNvtx) {
		return nil, nil
	}
	if err := p.base.LoadNames(ctx); err != nil {
		return nil, err
	}
	t, err := p.read(ctx, TableNvtx, "globalTid", "eventType", "text", "textId")
	if err != nil {
		return nil, err
	}
	keep := make([]bool, t.Rows)
	tid, fits := t.Ints("globalTid"), p.texts()
	for i, typ := range t.Ints("eventType") {
		g := GlobalID(tid[i])
		event := IsRange(typ) || IsMark(typ)
		keep[i] = (len(s.Processes) == 0 || slices.Contains(s.Processes, g.PID())) &&
			(len(s.Units) == 0 || p.ofUnit(g, true, 0, false)) &&
			(!event || s.hasThread(g)) &&
			(s.Ranges == nil || !event || fits(t, i))
	}
	return keep, nil
}

// texts returns what tells whether the text of an event fits.
func (p *picked) texts() func(t *Table, i int) bool {
	fits := map[Sym]bool{}
	return func(t *Table, i int) bool {
		y, ok := p.base.EventText(t, i)
		if !ok {
			return false
		}
		fit, known := fits[y]
		if !known {
			fit = p.sel.Ranges.MatchString(p.base.Strings.Text(y))
			fits[y] = fit
		}
		return fit
	}
}

// findRanges finds the stretches of time in which ranges of the texts were open.
func (p *picked) findRanges(ctx context.Context) error {
	if p.within != nil {
		return nil
	}
	p.within = map[GlobalID][]stretch{}
	if err := p.base.LoadNames(ctx); err != nil {
		return err
	}
	t, err := p.read(ctx, TableNvtx, "globalTid", "eventType", "text", "textId", "start", "end")
	if err != nil || t == nil {
		return err
	}
	tid, start, end, fits := t.Ints("globalTid"), t.Ints("start"), t.Ints("end"), p.texts()
	for i, typ := range t.Ints("eventType") {
		if !IsRange(typ) || !fits(t, i) {
			continue
		}
		g, to := GlobalID(tid[i]), end[i]
		if typ == NvtxStartEnd || typ == NvtxtStartEnd {
			g = g.Process()
		}
		if t.IsNull("end", i) {
			to = 1<<63 - 1 // it was open to the end
		}
		p.within[g] = append(p.within[g], stretch{start[i], to})
	}
	for g, all := range p.within {
		slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.start, b.start) })
		out := all[:0]
		for _, x := range all {
			if n := len(out); n > 0 && x.start <= out[n-1].end {
				out[n-1].end = max(out[n-1].end, x.end)
				continue
			}
			out = append(out, x)
		}
		p.within[g] = out
	}
	return nil
}

// inside reports whether a range was open on a thread, or in its process, at a time.
func (p *picked) inside(g GlobalID, at int64) bool {
	for _, key := range [2]GlobalID{g, g.Process()} {
		all := p.within[key]
		if i, _ := slices.BinarySearchFunc(all, at, func(x stretch, at int64) int {
			if x.end < at {
				return -1
			}
			return 1
		}); i < len(all) && all[i].start <= at {
			return true
		}
	}
	return false
}
