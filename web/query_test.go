package web

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestSQL shows that SQL can read the trace, and neither write, read other files
// nor run for ever.
func TestSQL(t *testing.T) {
	name := filepath.Join(corpustest.Dir(t), "corpus", "nsys", "CO18326__uvmTorch__report1.sqlite")
	if _, err := os.Stat(name); err != nil {
		t.Skip(err)
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
		{"ATTACH '" + other + "' AS o", 422},
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
}
