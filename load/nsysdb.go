package load

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysdb"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// nsysSource yields the tables of an Nsight Systems export to the timeline
// model.
type nsysSource struct{ file *nsysdb.File }

func openNsysDB(f *File) error {
	path := f.Name
	if f.own != nil {
		path = f.own.Name()
	}
	if err := nsysdb.CheckJournal(path); err != nil {
		return err
	}
	file, err := nsysdb.Open(f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	for _, t := range file.Tables() {
		switch t.Name {
		case trace.TableOps, trace.TablePython:
			f.holds |= Operators
		case trace.TableMemory:
			f.holds |= Memory
		}
	}
	tr := trace.New(f.Name, &nsysSource{file})
	if err := nsysMeta(tr); err != nil {
		return err
	}
	for _, p := range file.Problems() {
		f.problems = append(f.problems, p.Error())
	}
	f.Trace = tr
	return nil
}

// openSQLite opens a database whose first pages do not tell what it is: the
// schema of one with many tables lies further back.
func openSQLite(f *File) error {
	file, err := nsysdb.Open(f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(file.Tables(), ofNsys) {
		f.Format, f.article = "Nsight Systems SQLite export", "an"
		return openNsysDB(f)
	}
	return fmt.Errorf("%s: this seems to be a %s: none of its %d tables is one of Nsight Systems: %w", f.Name, f.Format, len(file.Tables()), ErrUnknown)
}

// ofNsys reports whether a table is one of an export: by its name, or as the catalogue
// has it, which is for exports that have been left only some of their tables. More
// than half of its columns are then those of the catalogue, as some names are
// anybody's, such as PROCESSES.
func ofNsys(t *nsysdb.Table) bool {
	if strings.HasPrefix(t.Name, "CUPTI_ACTIVITY_KIND_") || strings.HasPrefix(t.Name, "TARGET_INFO_") || t.Name == "StringIds" {
		return true
	}
	known, n := schema.Lookup(t.Name), 0
	if known == nil {
		return false
	}
	for _, c := range t.Columns {
		if known.Column(c.Name) != nil {
			n++
		}
	}
	return 2*n > len(t.Columns)
}

// nsysMeta reads which tool made the export, and the version of its schema. The
// table was renamed at schema 3.4; exports before 2.9.1 have none.
func nsysMeta(tr *trace.Trace) error {
	for _, name := range []string{"META_DATA_EXPORT", "EXPORT_META_DATA"} {
		m, err := tr.Table(context.Background(), name, "name", "value")
		if err != nil {
			return err
		}
		keys, values := m.Col("name"), m.Col("value")
		if keys == nil || values == nil || keys.Kind != trace.Texts || values.Kind != trace.Texts {
			continue
		}
		meta := map[string]string{}
		for i, k := range keys.Syms {
			meta[tr.Strings.Text(k)] = tr.Strings.Text(values.Syms[i])
		}
		if v, err := schema.ParseVersion(meta["EXPORT_SCHEMA_VERSION"]); err == nil {
			tr.Version = v
		}
		tr.Tool = strings.TrimSpace(meta["EXPORT_PRODUCT_NAME"] + " " + meta["EXPORT_PRODUCT_VERSION"])
	}
	return nil
}

// Tables lists the tables that can be read. The kind of a column is that of the
// catalogue, or of its declaration where the catalogue does not know it.
func (s *nsysSource) Tables() []trace.TableInfo {
	var out []trace.TableInfo
	for _, t := range s.file.Tables() {
		if t.Err() != nil || strings.HasPrefix(t.Name, "sqlite_") {
			continue
		}
		info := trace.TableInfo{Name: t.Name}
		known := schema.Lookup(t.Name)
		for _, c := range t.Columns {
			kind := kindOf(c.Type)
			if known != nil {
				if k := known.Column(c.Name); k != nil {
					kind = kindOf(k.Type)
				}
			}
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: c.Name, Kind: kind})
		}
		out = append(out, info)
	}
	return out
}

func kindOf(typ string) trace.Kind {
	u := strings.ToUpper(typ)
	switch {
	case strings.Contains(u, "INT"):
		return trace.Integers
	case strings.Contains(u, "REAL"), strings.Contains(u, "FLOA"), strings.Contains(u, "DOUB"):
		return trace.Reals
	}
	return trace.Texts
}

// Read reads columns of a table.
func (s *nsysSource) Read(ctx context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings) (*trace.Table, []error, error) {
	b, err := s.file.Table(table).Read(ctx, nsysAsks(columns)...)
	if err != nil {
		return nil, nil, err
	}
	return nsysTable(table, columns, b, in), b.Problems, nil
}

// Scan reads columns of a table in parts.
func (s *nsysSource) Scan(ctx context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings, yield func(*trace.Table) error) ([]error, error) {
	var problems []error
	err := s.file.Table(table).Scan(ctx, func(b *nsysdb.Block) error {
		problems = append(problems, b.Problems...)
		return yield(nsysTable(table, columns, b, in))
	}, nsysAsks(columns)...)
	return problems, err
}

func nsysAsks(columns []trace.ColumnInfo) []nsysdb.Ask {
	asks := make([]nsysdb.Ask, len(columns))
	for i, c := range columns {
		switch c.Kind {
		case trace.Integers:
			asks[i] = nsysdb.Integer(c.Name)
		case trace.Reals:
			asks[i] = nsysdb.Real(c.Name)
		case trace.Texts:
			asks[i] = nsysdb.Text(c.Name)
		}
	}
	return asks
}

func nsysTable(table string, columns []trace.ColumnInfo, b *nsysdb.Block, in *trace.Strings) *trace.Table {
	t := &trace.Table{Name: table, Rows: b.Rows}
	for i := range b.Columns {
		v := &b.Columns[i]
		c := &trace.Column{Name: columns[i].Name, Kind: columns[i].Kind, Ints: v.Ints, Reals: v.Reals, Null: v.Null}
		if c.Kind == trace.Texts {
			c.Syms = in.InternAll(b.Rows, v.Bytes)
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}
