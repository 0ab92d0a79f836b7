package rule_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/rule/python"
)

// TestAMDRules: what the rules for AMD GPUs say of counters, and of which they
// say nothing.
func TestAMDRules(t *testing.T) {
	ctx := context.Background()
	h, err := rule.NewHost(ctx, rule.Options{Cache: python.CacheDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	all, err := h.Load(ctx, rule.Stock())
	if err != nil {
		t.Fatal(err)
	}
	rules := slices.DeleteFunc(slices.Clone(all.Rules), func(r *rule.Rule) bool { return !strings.HasPrefix(r.ID, "AMD") })
	if len(rules) != 7 {
		t.Errorf("%d rules", len(rules))
	}
	for _, c := range []struct {
		name, counters string // "name value" pairs
		want           string // "rule: title speedup" of each message, in the order of rules
	}{
		{"all well", "VALUBusy 70 MemUnitBusy 50 MemUnitStalled 2 WriteUnitStalled 0 VALUUtilization 100 LDSBankConflict 0 CacheHit 90 ScratchRegs 0 VGPRs 24", ""},
		{"compute", "VALUBusy 92 MemUnitBusy 50", "AMDBottleneck: Busy Unit"},
		{"memory", "VALUBusy 20 MemUnitBusy 88 CacheHit 10", "AMDBottleneck: Busy Unit, AMDCacheHits: Low Hit Rate 39.1"},
		{"latency, few fit", "VALUBusy 20 MemUnitBusy 30 VGPRs 84 SGPRs 16 LocalMemSize 0", "AMDBottleneck: Latency 70.0, AMDOccupancyLimit: Occupancy 70.0"},
		{"few fit, no matter", "VALUBusy 85 MemUnitBusy 30 VGPRs 84 SGPRs 16 LocalMemSize 0", "AMDBottleneck: Busy Unit"},
		{"few fit, who knows", "VGPRs 84 SGPRs 16 LocalMemSize 0", "AMDOccupancyLimit: Occupancy 70.0"},
		{"stalls", "MemUnitStalled 40 WriteUnitStalled 12 MemUnitBusy 70", "AMDMemoryStalls: Memory Unit 40.0, AMDMemoryStalls: Write Unit 12.0"},
		{"stalls before GCN", "FetchUnitStalled 100 FetchUnitBusy 100 ALUBusy 4", "AMDBottleneck: Busy Unit, AMDMemoryStalls: Memory Unit 100.0"},
		{"conflicts", "LDSBankConflict 35", "AMDLocalMemoryConflicts: Bank Conflicts 35.0"},
		{"conflicts of the hardware", "SQ_LDS_BANK_CONFLICT 300 SQ_LDS_IDX_ACTIVE 1000", "AMDLocalMemoryConflicts: Bank Conflicts"},
		{"few conflicts", "SQ_LDS_BANK_CONFLICT 3 SQ_LDS_IDX_ACTIVE 0", ""},
		{"divergence", "VALUUtilization 40 VALUBusy 50", "AMDDivergence: Idle Lanes 30.0"},
		{"divergence of little", "VALUUtilization 40 VALUBusy 5", ""},
		{"scratch", "ScratchRegs 4 VGPRs 24", "AMDScratch: Scratch Memory"},
	} {
		var head, row strings.Builder
		head.WriteString("Method, ExecutionOrder, GlobalWorkSize, WorkGroupSize, Time")
		row.WriteString("f__k1_Hawaii1, 1, {4096 1 1}, {256 1 1}, 0.5")
		for f := strings.Fields(c.counters); len(f) > 1; f = f[2:] {
			fmt.Fprintf(&head, ", %s", f[0])
			fmt.Fprintf(&row, ", %s", f[1])
		}
		text := head.String() + "\n" + row.String() + "\n"
		f, err := load.OpenReader(strings.NewReader(text), int64(len(text)), "c.csv")
		if err != nil {
			t.Fatal(c.name, err)
		}
		out, err := h.Apply(ctx, rule.Job{Report: f.Report.Report, Action: f.Report.Actions()[0], Rules: rules})
		if err != nil {
			t.Fatal(c.name, err)
		}
		var got []string
		for _, o := range out {
			var e *rule.Error
			if o.Err != nil && (!errors.As(o.Err, &e) || !e.Raised) {
				t.Errorf("%s: %s: %v", c.name, o.Rule.ID, o.Err)
			}
			for _, m := range o.Result.Messages {
				s := o.Rule.ID + ": " + m.Name
				if m.Speedup != nil {
					s += fmt.Sprintf(" %.1f", m.Speedup.Percent)
				}
				got = append(got, s)
			}
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, ", "), c.want)
		}
	}
}
