package rcp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// page makes a page of a vector as text.
func page(t *testing.T, vector, name string, o Options) (string, []string) {
	t.Helper()
	files, err := filepath.Glob(vectorDir + "/" + vector + "-*.atp")
	if err != nil || len(files) != 1 {
		t.Fatalf("vector %s: %v, %v", vector, files, err)
	}
	a, err := New(context.Background(), open(t, files[0]), o)
	if err != nil {
		t.Fatal(err)
	}
	p, ok := lookup(name)
	if !ok {
		t.Fatalf("no page %s", name)
	}
	table, notes := a.page(p)
	if table == nil {
		return "", notes
	}
	return cells(table), notes
}

// TestMended: what is wrong in Radeon Compute Profiler is so with Compat and
// mended without.
func TestMended(t *testing.T) {
	for _, c := range []struct {
		vector, page string
		wrong, right string // each in one of the outputs only
	}{
		{"025", "CLKernelSummaryList", "18446744073709", "NA"},
		{"043", "CLDataTransferList", "", "1024.00 GB"},
		{"045", "CLDataTransferSummary", "READ_BUFFER\t1\t0\t2", "READ_BUFFER\t0\t0\t1"},
		{"028", "CLKernelSummary", "", "A_device_name_of_thirty_chars_\t1"},
		{"079", "CLBestPractices", "{65536,65536}", ""},
		{"074", "CLBestPractices", "is a multiple of64", "is a multiple of 64"},
		{"092", "CLBestPractices", "Handle = NULL", ""},
		{"096", "CLBestPractices", "", "returns CL_INVALID"},
		{"114", "CLBestPractices", "Ref = 1", "Ref = 1"},
		{"204", "HSADataTransferSummary", "inf", "NA"},
		{"207", "HSADataTransferSummary", "Unknown\tHost\t4", "13816720\tgfx900\t13816720\tgfx900"},
		{"212", "HSABestPractices", "", "Ref = 1]: Object created by hsa_init"},
		{"216", "CLBestPractices", "clFlush is deprecated", "clUnloadCompiler is deprecated"},
		{"215", "HSABestPractices", "hsa_signal_store_relaxed returns", "hsa_memory_allocate returns HSA_STATUS_ERROR"},
		{"110", "CLBestPractices", "", "clCreateImage\n"},
		{"116", "CLBestPractices", "Memory leak detected [Ref = -1", "Released too often [Ref = -1"},
	} {
		t.Run(c.vector+" "+c.page, func(t *testing.T) {
			theirs, _ := page(t, c.vector, c.page, Options{Compat: true})
			ours, _ := page(t, c.vector, c.page, Options{})
			same := c.wrong == c.right
			if !strings.Contains(theirs, c.wrong) || c.right != "" && !same && strings.Contains(theirs, c.right) {
				t.Errorf("with Compat:\n%s", theirs)
			}
			if !strings.Contains(ours, c.right) || c.wrong != "" && !same && strings.Contains(ours, c.wrong) {
				t.Errorf("without:\n%s", ours)
			}
		})
	}
}

// TestTopTen: ten rows, not eleven.
func TestTopTen(t *testing.T) {
	ours, _ := page(t, "021", "CLTop10KernelSummary", Options{})
	if n := strings.Count(ours, "\n") - 1; n != 10 {
		t.Errorf("%d rows", n)
	}
}

// TestLimitNote: the note stands only where messages are left out.
func TestLimitNote(t *testing.T) {
	if _, notes := page(t, "171", "CLBestPractices", Options{}); len(notes) != 0 {
		t.Errorf("200 messages: %q", notes)
	}
	if _, notes := page(t, "173", "CLBestPractices", Options{}); len(notes) == 0 {
		t.Error("no note where messages are left out")
	}
}

// TestSyncHeedsQueues: a wait is judged by the next command of its own queue.
func TestSyncHeedsQueues(t *testing.T) {
	ours, _ := page(t, "163", "CLBestPractices", Options{})
	theirs, _ := page(t, "163", "CLBestPractices", Options{Compat: true})
	if strings.Count(ours, "Redundant") == strings.Count(theirs, "Redundant") {
		t.Errorf("ours\n%s\ntheirs\n%s", ours, theirs)
	}
}

func TestRulesFile(t *testing.T) {
	text := "# rules\nAPITrace.APIRules.RefTracker = false\r\n\nAPITrace.APIRules.SyncAnalyzer=True\n"
	r, err := ParseRules(strings.NewReader(text), false)
	if err != nil {
		t.Fatal(err)
	}
	a := &Analysis{o: Options{Rules: r}}
	if a.on("RefTracker") || !a.on("SyncAnalyzer") || !a.on("BlockingWrite") {
		t.Error("rules on and off are confused")
	}
	for _, bad := range []string{"APITrace.APIRules.RefTracker=perhaps", "APITrace.APIRules.Ref=True", "x"} {
		if _, err := ParseRules(strings.NewReader("\n"+bad), false); err == nil || !strings.HasPrefix(err.Error(), "line 2:") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestDamaged: pages are made of whatever is left of a file.
func TestDamaged(t *testing.T) {
	whole, err := os.ReadFile(vectorDir + "/230-sections-ocl-hsa.atp")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "cut.atp")
	for n := 0; n < len(whole); n += 37 {
		for _, compat := range []bool{false, true} {
			if err := os.WriteFile(name, whole[:n], 0o600); err != nil {
				t.Fatal(err)
			}
			if n < 20 {
				continue // no header yet
			}
			a, err := New(context.Background(), open(t, name), Options{Compat: compat})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range Pages() {
				a.page(p)
			}
		}
	}
}
