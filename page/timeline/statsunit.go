package timeline

import (
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// statsUnits choose the units in which reports print times and sizes.
var statsUnits = []page.Option{
	{Name: "timeunit", Remote: true, Kind: page.Text, Arg: "UNIT", Help: "print times in nanoseconds, microseconds, milliseconds or seconds (nsec, usec, msec, sec; any beginning will do)"},
	{Name: "unit", Remote: true, Kind: page.Text, Arg: "UNIT", Help: "print sizes in B, KB, MB, GB or KiB, MiB, GiB"},
}

// A statsScale is how a column of a unit is printed.
type statsScale struct {
	label    string // in the heading
	divisor  float64
	decimals int
}

// Times in larger units have three decimals, as sizes have: the vendor's
// documents do not say how many.
var timeScales = []struct {
	names []string
	statsScale
}{
	{[]string{"nanoseconds", "nsec", "ns"}, statsScale{"ns", 1, 1}},
	{[]string{"microseconds", "usec", "us"}, statsScale{"us", 1e3, 3}},
	{[]string{"milliseconds", "msec", "ms"}, statsScale{"ms", 1e6, 3}},
	{[]string{"seconds", "sec", "s"}, statsScale{"s", 1e9, 3}},
}

var sizeScales = []statsScale{
	{"B", 1, 0}, {"KB", 1e3, 3}, {"MB", 1e6, 3}, {"GB", 1e9, 3},
	{"KiB", 1 << 10, 3}, {"MiB", 1 << 20, 3}, {"GiB", 1 << 30, 3},
}

// statsScales reads the options. A unit that is not asked for is not in the map,
// and its columns are printed as the report has them.
func statsScales(q *page.Request) (map[string]statsScale, error) {
	out := map[string]statsScale{}
	if s := strings.ToLower(q.Text("timeunit")); s != "" {
		for _, t := range timeScales {
			// As the vendor's tool takes it, the beginning of a word will do; m is micro or milli.
			if slices.Contains(t.names, s) || s != "m" && strings.HasPrefix(t.names[0], s) {
				out["ns"] = t.statsScale
			}
		}
		if _, ok := out["ns"]; !ok {
			return nil, page.Usagef("--timeunit: %q is not one of nanoseconds, microseconds, milliseconds, seconds", s)
		}
	}
	if s := q.Text("unit"); s != "" {
		for _, z := range sizeScales {
			if strings.EqualFold(z.label, s) {
				out["byte"] = z
			}
		}
		if _, ok := out["byte"]; !ok {
			return nil, page.Usagef("--unit: %q is not one of B, KB, MB, GB, KiB, MiB, GiB", s)
		}
	}
	return out, nil
}

// rescale changes how columns are printed. The values stay as they are, so
// forms that give raw values do not change.
func rescale(t *view.Table, units map[string]statsScale) {
	for i := range t.Columns {
		c := &t.Columns[i]
		u, ok := units[c.Unit]
		if !ok || c.Number == nil {
			continue
		}
		c.Number = &view.NumberStyle{Divisor: u.divisor, Decimals: u.decimals}
		if at := strings.LastIndex(c.Label, " ("); at >= 0 {
			c.Label = c.Label[:at]
		}
		c.Label += " (" + u.label + ")"
	}
}
