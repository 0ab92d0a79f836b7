package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// words splits a command line at blanks outside of double quotes.
func words(line string) (out []string) {
	quoted, word, any := false, "", false
	for _, r := range line + " " {
		switch {
		case r == '"':
			quoted, any = !quoted, true
		case r == ' ' && !quoted:
			if any {
				out = append(out, word)
			}
			word, any = "", false
		default:
			word, any = word+string(r), true
		}
	}
	return out
}

// TestNcuCommandLines runs the command lines of docs/ncu.md on a report.
func TestNcuCommandLines(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "ncu.md"))
	if err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile(filepath.Join("..", "..", "examples", "transpose.ncu-rep"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("report.ncu-rep", report, 0o600); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(doc)) {
		line, ok := strings.CutPrefix(line, "| `ncu ")
		if !ok {
			continue
		}
		line, _, _ = strings.Cut(line, "`")
		lines++
		var out, said bytes.Buffer
		if status := run(t.Context(), words(line), &out, &said); status != 0 {
			t.Errorf("ncu %s: status %d, %s", line, status, said.String())
		}
		writes := strings.Contains(line, "export") || strings.Contains(line, "-o ") || strings.Contains(line, "log-file")
		if (out.Len() == 0) != writes {
			t.Errorf("ncu %s: prints %d bytes", line, out.Len())
		}
	}
	if lines < 30 {
		t.Errorf("%d command lines", lines)
	}
	for _, name := range []string{"filtered.ncu-rep", "numbered0.ncu-rep", "log.txt"} {
		if st, err := os.Stat(name); err != nil || st.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
