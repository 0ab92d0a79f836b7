package lifetime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// texts are the texts of a document's tables.
func texts(d *view.Document) string {
	var b strings.Builder
	var walk func(ss []view.Section)
	walk = func(ss []view.Section) {
		for _, s := range ss {
			for _, it := range s.Items {
				if it.Table != nil {
					for row := range it.Table.All() {
						for _, v := range row {
							b.WriteString(v.Text() + " ")
						}
					}
				}
			}
			walk(s.Sections)
		}
	}
	walk(d.Sections)
	return b.String()
}

// TestReportOfAnyFile: any file of a run names it, kernels are demangled, and a file whose
// kernel table is not there is told.
func TestReportOfAnyFile(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "run.csv")
	if err := os.WriteFile(log, []byte("cycle,address,op,level\n0,0,load,L1D\n5,32,store,L1D\n20,0,load,L1D\n30,64,load,L2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	do := func(p *page.Page, output string, args ...string) (*view.Document, error) {
		return p.Do(t.Context(), &page.Request{Args: args, Output: output, Note: func(string) {}})
	}
	if _, err := do(Lifetimes, out, log); err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(out, "run.sim.csv")
	b, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfterN(string(b), "\n", 2)
	cells := strings.SplitN(lines[1], ",", 3)
	cells[1] = "_Z7softmaxPfS_ii"
	if err := os.WriteFile(table, []byte(lines[0]+strings.Join(cells, ",")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"run.sim.csv", "run.sim_l1.csv", "run.sim_l2.csv", "run.json", "run_cdf.svg"} {
		d, err := do(Report, "", filepath.Join(out, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := texts(d); !strings.Contains(got, "softmax(float *, float *, int, int)") || strings.Contains(got, "_Z7") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if err := os.Remove(table); err != nil {
		t.Fatal(err)
	}
	if _, err := do(Report, "", filepath.Join(out, "run.sim_l1.csv")); err == nil || !strings.Contains(err.Error(), "expected the kernel table of its run beside it, run.sim.csv") {
		t.Error(err)
	}
}

// TestReportClock: a report has the times of the run that its files are of, whichever of
// them are left.
func TestReportClock(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "run.csv")
	if err := os.WriteFile(log, []byte("cycle,address,op,level\n0,0,load,L1D\n5,32,store,L1D\n2000,0,load,L1D\n30000,64,load,L2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if _, err := Lifetimes.Do(t.Context(), &page.Request{Args: []string{log}, Output: out, Values: map[string][]string{"clock": {"1132"}}, Note: func(string) {}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ remove, want string }{
		{"", "clock 1132 MHz, stated by run.json"},
		{"run.json", "clock 1132 MHz, from the times in run.sim_l1.csv"},
		{"run.sim_l1.csv", "clock 2235 MHz, assumed"}, // no lifetime of the L2 is longer than none
	} {
		if c.remove != "" {
			if err := os.Remove(filepath.Join(out, c.remove)); err != nil {
				t.Fatal(err)
			}
		}
		d, err := Report.Do(t.Context(), &page.Request{Args: []string{filepath.Join(out, "run.sim.csv")}, Note: func(string) {}})
		if err != nil || !strings.Contains(texts(d), c.want) {
			t.Errorf("without %s: %v, %s", c.remove, err, texts(d))
		}
	}
}

// TestLogsOfTimes: times since 1970 give lifetimes, kernels as long as they were, and no
// other clock; a table in which nothing can be read is told by what is wrong with it.
func TestLogsOfTimes(t *testing.T) {
	far := "-kernel name = f\n-kernel id = 1\nGPGPU-Sim Cycle 1700000000000000000: Load instr from L1D cache at SM 0 bank 0 addr 10 status 2\n" +
		"GPGPU-Sim Cycle 1700000000000003000: Load instr from L1D cache at SM 0 bank 0 addr 10 status 0\n"
	for _, c := range []struct{ name, text, want, told string }{
		{"times.csv", "time_ns,level,address,op\n1700000000000000000,L1D,0,store\n1700000000000002000,L1D,0,store\n", "clock 1000 MHz, by which the times that the log states are counted in cycles", ""},
		{"far.log", far, "f (cut short)", ""},
		{"none.csv", "cycle,level,address,op,kernel\n1,L1D,0,load,gemm\n", "", "found none in 2 lines; line 2: a kernel that is no integer; the line is left out"},
		{"head.csv", "timestamp,level,address,op\n1,L1D,0,load\n", "", "expected a header line with the columns cycle (or time_ns), level, address, op, found a line without cycle"},
	} {
		log := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(log, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		var notes []string
		d, err := Lifetimes.Do(t.Context(), &page.Request{Args: []string{log}, Values: map[string][]string{"clock": {"500"}}, Note: func(s string) { notes = append(notes, s) }})
		told := strings.Join(notes, "\n")
		if err != nil {
			told = err.Error()
		} else if !strings.Contains(texts(d), c.want) {
			t.Errorf("%s: %s", c.name, texts(d))
		}
		if !strings.Contains(told, c.told) || (c.told == "") != (told == "") || strings.Contains(told, "trace_enabled") {
			t.Errorf("%s: told %q", c.name, told)
		}
	}
}

// TestValidateLog: what a log lacks is told, and required facts that are missing fail.
func TestValidateLog(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "run.csv")
	if err := os.WriteFile(log, []byte("cycle,address,op,level\n0,0,load,L1D\n5,x,store,L1D\n20,0,load,L1D\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Lifetimes.Do(t.Context(), &page.Request{Args: []string{log}, Values: map[string][]string{"validate-log": {"true"}}, Note: func(string) {}})
	if err != nil || len(d.Sections) != 1 {
		t.Fatal(d, err)
	}
	if got := texts(d); !strings.Contains(got, "timestamp, address, level") {
		t.Error(got)
	}
	if d, err = Lifetimes.Do(t.Context(), &page.Request{Args: []string{log, log}, Values: map[string][]string{"within": {"10ns,1us"}}, Note: func(string) {}}); err != nil || len(d.Sections) != 2 {
		t.Error(d, err)
	}
}

// TestAccessesNotUnderstood: a log whose accesses cannot be read is not said to have none.
func TestAccessesNotUnderstood(t *testing.T) {
	log := filepath.Join(t.TempDir(), "run.log")
	text := "-kernel name = f\n-kernel id = 1\nGPGPU-Sim Cycle 5: Load instr from L1D cache at SM 0 bank 0 addr 9512900g status 2\n"
	if err := os.WriteFile(log, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var notes []string
	d, err := Lifetimes.Do(t.Context(), &page.Request{Args: []string{log}, Note: func(s string) { notes = append(notes, s) }})
	if err != nil || !d.Failed || len(notes) != 1 || !strings.Contains(notes[0], "found 1 lines that begin like one and are none, the first in line 3") {
		t.Errorf("%v, %q", err, notes)
	}
}
