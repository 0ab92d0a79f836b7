package trace

import (
	"context"
	"slices"
)

// The types of NVTX events that matter for ranges.
const (
	NvtxCategory      = 33
	NvtxMark          = 34
	NvtxThread        = 39
	NvtxPushPop       = 59
	NvtxStartEnd      = 60
	NvtxtMark         = 65
	NvtxtPushPop      = 70
	NvtxtStartEnd     = 71
	NvtxDomainCreate  = 75
	nvtxDomainDestroy = 76
)

// Ranges are the NVTX ranges of a trace, an element for each in every slice.
type Ranges struct {
	Start, End []int64
	Open       []bool // the range has no end; End is then the last end of any event
	Thread     []GlobalID
	EndThread  []GlobalID // of a range that another thread ended, else 0
	Text       []Sym
	NoText     []bool // nil, or where neither text nor textId is there
	Domain     []int64
	Category   []int64
	PushPop    []bool  // else start/end
	Row        []int64 // rowid in NVTX_EVENTS
	LastEnd    int64   // last end of any event
	HasLastEnd bool
}

// Len is the number of ranges.
func (r *Ranges) Len() int { return len(r.Start) }

// Ranges returns the NVTX ranges in the order of the file; nil where the trace
// has no NVTX table.
func (t *Trace) Ranges(ctx context.Context) (*Ranges, error) {
	if err := t.LoadNames(ctx); err != nil {
		return nil, err
	}
	e, err := t.Table(ctx, TableNvtx, "rowid", "start", "end", "eventType", "text", "textId", "globalTid", "endGlobalTid", "domainId", "category")
	if err != nil || e == nil {
		return nil, err
	}
	r := &Ranges{}
	typ, start, tid := e.Ints("eventType"), e.Ints("start"), e.Ints("globalTid")
	end, endTid, row := e.Col("end"), e.Col("endGlobalTid"), e.Ints("rowid")
	domain, category := e.Ints("domainId"), e.Ints("category")
	n := 0
	for i, ty := range typ {
		if end != nil && !end.IsNull(i) {
			if !r.HasLastEnd || end.Ints[i] > r.LastEnd {
				r.LastEnd, r.HasLastEnd = end.Ints[i], true
			}
		}
		if IsRange(ty) {
			n++
		}
	}
	all := n == e.Rows // then columns are shared with the table
	r.grow(n, all)
	if all {
		r.Start, r.Domain, r.Category, r.Row = start, domain, category, row
	}
	for i, ty := range typ {
		if !IsRange(ty) {
			continue
		}
		open := end == nil || end.IsNull(i)
		if open {
			r.End = append(r.End, r.LastEnd)
		} else {
			r.End = append(r.End, end.Ints[i])
		}
		r.Open = append(r.Open, open)
		r.Thread = append(r.Thread, GlobalID(tid[i]))
		other := GlobalID(0)
		if endTid != nil && !endTid.IsNull(i) {
			other = GlobalID(endTid.Ints[i])
		}
		r.EndThread = append(r.EndThread, other)
		y, ok := t.EventText(e, i)
		r.Text = append(r.Text, y)
		if !ok && r.NoText == nil {
			r.NoText = make([]bool, n)
		}
		if !ok {
			r.NoText[len(r.Text)-1] = true
		}
		r.PushPop = append(r.PushPop, ty == NvtxPushPop || ty == NvtxtPushPop)
		if !all {
			r.Start, r.Row = append(r.Start, start[i]), append(r.Row, row[i])
			r.Domain, r.Category = append(r.Domain, domain[i]), append(r.Category, category[i])
		}
	}
	return r, nil
}

// IsRange reports whether events of an eventType are ranges.
func IsRange(typ int64) bool {
	return typ == NvtxPushPop || typ == NvtxStartEnd || typ == NvtxtPushPop || typ == NvtxtStartEnd
}

func (r *Ranges) grow(n int, shared bool) {
	r.End, r.Open = slices.Grow(r.End, n), slices.Grow(r.Open, n)
	r.Thread, r.EndThread = slices.Grow(r.Thread, n), slices.Grow(r.EndThread, n)
	r.Text, r.PushPop = slices.Grow(r.Text, n), slices.Grow(r.PushPop, n)
	if !shared {
		r.Start, r.Row = slices.Grow(r.Start, n), slices.Grow(r.Row, n)
		r.Domain, r.Category = slices.Grow(r.Domain, n), slices.Grow(r.Category, n)
	}
}

// EventText is the text of an event: the registered string where there is one,
// else the text that came with the event. Both kinds occur in the same file.
func (t *Trace) EventText(e *Table, i int) (Sym, bool) {
	if id := e.Col("textId"); id != nil && !id.IsNull(i) && id.Kind == Integers {
		if y, ok := t.Name(id.Ints[i]); ok {
			return t.folded(y), true
		}
	}
	if c := e.Col("text"); c != nil && !c.IsNull(i) && c.Kind == Texts {
		return t.folded(c.Syms[i]), true
	}
	return 0, false
}

func (t *Trace) folded(y Sym) Sym {
	if t.fold == nil {
		return y
	}
	return t.fold.fold(y)
}

// NvtxText is the text of row i of NVTX_EVENTS, "" if it has none. The table
// needs its columns text and textId, the trace its names ([Trace.LoadNames]).
func (t *Trace) NvtxText(e *Table, i int) string {
	y, ok := t.EventText(e, i)
	if !ok {
		return ""
	}
	return t.Strings.Text(y)
}

// A domainKey is a domain of a process.
type domainKey struct {
	pid GlobalID
	id  int64
}

// A Domains knows the names of NVTX domains, categories and threads.
type Domains struct {
	threads    map[GlobalID]string
	names      map[domainKey]string
	categories map[[3]int64]string
}

// Domains reads the names of domains, categories and threads.
func (t *Trace) Domains(ctx context.Context) (*Domains, error) {
	d := &Domains{threads: map[GlobalID]string{}, names: map[domainKey]string{}, categories: map[[3]int64]string{}}
	if err := t.LoadNames(ctx); err != nil {
		return nil, err
	}
	add := func(e *Table) error {
		tid, domain, category := e.Ints("globalTid"), e.Ints("domainId"), e.Ints("category")
		for i, ty := range e.Ints("eventType") {
			switch ty {
			case NvtxDomainCreate:
				y, _ := t.EventText(e, i)
				d.names[domainKey{GlobalID(tid[i]).Process(), domain[i]}] = t.Strings.Text(y)
			case NvtxThread:
				if y, _ := t.EventText(e, i); y != 0 {
					d.threads[GlobalID(tid[i])] = t.Strings.Text(y)
				}
			case NvtxCategory:
				y, _ := t.EventText(e, i)
				d.categories[[3]int64{int64(GlobalID(tid[i]).Process()), domain[i], category[i]}] = t.Strings.Text(y)
			}
		}
		return nil
	}
	columns := []string{"eventType", "text", "textId", "globalTid", "domainId", "category"}
	if e := t.kept(TableNvtx, columns); e != nil {
		return d, add(e)
	}
	return d, t.ScanColumns(ctx, TableNvtx, columns, add)
}

// Name is the name of a domain of a process, "" for the default domain.
func (d *Domains) Name(g GlobalID, domain int64) string {
	return d.names[domainKey{g.Process(), domain}]
}

// Category is the name of a category of a domain, "" if it has none.
func (d *Domains) Category(g GlobalID, domain, category int64) string {
	return d.categories[[3]int64{int64(g.Process()), domain, category}]
}
