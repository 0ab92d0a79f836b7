package timeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

// TestAMDStats renders pages through the command's way and compares them with
// those of Radeon Compute Profiler.
func TestAMDStats(t *testing.T) {
	const dir = "../../format/amd/testdata/vectors/"
	for _, c := range []string{"001-api-basic.CLAPISummary", "234-sections-all.HSAKernelSummary", "204-hsa-transfer-agents.HSADataTransferSummary",
		"110-reftracker-leak-every-kind.CLBestPractices", "011-context-two-two-devices.CLContextSummary", "174-call-index-event-info.CLBestPractices"} {
		base, report, _ := strings.Cut(c, ".")
		want, err := os.ReadFile(dir + c + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		got, _ := pagetest.Render(t, Stats, filepath.FromSlash(dir+base+".atp"), view.FormatCSV, pagetest.Options("report", report, "compat", "rcp"))
		pagetest.SameLines(t, pagetest.TSVCells(t, got), string(want))
	}
}

// TestAMDStatsJSON: numbers for programs.
func TestAMDStatsJSON(t *testing.T) {
	got, _ := pagetest.Render(t, Stats, "../../format/amd/testdata/vectors/001-api-basic.atp", view.FormatJSON, pagetest.Options("report", "CLAPISummary"))
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
	got, _ := pagetest.Render(t, Stats, name, view.FormatText, nil)
	if !strings.Contains(got, "by Time") || strings.Contains(got, "by Size") || strings.Contains(got, "-0.0") {
		t.Errorf("summaries:\n%s", got)
	}
	got, _ = pagetest.Render(t, Stats, name, view.FormatCSV, pagetest.Options("report", "cuda_gpu_trace"))
	if !strings.Contains(got, "1000,2000,0,,,,,,,,,,,,,,") {
		t.Errorf("trace:\n%s", got)
	}
}

// TestWordsOfROCm: what ROCm's profilers made speaks of HIP, HSA and RCCL, of copies and
// of queues, wherever its timeline is shown.
func TestWordsOfROCm(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"hip_api_trace.csv":     "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nHIP_RUNTIME_API,hipMemcpy,1,1,1,100,900\n",
		"hsa_api_trace.csv":     "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nHSA_CORE_API,hsa_init,1,1,2,200,300\n",
		"memory_copy_trace.csv": "Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nMEMORY_COPY,HOST_TO_DEVICE,0,1,1,400,500\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := pagetest.Render(t, Stats, dir, view.FormatText, nil)
	trace, _ := pagetest.Render(t, Stats, dir, view.FormatCSV, pagetest.Options("report", "cuda_gpu_trace"))
	for _, want := range []string{"HIP and HSA API Summary", "[copy Host-to-Device]"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	rules, _ := pagetest.Render(t, Analyze, dir, view.FormatText, nil)
	if strings.Contains(got+trace+rules, "CUDA") {
		t.Errorf("CUDA in\n%s%s%s", got, trace, rules)
	}
}
