package rule

import (
	"fmt"
	"strconv"
	"strings"
	"text/scanner"

	"github.com/gpuprof/gpuprof/profile"
)

// parseChart reads the file of a chart that a rule shows: a protobuf message in
// text form, of a section's body item, such as
//
//	BarChart { Label: "Stalls" Metrics { Label: "LG" Name: "smsp__..." } }
//
// It keeps the kind of the chart, its label and its metrics.
func parseChart(text string) (profile.RuleTable, error) {
	var t profile.RuleTable
	var s scanner.Scanner
	s.Init(strings.NewReader(text))
	s.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats | scanner.ScanStrings
	s.Error = func(*scanner.Scanner, string) {} // the token that follows tells
	var path []string
	last := ""
	for tok := s.Scan(); tok != scanner.EOF; tok = s.Scan() {
		switch {
		case tok == '#':
			for c := s.Next(); c != '\n' && c != scanner.EOF; c = s.Next() {
			}
		case tok == '{' || tok == '<':
			path = append(path, last)
			switch {
			case len(path) == 1 && chartKinds[last] != "":
				t.Kind = chartKinds[last]
			case len(path) == 2 && strings.HasPrefix(last, "Metric"):
				t.Metrics = append(t.Metrics, profile.RuleTableMetric{})
			}
		case tok == '}' || tok == '>':
			if len(path) == 0 {
				return t, fmt.Errorf("%v: found %s without {", s.Pos(), s.TokenText())
			}
			path = path[:len(path)-1]
		case tok == scanner.Ident:
			last = s.TokenText()
		case tok == scanner.String:
			v, err := strconv.Unquote(s.TokenText())
			if err != nil {
				return t, fmt.Errorf("%v: %s is no text", s.Pos(), s.TokenText())
			}
			setChartText(&t, path, last, v)
		}
		if len(path) > 32 {
			return t, fmt.Errorf("%v: more than 32 messages within each other", s.Pos())
		}
	}
	if t.Kind == "" || len(path) > 0 {
		return t, fmt.Errorf("%v: expected the text of a chart or table, found none", s.Pos())
	}
	return t, nil
}

var chartKinds = map[string]string{"Table": "table", "BarChart": "bar", "HistogramChart": "histogram", "LineChart": "line",
	"RooflineChart": "roofline", "SourceMetricTable": "source"}

func setChartText(t *profile.RuleTable, path []string, field, v string) {
	switch {
	case len(path) == 1 && field == "Label":
		t.Label = v
	case len(path) == 1 && field == "Description":
		t.Description = v
	case len(path) == 2 && len(t.Metrics) > 0 && field == "Name":
		t.Metrics[len(t.Metrics)-1].Name = v
	case len(path) == 2 && len(t.Metrics) > 0 && field == "Label":
		t.Metrics[len(t.Metrics)-1].Label = v
	}
}
