package trace

import (
	"context"
	"strconv"
)

// A Session is what a trace tells of how, when and where it was made.
type Session struct {
	Start, Stop int64 // ns; the window of the recording
	HasWindow   bool
	Began       string // UTC, as the file has it; "" if it does not tell
	// Export are the settings of the export, Target what is known of the machine,
	// both in the order of the file.
	Export, Target []Attribute
	GPUs           []GPU
	Processes      []Process
}

// An Attribute is a name and its value as text.
type Attribute struct{ Name, Value string }

// A GPU is a row of TARGET_INFO_GPU or TARGET_INFO_CUDA_GPU: the columns that
// have a value.
type GPU struct {
	Name       string
	Attributes []Attribute
}

// A Process is a process that the file names or that has named threads.
type Process struct {
	ID      GlobalID
	Name    string
	Threads int // with a name
}

// Attribute returns a property of the machine, "" if the file does not have it.
func (s *Session) Attribute(name string) string {
	for _, a := range s.Target {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// Session reads what the file tells of its making: ANALYSIS_DETAILS and the
// tables META_DATA_EXPORT, TARGET_INFO_* and PROCESSES of the Nsight Systems
// schema, or as much of them as there is.
func (t *Trace) Session(ctx context.Context) (*Session, error) {
	s := &Session{}
	if err := t.LoadNames(ctx); err != nil {
		return nil, err
	}
	for _, read := range []func(context.Context, *Session) error{t.window, t.attributes, t.gpus, t.processes} {
		if err := read(ctx, s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (t *Trace) window(ctx context.Context, s *Session) error {
	d, err := t.Table(ctx, "ANALYSIS_DETAILS", "startTime", "stopTime")
	if err != nil {
		return err
	}
	if d != nil && d.Rows > 0 {
		s.Start, s.Stop, s.HasWindow = d.Ints("startTime")[0], d.Ints("stopTime")[0], true
	}
	b, err := t.Table(ctx, "TARGET_INFO_SESSION_START_TIME", "utcTime")
	if err == nil && b != nil && b.Rows > 0 {
		s.Began = t.CellText(b.Col("utcTime"), 0)
	}
	return err
}

func (t *Trace) attributes(ctx context.Context, s *Session) error {
	for _, list := range []struct {
		table string
		to    *[]Attribute
	}{{"META_DATA_EXPORT", &s.Export}, {"EXPORT_META_DATA", &s.Export}, {"TARGET_INFO_SYSTEM_ENV", &s.Target}} {
		e, err := t.Table(ctx, list.table, "name", "value")
		if err != nil {
			return err
		}
		if e == nil {
			continue
		}
		name, value := e.Col("name"), e.Col("value")
		seen := map[Attribute]bool{}
		for i := range e.Rows {
			a := Attribute{t.CellText(name, i), t.CellText(value, i)}
			if a.Name != "" && !seen[a] { // files of several targets repeat them
				seen[a] = true
				*list.to = append(*list.to, a)
			}
		}
	}
	return nil
}

func (t *Trace) gpus(ctx context.Context, s *Session) error {
	for _, name := range []string{"TARGET_INFO_GPU", "TARGET_INFO_CUDA_GPU"} {
		info := t.info(name)
		if info == nil || len(s.GPUs) > 0 {
			continue
		}
		var columns []string
		for _, c := range info.Columns {
			columns = append(columns, c.Name)
		}
		g, err := t.Table(ctx, name, columns...)
		if err != nil {
			return err
		}
		for i := range g.Rows {
			d := GPU{Name: t.CellText(g.Col("name"), i)}
			for _, c := range columns {
				if v := t.CellText(g.Col(c), i); v != "" {
					d.Attributes = append(d.Attributes, Attribute{c, v})
				}
			}
			s.GPUs = append(s.GPUs, d)
		}
	}
	return nil
}

func (t *Trace) processes(ctx context.Context, s *Session) error {
	at := map[GlobalID]int{}
	process := func(g GlobalID) *Process {
		g = g.Process()
		i, ok := at[g]
		if !ok {
			i = len(s.Processes)
			at[g] = i
			s.Processes = append(s.Processes, Process{ID: g})
		}
		return &s.Processes[i]
	}
	p, err := t.Table(ctx, "PROCESSES", "globalPid", "name")
	if err != nil {
		return err
	}
	if p != nil {
		for i, g := range p.Ints("globalPid") {
			process(GlobalID(g)).Name = t.CellText(p.Col("name"), i)
		}
	}
	threads, err := t.Table(ctx, "ThreadNames", "globalTid")
	if err != nil {
		return err
	}
	if threads != nil {
		for _, g := range threads.Ints("globalTid") {
			process(GlobalID(g)).Threads++
		}
	}
	return nil
}

// CellText is a cell as text, "" for NULL and where there is no such column.
func (t *Trace) CellText(c *Column, i int) string {
	switch {
	case c == nil || c.IsNull(i):
		return ""
	case c.Kind == Integers:
		return strconv.FormatInt(c.Ints[i], 10)
	case c.Kind == Reals:
		return strconv.FormatFloat(c.Reals[i], 'g', -1, 64)
	}
	return t.Strings.Text(c.Syms[i])
}

// A counter is a source that knows how many rows a table has.
type counter interface{ Rows(table string) int }

// CountRows is the number of rows of a table; 0 if the file does not have it.
// Nothing of the table is kept.
func (t *Trace) CountRows(ctx context.Context, table string) (n int, err error) {
	info := t.info(table)
	if info == nil {
		return 0, nil
	}
	if src, ok := t.source.(counter); ok {
		return src.Rows(info.Name), nil
	}
	src, ok := t.source.(scanner)
	if !ok {
		r, err := t.Table(ctx, table, "rowid")
		if err != nil {
			return 0, err
		}
		return r.Rows, nil
	}
	_, err = src.Scan(ctx, info.Name, []ColumnInfo{{Name: "rowid"}}, t.Strings, func(part *Table) error { n += part.Rows; return nil })
	return n, err
}
