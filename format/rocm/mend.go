package rocm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// mended runs a reader of the database and, where pages were missing or broken, runs
// it again on tables that hold the rows which can be read: in a join one broken page of
// the table that is joined takes every row.
func (d *database) mended(read func()) {
	before := *d.s
	before.Problems, before.alike = slices.Clip(before.Problems), maps.Clone(before.alike)
	read()
	if !d.corrupt || d.s.full {
		return
	}
	*d.s, d.single = before, map[string]bool{}
	for _, pragma := range []string{"PRAGMA temp_store = MEMORY", "PRAGMA query_only = OFF"} {
		if err := sqlitex.ExecuteTransient(d.conn, pragma, nil); err != nil {
			d.s.problem(FormatError{Offset: -1, Want: "an SQLite database", Found: err.Error(), Err: cursor.ErrCorrupt})
		}
	}
	for _, table := range slices.Sorted(maps.Keys(d.tables)) {
		if ofProfiler(table) && !d.sound(table) {
			d.mend(table)
		}
	}
	if err := sqlitex.ExecuteTransient(d.conn, "PRAGMA query_only = ON", nil); err != nil {
		d.s.problem(FormatError{Offset: -1, Want: "an SQLite database", Found: err.Error(), Err: cursor.ErrCorrupt})
	}
	read()
}

// ofProfiler reports whether a reader asks for a table of this name.
func ofProfiler(table string) bool {
	return strings.HasPrefix(table, "rocpd_") || slices.Contains([]string{"KERN", "HIP", "HSA", "OPS", "COPY", "rocTX"}, table)
}

// sound reports whether all pages of a table and of its indexes are whole.
func (d *database) sound(table string) bool {
	verdict := ""
	err := sqlitex.ExecuteTransient(d.conn, `PRAGMA main.quick_check(`+quote(table)+`)`, &sqlitex.ExecOptions{
		ResultFunc: func(st *sqlite.Stmt) error { verdict += st.ColumnText(0); return nil }})
	return err == nil && verdict == "ok"
}

// mend makes a table in memory of the rows that can be read, which from then on stands
// before the broken one of the same name.
func (d *database) mend(table string) {
	columns, names, err := d.layout(table)
	if err == nil && len(names) == 0 {
		err = errors.New("no columns")
	}
	if err == nil {
		err = sqlitex.ExecuteTransient(d.conn, `CREATE TEMP TABLE `+quote(table)+` (`+strings.Join(columns, ", ")+`)`, nil)
	}
	if err != nil {
		d.s.problem(FormatError{Offset: -1, Want: "the columns of the table " + quote(table), Found: err.Error(), Err: cursor.ErrCorrupt})
		return
	}
	// From both ends to what is broken: the pages behind it may be sound.
	rows, last, why := d.salvage(table, names, "ASC", "")
	if why == nil || errors.Is(why, errFull) {
		return // an index is broken, no row
	}
	behind := ""
	if rows > 0 {
		behind = fmt.Sprintf(" WHERE rowid > %d", last)
	}
	more, _, _ := d.salvage(table, names, "DESC", behind)
	d.s.problem(FormatError{Offset: -1, Want: "all rows of the table " + quote(table), Found: fmt.Sprintf("pages that are missing or broken; %d rows can be read", rows+more), Err: cursor.ErrCorrupt})
}

// layout is what a table's columns are declared as in a copy, and their names, quoted.
// A lone whole number that is the key stays the key, so that joins find rows by it.
func (d *database) layout(table string) (columns, names []string, err error) {
	keys := 0
	err = sqlitex.ExecuteTransient(d.conn, `SELECT name, type, pk FROM pragma_table_info(?, 'main')`, &sqlitex.ExecOptions{Args: []any{table}, ResultFunc: func(st *sqlite.Stmt) error {
		declared := ""
		if t := strings.ToUpper(st.ColumnText(1)); strings.Contains(t, "INT") {
			declared = " INTEGER"
		} else if strings.Contains(t, "TEXT") || strings.Contains(t, "CHAR") {
			declared = " TEXT"
		}
		if st.ColumnInt(2) > 0 {
			keys++
			if declared == " INTEGER" {
				declared += " PRIMARY KEY"
			}
		}
		columns, names = append(columns, quote(st.ColumnText(0))+declared), append(names, quote(st.ColumnText(0)))
		return nil
	}})
	if keys > 1 {
		for i := range columns {
			columns[i] = strings.TrimSuffix(columns[i], " PRIMARY KEY")
		}
	}
	return columns, names, err
}

// salvage copies rows of a broken table in one direction until a page cannot be read,
// and returns how many, the number of the last and what ended them.
func (d *database) salvage(table string, names []string, direction, where string) (rows int, last int64, err error) {
	list := strings.Join(names, ", ")
	in, err := d.conn.Prepare(`INSERT OR IGNORE INTO temp.` + quote(table) + ` (` + list + `) VALUES (` + strings.TrimPrefix(strings.Repeat(", ?", len(names)), ", ") + `)`)
	if err != nil {
		return 0, 0, err
	}
	defer in.Finalize() //nolint:errcheck // repeats what Step said
	err = sqlitex.ExecuteTransient(d.conn, `SELECT rowid, `+list+` FROM main.`+quote(table)+` NOT INDEXED`+where+` ORDER BY rowid `+direction, &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
		size := int64(16 * len(names))
		for i := range names {
			size += int64(st.ColumnLen(i + 1))
			bind(in, st, i+1)
		}
		if !d.s.take(size) {
			return errFull
		}
		if _, err := in.Step(); err != nil {
			return err
		}
		rows, last = rows+1, st.ColumnInt64(0)
		return in.Reset()
	}})
	return rows, last, err
}

// bind hands a cell of a row on.
func bind(to, from *sqlite.Stmt, i int) {
	switch from.ColumnType(i) {
	case sqlite.TypeInteger:
		to.BindInt64(i, from.ColumnInt64(i))
	case sqlite.TypeFloat:
		to.BindFloat(i, from.ColumnFloat(i))
	case sqlite.TypeText:
		to.BindText(i, from.ColumnText(i))
	default: // no profiler writes blobs
		to.BindNull(i)
	}
}
