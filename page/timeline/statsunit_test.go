package timeline

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

func TestRescale(t *testing.T) {
	for _, tc := range []struct {
		option, value, column, unit string
		number                      float64
		label, cell                 string
	}{
		{"timeunit", "usec", "Total Time (ns)", "ns", 1234567, "Total Time (us)", "1234.567"},
		{"timeunit", "msec", "Total Time (ns)", "ns", 1234567, "Total Time (ms)", "1.235"},
		{"timeunit", "milli", "Total Time (ns)", "ns", 1500000, "Total Time (ms)", "1.500"},
		{"timeunit", "micro", "Total Time (ns)", "ns", 1500000, "Total Time (us)", "1500.000"},
		{"timeunit", "sec", "Total Time (ns)", "ns", 1500000000, "Total Time (s)", "1.500"},
		{"unit", "kib", "Total (MB)", "byte", 2048, "Total (KiB)", "2.000"},
		{"unit", "KB", "Total (MB)", "byte", 2048, "Total (KB)", "2.048"},
		{"unit", "KB", "Total Time (ns)", "ns", 2048, "Total Time (ns)", "2048"},
	} {
		t.Run(tc.value+"/"+tc.unit, func(t *testing.T) {
			q := &page.Request{Values: pagetest.Options(tc.option, tc.value)}
			units, err := statsScales(q)
			if err != nil {
				t.Fatal(err)
			}
			tab := &view.Table{Columns: []view.Column{{Label: tc.column, Unit: tc.unit, Type: view.Number, Number: &view.NumberStyle{}}}}
			rescale(tab, units)
			c := tab.Columns[0]
			if diff := cmp.Diff(tc.label, c.Label); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.cell, printCell(t, tab, tc.number)); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, bad := range [][2]string{{"timeunit", "m"}, {"timeunit", "hours"}, {"unit", "ns"}} {
		if _, err := statsScales(&page.Request{Values: pagetest.Options(bad[0], bad[1])}); err == nil {
			t.Errorf("--%s %s is taken", bad[0], bad[1])
		}
	}
}

// printCell prints one number in CSV.
func printCell(t *testing.T, tab *view.Table, x float64) string {
	t.Helper()
	tab.Rows = [][]view.Value{{view.Float(x, tab.Columns[0].Unit)}}
	d := &view.Document{}
	s := view.Section{}
	s.AddTable(tab)
	d.Sections = append(d.Sections, s)
	var b bytes.Buffer
	if err := view.Render(&b, d, view.FormatCSV, view.Options{}); err != nil {
		t.Fatal(err)
	}
	rows := parseCSV(t, b.String())
	return rows[len(rows)-1][0]
}
