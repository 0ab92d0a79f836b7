package rule_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/rule/python"
)

// TestFolder applies the rules of an installed Nsight Compute, unmodified, to all
// reports, and compares what they say with what the report holds of them. It
// needs the folder, named by GPUPROF_RULE_FOLDER: such rules are not part of
// this project. GPUPROF_RULE_TOOL is the version they are of, as reports name it:
// on reports of that version all results must be as stored.
func TestFolder(t *testing.T) {
	folder := os.Getenv("GPUPROF_RULE_FOLDER")
	if folder == "" {
		t.Skip("GPUPROF_RULE_FOLDER names no folder of rules")
	}
	ctx := context.Background()
	h, err := rule.NewHost(ctx, rule.Options{Cache: python.CacheDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	s, err := h.Load(ctx, rule.Folder(folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Problems {
		t.Error(p)
	}
	same, exact, other := 0, 0, map[string]int{}
	raised, failed := map[string]int{}, map[string]int{}
	for _, name := range corpustest.Files(t, "corpus/ncu/*.*-*") {
		f, err := load.Open(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range f.Report.Actions() {
			stored := map[string]*profile.RuleResult{}
			rs, _ := a.RuleResults()
			for i := range rs {
				stored[rs[i].Identifier] = &rs[i]
			}
			out, err := h.Apply(ctx, rule.Job{Report: f.Report.Report, Action: a, Rules: s.Rules})
			if err != nil {
				t.Fatal(err)
			}
			for i := range out {
				o := &out[i]
				old := stored[o.Rule.ID]
				var e *rule.Error
				if errors.As(o.Err, &e) && e.Raised {
					raised[o.Rule.ID]++
				} else if o.Err != nil {
					failed[o.Rule.ID+": "+o.Err.Error()]++
				}
				if old == nil {
					continue
				}
				own := f.Report.Tool == os.Getenv("GPUPROF_RULE_TOOL")
				if own {
					exact++
				}
				if texts(old) == texts(&o.Result) {
					same++
				} else {
					other[o.Rule.ID]++
					if own {
						t.Errorf("%s launch %d %s:\n%s\n--\n%s %v", name, a.ID, o.Rule.ID, texts(old), texts(&o.Result), o.Err)
					}
				}
			}
		}
		f.Close()
	}
	t.Logf("%d rules; %d results are as stored, others differ: %v; %d results of the rules' own version", len(s.Rules), same, other, exact)
	t.Logf("raised for missing metrics: %v", raised)
	for what, n := range failed {
		t.Logf("%d times %s", n, what)
	}
}

func texts(r *profile.RuleResult) string {
	s := ""
	for _, m := range r.Messages {
		s += m.Text + "\n"
	}
	return s
}
