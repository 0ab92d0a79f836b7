package launch

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

// TestSummaryRows compares the rows of the example with its launches: their
// order, and which finding stands beside which.
func TestSummaryRows(t *testing.T) {
	type row struct {
		kernel   string
		duration float64
		speedup  any
		finding  string
		number   float64
	}
	naive := row{"transpose_naive(const float *, float *, int)", 210521, 53.4, "Uncoalesced stores", 0}
	tiled := row{"transpose_tiled(const float *, float *, int)", 98084, nil, "", 1}
	sum := row{"block_sum(const float *, float *, int)", 46405, nil, "", 2}
	for by, want := range map[string][]row{
		"launch": {naive, tiled, sum}, "duration": {naive, tiled, sum}, "speedup": {naive, tiled, sum}, "kernel": {sum, naive, tiled},
	} {
		out, _ := pagetest.Render(t, Summary, "../../examples/transpose.ncu-rep", view.FormatJSON, pagetest.Options("sort", by))
		var d struct {
			Sections []struct {
				ID     string
				Tables []struct {
					Columns []struct{ Name string }
					Rows    [][]any
				}
			}
		}
		if err := json.Unmarshal([]byte(out), &d); err != nil {
			t.Fatal(err)
		}
		if len(d.Sections) != 3 || d.Sections[0].ID != "kernels" || d.Sections[1].ID != "findings" || d.Sections[2].ID != "launches" {
			t.Fatalf("sections: %+v", d.Sections)
		}
		var got []row
		table := d.Sections[2].Tables[0]
		at := map[string]int{}
		for i, c := range table.Columns {
			at[c.Name] = i
		}
		for _, r := range table.Rows {
			got = append(got, row{r[at["kernel"]].(string), r[at["duration"]].(float64), r[at["speedup"]], r[at["finding"]].(string), r[at["number"]].(float64)})
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(row{})); d != "" {
			t.Errorf("sorted by %s: %s", by, d)
		}
	}
}
