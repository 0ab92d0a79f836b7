package metric_test

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"regexp"
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
	v := metric.Value{Kind: metric.Kind(m.Kind), Number: float64(m.D)}
	if m.U != nil {
		v.Uint = *m.U
	}
	if m.S != nil {
		v.Text = *m.S
	}
	return v, true
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

// A tableRow is a row of a table in a text page. A summary has several values,
// which bars separate here.
type tableRow struct{ section, name, unit, value string }

// A textLaunch is what a text page shows of a launch, or of launches that a
// summary puts together.
type textLaunch struct {
	title string // the kernel's line
	rows  []tableRow
}

var rule = regexp.MustCompile(`^ *-+( -+)+$`)

// textTables returns the rows of the tables of each launch in a text page.
// Wrapped cells are joined without blanks, as they may break within a word.
func textTables(text string) []textLaunch {
	var all []textLaunch
	var cols [][2]int
	section, rules := "", 0
	for _, line := range strings.Split(text, "\n") {
		switch indent := len(line) - len(strings.TrimLeft(line, " ")); {
		case rule.MatchString(line):
			if rules++; rules == 1 {
				cols = columns(line)
			} else if rules == 3 {
				cols, rules = nil, 0
			}
		case strings.HasPrefix(line, "    Section: "):
			section, cols, rules = line[len("    Section: "):], nil, 0
		case indent == 2 && strings.Contains(line, "CC "):
			all, section, cols, rules = append(all, textLaunch{title: line}), "", nil, 0
		case strings.HasPrefix(line, "  Metric Name"):
			rules = 0
		case len(cols) >= 3 && strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "Metric Name"):
			l := &all[len(all)-1]
			l.rows = appendRow(l.rows, section, cutLine(line, cols))
		}
	}
	return all
}

// appendRow appends a row, or continues the last one if it has no name.
func appendRow(rows []tableRow, section string, cells []string) []tableRow {
	value := strings.Join(cells[2:], "|")
	if cells[0] == "" && len(rows) > 0 {
		last := &rows[len(rows)-1]
		last.unit, last.value = last.unit+cells[1], last.value+value
		return rows
	}
	return append(rows, tableRow{section, cells[0], cells[1], value})
}

func cutLine(line string, cols [][2]int) (cells []string) {
	for _, c := range cols {
		cells = append(cells, strings.TrimSpace(line[min(c[0], len(line)):min(c[1], len(line))]))
	}
	return cells
}

// columns returns where the columns of a table begin and end, from its rule.
func columns(line string) (cols [][2]int) {
	for i := 0; i < len(line); {
		for i < len(line) && line[i] == ' ' {
			i++
		}
		start := i
		for i < len(line) && line[i] == '-' {
			i++
		}
		cols = append(cols, [2]int{start, i})
	}
	return cols
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
				scale := metric.Lookup2024(row.name, l.cc()).Unit.Auto(v.Number)
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

// detailsRows returns the metric rows of each launch of the details page as
// CSV: section, label, unit, value.
func detailsRows(t testing.TB, name string) [][]tableRow {
	rows := readCSV(t, name)
	for len(rows) > 0 && rows[0][0] != "ID" {
		rows = rows[1:] // warnings
	}
	if len(rows) == 0 {
		return nil
	}
	section := slices.Index(rows[0], "Section Name")
	var all [][]tableRow
	id := ""
	for _, r := range rows[1:] {
		if len(r) < section+4 {
			continue // a warning
		}
		if r[0] != id || all == nil {
			id, all = r[0], append(all, nil)
		}
		if r[section+1] != "" {
			all[len(all)-1] = append(all[len(all)-1], tableRow{r[section], r[section+1], r[section+2], r[section+3]})
		}
	}
	return all
}

// TestDetails compares value and unit of every row of the details page: as
// text, as CSV, and as text in base units with the metrics' names. Only the last
// says which metric a row shows; the rows of all three are in the same order.
func TestDetails(t *testing.T) {
	c := check{t: t}
	for _, dir := range oracleReports(t) {
		named := textTables(readGzip(t, filepath.Join(dir, "details-names-base.txt.gz")))
		text := textTables(readGzip(t, filepath.Join(dir, "details.txt.gz")))
		table := detailsRows(t, filepath.Join(dir, "details.csv.gz"))
		if named == nil {
			continue
		}
		all := launches(t, dir)
		if len(named) != len(all) || len(text) != len(all) || len(table) != len(all) {
			t.Errorf("%s: %d %d %d tables for %d launches", dir, len(named), len(text), len(table), len(all))
			continue
		}
		for k, l := range all {
			if n := len(named[k].rows); n != len(text[k].rows) || n != len(table[k]) {
				t.Errorf("%s: launch %d: %d %d %d rows", dir, k, n, len(text[k].rows), len(table[k]))
				continue
			}
			for i, row := range named[k].rows {
				where := []any{filepath.Base(dir), k, row.name}
				v, ok := l.value(row.name)
				if !ok {
					c.equal(noBlanks(metric.Flag+metric.NotAvailable), noBlanks(row.value), where...)
					c.equal(metric.NotAvailable, table[k][i].value, where...)
					continue
				}
				unit := metric.Lookup2024(row.name, l.cc()).Unit
				auto, base := unit.Auto(v.Number), unit.Base()
				cell, none := metric.Cell{Text: true}, metric.Instances{}
				c.equal(base.UnitString(metric.Compat2024), row.unit, where...)
				c.equal(noBlanks(string(cell.Append(nil, v, none, base))), noBlanks(row.value), where...)
				c.equal(auto.UnitString(metric.Compat2024), text[k].rows[i].unit, where...)
				c.equal(noBlanks(string(cell.Append(nil, v, none, auto))), noBlanks(text[k].rows[i].value), where...)
				c.equal(auto.UnitString(metric.Compat2024), table[k][i].unit, where...)
				c.equal(string(metric.Compact.Append(nil, v, auto)), table[k][i].value, where...)
			}
		}
	}
	c.log("details")
}

// TestDetailsAll compares the rows of all tables of the details page that are
// not labelled: they show the metric's name.
func TestDetailsAll(t *testing.T) {
	c := check{t: t}
	// In one report, from 2021, samples without an instruction to issue are in
	// warps; in the others they are in instructions, as on the raw page.
	swapped := 0
	for _, dir := range oracleReports(t) {
		tables := textTables(readGzip(t, filepath.Join(dir, "details-all.txt.gz")))
		if tables == nil {
			continue
		}
		all := launches(t, dir)
		if len(tables) > len(all) {
			t.Errorf("%s: %d tables for %d launches", dir, len(tables), len(all))
			continue
		}
		for k := range tables { // the tool may end early
			l := all[k]
			for _, row := range tables[k].rows {
				v, ok := l.value(row.name)
				if !ok {
					continue
				}
				where := []any{filepath.Base(dir), k, row.section, row.name}
				auto := metric.BodyUnit2024(row.name, l.cc()).Auto(v.Number)
				if strings.Contains(row.name, "no_instructions") && row.unit == "warp" {
					swapped++
				} else {
					c.equal(auto.UnitString(metric.Compat2024), row.unit, where...)
				}
				// A chart shows the instances that it draws.
				value, _, _ := strings.Cut(row.value, " (")
				c.equal(noBlanks(string(metric.Cell{Text: true}.Append(nil, v, metric.Instances{}, auto))), value, where...)
			}
		}
	}
	if swapped != 6 {
		t.Errorf("%d units of samples without instructions are warp, want the known 6", swapped)
	}
	c.log("details-all")
}

// TestSummary compares minimum, maximum and average of each row of the summary
// per kernel.
func TestSummary(t *testing.T) {
	c := check{t: t}
	for _, dir := range oracleReports(t) {
		summary := textTables(readGzip(t, filepath.Join(dir, "summary-per-kernel.txt.gz")))
		text := textTables(readGzip(t, filepath.Join(dir, "details.txt.gz")))
		named := textTables(readGzip(t, filepath.Join(dir, "details-names-base.txt.gz")))
		if summary == nil {
			continue
		}
		all := launches(t, dir)
		kernels, names := map[string][]launch{}, map[[2]string]string{}
		for k, l := range text {
			title, _, _ := strings.Cut(l.title, ", Context ")
			kernels[title] = append(kernels[title], all[k])
			for i, row := range l.rows {
				names[[2]string{row.section, row.name}] = named[k].rows[i].name
			}
		}
		for _, kernel := range summary {
			title, _, _ := strings.Cut(kernel.title, ", Device ")
			if len(kernels[title]) == 0 {
				t.Fatalf("%s: no launch %q", dir, title)
			}
			for _, row := range kernel.rows {
				name := names[[2]string{row.section, row.name}]
				got, unit := summarize(kernels[title], name)
				where := []any{filepath.Base(dir), title, name}
				c.equal(unit, row.unit, where...)
				c.equal(got, row.value, where...)
			}
		}
	}
	c.log("summary-per-kernel")
}

func summarize(launches []launch, name string) (values, unit string) {
	var s metric.Summary
	for _, l := range launches {
		if v, ok := l.value(name); ok {
			s.Add(v)
		}
	}
	scale := metric.Lookup2024(name, launches[0].cc()).Unit.Auto(s.Max)
	out := metric.Fixed.AppendNumber(nil, scale.Apply(s.Min))
	out = metric.Fixed.AppendNumber(append(out, '|'), scale.Apply(s.Max))
	out = metric.Fixed.AppendNumber(append(out, '|'), scale.Apply(s.Mean()))
	return string(out), scale.UnitString(metric.Compat2024)
}
