package metric_test

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// A dumpInstances is what the second decoder keeps of a metric's instances.
type dumpInstances struct {
	N           int
	First, Last []json.RawMessage // correlation id, value
}

// A dumpResult is what the second decoder says of one launch.
type dumpResult struct {
	Metrics   map[string]json.RawMessage // null: no value, but perhaps instances
	Instances map[string]dumpInstances
}

// A launch has both sources of a launch's metrics.
type launch struct {
	oracleAction
	dump dumpResult
}

// value returns the metric's value, and whether the launch has the metric.
func (l launch) value(name string) (metric.Value, bool) {
	m, ok := l.Metrics[name]
	if !ok {
		return metric.Value{}, false
	}
	if l.dump.Instances[name].N > 0 && string(l.dump.Metrics[name]) == "null" {
		return metric.String(""), true
	}
	switch metric.Kind(m.Kind) {
	case metric.KindString:
		return metric.String(*m.S), true
	case metric.KindFloat:
		return metric.Float(float32(m.D)), true
	case metric.KindDouble:
		return metric.Double(float64(m.D)), true
	case metric.KindUint32:
		return metric.Uint32(uint32(*m.U)), true
	case metric.KindUint64:
		return metric.Uint64(*m.U), true
	}
	return metric.Value{}, true
}

// launches reads what two decoders say of a report.
func launches(t testing.TB, dir string) []launch {
	t.Helper()
	var dump struct{ Results []dumpResult }
	text := readGzip(t, filepath.Join(corpustest.Dir(t), "oracle", "ncu", filepath.Base(dir)+".json.gz"))
	if err := json.Unmarshal([]byte(text), &dump); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	var all []launch
	for i, a := range oracleActions(t, dir) {
		all = append(all, launch{a, dump.Results[i]})
	}
	return all
}

func readCSV(t testing.TB, name string) [][]string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(readGzip(t, name)))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return rows
}

// check counts cells and reports the first that differ.
type check struct {
	t            *testing.T
	cells, wrong int
}

func (c *check) equal(got, want string, where ...any) {
	c.t.Helper()
	c.cells++
	if got == want {
		return
	}
	if c.wrong++; c.wrong <= 20 {
		c.t.Errorf("%q: got %q, want %q", where, got, want)
	}
}

func (c *check) log(what string) { c.t.Logf("%s: %d of %d equal", what, c.cells-c.wrong, c.cells) }

// TestRawCSV compares every cell and unit of the raw page as CSV, in automatic
// units and in base units with two decimals.
func TestRawCSV(t *testing.T) {
	for _, page := range []struct {
		file     string
		base, fp bool
	}{{file: "raw.csv.gz"}, {file: "raw-base.csv.gz", base: true, fp: true}} {
		c := check{t: t}
		for _, dir := range oracleReports(t) {
			rows := readCSV(t, filepath.Join(dir, page.file))
			if len(rows) == 0 {
				continue
			}
			all := launches(t, dir)
			for i := slices.Index(rows[0], "CC") + 1; i < len(rows[0]); i++ {
				name := rows[0][i]
				column := metric.Column{Unit: metric.Lookup2024(name, all[0].cc()).Unit, Base: page.base, FP: page.fp}
				for _, l := range all {
					v, _ := l.value(name)
					column.Add(v)
				}
				where := []any{filepath.Base(dir), name}
				c.equal(column.Scale().UnitString(metric.Compat2024), rows[1][i], where...)
				for k, l := range all {
					got := ""
					if v, ok := l.value(name); ok {
						got = string(column.Append(nil, v))
					}
					// The page alone knows the sign of NaN.
					if want := rows[2+k][i]; want != "-nan" {
						c.equal(got, want, append(where, k)...)
					}
				}
			}
		}
		c.log(page.file)
	}
}

func noBlanks(s string) string { return strings.ReplaceAll(s, " ", "") }

// TestRawText compares every cell and unit of the raw page as text. Of the
// instances only the first and the last are known, and their number.
func TestRawText(t *testing.T) {
	c, lists := check{t: t}, check{t: t}
	for _, dir := range oracleReports(t) {
		tables := textTables(readGzip(t, filepath.Join(dir, "raw.txt.gz")))
		if len(tables) == 0 {
			continue
		}
		all := launches(t, dir)
		if len(tables) != len(all) {
			t.Errorf("%s: %d tables for %d launches", dir, len(tables), len(all))
			continue
		}
		for k, l := range all {
			shown := 0
			for name := range l.Metrics {
				if metric.OnRawPage(name) {
					shown++
				}
			}
			if len(tables[k].rows) != shown {
				t.Errorf("%s: launch %d: %d rows for %d metrics", dir, k, len(tables[k].rows), shown)
			}
			for _, row := range tables[k].rows {
				where := []any{filepath.Base(dir), k, row.name}
				v, ok := l.value(row.name)
				if !ok {
					t.Fatalf("%q: no such metric", where)
				}
				scale := metric.Lookup2024(row.name, l.cc()).Unit.Auto(v.Double())
				cell := metric.Cell{Text: true}
				c.equal(noBlanks(scale.UnitString(metric.Compat2024)), row.unit, where...)
				want := noBlanks(row.value)
				in := l.dump.Instances[row.name]
				if in.N == 0 {
					c.equal(noBlanks(string(cell.Append(nil, v, metric.Instances{}, scale))), want, where...)
					continue
				}
				ends := metric.Instances{Len: 2, At: func(i int) (id, value metric.Value) {
					return instance(t, [][]json.RawMessage{in.First, in.Last}[i])
				}}
				got := noBlanks(string(cell.Append(nil, v, ends, scale)))
				lists.equal(strings.TrimPrefix(got, noBlanks(metric.Flag)), ends2(want, in.N), where...)
			}
		}
	}
	c.log("raw.txt")
	lists.log("raw.txt, cells with instances")
}

// instance decodes one instance of the second decoder: correlation id, value.
func instance(t testing.TB, raw []json.RawMessage) (id, value metric.Value) {
	t.Helper()
	var out [2]metric.Value
	for i, r := range raw {
		var s string
		var f jsonFloat
		var u uint64
		switch {
		case string(r) == "null":
		case json.Unmarshal(r, &u) == nil:
			out[i] = metric.Uint64(u)
		case json.Unmarshal(r, &s) == nil && s == "NaN" || s == "" && json.Unmarshal(r, &f) == nil:
			if err := json.Unmarshal(r, &f); err != nil {
				t.Fatalf("%s: %v", r, err)
			}
			out[i] = metric.Double(float64(f))
		default:
			out[i] = metric.String(s)
		}
	}
	return out[0], out[1]
}

// ends2 shortens the list of n instances in a cell to the first and the last.
func ends2(cell string, n int) string {
	cell = strings.TrimPrefix(cell, noBlanks(metric.Flag))
	before, list, ok := strings.Cut(cell, "(")
	list, closed := strings.CutSuffix(list, ")")
	items := strings.Split(list, ";")
	if !ok || !closed || len(items) != n {
		return cell
	}
	return before + "(" + items[0] + ";" + items[n-1] + ")"
}

// TestRawInstancesCSV compares the raw page as CSV with instances and their
// ids. The list is shortened to what is known: its length, first and last.
func TestRawInstancesCSV(t *testing.T) {
	c := check{t: t}
	for _, dir := range oracleReports(t) {
		rows := readCSV(t, filepath.Join(dir, "raw-instances.csv.gz"))
		if len(rows) == 0 {
			continue
		}
		all := launches(t, dir)
		for i := slices.Index(rows[0], "CC") + 1; i < len(rows[0]); i++ {
			name := rows[0][i]
			column := metric.Column{Unit: metric.Lookup2024(name, all[0].cc()).Unit}
			for _, l := range all {
				v, _ := l.value(name)
				column.Add(v)
			}
			for k, l := range all {
				v, ok := l.value(name)
				raw := l.dump.Instances[name]
				if !ok || raw.N == 0 || rows[2+k][i] == "-nan" {
					continue
				}
				ids := metric.InstanceIDs(name, isTimed(name))
				ends := metric.Instances{Len: 2, At: func(i int) (id, value metric.Value) {
					return instance(t, [][]json.RawMessage{raw.First, raw.Last}[i])
				}}
				c.equal(noBlanks(string(column.AppendInstances(nil, v, ends, ids))), ends2(noBlanks(rows[2+k][i]), raw.N),
					filepath.Base(dir), k, name)
			}
		}
	}
	c.log("raw-instances.csv")
}

// isTimed stands for the mark that a report puts at samples over time.
func isTimed(name string) bool {
	return strings.HasPrefix(name, "pmsampling:") || strings.Contains(name, "Triage") ||
		strings.HasPrefix(name, "profiler__timestamp_") || strings.HasPrefix(name, "profiler__pmsampler_ctxsw_")
}
