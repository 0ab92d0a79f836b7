package trace

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/trace/schema"
)

// A TableInfo tells of a table without reading it.
type TableInfo struct {
	Name    string
	Columns []ColumnInfo
}

// A ColumnInfo tells the name and kind of a column.
type ColumnInfo struct {
	Name string
	Kind Kind
}

// A Source yields the tables of a file. An adapter for each format implements
// it.
type Source interface {
	// Tables lists the tables in the order of the file.
	Tables() []TableInfo
	// Read reads columns of a table, all of which exist, in the order of rows.
	// The column "rowid" numbers the rows. Problems are defects of the file
	// that cost rows.
	Read(ctx context.Context, table string, columns []ColumnInfo, s *Strings) (t *Table, problems []error, err error)
}

// A scanner is a Source that can yield a table in parts, for tables that are
// larger than memory should be.
type scanner interface {
	Source
	// Scan is Read in parts of some thousand rows, in order. A part is valid
	// until yield returns. Scan stops at the first error that yield returns and
	// returns it.
	Scan(ctx context.Context, table string, columns []ColumnInfo, s *Strings, yield func(*Table) error) (problems []error, err error)
}

// A Trace is the timeline of a file.
type Trace struct {
	File    string         // name
	Version schema.Version // of the export schema; zero: not stated
	Tool    string         // product and version that made the file, or ""
	APIs    []string       // of ROCm that it has calls of, such as HIP and HSA; nil where that is not known
	Strings *Strings

	source Source
	list   sync.Once             // fills infos and order when a table is first asked for
	infos  map[string]*TableInfo // by lower-case name
	order  []TableInfo

	mu       sync.Mutex
	tables   map[string]*Table
	combined map[combinedKey]*Table
	told     map[string]bool // tables whose defects are among problems
	watch    func(rows int)
	scanned  int
	problems []error
	ids      *stringIDs
	fold     *folder // of the texts of events; nil: they stay
}

// New makes a trace of what a source has.
func New(file string, src Source) *Trace {
	return &Trace{File: file, Strings: newStrings(), source: src, infos: map[string]*TableInfo{}, tables: map[string]*Table{},
		combined: map[combinedKey]*Table{}, told: map[string]bool{}}
}

// info returns what is known of a table, or nil.
func (t *Trace) info(table string) *TableInfo {
	t.Tables()
	return t.infos[strings.ToLower(table)]
}

// Tables lists the tables of the file.
func (t *Trace) Tables() []TableInfo {
	t.list.Do(func() {
		t.order = t.source.Tables()
		for i := range t.order {
			t.infos[strings.ToLower(t.order[i].Name)] = &t.order[i]
		}
	})
	return t.order
}

// Has reports whether the file has the table, with or without rows.
func (t *Trace) Has(table string) bool { return t.info(table) != nil }

// HasColumn reports whether the file has the column.
func (t *Trace) HasColumn(table, column string) bool {
	info := t.info(table)
	return info != nil && info.column(column) != nil
}

func (i *TableInfo) column(name string) *ColumnInfo {
	for k := range i.Columns {
		if strings.EqualFold(i.Columns[k].Name, name) {
			return &i.Columns[k]
		}
	}
	return nil
}

// Table returns a table with at least those of the columns asked for that the
// file has; nil if it does not have the table. What was read once is kept. The
// column "rowid" exists in every table.
func (t *Trace) Table(ctx context.Context, name string, columns ...string) (*Table, error) {
	info := t.info(name)
	if info == nil {
		return nil, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	key := strings.ToLower(name)
	have := t.tables[key]
	var need []ColumnInfo
	for _, c := range columns {
		if have.Col(c) != nil || slices.ContainsFunc(need, func(n ColumnInfo) bool { return strings.EqualFold(n.Name, c) }) {
			continue
		}
		if ci := info.column(c); ci != nil {
			need = append(need, *ci)
		} else if strings.EqualFold(c, "rowid") {
			need = append(need, ColumnInfo{Name: "rowid"})
		}
	}
	if have != nil && len(need) == 0 {
		return have, nil
	}
	if len(need) == 0 && len(info.Columns) > 0 { // to learn the number of rows
		need = append(need, ColumnInfo{Name: "rowid"})
	}
	got, problems, err := t.source.Read(ctx, info.Name, need, t.Strings)
	if err != nil {
		return nil, err
	}
	if have != nil && have.Rows != got.Rows {
		return nil, fmt.Errorf("%s: table %s had %d rows and now has %d", t.File, info.Name, have.Rows, got.Rows)
	}
	return t.addColumns(info, got, problems), nil
}

// addColumns takes further columns of a table among those that are kept.
func (t *Trace) addColumns(info *TableInfo, got *Table, problems []error) *Table {
	key := strings.ToLower(info.Name)
	have := t.tables[key]
	t.tell(info, problems)
	if have != nil { // a new one: the caller may hold the old one
		got = &Table{Name: have.Name, Rows: have.Rows, Columns: append(slices.Clone(have.Columns), got.Columns...)}
	}
	t.tables[key] = got
	return got
}

// All returns a table with all of its columns, or nil.
func (t *Trace) All(ctx context.Context, name string) (*Table, error) {
	info := t.info(name)
	if info == nil {
		return nil, nil
	}
	var cols []string
	for _, c := range info.Columns {
		cols = append(cols, c.Name)
	}
	return t.Table(ctx, name, cols...)
}

// Scan yields all columns of a table in parts, without keeping them. A part is
// valid until yield returns.
func (t *Trace) Scan(ctx context.Context, name string, yield func(*Table) error) error {
	info := t.info(name)
	if info == nil {
		return nil
	}
	problems, err := t.parts(ctx, info.Name, info.Columns, yield)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tell(info, problems)
	return err
}

// kept returns a table if all of those of some columns that the file has were
// read already, else nil.
func (t *Trace) kept(name string, columns []string) *Table {
	t.mu.Lock()
	defer t.mu.Unlock()
	have := t.tables[strings.ToLower(name)]
	for _, c := range columns {
		if have.Col(c) == nil && t.HasColumn(name, c) {
			return nil
		}
	}
	return have
}

// ScanColumns is Scan with those of some columns that the file has.
func (t *Trace) ScanColumns(ctx context.Context, name string, columns []string, yield func(*Table) error) error {
	info := t.info(name)
	if info == nil {
		return nil
	}
	var asks []ColumnInfo
	for _, c := range columns {
		if ci := info.column(c); ci != nil && !slices.Contains(asks, *ci) {
			asks = append(asks, *ci)
		} else if ci == nil && strings.EqualFold(c, "rowid") {
			asks = append(asks, ColumnInfo{Name: "rowid"})
		}
	}
	if len(asks) == 0 {
		asks = append(asks, ColumnInfo{Name: "rowid"}) // tells the number of rows
	}
	problems, err := t.parts(ctx, info.Name, asks, yield)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tell(info, problems)
	return err
}

// tell notes defects of a table, those of its first reading that has some: later
// ones would tell the same again.
func (t *Trace) tell(info *TableInfo, problems []error) {
	if key := strings.ToLower(info.Name); len(problems) > 0 && !t.told[key] {
		t.told[key] = true
		t.problems = append(t.problems, problems...)
	}
}

// Watch has f called while tables are scanned, with the number of rows that were
// handed over so far, those of all scans together. It is to be set before, and
// only one scan may run at a time.
func (t *Trace) Watch(f func(rows int)) { t.watch = f }

// parts is scan, of which a watcher hears.
func (t *Trace) parts(ctx context.Context, table string, columns []ColumnInfo, yield func(*Table) error) ([]error, error) {
	return scan(ctx, t.source, table, columns, t.Strings, t.watched(yield))
}

// watched is a function that takes parts, and tells the watcher of them.
func (t *Trace) watched(yield func(*Table) error) func(*Table) error {
	if t.watch == nil {
		return yield
	}
	return func(p *Table) error {
		t.scanned += p.Rows
		t.watch(t.scanned)
		return yield(p)
	}
}

// Forget drops what was read of a table, to make room.
func (t *Trace) Forget(table string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.tables, strings.ToLower(table))
}

// Shrink drops what was read of the largest tables until what is kept takes at
// most so many bytes. They are read again when they are asked for. It returns the
// bytes that were dropped.
func (t *Trace) Shrink(most int) (dropped int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	size, all := map[string]int{}, 0
	for name, table := range t.tables {
		for _, c := range table.Columns {
			size[name] += 8*len(c.Ints) + 8*len(c.Reals) + 4*len(c.Syms) + len(c.Null)
		}
		all += size[name]
	}
	names := slices.SortedFunc(maps.Keys(size), func(a, b string) int { return cmp.Compare(size[b], size[a]) })
	for _, name := range names {
		if all <= most {
			break
		}
		delete(t.tables, name)
		all -= size[name]
		dropped += size[name]
	}
	return dropped
}

// Problems are defects of the file met so far: parts that were left out. A Source
// that has a method Problems adds its own.
func (t *Trace) Problems() []error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s, ok := t.source.(interface{ Problems() []error }); ok {
		return append(slices.Clone(t.problems), s.Problems()...)
	}
	return t.problems
}
