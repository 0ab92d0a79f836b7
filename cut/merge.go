package cut

import (
	"context"
	"fmt"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/trace/schema"
)

// Merge writes the databases of several paths as one, to a path where an empty file
// may lie. The text tables become one; rows of tables that describe, such as the
// machines, are there once; rows of events one file behind the other. Shift moves the
// times of each onto the clock of the first, in ns; where it is nil, the time of day at
// which each began does, if all files tell it.
func Merge(ctx context.Context, to string, shift []int64, from ...string) error {
	if len(from) > 9 { // SQLite attaches ten
		return fmt.Errorf("%d databases at once, at most 9: merge some first: %w", len(from), ErrUnsupported)
	}
	db, err := open(ctx, to, from...)
	if err != nil {
		return err
	}
	defer db.conn.Close()
	made := map[string]object{}
	var order []object
	for i := range from {
		for _, o := range db.schema[i] {
			key := strings.ToLower(o.name)
			if _, ok := made[key]; !ok {
				made[key] = o
				order = append(order, o)
			}
		}
	}
	if err := db.create(order, "table"); err != nil {
		return err
	}
	starts, err := db.starts()
	if err != nil {
		return err
	}
	if shift == nil {
		for i := range starts {
			shift = append(shift, starts[i]-starts[0])
		}
	}
	for i := range from {
		if err := db.numberTexts(i); err != nil {
			return err
		}
		for _, o := range db.schema[i] {
			if o.kind != "table" || strings.EqualFold(o.name, textTable) {
				continue
			}
			again := i > 0 && (describes(o.name) || starts[i] == starts[0]) // where none tells, rows that are equal to the ns are the same
			if err := db.append(i, o, shift[i], again); err != nil {
				return err
			}
		}
	}
	db.schema[0] = order
	return db.finish()
}

// starts are the times of day at which the files began, in ns; 0 where one does not
// tell, which has all be 0.
func (db *database) starts() ([]int64, error) {
	out := make([]int64, len(db.names))
	for i := range db.names {
		if !db.has(i, "TARGET_INFO_SESSION_START_TIME") {
			return make([]int64, len(db.names)), nil
		}
		err := sqlitex.ExecuteTransient(db.conn, fmt.Sprintf("SELECT min(utcEpochNs) FROM src%d.TARGET_INFO_SESSION_START_TIME", i),
			&sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
				out[i] = s.ColumnInt64(0)
				return nil
			}})
		if err != nil {
			return nil, err
		}
		if out[i] == 0 {
			return make([]int64, len(db.names)), nil
		}
	}
	return out, nil
}

func (db *database) has(i int, table string) bool {
	for _, o := range db.schema[i] {
		if o.kind == "table" && strings.EqualFold(o.name, table) {
			return true
		}
	}
	return false
}

// numberTexts takes the texts of file i over, and lays down in temp.texts which
// number each has now.
func (db *database) numberTexts(i int) error {
	if !db.has(i, textTable) {
		return db.err
	}
	db.exec("CREATE TEMP TABLE IF NOT EXISTS texts (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)", nil)
	db.exec("DELETE FROM temp.texts", nil)
	if i > 0 { // the number stays where nothing has it yet; a text that is there keeps its own
		db.exec("CREATE TEMP TABLE IF NOT EXISTS known (value TEXT PRIMARY KEY, id INTEGER)", nil)
		db.exec("DELETE FROM temp.known", nil)
		db.exec("INSERT OR IGNORE INTO temp.known SELECT value, id FROM main.StringIds", nil)
		db.exec(fmt.Sprintf("INSERT INTO temp.texts SELECT s.id, k.id FROM src%d.StringIds s JOIN temp.known k ON k.value = s.value", i), nil)
		db.exec(fmt.Sprintf("INSERT INTO temp.texts SELECT s.id, s.id FROM src%d.StringIds s WHERE s.id NOT IN (SELECT old FROM temp.texts) AND s.id NOT IN (SELECT id FROM main.StringIds)", i), nil)
		db.exec(fmt.Sprintf(`INSERT INTO temp.texts SELECT s.id, row_number() OVER (ORDER BY s.id) + (SELECT max(m) FROM (SELECT max(id) m FROM main.StringIds UNION ALL SELECT max(id) FROM src%d.StringIds))
			FROM src%d.StringIds s WHERE s.id NOT IN (SELECT old FROM temp.texts)`, i, i), nil)
	} else {
		db.exec("INSERT INTO temp.texts SELECT id, id FROM src0.StringIds", nil)
	}
	db.exec(fmt.Sprintf("INSERT OR IGNORE INTO main.StringIds (id, value) SELECT t.new, s.value FROM src%d.StringIds s JOIN temp.texts t ON t.old = s.id", i), nil)
	return db.err
}

// describes reports whether the rows of a table describe and do not happen: they are
// there once.
func describes(table string) bool {
	for _, p := range []string{"TARGET_INFO", "META_DATA", "EXPORT_META_DATA", "ENUM_", "PROCESSES", "ThreadNames", "NVTX_PAYLOAD", "ANALYSIS_DETAILS", "UnwindMethodType"} {
		if strings.HasPrefix(strings.ToLower(table), strings.ToLower(p)) {
			return true
		}
	}
	return strings.HasSuffix(strings.ToUpper(table), "_CALLCHAINS") // by numbers of their own, which others refer to
}

// append appends the rows of a table of file i, with texts by their new numbers and
// times moved by shift. Again says that rows may be there already, as parts of one
// recording share some; those are left out, each as often as it is there.
func (db *database) append(i int, t object, shift int64, again bool) error {
	names, err := db.columns(i, t.name)
	if err != nil {
		return err
	}
	known := schema.Lookup(t.name)
	var list, values []string
	for _, n := range names {
		q := quoted(n)
		list = append(list, q)
		v := "r." + q
		if known != nil {
			for k := range known.Columns {
				c := &known.Columns[k]
				switch {
				case !strings.EqualFold(c.Name, n):
				case c.Ref == textTable && i > 0:
					v = fmt.Sprintf("coalesce((SELECT new FROM temp.texts WHERE old = r.%s), r.%s)", q, q)
				case shift != 0 && c.Unit == "ns" && !describes(t.name) && (strings.EqualFold(n, "start") || strings.EqualFold(n, "end") || strings.EqualFold(n, "timestamp")):
					v = fmt.Sprintf("r.%s + %d", q, shift)
				}
			}
		}
		values = append(values, v)
	}
	verb := "INSERT"
	if strings.HasPrefix(t.name, "ENUM_") {
		verb = "INSERT OR IGNORE" // versions of the tool may word a value differently
	}
	all, name := strings.Join(list, ", "), quoted(t.name)
	sql := fmt.Sprintf("SELECT %s FROM src%d.%s r", strings.Join(values, ", "), i, name)
	if again {
		sql = fmt.Sprintf(`SELECT %s FROM (SELECT %s, row_number() OVER (PARTITION BY %s) FROM (%s)
			EXCEPT SELECT %s, row_number() OVER (PARTITION BY %s) FROM main.%s)`, all, all, all, strings.Replace(sql, strings.Join(values, ", "), named(values, list), 1), all, all, name)
	}
	db.fill(t, fmt.Sprintf("%s INTO main.%s (%s) %s", verb, name, all, sql))
	if db.err != nil {
		return fmt.Errorf("%s: table %s: %w", db.names[i], t.name, db.err)
	}
	return nil
}

// named gives values the names of columns.
func named(values, columns []string) string {
	out := make([]string, len(values))
	for i := range values {
		out[i] = values[i] + " AS " + columns[i]
	}
	return strings.Join(out, ", ")
}

func (db *database) columns(i int, table string) (out []string, err error) {
	err = sqlitex.ExecuteTransient(db.conn, fmt.Sprintf("PRAGMA src%d.table_info(%s)", i, quoted(table)), &sqlitex.ExecOptions{
		ResultFunc: func(s *sqlite.Stmt) error {
			out = append(out, s.ColumnText(1))
			return nil
		}})
	return out, err
}
