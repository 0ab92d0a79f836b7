package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An Unmet is a condition of a Selection that no event of a trace meets.
type Unmet struct {
	Condition string   // device, process, stream, thread, kernel or range
	Asked     string   // the number, or the expression
	Has       []string // what events have instead: numbers ascending, names by how often they stand, the most frequent first
}

// errMet ends a scan that has found all that it looks for.
var errMet = errors.New("met")

// Unmet returns the conditions of s that no event meets by itself. Each is looked
// for until it is found: a selection of what there is costs little.
func (t *Trace) Unmet(ctx context.Context, s *Selection) ([]Unmet, error) {
	var out []Unmet
	number := func(v int64) string { return strconv.FormatInt(v, 10) }
	for _, c := range []struct {
		condition string
		asked     []int64
		column    string // of tables of work; "": the process of any table
	}{{"device", s.Devices, "deviceId"}, {"process", s.Processes, ""}, {"stream", s.Streams, "streamId"}} {
		if len(c.asked) == 0 {
			continue
		}
		columns, of := []string{c.column}, func(v int64) int64 { return v }
		if c.column == "" {
			columns, of = []string{"globalTid", "globalPid"}, func(v int64) int64 { return GlobalID(v).PID() }
		}
		missing, has, err := lookFor(ctx, t, c.asked, columns, of, func(a, h int64) bool { return a == h })
		if err != nil {
			return nil, err
		}
		slices.Sort(has)
		for _, m := range missing {
			out = append(out, Unmet{c.condition, number(m), texts(has, number)})
		}
	}
	threads, err := t.unmetThreads(ctx, s.Threads)
	if err != nil {
		return nil, err
	}
	names, err := t.unmetNames(ctx, s)
	return append(append(out, threads...), names...), err
}

func texts[T any](of []T, text func(T) string) []string {
	out := make([]string, len(of))
	for i, v := range of {
		out[i] = text(v)
	}
	return out
}

// unmetThreads are the threads without events.
func (t *Trace) unmetThreads(ctx context.Context, asked []ThreadID) ([]Unmet, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	missing, has, err := lookFor(ctx, t, asked, []string{"globalTid"},
		func(v int64) ThreadID { return ThreadID{GlobalID(v).PID(), GlobalID(v).TID()} },
		func(a, h ThreadID) bool { return a.TID == h.TID && (a.PID < 0 || a.PID == h.PID) })
	if err != nil {
		return nil, err
	}
	slices.SortFunc(has, func(a, b ThreadID) int { return slices.Compare([]int64{a.PID, a.TID}, []int64{b.PID, b.TID}) })
	var out []Unmet
	for _, m := range missing {
		out = append(out, Unmet{"thread", m.String(), texts(has, ThreadID.String)})
	}
	return out, nil
}

// String is PID:TID, or TID where the process is any.
func (t ThreadID) String() string {
	if t.PID < 0 {
		return strconv.FormatInt(t.TID, 10)
	}
	return fmt.Sprintf("%d:%d", t.PID, t.TID)
}

// lookFor reads the first of some columns that a table has, of all tables of
// events, until all that is asked was met; else it returns what was not, and all
// that was met instead.
func lookFor[K comparable](ctx context.Context, t *Trace, asked []K, columns []string, of func(int64) K, is func(asked, has K) bool) (missing, has []K, err error) {
	missing = slices.Clone(asked)
	met := map[K]bool{}
	look := func(part *Table) error {
		c := part.Columns[0]
		for i, v := range c.Ints {
			if i > 0 && v == c.Ints[i-1] || c.IsNull(i) {
				continue
			}
			k := of(v)
			if met[k] {
				continue
			}
			met[k] = true
			missing = slices.DeleteFunc(missing, func(a K) bool { return is(a, k) })
		}
		if len(missing) == 0 {
			return errMet
		}
		return nil
	}
	for _, info := range t.Tables() {
		i := slices.IndexFunc(columns, func(c string) bool { return info.column(c) != nil && info.column(c).Kind == Integers })
		if i < 0 || info.column("start") == nil && info.column("timestamp") == nil && info.column("rawTimestamp") == nil {
			continue // it holds no events
		}
		if err := t.scanKept(ctx, info.Name, columns[i:i+1], look); errors.Is(err, errMet) {
			return nil, nil, nil
		} else if err != nil {
			return nil, nil, err
		}
	}
	return missing, slices.Collect(maps.Keys(met)), nil
}

// Meets reports whether any event has to do with a span of time, which begins
// before its end and ends after its start; else first and last are the times between which the
// events of the trace are, in its own nanoseconds, first above last where it has none.
func (t *Trace) Meets(ctx context.Context, start, end int64) (meets bool, first, last int64, err error) {
	first, last = 1<<63-1, -1<<63
	for _, info := range t.Tables() {
		columns := []string{"start", "end"}
		if info.column("start") == nil {
			columns = []string{"timestamp"}
		}
		if info.column(columns[0]) == nil {
			continue
		}
		err := t.scanKept(ctx, info.Name, columns, func(part *Table) error {
			ends := part.Col("end")
			for i, s := range part.Ints(columns[0]) {
				e := s
				if ends != nil && !ends.IsNull(i) && ends.Kind == Integers {
					e = max(s, ends.Ints[i])
				}
				if s <= end && e >= start {
					return errMet
				}
				first, last = min(first, s), max(last, e)
			}
			return nil
		})
		if errors.Is(err, errMet) {
			return true, 0, 0, nil
		} else if err != nil {
			return false, 0, 0, err
		}
	}
	return false, first, last, nil
}

// scanKept scans columns of a table, without reading what was read.
func (t *Trace) scanKept(ctx context.Context, table string, columns []string, yield func(*Table) error) error {
	if k := t.kept(table, columns); k != nil {
		return yield(k.only(t.info(table).these(columns)))
	}
	return t.ScanColumns(ctx, table, columns, yield)
}

// these are the descriptions of columns, as far as the table has them.
func (info *TableInfo) these(columns []string) (out []ColumnInfo) {
	for _, c := range columns {
		if ci := info.column(c); ci != nil {
			out = append(out, *ci)
		}
	}
	return out
}

// unmetNames are the expressions that no kernel and no NVTX event fits.
func (t *Trace) unmetNames(ctx context.Context, s *Selection) (out []Unmet, err error) {
	if s.Kernels == nil && s.Ranges == nil {
		return nil, nil
	}
	if err := t.LoadNames(ctx); err != nil {
		return nil, err
	}
	if s.Kernels != nil {
		n := t.lookForName(s.Kernels)
		err = t.scanKept(ctx, TableKernel, []string{"shortName", "demangledName"}, func(part *Table) error {
			for i, id := range part.Ints("shortName") {
				short, ok := t.Name(id)
				full, also := t.Name(part.Ints("demangledName")[i])
				if ok && n.fits(short) || also && n.fits(full) {
					return errMet
				}
				n.rows[short]++
			}
			return nil
		})
		if out, err = n.unmet(out, "kernel", err); err != nil {
			return nil, err
		}
	}
	if s.Ranges != nil {
		n, list := t.lookForName(s.Ranges), &folder{of: map[Sym]Sym{}, strings: t.Strings}
		err = t.scanKept(ctx, TableNvtx, []string{"eventType", "text", "textId"}, func(part *Table) error {
			for i, typ := range part.Ints("eventType") {
				y, ok := t.EventText(part, i)
				if !ok || !IsRange(typ) && !IsMark(typ) {
					continue
				}
				if n.fits(y) {
					return errMet
				}
				n.rows[list.fold(y)]++
			}
			return nil
		})
		out, err = n.unmet(out, "range", err)
	}
	return out, err
}

// A nameSearch looks for a name that an expression fits, and counts the others.
type nameSearch struct {
	trace  *Trace
	re     *regexp.Regexp
	tested map[Sym]bool
	rows   map[Sym]int
}

func (t *Trace) lookForName(re *regexp.Regexp) *nameSearch {
	return &nameSearch{t, re, map[Sym]bool{}, map[Sym]int{}}
}

func (n *nameSearch) fits(y Sym) bool {
	if n.tested[y] {
		return false
	}
	n.tested[y] = true
	return n.re.MatchString(n.trace.Strings.Text(y))
}

// unmet adds the expression to out where the scan ended without a name that it
// fits.
func (n *nameSearch) unmet(out []Unmet, condition string, err error) ([]Unmet, error) {
	if errors.Is(err, errMet) {
		return out, nil
	} else if err != nil {
		return nil, err
	}
	names := slices.SortedFunc(maps.Keys(n.rows), func(a, b Sym) int {
		return cmp.Or(n.rows[b]-n.rows[a], strings.Compare(n.trace.Strings.Text(a), n.trace.Strings.Text(b)))
	})
	return append(out, Unmet{condition, n.re.String(), texts(names, n.trace.Strings.Text)}), nil
}
