package rocm

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// database is an opened SQLite file. It is held in memory, so that nothing that
// its schema says can reach another file.
type database struct {
	s       *Session
	conn    *sqlite.Conn
	tables  map[string]bool
	single  map[string]bool // what one answers, for a table and column
	corrupt bool            // a page that was asked for is missing or broken
}

// maxText bounds a text or blob of a database, also one that a statement makes.
const maxText = 64 << 20

func (s *Session) readSQLite(ctx context.Context, in io.Reader, size int64) (err error) {
	var data []byte
	if size < 0 { // unpacked as it is read
		if data, err = io.ReadAll(in); errors.Is(err, io.ErrUnexpectedEOF) {
			s.problem(FormatError{Offset: int64(len(data)), Want: "a whole gzip stream", Found: "its end after so many bytes", Err: cursor.ErrTruncated})
		} else if err != nil {
			return err // of the limit, or of the packed stream
		}
		size = int64(len(data))
	}
	if size < 100 {
		return &FormatError{File: s.Name, Offset: size, Want: "the 100 bytes that begin an SQLite database", Found: fmt.Sprintf("%d", size), Err: ErrUnknown}
	}
	if data == nil {
		data = make([]byte, size)
		if _, err := io.ReadFull(in, data); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if data[18] == 2 || data[19] == 2 {
		data[18], data[19] = 1, 1 // a write-ahead log that lies elsewhere cannot be looked for in memory
	}
	cut := s.whole(&data)
	conn, err := sqlite.OpenConn(":memory:", sqlite.OpenReadWrite|sqlite.OpenMemory)
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetInterrupt(ctx.Done())
	conn.Limit(sqlite.LimitLength, int32(min(maxText, max(size, 1<<20)))) // no text of a file is longer than it
	if err := conn.SetAuthorizer(sqlite.AuthorizeFunc(tablesAlone)); err != nil {
		return err
	}
	if err := conn.Deserialize("main", data); err != nil {
		return &FormatError{File: s.Name, Want: "an SQLite database", Found: err.Error(), Err: ErrUnknown}
	}
	d := &database{s: s, conn: conn, tables: map[string]bool{}, single: map[string]bool{}}
	pragmas := []string{"PRAGMA trusted_schema = OFF", "PRAGMA query_only = ON"}
	if cut {
		pragmas = append(pragmas, "PRAGMA writable_schema = ON") // which also means: what is sound of the schema will do
	}
	for _, pragma := range pragmas {
		if err := sqlitex.ExecuteTransient(conn, pragma, nil); err != nil {
			return &FormatError{File: s.Name, Want: "an SQLite database", Found: err.Error(), Err: ErrUnknown}
		}
	}
	err = sqlitex.ExecuteTransient(conn, "SELECT name FROM sqlite_schema WHERE type = 'table'", &sqlitex.ExecOptions{
		ResultFunc: func(st *sqlite.Stmt) error { d.tables[st.ColumnText(0)] = true; return nil }})
	switch {
	case cut && len(d.tables) == 0:
		return s.Problems[len(s.Problems)-1] // nothing is left that tells what it was
	case err != nil && !cut:
		return &FormatError{File: s.Name, Want: "the schema of a database", Found: err.Error(), Err: ErrUnknown}
	}
	switch {
	case d.tables["rocpd_op"] && d.tables["rocpd_string"]:
		s.Kind = KindRPD
		d.mended(d.readRPD)
	case len(d.with("rocpd_kernel_dispatch")) > 0 || len(d.with("rocpd_region")) > 0:
		s.Kind = KindRocpd
		d.mended(d.readRocpd)
	case d.tables["KERN"] || d.tables["HIP"] && d.tables["OPS"]:
		s.Kind = KindV1
		d.mended(d.readV1)
	case cut:
		return s.Problems[len(s.Problems)-1]
	default:
		return &FormatError{File: s.Name, Want: "the tables rocpd_op, rocpd_kernel_dispatch or KERN", Found: "a database without them", Err: ErrUnknown}
	}
	return ctx.Err()
}

// mostMissing bounds how much of a database that is cut may be missing, in bytes.
const mostMissing = 64 << 20

// whole makes a database of a file that is cut, which SQLite refuses, and reports
// whether it was: pages that are missing are empty, and what stands in the others can
// be read.
func (s *Session) whole(data *[]byte) (cut bool) {
	b := *data
	page := int64(binary.BigEndian.Uint16(b[16:]))
	if page == 1 {
		page = 1 << 16
	}
	says, has := int64(binary.BigEndian.Uint32(b[28:])), int64(0)
	if page >= 512 {
		has = int64(len(b)) / page
	}
	if has == 0 || has >= says || !bytes.Equal(b[24:28], b[92:96]) { // the number of pages counts only where these are equal
		return false
	}
	s.problem(FormatError{Offset: int64(len(b)), Want: fmt.Sprintf("%d pages of %d bytes", says, page), Found: fmt.Sprintf("the end of the file after %d", has), Err: cursor.ErrTruncated})
	b = b[:has*page]
	if says = min(says, has+mostMissing/page); says > has {
		b = append(b, make([]byte, (says-has)*page)...)
	}
	binary.BigEndian.PutUint32(b[28:], uint32(says))
	*data = b
	return true
}

// with returns what follows a prefix in the names of tables: rocprofv3 appends
// the id of the run.
func (d *database) with(prefix string) []string {
	var out []string
	for t := range d.tables {
		if rest, ok := strings.CutPrefix(t, prefix); ok && (rest == "" || rest[0] == '_') {
			out = append(out, rest)
		}
	}
	return out
}

// tablesAlone refuses what a view or a trigger asks for: a view that bears the name
// of a table may have rows without end.
func tablesAlone(a sqlite.Action) sqlite.AuthResult {
	if a.Accessor() != "" {
		return sqlite.AuthResultDeny
	}
	return sqlite.AuthResultOK
}

// one is a table of which a row at most has each value of a column, for joins: the
// table itself where that is its primary key, as profilers write it, or else the
// first rows with their values. Otherwise a hundred kilobytes of rows with one
// number would join to gigabytes.
func (d *database) one(table, column string) string {
	quoted := quote(table)
	if !d.tables[table] {
		return quoted
	}
	single, known := d.single[table+"."+column]
	if !known {
		keys := 0
		d.query(table, `SELECT name FROM pragma_table_info(`+literal(table)+`) WHERE pk > 0`, 0, func(st *sqlite.Stmt) {
			keys++
			single = strings.EqualFold(st.ColumnText(0), column)
		})
		single = single && keys == 1
		d.single[table+"."+column] = single
	}
	if single {
		return quoted
	}
	return `(SELECT * FROM ` + quoted + ` GROUP BY ` + quote(column) + `)`
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func literal(text string) string { return `'` + strings.ReplaceAll(text, `'`, `''`) + `'` }

// query runs a statement, each row of which takes so many bytes of memory; what goes wrong is a problem of the table, and what
// was read before stays.
func (d *database) query(what, sql string, takes int64, row func(*sqlite.Stmt)) {
	err := sqlitex.ExecuteTransient(d.conn, sql, &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
		if !d.s.take(takes) {
			return errFull
		}
		row(st)
		return nil
	}})
	if err != nil && !errors.Is(err, errFull) {
		d.corrupt = d.corrupt || sqlite.ErrCode(err).ToPrimary() == sqlite.ResultCorrupt
		d.s.problem(FormatError{Offset: -1, Want: "the rows of " + what, Found: err.Error(), Err: cursor.ErrCorrupt})
	}
}

func unsigned(st *sqlite.Stmt, i int) uint64 { return uint64(st.ColumnInt64(i)) }

// orNone is a number, -1 where the cell is null.
func orNone(st *sqlite.Stmt, i int) int64 {
	if st.ColumnType(i) == sqlite.TypeNull {
		return -1
	}
	return st.ColumnInt64(i)
}

// strings that repeat are kept once.
type interner map[string]string

func (in interner) of(s string) string {
	if k, ok := in[s]; ok {
		return k
	}
	in[s] = s
	return s
}
