package load

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// TestFewTables: an export that has been left only some of its tables is an export,
// and a database of somebody else is none, though names are alike.
func TestFewTables(t *testing.T) {
	for _, c := range []struct {
		sql    string
		export bool
	}{
		{"CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER)", true},
		{"CREATE TABLE OSRT_API (start INTEGER, end INTEGER, globalTid INTEGER, mine TEXT)", true},
		{"CREATE TABLE other (a); CREATE TABLE MPI_START_WAIT_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER)", true},
		{"CREATE TABLE PROCESSES (pid INTEGER, command TEXT, owner TEXT, memory INTEGER)", false},
		{"CREATE TABLE PROCESSES (a)", false},
		{"CREATE TABLE other (start INTEGER, end INTEGER)", false},
	} {
		path := filepath.Join(t.TempDir(), "a.sqlite")
		conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(sqlitex.ExecuteScript(conn, c.sql, nil), conn.Close()); err != nil {
			t.Fatal(err)
		}
		f, err := Open(context.Background(), path)
		if (err == nil) != c.export || !c.export && !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v, an export: %v", c.sql, err, c.export)
		}
		if err == nil {
			f.Close()
		}
	}
}
