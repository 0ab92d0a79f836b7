package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
)

// command runs the program.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = run(t.Context(), args, &out, &err)
	return status, out.String(), err.String()
}

// doubtful is a timeline whose profiler warns of itself.
func doubtful(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace.sqlite")
	if err := nsysgen.Write(name, nsysgen.Size{Kernels: 40, Ranges: 12, Copies: 6, Threads: 2, Devices: 1, Names: 3, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	c, err := sqlite.OpenConn(name, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := sqlitex.ExecuteScript(c, `CREATE TABLE IF NOT EXISTS DIAGNOSTIC_EVENT (timestamp INTEGER, timestampType INTEGER, source INTEGER, severity INTEGER, text TEXT, globalPid INTEGER);
		INSERT INTO DIAGNOSTIC_EVENT (timestamp, severity, text) VALUES (1, 2, 'Not all events might have been collected.');`, nil); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestAnalyzeTellsDoubts: what the profiler warns of is told in every form: in
// the answer where that has words, else beside it.
func TestAnalyzeTellsDoubts(t *testing.T) {
	name, warning := doubtful(t), "Not all events might have been collected."
	for _, form := range []string{"text", "md", "json", "table", "column", "csv", "tsv", "json:objects", "hdoc", "csv,table"} {
		_, out, err := command(t, "analyze", "-f", form, name)
		inOut, inErr := strings.Contains(out, warning), strings.Contains(err, warning)
		if words := !slices.Contains([]string{"csv", "tsv", "json:objects", "hdoc"}, form); inOut != words || inErr == words {
			t.Errorf("-f %s: in the answer %t, beside it %t", form, inOut, inErr)
		}
	}
	if _, out, err := command(t, "analyze", "-f", "table", "-r", "gpu_gaps", name); strings.Contains(out+err, warning) {
		t.Error("a rule that is asked for is followed by doubts")
	}
}

// TestPartsJoinSessions: the files of a session are one file, whatever the form.
func TestPartsJoinSessions(t *testing.T) {
	vectors, dir := filepath.Join("..", "..", "format", "amd", "testdata", "vectors"), t.TempDir()
	put := func(from, to string) string {
		b, err := os.ReadFile(filepath.Join(vectors, from))
		if err != nil {
			t.Fatal(err)
		}
		to = filepath.Join(dir, to)
		if err := os.WriteFile(to, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return to
	}
	trace, occupancy := put("118-reftracker-events-released.atp", "a.atp"), put("311-occupancy-ns-f.occupancy", "b.occupancy")
	for _, form := range []string{"text", "table", "csv"} {
		status, out, err := command(t, "stats", "-r", "CLAPISummary", "-f", form, trace, occupancy)
		if status != 0 || !strings.Contains(out, "cl") {
			t.Errorf("-f %s: status %d, %.200s%.200s", form, status, out, err)
		}
	}
}
