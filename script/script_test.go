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

// TestWrite lets a script write in one folder, find and open the reports there, and
// nothing else: links lead nowhere, and it can make none.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "results")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile(filepath.Join("..", "examples", "transpose.ncu-rep"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"a.ncu-rep": report, "../outside.ncu-rep": report, "../secret": []byte("secret")} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"up": "..", "file": "../secret", "b.ncu-rep": "../outside.ncu-rep"} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Skip(err)
		}
	}
	name := filepath.Join(dir, "write.py")
	const text = `import glob, json, ncu_report, os, sys
d = sys.argv[1]
for f in sorted(glob.glob(d + "/a*.ncu-rep")):
    a = ncu_report.load_report(f)[0][0]
    with open(f + ".json", "w") as out:
        json.dump([a.as_dict(), a.source_files(), a.rule_results_as_dicts()], out)
os.makedirs(d + "/x/y")
open(d + "/x/y/z", "w").write("z")
os.rename(d + "/x/y/z", d + "/x/z")
os.unlink(d + "/x/z")
os.rmdir(d + "/x/y")
for what in (lambda: open(d + "/up/secret"), lambda: open(d + "/file"), lambda: open(d + "/file", "w"), lambda: open(d + "/../secret"),
             lambda: os.listdir(d + "/up"), lambda: os.unlink(d + "/up/secret"), lambda: os.rename(d + "/a.ncu-rep", d + "/up/a"),
             lambda: os.mkdir(d + "/up/new"), lambda: os.rmdir(d + "/up/results"), lambda: os.stat(d + "/up/secret"),
             lambda: os.symlink("/", d + "/root"), lambda: os.link(d + "/a.ncu-rep", d + "/c"), lambda: open("/tmp/elsewhere", "w"),
             lambda: ncu_report.load_report(d + "/b.ncu-rep")):
    try:
        what()
    except (OSError, RuntimeError):
        continue
    print("not refused")
`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, told bytes.Buffer
	h := &Host{In: strings.NewReader(""), Out: &out, Err: &told, Write: folder}
	if status, err := h.Run(t.Context(), []string{name, folder}); err != nil || status != 0 || out.Len() > 0 {
		t.Errorf("status %d, %v, %q, %q", status, err, &out, &told)
	}
	if b, err := os.ReadFile(filepath.Join(folder, "a.ncu-rep.json")); err != nil || !bytes.Contains(b, []byte("/src/transpose.cu")) {
		t.Errorf("%v, %.100q", err, b)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "secret")); err != nil || string(b) != "secret" {
		t.Errorf("%v, %q", err, b)
	}
	for _, h := range []*Host{{Write: filepath.Join(dir, "none")}, {Write: name}, {Write: "/"}, {Write: folder, Python: "python3"}} {
		if _, err := h.Run(t.Context(), []string{name, folder}); err == nil {
			t.Errorf("--write %q with Python %q is taken", h.Write, h.Python)
		}
	}
}
