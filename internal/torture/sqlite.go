package torture

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// database changes a database by SQL. What it refuses is left out.
func database(r *rand.Rand, b []byte, statements func(tables map[string][]string, names []string) []string) []byte {
	dir, err := os.MkdirTemp("", "torture")
	if err != nil {
		return flip(r, b)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "db")
	if os.WriteFile(name, b, 0o600) != nil {
		return flip(r, b)
	}
	db, err := sqlite.OpenConn(name, sqlite.OpenReadWrite)
	if err != nil {
		return flip(r, b)
	}
	tables := map[string][]string{}
	var names []string
	sqlitex.ExecuteTransient(db, "select m.name, c.name from sqlite_schema m, pragma_table_info(m.name) c where m.type = 'table' order by 1, c.cid",
		&sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
			t := s.ColumnText(0)
			if tables[t] == nil {
				names = append(names, t)
			}
			tables[t] = append(tables[t], s.ColumnText(1))
			return nil
		}})
	if len(names) > 0 {
		sqlitex.ExecuteTransient(db, "pragma writable_schema = on", nil)
		for _, s := range statements(tables, names) {
			sqlitex.ExecuteTransient(db, s, nil) // refused: left out
		}
	}
	db.Close()
	out, err := os.ReadFile(name)
	if err != nil || len(out) == 0 {
		return flip(r, b)
	}
	return out
}

// literal is a value as SQL spells it.
func literal(r *rand.Rand) string {
	switch r.IntN(7) {
	case 0, 1:
		return pick(r, []string{"0", "-1", "9223372036854775807", "-9223372036854775808", "4611686018427387904", "1e308", "-1e999", "0.5", "null"})
	case 2:
		return fmt.Sprintf("x'%x'", pick(r, evil))
	case 3:
		return fmt.Sprintf("cast(x'%x' as text)", pick(r, evil))
	case 4:
		return fmt.Sprint(r.Int64() >> r.IntN(63))
	case 5:
		return fmt.Sprintf("zeroblob(%d)", r.IntN(100_000))
	}
	return "'" + strings.ReplaceAll(pick(r, evil), "'", "''") + "'"
}

func ident(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// sqlRows changes values of rows.
func sqlRows(r *rand.Rand, b []byte) []byte {
	return database(r, b, func(tables map[string][]string, names []string) (out []string) {
		for range 1 + r.IntN(4) {
			t := pick(r, names)
			col := pick(r, tables[t])
			which := ""
			if r.IntN(3) > 0 {
				which = fmt.Sprintf(" where rowid %% %d = %d", 1+r.IntN(5), r.IntN(3))
			}
			switch r.IntN(6) {
			case 0:
				out = append(out, "delete from "+ident(t)+which)
			case 1:
				out = append(out, fmt.Sprintf("insert into %[1]s select * from %[1]s limit %d", ident(t), 1+r.IntN(200)))
			case 2:
				out = append(out, fmt.Sprintf("update %s set %s = %s%s", ident(t), ident(col), ident(pick(r, tables[t])), which))
			case 3:
				out = append(out, fmt.Sprintf("update %s set %s = %s + %s%s", ident(t), ident(col), ident(col), literal(r), which))
			default:
				out = append(out, fmt.Sprintf("update %s set %s = %s%s", ident(t), ident(col), literal(r), which))
			}
		}
		return out
	})
}

// sqlSchema changes what the tables are.
func sqlSchema(r *rand.Rand, b []byte) []byte {
	return database(r, b, func(tables map[string][]string, names []string) []string {
		t := pick(r, names)
		col, q := pick(r, tables[t]), ident(t)
		text := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
		endless := "with recursive c(x) as (select 1 union all select x+1 from c) select x"
		for range len(tables[t]) - 1 {
			endless += ", x"
		}
		switch r.IntN(11) {
		case 0:
			return []string{"drop table " + q}
		case 1: // a view in its place, with rows without end
			return []string{"drop table " + q, "create view " + q + " as " + endless + " from c"}
		case 2:
			return []string{"alter table " + q + " rename to old_", "create view " + q + " as select * from old_, old_ b, old_ c"}
		case 3:
			return []string{fmt.Sprintf("alter table %s rename column %s to %s", q, ident(col), ident(pick(r, evil)))}
		case 4:
			return []string{fmt.Sprintf("alter table %s drop column %s", q, ident(col))}
		case 5:
			return []string{fmt.Sprintf("alter table %s add column %s generated always as (zeroblob(100000000)) virtual", q, ident("extra"))}
		case 6:
			return []string{"update sqlite_schema set rootpage = " + literal(r) + " where name = " + text(t)}
		case 7:
			return []string{"update sqlite_schema set sql = " + literal(r) + " where name = " + text(t)}
		case 8:
			return []string{"update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = " + text(pick(r, names)) + ") where name = " + text(t)}
		case 9:
			return []string{"create table t2 as select * from " + q, "drop table " + q, "create table " + q + " (" + ident(col) + " integer primary key, x) without rowid"}
		}
		return []string{fmt.Sprintf("alter table %s rename to %s", q, ident(pick(r, evil)))}
	})
}

// sqlitePages changes the header of the file, or a page where its layout has
// counts, offsets, numbers of pages and sizes of records.
func sqlitePages(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	if len(b) < 512 {
		return flip(r, b)
	}
	size := int(binary.BigEndian.Uint16(b[16:]))
	if size == 1 {
		size = 65536
	}
	if size < 512 || size > len(b) || r.IntN(8) == 0 {
		b[16+r.IntN(84)] = byte(r.Uint32())
		return b
	}
	n := r.IntN(len(b) / size)
	page, head := b[n*size:(n+1)*size], 0
	if n == 0 {
		head = 100
	}
	cells := int(binary.BigEndian.Uint16(page[head+3:]))
	switch at := head + 8 + 2*r.IntN(max(1, min(cells, (size-head-16)/2))); r.IntN(5) {
	case 0:
		page[head] = pick(r, []byte{0, 2, 5, 10, 13, 255})
	case 1: // number of cells, start of their content
		binary.BigEndian.PutUint16(page[head+3+2*r.IntN(2):], uint16(pick(r, words)))
	case 2: // where a cell is
		binary.BigEndian.PutUint16(page[at:], uint16(r.Uint32()))
	case 3: // page on the right, or on the left of a cell
		binary.BigEndian.PutUint32(page[head+8:], uint32(r.IntN(2*len(b)/size)))
	case 4: // size of a record, its key, its header
		if cell := int(binary.BigEndian.Uint16(page[at:])); cell+16 < size {
			page[cell+r.IntN(16)] = byte(r.Uint32())
		}
	}
	return b
}
