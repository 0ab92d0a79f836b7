package trace

import (
	"testing"

	"github.com/gpuprof/gpuprof/trace/schema"
)

// TestSliceTables: every table and column of the list is in the catalogue, and a
// row has the place that the list says.
func TestSliceTables(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sliceTables {
		tab := schema.Lookup(s.Table)
		if tab == nil {
			t.Errorf("%s is not in the catalogue", s.Table)
			continue
		}
		want := []string{s.Start}
		if s.Start == "" {
			want[0] = "start"
		}
		if s.GPU {
			want = append(want, "deviceId", "streamId", "globalPid")
		} else if tab.Column("globalTid") == nil {
			want = append(want, "globalPid")
		}
		for _, c := range append(want, s.Name, s.Spare, s.Text, s.Enum) {
			if c != "" && tab.Column(c) == nil {
				t.Errorf("%s has no column %s", s.Table, c)
			}
		}
		if !s.GPU && s.Label == "" {
			t.Errorf("%s has no label", s.Table)
		}
		if seen[s.Table] {
			t.Errorf("%s is in the list twice", s.Table)
		}
		seen[s.Table] = true
	}
}
