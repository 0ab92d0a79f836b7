package cut

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/trace/schema"
)

// ErrUnsupported is wrapped by the errors about files that cannot be cut or merged.
var ErrUnsupported = errors.New("not supported")

// Rows tells which rows of a table are kept, by their rowid; nil: all.
type Rows func(ctx context.Context, table string) (keep func(rowid int64) bool, err error)

// textTable is the table that others refer to for texts.
const textTable = "StringIds"

// Database writes the database of one path to another, where an empty file may lie,
// with the rows that are kept, and of the texts and stacks those that these refer to. Tables,
// indexes, views and triggers are there again. Virtual tables are refused.
func Database(ctx context.Context, from, to string, rows Rows) error {
	db, err := open(ctx, to, from)
	if err != nil {
		return err
	}
	defer db.conn.Close()
	if err := db.create(db.schemaOf(0), "table"); err != nil {
		return err
	}
	narrowed := false
	for _, t := range db.tables() {
		if t.name == textTable || isStacks(t.name) {
			continue
		}
		keep, err := rows(ctx, t.name)
		if err != nil {
			return err
		}
		narrowed = narrowed || keep != nil
		if err := db.copy(0, t, keep); err != nil {
			return err
		}
	}
	for _, t := range db.tables() {
		if !isStacks(t.name) {
			continue
		}
		if err := db.stacks(t, narrowed); err != nil {
			return err
		}
	}
	if err := db.texts(); err != nil {
		return err
	}
	return db.finish()
}

// database is a database that is being written; others are attached as src0, src1, ….
type database struct {
	conn   *sqlite.Conn
	names  []string // of the files attached
	schema [][]object
	err    error
	// relaxed are tables that were made without NOT NULL, with what they are to say.
	relaxed map[string]string
	keep    func(int64) bool
}

// An object is a row of a schema.
type object struct{ kind, name, table, sql string }

func open(ctx context.Context, to string, from ...string) (*database, error) {
	conn, err := sqlite.OpenConn(to, sqlite.OpenReadWrite|sqlite.OpenCreate|sqlite.OpenURI)
	if err != nil {
		return nil, err
	}
	conn.SetInterrupt(ctx.Done())
	db := &database{conn: conn, names: from}
	for i, name := range from {
		if i == 0 {
			for _, p := range []string{"PRAGMA trusted_schema = OFF", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA secure_delete = ON"} {
				db.exec(p, nil)
			}
		}
		abs, err := filepath.Abs(name)
		if err != nil {
			conn.Close()
			return nil, err
		}
		uri := (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(abs), RawQuery: "mode=ro"}).String()
		db.exec(fmt.Sprintf("ATTACH DATABASE ? AS src%d", i), []any{uri})
	}
	err = conn.CreateFunction("gpuprof_keep", &sqlite.FunctionImpl{NArgs: 1, Deterministic: true, Scalar: func(_ sqlite.Context, args []sqlite.Value) (sqlite.Value, error) {
		if db.keep(args[0].Int64()) {
			return sqlite.IntegerValue(1), nil
		}
		return sqlite.IntegerValue(0), nil
	}})
	if err == nil {
		err = db.err
	}
	for i := range from {
		if err == nil {
			var s []object
			s, err = db.read(i)
			db.schema = append(db.schema, s)
		}
	}
	if err == nil {
		db.exec("BEGIN", nil)
		err = db.err
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("%s: %w", strings.Join(from, ", "), err)
	}
	return db, nil
}

// exec runs a statement, unless one before it failed.
func (db *database) exec(sql string, args []any) {
	if db.err == nil {
		db.err = sqlitex.ExecuteTransient(db.conn, sql, &sqlitex.ExecOptions{Args: args})
	}
}

// read reads the schema of file i.
func (db *database) read(i int) (out []object, err error) {
	err = sqlitex.ExecuteTransient(db.conn, fmt.Sprintf("SELECT type, name, tbl_name, sql FROM src%d.sqlite_schema ORDER BY rowid", i), &sqlitex.ExecOptions{
		ResultFunc: func(s *sqlite.Stmt) error {
			o := object{s.ColumnText(0), s.ColumnText(1), s.ColumnText(2), s.ColumnText(3)}
			if strings.HasPrefix(strings.ToUpper(o.sql), "CREATE VIRTUAL") {
				return fmt.Errorf("the virtual table %s: %w", o.name, ErrUnsupported)
			}
			if o.sql != "" && !strings.HasPrefix(o.name, "sqlite_") {
				out = append(out, o)
			}
			return nil
		}})
	return out, err
}

func (db *database) schemaOf(i int) []object { return db.schema[i] }

// tables are those of the first file.
func (db *database) tables() (out []object) {
	for _, o := range db.schema[0] {
		if o.kind == "table" {
			out = append(out, o)
		}
	}
	return out
}

// create makes the objects of some kinds.
func (db *database) create(list []object, kinds ...string) error {
	for _, o := range list {
		for _, k := range kinds {
			if o.kind == k {
				db.exec(o.sql, nil)
			}
		}
	}
	return db.err
}

// quoted is a name as SQL takes it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// copy copies the rows of a table that are kept.
func (db *database) copy(i int, t object, keep func(int64) bool) error {
	sql := fmt.Sprintf("INSERT INTO main.%s SELECT * FROM src%d.%s", quoted(t.name), i, quoted(t.name))
	if keep != nil {
		db.keep = keep
		sql += " WHERE gpuprof_keep(rowid)"
	}
	db.fill(t, sql)
	if db.err != nil {
		return fmt.Errorf("%s: table %s: %w", db.names[i], t.name, db.err)
	}
	return nil
}

// notNull is what forbids cells to be empty. Writers of databases that are no engine
// do not heed it.
var notNull = regexp.MustCompile(`(?i)\bNOT\s+NULL\b`)

// fill runs what puts rows into a table. Where cells are empty that the table says
// are not, as in the file, they are taken as they are.
func (db *database) fill(t object, sql string) {
	if db.err != nil {
		return
	}
	db.exec(sql, nil)
	if sqlite.ErrCode(db.err) != sqlite.ResultConstraintNotNull || db.relaxed[t.name] != "" {
		return
	}
	db.err = nil
	if db.relaxed == nil {
		db.relaxed = map[string]string{}
	}
	db.relaxed[t.name] = t.sql
	db.exec("ALTER TABLE main."+quoted(t.name)+" RENAME TO gpuprof_strict", nil)
	db.exec(notNull.ReplaceAllString(t.sql, ""), nil)
	db.exec("INSERT INTO main."+quoted(t.name)+" SELECT * FROM main.gpuprof_strict", nil)
	db.exec("DROP TABLE main.gpuprof_strict", nil)
	db.exec(sql, nil)
}

// texts copies the texts that a row refers to.
func (db *database) texts() error {
	var table *object
	used := map[int64]bool{}
	for _, t := range db.tables() {
		if strings.EqualFold(t.name, textTable) {
			table = &t
			continue
		}
		columns, err := db.references(t.name)
		if err != nil {
			return err
		}
		for _, c := range columns {
			err := sqlitex.ExecuteTransient(db.conn, fmt.Sprintf("SELECT DISTINCT %s FROM main.%s WHERE typeof(%s) = 'integer'", quoted(c), quoted(t.name), quoted(c)),
				&sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
					used[s.ColumnInt64(0)] = true
					return nil
				}})
			if err != nil {
				return err
			}
		}
	}
	if table == nil {
		return db.err
	}
	return db.copy(0, *table, func(id int64) bool { return used[id] })
}

// references are the columns of a table that refer to texts: those of which the
// schema says so, and all of a table that it does not know.
func (db *database) references(table string) (out []string, err error) {
	known := schema.Lookup(table)
	err = sqlitex.ExecuteTransient(db.conn, fmt.Sprintf("PRAGMA main.table_info(%s)", quoted(table)), &sqlitex.ExecOptions{
		ResultFunc: func(s *sqlite.Stmt) error {
			name, refers := s.ColumnText(1), true
			if known != nil {
				for i := range known.Columns {
					if c := &known.Columns[i]; strings.EqualFold(c.Name, name) {
						refers = c.Ref == textTable
					}
				}
			}
			if refers {
				out = append(out, name)
			}
			return nil
		}})
	return out, err
}

// finish makes what rests on the tables, and closes.
func (db *database) finish() error {
	if err := db.create(db.schema[0], "index", "view", "trigger"); err != nil {
		return err
	}
	if len(db.relaxed) > 0 {
		db.exec("PRAGMA writable_schema = ON", nil)
		for name, sql := range db.relaxed {
			db.exec("UPDATE main.sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", []any{sql, name})
		}
	}
	db.exec("COMMIT", nil)
	if db.err != nil {
		return db.err
	}
	return nil
}
