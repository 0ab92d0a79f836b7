package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/terminal"
)

// TestNoPages: the commands that are no pages, and what they say of mistakes.
func TestNoPages(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv(tokenVariable, "short")
	example := filepath.Join("..", "..", "examples", "transpose.ncu-rep")
	out := filepath.Join(t.TempDir(), "o.html")
	for _, c := range []struct {
		args   string
		status int
		want   string // on stdout or stderr
	}{
		{"python path", 0, "gpuprof"},
		{"python env", 0, "export PYTHONPATH="},
		{"python pth", terminal.ExitUsage, "did you mean path?"},
		{"run", terminal.ExitUsage, "expected SCRIPT.py"},
		{"mcp " + example, terminal.ExitUsage, "folders are given by --root"},
		{"mcp --root none", terminal.ExitUsage, "none"},
		{"mcp --http 127.0.0.1:0", terminal.ExitUsage, "expected 16 characters or more, found 5"},
		{"mcp --http 192.0.2.1:80", terminal.ExitUsage, "192.0.2.1"},
		{"open --addr 192.0.2.1:80 --no-browser --no-recent", terminal.ExitUsage, "192.0.2.1"},
		{"export -o " + out + " " + example, 0, ""},
		{"export -o " + out + " " + example, terminal.ExitUsage, "o.html"},
		{"export -f -o " + out + " none.ncu-rep", terminal.ExitInput, "none.ncu-rep"},
		{"export -o " + filepath.Join(out, "x") + " " + example, terminal.ExitFinding, "o.html"},
		{confineCommand, terminal.ExitUsage, "cannot confine Python"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), strings.Fields(c.args), &stdout, &stderr)
		if said := stdout.String() + stderr.String(); status != c.status || !strings.Contains(said, c.want) {
			t.Errorf("%s: status %d, expected %d: %.300s", c.args, status, c.status, said)
		}
	}
}
