package python_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// deepDump asks for what the oracle names and prints it in the same form; the
// text of instructions is left out, for which gpuprof needs a disassembler.
const deepDump = `
import json, sys
import ncu_report

def number(x):
    return "nan" if isinstance(x, float) and x != x else x

want = json.loads(open("/want.json").read())
context = ncu_report.load_report(sys.argv[1])
out = {"num_ranges": context.num_ranges(), "num_actions": [r.num_actions() for r in context], "actions": []}
for w, action in zip(want["actions"], context[0]):
    instances = {}
    for name, x in w["instances"].items():
        m = action.metric_by_name(name)
        ids = m.correlation_ids()
        last = m.num_instances()
        instances[name] = {"n": last, "idx": x["idx"], "vals": [number(m.as_double(i)) for i in x["idx"]], "kinds": [m.kind(i) for i in x["idx"]],
            "corr": [ids.value(i) for i in x["idx"]], "ckind": ids.kind(x["idx"][0]), "has": [m.has_value(), m.has_value(last)]}
    pcs = []
    for pc, *_ in w["pcs"]:
        info = action.source_info(pc)
        pcs.append([pc, action.ptx_by_pc(pc), [info.file_name(), info.line()] if info else None])
    state = action.nvtx_state()
    nvtx = None
    if state is not None:
        nvtx = {}
        for id in state:
            d = state[id]
            first = None
            if d.push_pop_ranges():
                r = d.push_pop_range(0)
                first = [r.name(), r.has_attributes(), r.category(), r.color(), r.message(), r.payload_type()]
            nvtx[d.name()] = {"push": list(d.push_pop_ranges()), "start": list(d.start_end_ranges()), "first": first}
    out["actions"].append({"name": action.name(), "names": [action.name(i) for i in range(3)], "n_metrics": len(action.metric_names()),
        "source_files": sorted(action.source_files().keys()), "instances": instances, "pcs": pcs, "nvtx": nvtx,
        "missing": action.metric_by_name("no such metric") is None})
json.dump(out, sys.stdout)
`

// TestDeepOracle compares instances, code and state with the module of Nsight
// Compute 2024.1.
func TestDeepOracle(t *testing.T) {
	e := newEngine(t)
	for _, name := range corpustest.Files(t, "oracle/ncu-pages/*/ncu_report_deep.json.gz") {
		report := filepath.Join(corpustest.Dir(t), "corpus", "ncu", filepath.Base(filepath.Dir(name)))
		text := strings.ReplaceAll(corpustest.Gunzip(t, name), "NaN", `"nan"`)
		var want, got map[string]any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		out := script(t, e, strings.ReplaceAll(deepDump, `open("/want.json").read()`, "r'''"+strings.ReplaceAll(text, "'''", "")+"'''"), report, true)
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%v\n%.300s", err, out)
		}
		for _, a := range want["actions"].([]any) {
			for i, p := range a.(map[string]any)["pcs"].([]any) {
				x := p.([]any)
				a.(map[string]any)["pcs"].([]any)[i] = []any{x[0], x[2], x[3]}
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %.1500s", filepath.Base(report), d)
		}
	}
}
