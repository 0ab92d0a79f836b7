package view

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// metricTable is a table of metrics as the sections of a page have them.
func metricTable(id string, rows ...[]Value) Table {
	return Table{ID: id, Title: id, Layout: &Layout{Frame: FrameFull}, Columns: []Column{{Name: "label", Label: "Metric Name", Type: Text},
		{Name: "unit", Label: "Metric Unit", Type: Unit}, {Name: "value", Label: "Metric Value"}}, Rows: rows}
}

// points is a series of numbers at the given step of ids.
func points(unit string, step float64, values ...float64) Value {
	var out []Point
	first := 0.0
	if step > 1 { // times
		first = 1e15
	}
	for i, v := range values {
		out = append(out, Point{ID: Float(first+float64(i)*step, ""), Value: Float(v, unit)})
	}
	return Series(Null, out, metric.InstanceIDs("pmsampling:x", true))
}

// charts are one of each kind that text draws.
func charts() Section {
	bars := Chart{Kind: BarChart, Y: Axis{Label: "of peak", HasMin: true, HasMax: true, Max: 100},
		Table: metricTable("bars",
			[]Value{String("Compute (SM) Throughput"), UnitOf("%"), Float(62.5, "%")},
			[]Value{String("A label that is far too long to stand beside a bar in a terminal of eighty columns"), UnitOf("%"), Float(100, "%")},
			[]Value{String("Nothing"), UnitOf("%"), Float(0, "%")},
			[]Value{String("Not measured"), Null, Unavailable(metric.NotAvailable)})}
	histogram := Chart{Kind: HistogramChart, Bins: 4, Table: metricTable("histogram",
		[]Value{String("Bytes"), UnitOf("byte"), points("byte", 1, 1000, 1100, 2000, 4000, 9000, 1500, 1200)})}
	line := Chart{Kind: LineChart, X: Axis{Label: "Warps"}, Table: metricTable("line",
		[]Value{String("Occupancy"), UnitOf("%"), points("%", 1, 10, 20, 40, 80, 60, 30)})}
	timeline := Chart{Kind: TimelineChart, X: Axis{Label: "Time"}, Table: metricTable("timeline",
		[]Value{String("DRAM Read"), UnitOf("byte/second"), points("byte/second", 1000, 0, 1e9, 2e9, 3e9, 2.5e9, 0)},
		[]Value{String("Warps"), UnitOf("warp"), points("warp", 2000, 1, 2, 3)})}
	roof := Chart{Kind: RooflineChart, X: Axis{Label: "Arithmetic Intensity [FLOP/byte]"}, Y: Axis{Label: "Performance [FLOP/s]"},
		Table: Table{ID: "roofline", Title: "roofline", Layout: &Layout{Frame: FrameFull}, Columns: []Column{{Name: "label", Type: Text}, {Name: "kind", Type: Text},
			{Name: "work"}, {Name: "traffic"}, {Name: "intensity"}}, Rows: [][]Value{
			{String("Single Precision Roofline"), String("roofline"), Float(19.5e12, ""), Float(1.555e12, ""), Float(12.54, "")},
			{String("Double Precision Roofline"), String("roofline"), Float(9.7e12, ""), Float(1.555e12, ""), Float(6.24, "")},
			{String("L2"), String("wall"), Null, Null, Float(40, "")},
			{String("Single Precision Achieved Value of a kernel with a name that does not fit"), String("achieved"), Float(2e12, ""), Float(5e11, ""), Float(4, "")},
		}}}
	s := Section{ID: "charts", Title: "Charts"}
	for _, c := range []*Chart{&bars, &histogram, &line, &roof} {
		s.AddChart(c)
	}
	s.Items = append(s.Items, Item{Chart: &timeline, For: Programs})
	return s
}

// TestCharts draws each kind of chart in a narrow and in a wide terminal: no line
// is wider, and no legend is cut.
func TestCharts(t *testing.T) {
	for _, width := range []int{80, 200} {
		got := rendered(t, charts(), FormatText, Options{Charts: true, Width: width})
		for i, l := range strings.Split(got, "\n") {
			if n := len([]rune(l)); n > width {
				t.Errorf("%d columns: line %d has %d: %s", width, i+1, n, l)
			}
		}
		golden(t, "charts-"+strconv.Itoa(width), got)
	}
	golden(t, "charts-md", rendered(t, charts(), FormatMarkdown, Options{}))
}

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s: %s", name, d)
	}
}
