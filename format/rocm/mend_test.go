package rocm

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// without returns a database with the first page of a table or index empty.
func without(t *testing.T, whole []byte, table string) []byte {
	t.Helper()
	conn, err := sqlite.OpenConn(":memory:", sqlite.OpenReadWrite|sqlite.OpenMemory)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	root := 0
	if err := conn.Deserialize("main", bytes.Clone(whole)); err != nil {
		t.Fatal(err)
	}
	err = sqlitex.ExecuteTransient(conn, `SELECT rootpage FROM sqlite_schema WHERE name = ?`, &sqlitex.ExecOptions{Args: []any{table},
		ResultFunc: func(st *sqlite.Stmt) error { root = st.ColumnInt(0); return nil }})
	if err != nil || root == 0 {
		t.Fatalf("%s: %v", table, err)
	}
	page := int(binary.BigEndian.Uint16(whole[16:]))
	b := bytes.Clone(whole)
	clear(b[(root-1)*page : root*page])
	return b
}

// TestBrokenTables: a table whose pages are broken costs what stands in it, not the
// rows of the tables that it is joined with, and is told.
func TestBrokenTables(t *testing.T) {
	keyed := strings.NewReplacer("(id INTEGER,", "(id INTEGER PRIMARY KEY,").Replace(rpdSQL) + `CREATE INDEX ops_of ON rocpd_api_ops (op_id);
		CREATE TABLE rocpd_kernelapi (api_ptr_id INTEGER PRIMARY KEY, gridX INTEGER, gridY INTEGER, gridZ INTEGER, workgroupX INTEGER, workgroupY INTEGER, workgroupZ INTEGER,
		groupSegmentSize INTEGER, privateSegmentSize INTEGER, kernelName_id INTEGER, stream TEXT); INSERT INTO rocpd_kernelapi VALUES (5, 8, 1, 1, 64, 1, 1, 0, 0, 2, '0x3');
		CREATE TABLE rocpd_copyapi (api_ptr_id INTEGER PRIMARY KEY, size INTEGER, srcDevice INTEGER, dstDevice INTEGER);`
	for _, c := range []struct {
		sql, table        string
		dispatches, calls int
		what              func(s *Session) string
		want              string
	}{
		{rocpdSQL, "rocpd_event_u", 1, 1, correlations, "0"},
		{rocpdSQL, "rocpd_timestamp_u", 1, 1, kernels, "f"},
		{rocpdSQL, "rocpd_track_u", 1, 1, kernels, "f"},
		{rocpdSQL, "rocpd_info_kernel_symbol_u", 1, 1, correlations, "55"},
		{rocpdSQL, "rocpd_info_process_u", 1, 1, kernels, "f"},
		{rocpdSQL, "rocpd_info_thread_u", 1, 1, kernels, "f"},
		{rocpdSQL, "rocpd_info_category_u", 1, 1, kernels, "f"},
		{rocpdSQL, "rocpd_string_u", 1, 1, kernels, "f"},
		{rocpdSQL, "rocpd_kernel_dispatch_u", 0, 1, kernels, ""},
		{rocpdSQL, "rocpd_region_u", 1, 0, kernels, "f"},
		{keyed, "rocpd_string", 2, 1, correlations, "5 5"},
		{keyed, "rocpd_api", 2, 0, correlations, "5 5"},
		{keyed, "rocpd_api_ops", 2, 1, kernels, "gemm gemm"},
		{keyed, "ops_of", 2, 1, correlations, "5 5"},
		{keyed, "rocpd_kernelapi", 2, 1, kernels, "gemm gemm"},
		{keyed, "rocpd_copyapi", 2, 1, kernels, "gemm gemm"},
		{keyed, "rocpd_op", 0, 1, kernels, ""},
	} {
		b := without(t, database1(t, c.sql), c.table)
		s, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), "t.db")
		if err != nil {
			t.Errorf("%s: %v", c.table, err)
			continue
		}
		told := ""
		for _, p := range s.Problems {
			told += p.Error() + "\n"
		}
		want := `t.db: expected all rows of the table "` + c.table + `", found pages that are missing or broken; 0 rows can be read` + "\n"
		if c.table == "ops_of" {
			want = "" // an index holds nothing of its own
		}
		if got := c.what(s); len(s.Dispatches) != c.dispatches || len(s.Calls) != c.calls || got != c.want || told != want {
			t.Errorf("%s: %d dispatches, %d calls, %q, told %s", c.table, len(s.Dispatches), len(s.Calls), got, told)
		}
	}
}

func kernels(s *Session) string {
	var out []string
	for _, d := range s.Dispatches {
		out = append(out, d.Kernel)
	}
	return strings.Join(out, " ")
}

func correlations(s *Session) string {
	var out []string
	for _, d := range s.Dispatches {
		out = append(out, fmt.Sprint(d.Correlation))
	}
	return strings.Join(out, " ")
}

// TestBrokenPage: rows before and behind a page that is broken are read.
func TestBrokenPage(t *testing.T) {
	const rows = 5000
	b := database1(t, strings.Replace(rpdSQL, "(id INTEGER,", "(id INTEGER PRIMARY KEY,", 4)+fmt.Sprintf(`
		WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO rocpd_op SELECT i, 0, 0, i * 100, i * 100 + 50, 2, 1 FROM n;`, rows))
	page := int(binary.BigEndian.Uint16(b[16:]))
	middle := len(b) / page / 2 * page
	clear(b[middle : middle+page])
	s, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), "t.db")
	if err != nil || len(s.Problems) != 1 || len(s.Dispatches) < rows*9/10 || len(s.Dispatches) == rows || s.Dispatches[len(s.Dispatches)-1].ID != rows {
		t.Errorf("%d dispatches, %v, %v", len(s.Dispatches), s.Problems, err)
	}
}
