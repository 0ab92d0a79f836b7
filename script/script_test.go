package script

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun runs a script that reads a report, its input, and exits with a status.
func TestRun(t *testing.T) {
	report, err := filepath.Abs(filepath.Join("..", "examples", "transpose.ncu-rep"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "names.py")
	const text = `import sys, ncu_report
for r in ncu_report.load_report(sys.argv[1]):
    print(r[0].name())
print(input() + "!", file=sys.stderr)
sys.exit(7)
`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, told bytes.Buffer
	h := &Host{In: strings.NewReader("hello\n"), Out: &out, Err: &told}
	status, err := h.Run(t.Context(), []string{name, report})
	if err != nil || status != 7 || !strings.Contains(out.String(), "transpose_naive") || !strings.Contains(told.String(), "hello!") {
		t.Errorf("status %d, %v, %q, %q", status, err, &out, &told)
	}
	if _, err := h.Run(t.Context(), []string{filepath.Join(t.TempDir(), "absent.py")}); err == nil {
		t.Error("a script that is not there runs")
	}
}
