package metric_test

import (
	"regexp"
	"strings"
)

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
