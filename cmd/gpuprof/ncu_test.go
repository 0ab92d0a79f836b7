package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
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

func TestReportName(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("RUN", "seven")
	if err := os.WriteFile("a0.ncu-rep", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{"a": "a.ncu-rep", "a.ncu-rep": "a.ncu-rep", "a%i": "a1.ncu-rep", "%q{RUN}-100%%": "seven-100%.ncu-rep", "x%i": "x0.ncu-rep"} {
		if got, err := reportName(in); err != nil || got != want {
			t.Errorf("%s: %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"%q", "%q{", "%z"} {
		if got, err := reportName(in); err == nil {
			t.Errorf("%s: %q", in, got)
		}
	}
}

func TestConfig(t *testing.T) {
	flags := func() *pflag.FlagSet {
		fs := pflag.NewFlagSet("x", pflag.ContinueOnError)
		fs.String("page", "details", "")
		fs.Bool("csv", false, "")
		return fs
	}
	fs := flags()
	if err := fs.Parse([]string{"--page", "source"}); err != nil {
		t.Fatal(err)
	}
	if err := setConfig(fs, "c", "# of ours\n[Launch]\nnowhere = 1\n[Import]\npage = raw\n--csv = \"true\"\n"); err != nil {
		t.Fatal(err)
	}
	if got := fs.Lookup("page").Value.String() + fs.Lookup("csv").Value.String(); got != "sourcetrue" {
		t.Error(got)
	}
	for text, want := range map[string]string{"[Import]\npge = raw": `c:2: "pge" is not a flag; did you mean page?`, "[import]\n\npage": "c:3: expected FLAG = VALUE", "[Import]\ncsv = 7": "c:2: csv: "} {
		if err := setConfig(flags(), "c", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
