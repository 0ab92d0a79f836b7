package rule

import (
	"slices"
	"testing"
)

// TestApplicable: the rules of gpuprof are applied to launches of their vendor,
// those of others where their section is.
func TestApplicable(t *testing.T) {
	rules := []*Rule{
		{ID: "ours", Stock: true, Section: "Occupancy"},
		{ID: "ours of AMD", Stock: true, Section: "AMDOccupancy"},
		{ID: "theirs", Section: "Occupancy"},
		{ID: "theirs of AMD", Section: "AMDOccupancy"},
		{ID: "theirs everywhere"},
	}
	for _, c := range []struct {
		sections []string
		want     []string
	}{
		{nil, []string{"ours", "theirs everywhere"}},
		{[]string{"SpeedOfLight"}, []string{"ours", "theirs everywhere"}},
		{[]string{"Occupancy"}, []string{"ours", "theirs", "theirs everywhere"}},
		{[]string{"AMDOccupancy"}, []string{"ours of AMD", "theirs of AMD", "theirs everywhere"}},
		{[]string{"AMDLaunch"}, []string{"theirs everywhere"}},
	} {
		sections := map[string]bool{}
		for _, s := range c.sections {
			sections[s] = true
		}
		var got []string
		for _, r := range applicable(rules, sections) {
			got = append(got, r.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.sections, got, c.want)
		}
	}
}
