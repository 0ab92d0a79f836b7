package web

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSQL shows that SQL can read the trace, and neither write, read other files
// nor run for ever.
func TestSQL(t *testing.T) {
	name := smallTrace(t, "")
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, name)
	other := filepath.Join(t.TempDir(), "other.sqlite")
	for _, c := range []struct {
		sql  string
		want int
	}{
		{"SELECT COUNT(*) FROM StringIds", 200},
		{"DELETE FROM StringIds", 422},
		{"CREATE TABLE x (y)", 422},
		{"INSERT INTO StringIds VALUES (1, 'x')", 422},
		{"UPDATE StringIds SET value = 'x'", 422},
		{"DROP TABLE StringIds", 422},
		{"SELECT 1; DELETE FROM StringIds", 422},
		{"PRAGMA writable_schema = 1", 422},
		{"ATTACH '" + other + "' AS o", 422},
		{"VACUUM INTO '" + other + "'", 422},
		{"SELECT load_extension('x')", 422},
		{"SELECT writefile('" + other + "', 'x')", 422},
		{"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT COUNT(*) FROM r", 422},
	} {
		from := time.Now()
		status, body := ask(t, s, "GET", "/api/page/query?file=0&sql="+url.QueryEscape(c.sql), nil, nil)
		if status != c.want {
			t.Errorf("%s: status %d, want %d: %.200s", c.sql, status, c.want, body)
		}
		t.Logf("%.40s: %.100s in %v", c.sql, strings.TrimSpace(body), time.Since(from).Round(time.Millisecond))
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a statement made a file")
	}
	if after, err := os.ReadFile(name); err != nil || !bytes.Equal(before, after) {
		t.Error("a statement changed the trace", err)
	}
}
