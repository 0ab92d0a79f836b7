package metric_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/profile/metric"
)

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
				auto, base := unit.Auto(v.Double()), unit.Base()
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
				auto := metric.BodyUnit2024(row.name, l.cc()).Auto(v.Double())
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
			_, n, _ := strings.Cut(kernel.title, ", Invocations ")
			if n != strconv.Itoa(len(kernels[title])) {
				t.Fatalf("%s: %d launches of %q, want %s", dir, len(kernels[title]), title, n)
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

// TestLabels checks the names in breakdown tables: each is the label of a
// metric that a breakdown lists. (Sections of 2020 write their labels out.)
func TestLabels(t *testing.T) {
	rows := 0
	for _, dir := range oracleReports(t) {
		labels := map[string]bool{}
		for _, a := range oracleActions(t, dir) {
			for name, m := range a.Metrics {
				if strings.HasPrefix(name, "breakdown:") && m.S != nil {
					for _, member := range strings.Split(*m.S, ",") {
						labels[metric.Label(member)] = true
					}
				}
			}
		}
		inTable := false
		for _, line := range strings.Split(readGzip(t, filepath.Join(dir, "details-all.txt.gz")), "\n") {
			label, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
			switch {
			case strings.Contains(label, "Table Name : "):
				inTable = strings.HasSuffix(label, "Throughput Breakdown")
			case label == "":
				inTable = false
			case inTable && strings.Contains(label, ": "):
				if rows++; !labels[label] {
					t.Errorf("%s: no metric is labelled %q", filepath.Base(dir), label)
				}
			}
		}
	}
	t.Logf("%d rows of breakdown tables", rows)
}
