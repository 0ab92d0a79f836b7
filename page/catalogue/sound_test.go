package catalogue

import (
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// sound has SQLite check a database.
func sound(t *testing.T, name string) {
	t.Helper()
	c, err := sqlite.OpenConn(name, sqlite.OpenReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = sqlitex.ExecuteTransient(c, "PRAGMA integrity_check", &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		if text := s.ColumnText(0); text != "ok" {
			t.Errorf("SQLite says: %s", text)
		}
		return nil
	}})
	if err != nil {
		t.Error(err)
	}
}
