package rocm

import (
	"bytes"
	"context"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// rpdSQL makes a trace of rocmProfileData without the keys that its own have.
const rpdSQL = `
CREATE TABLE rocpd_string (id INTEGER, string TEXT);
CREATE TABLE rocpd_op (id INTEGER, gpuId INTEGER, queueId INTEGER, start INTEGER, "end" INTEGER, description_id INTEGER, opType_id INTEGER);
CREATE TABLE rocpd_api (id INTEGER, pid INTEGER, tid INTEGER, start INTEGER, "end" INTEGER, apiName_id INTEGER, args_id INTEGER);
CREATE TABLE rocpd_api_ops (api_id INTEGER, op_id INTEGER);
INSERT INTO rocpd_string VALUES (1, 'KernelExecution'), (2, 'gemm'), (3, 'hipLaunchKernel');
INSERT INTO rocpd_op VALUES (1, 0, 0, 100, 200, 2, 1), (2, 0, 0, 300, 400, 2, 1);
INSERT INTO rocpd_api VALUES (5, 77, 78, 90, 95, 3, 1);
INSERT INTO rocpd_api_ops VALUES (5, 1), (5, 2);`

// of opens a database that statements make.
func of(t *testing.T, statements ...string) *Session {
	t.Helper()
	conn, err := sqlite.OpenConn(":memory:", sqlite.OpenReadWrite|sqlite.OpenMemory)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, s := range statements {
		if err := sqlitex.ExecuteScript(conn, s, nil); err != nil {
			t.Fatal(err)
		}
	}
	b, err := conn.Serialize("main")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), "t.rpd")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRPD: rows that have one number twice do not multiply what is joined to them.
func TestRPD(t *testing.T) {
	again := `INSERT INTO rocpd_string SELECT * FROM rocpd_string; INSERT INTO rocpd_api SELECT * FROM rocpd_api; `
	for name, s := range map[string]*Session{"without keys": of(t, rpdSQL), "each twice": of(t, rpdSQL, again)} {
		if len(s.Problems) > 0 || len(s.Dispatches) != 2 || s.Dispatches[0].Kernel != "gemm" || s.Dispatches[1].PID != 77 || s.Dispatches[1].Correlation != 5 {
			t.Errorf("%s: %+v, %v", name, s.Dispatches, s.Problems)
		}
		if len(s.Calls) == 0 || s.Calls[0].Name != "hipLaunchKernel" {
			t.Errorf("%s: %+v", name, s.Calls)
		}
	}
}

// TestViews: a view that stands for a table, or in what a table is joined with, is
// refused, however many rows it would have.
func TestViews(t *testing.T) {
	s := of(t, rpdSQL, `ALTER TABLE rocpd_api RENAME TO old; CREATE VIEW rocpd_api AS SELECT old.* FROM old, old b;`)
	if len(s.Calls) > 0 || len(s.Dispatches) != 2 || s.Dispatches[0].Correlation != 5 {
		t.Errorf("calls of a view: %+v, %v", s.Calls, s.Problems)
	}
	s = of(t, rocpdSQL, `DROP TABLE rocpd_event_u; CREATE VIEW rocpd_event_u AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS id, x AS category_id, 1 AS correlation_id FROM c;`)
	if len(s.Problems) == 0 || len(s.Dispatches) > 0 || len(s.Agents) != 1 {
		t.Errorf("events of a view: %+v, %v", s, s.Problems)
	}
}
