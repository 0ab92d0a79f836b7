package load

import (
	"strings"
	"testing"
)

// TestLifetimeFiles: what the page of lifetimes writes opens again, each file as what it is.
func TestLifetimeFiles(t *testing.T) {
	for _, c := range []struct{ name, text, format, attribute string }{
		{"run.sim.csv", "Kernel ID,Mangled Names,Total Cycles\n1,_Z1fv,100\n", "kernel table of lifetimes (.sim.csv)", ""},
		{"run.sim_l1.csv", "kernel_id,address,lifetime_cycles,lifetime_ns\n1,32.00,10.00,4.47\n", "lifetime file", ""},
		{"run.json", `{"Name":"run","L1 Lifetime Count":3,"L2 Lifetime Count":null,"L1 Area":{"sram":1.5},"gpuprof":{"definitions":["a","b"]}}`, "report of lifetimes",
			"L1 Area, sram 1.5|L1 Lifetime Count 3|L2 Lifetime Count not known|Name run|gpuprof, definitions a|gpuprof, definitions b"},
	} {
		f, err := OpenReader(strings.NewReader(c.text), int64(len(c.text)), c.name)
		if err != nil || f.Format != c.format || f.Report == nil || len(f.Problems()) > 0 {
			t.Errorf("%s: %+v, %v", c.name, f, err)
			continue
		}
		var got []string
		for _, a := range f.Report.Session.Info {
			got = append(got, a.Name+" "+a.Value)
		}
		if s := strings.Join(got, "|"); s != c.attribute {
			t.Errorf("%s: %s", c.name, s)
		}
		if n := len(f.Report.Actions()); c.attribute == "" && n != 1 {
			t.Errorf("%s: %d launches", c.name, n)
		}
	}
	broken := `{"Name":"run","L1 Lifetime Count":3,"L2 Lifetime Count":`
	if _, err := OpenReader(strings.NewReader(broken), int64(len(broken)), "run.json"); err == nil || !strings.Contains(err.Error(), "run.json: at byte") {
		t.Error(err)
	}
}
