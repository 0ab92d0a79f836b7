package page

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/view"
)

// tsvCells reads the table that the renderer wrote as csv and lays it out as the
// vectors are.
func tsvCells(t *testing.T, csvText string) string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(csvText))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, row := range rows {
		for i := range row {
			row[i] = strings.Join(strings.Fields(row[i]), " ")
		}
		b.WriteString(strings.Join(row, "\t") + "\n")
	}
	return b.String()
}

// TestAMDStats renders pages through the command's way and compares them with
// those of Radeon Compute Profiler.
func TestAMDStats(t *testing.T) {
	const dir = "../format/amd/testdata/vectors/"
	for _, c := range []string{"001-api-basic.CLAPISummary", "234-sections-all.HSAKernelSummary", "204-hsa-transfer-agents.HSADataTransferSummary",
		"110-reftracker-leak-every-kind.CLBestPractices", "011-context-two-two-devices.CLContextSummary", "174-call-index-event-info.CLBestPractices"} {
		base, report, _ := strings.Cut(c, ".")
		want, err := os.ReadFile(dir + c + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		got, _ := render(t, "stats", filepath.FromSlash(dir+base+".atp"), view.FormatCSV, options("report", report, "compat", "rcp"))
		sameLines(t, tsvCells(t, got), string(want))
	}
}

// TestAMDStatsJSON: numbers for programs.
func TestAMDStatsJSON(t *testing.T) {
	got, _ := render(t, "stats", "../format/amd/testdata/vectors/001-api-basic.atp", view.FormatJSON, options("report", "CLAPISummary"))
	if !strings.Contains(got, `["clFlush",123.45678`) {
		t.Errorf("no number in %s", got)
	}
}

// TestUnknownSizes: copies whose sizes a file does not tell are counted by time,
// and no summary of sizes is made up for them.
func TestUnknownSizes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "copies.csv")
	text := "\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Destination_Agent_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n" +
		"\"MEMORY_COPY\",\"HOST_TO_DEVICE\",0,1,0,1000,3000\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, _ := render(t, "stats", name, view.FormatText, nil)
	if !strings.Contains(got, "by Time") || strings.Contains(got, "by Size") || strings.Contains(got, "-0.0") {
		t.Errorf("summaries:\n%s", got)
	}
	got, _ = render(t, "stats", name, view.FormatCSV, options("report", "cuda_gpu_trace"))
	if !strings.Contains(got, "1000,2000,0,,,,,,,,,,,,,,") {
		t.Errorf("trace:\n%s", got)
	}
}
