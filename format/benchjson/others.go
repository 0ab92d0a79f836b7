package benchjson

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// median is the name of the primary value where files keep several.
const median = "median"

func readPytest(root *node) *File {
	f := &File{Tool: PytestBenchmark, Version: root.at("version").str(), Date: root.at("datetime").str(), Host: root.at("machine_info").at("node").str()}
	m := root.at("machine_info")
	f.know("cpu", m.at("cpu").at("brand_raw").str())
	f.know("python", m.at("python_version").str())
	f.know("commit", root.at("commit_info").at("id").str())
	for _, b := range root.at("benchmarks").list() {
		r := Result{Name: b.at("fullname").str()}
		if r.Name == "" {
			r.Name = b.at("name").str()
		}
		s := b.at("stats")
		for _, name := range []string{"median", "mean", "min", "max", "stddev", "iqr"} {
			if v, ok := s.at(name).number(); ok {
				r.Values = append(r.Values, Value{name, v * 1e9, "ns"})
			}
		}
		for _, name := range []string{"rounds", "ops"} {
			if v, ok := s.at(name).number(); ok {
				r.Values = append(r.Values, Value{name, v, ""})
			}
		}
		r.Samples = times(s.at("data"))
		r.choose(median, "mean")
		if !f.add(r) {
			break
		}
	}
	return f
}

// choose sets the primary value: the first of these names that there is.
func (r *Result) choose(names ...string) {
	for _, n := range names {
		if _, ok := r.Value(n); ok {
			r.Primary = n
			return
		}
	}
	r.Skipped = "it has no " + strings.Join(names, " and no ")
}

// times are seconds as ns.
func times(n *node) []float64 {
	var out []float64
	for _, t := range n.list() {
		if v, ok := t.number(); ok && !math.IsNaN(v) {
			out = append(out, v*1e9)
		}
	}
	return out
}

func readHyperfine(root *node) *File {
	f := &File{Tool: Hyperfine}
	for _, b := range root.at("results").list() {
		r := Result{Name: b.at("command").str()}
		p := b.at("parameters")
		for i, v := range p.list() {
			if p.kind == '{' {
				r.Axes = append(r.Axes, Axis{p.keys[i], v.plain()})
			}
		}
		codes := b.at("exit_codes").list()
		failed := 0
		for i, t := range b.at("times").list() {
			v, ok := t.number()
			if i < len(codes) && (codes[i].kind == '0' || codes[i].whole() != 0) {
				failed++
				continue
			}
			if ok && !math.IsNaN(v) {
				r.Samples = append(r.Samples, v*1e9)
			}
		}
		for _, name := range []string{"median", "mean", "min", "max", "stddev", "user", "system"} {
			if v, ok := b.at(name).number(); ok && (failed == 0 || name == "user" || name == "system") {
				r.Values = append(r.Values, Value{name, v * 1e9, "ns"})
			}
		}
		if failed > 0 && len(r.Samples) > 0 { // the file's own numbers count what failed
			s := slices.Clone(r.Samples)
			slices.Sort(s)
			r.Values = append(r.Values, Value{median, (s[(len(s)-1)/2] + s[len(s)/2]) / 2, "ns"})
		}
		if failed > 0 {
			f.Problems = append(f.Problems, fmt.Sprintf("%s: %d of %d times are of commands that failed, and no values", r.Name, failed, len(codes)))
		}
		r.choose(median, "mean")
		if !f.add(r) {
			break
		}
	}
	return f
}

// readCriterion reads one of the files that Criterion keeps for a benchmark;
// each knows a part: benchmark.json the name, estimates.json the estimates,
// sample.json the samples. nil if it is none of them.
func readCriterion(root *node, name string) *File {
	f := &File{Tool: Criterion}
	r := Result{Name: strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".json")}
	lower := func(names ...string) *node {
		for _, n := range names {
			if x := root.at(n); x != nil {
				return x
			}
		}
		return nil
	}
	switch {
	case lower("median", "Median").at("point_estimate") != nil:
		for _, n := range [][3]string{{"median", "Median"}, {"mean", "Mean"}, {"slope", "Slope"}, {"std_dev", "StdDev"}, {"median_abs_dev", "MedianAbsDev"}} {
			if v, ok := lower(n[0], n[1]).at("point_estimate").number(); ok {
				r.Values = append(r.Values, Value{n[0], v, "ns"})
			}
		}
		r.choose(median)
	case root.at("full_id") != nil:
		r.Name = root.at("full_id").str()
		r.Skipped = "this file has the name alone; the times are in estimates.json and sample.json"
	case lower("iters") != nil && lower("times") != nil:
		r.Samples = perIteration(root.at("iters").list(), root.at("times").list())
		r.fromSamples()
	case root.kind == '[' && len(root.items) == 2 && root.items[0].kind == '[':
		r.Samples = perIteration(root.items[0].list(), root.items[1].list())
		r.fromSamples()
	case root.kind == '[' && len(root.items) == 4 && root.items[0].kind == 'n':
		r.Skipped = "this file has the fences for outliers alone; the times are in estimates.json and sample.json"
	default:
		return nil
	}
	f.add(r)
	return f
}

func perIteration(iters, totals []*node) []float64 {
	var out []float64
	for i := range min(len(iters), len(totals)) {
		n, ok1 := iters[i].number()
		t, ok2 := totals[i].number()
		if ok1 && ok2 && n > 0 && !math.IsNaN(t) {
			out = append(out, t/n)
		}
	}
	return out
}

// fromSamples makes the median of the samples the value.
func (r *Result) fromSamples() {
	if len(r.Samples) == 0 {
		r.Skipped = "it has no samples"
		return
	}
	s := slices.Clone(r.Samples)
	slices.Sort(s)
	r.Values = append(r.Values, Value{median, (s[(len(s)-1)/2] + s[len(s)/2]) / 2, "ns"})
	r.Primary = median
}

var criterionHead = []byte("group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count")

func isCriterionCSV(b []byte) bool { return bytes.HasPrefix(b, criterionHead) }

// readCriterionCSV reads raw.csv: a line a sample.
func readCriterionCSV(b []byte, name string) (*File, error) {
	f := &File{Tool: Criterion}
	c := csv.NewReader(bytes.NewReader(b))
	c.FieldsPerRecord = -1
	at := map[string]int{}
	for line := 1; ; line++ {
		rec, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			f.Problems = append(f.Problems, fmt.Sprintf("%v", err))
			break
		}
		if line == 1 || len(rec) < 8 {
			continue
		}
		var parts []string
		for _, p := range rec[:3] {
			if p != "" {
				parts = append(parts, p)
			}
		}
		key := strings.Join(parts, "/")
		i, ok := at[key]
		if !ok {
			if !f.add(Result{Name: key}) {
				break
			}
			i = len(f.Results) - 1
			at[key] = i
		}
		total, ok1 := parseNumber(rec[5])
		n, ok2 := parseNumber(rec[7])
		if factor := units[rec[6]]; ok1 && ok2 && n > 0 && factor > 0 {
			f.Results[i].Samples = append(f.Results[i].Samples, total*factor/n)
		}
	}
	for i := range f.Results {
		f.Results[i].fromSamples()
	}
	return f, nil
}

// isTriton reports whether a table looks like one of perf_report: a name, then
// names of providers, and numbers alone below.
func isTriton(b []byte) bool {
	lines := strings.SplitN(string(b[:min(len(b), 4096)]), "\n", 3)
	if len(lines) < 2 {
		return false
	}
	head, row := strings.Split(strings.TrimSpace(lines[0]), ","), strings.Split(strings.TrimSpace(lines[1]), ",")
	if len(head) < 2 || len(head) != len(row) || len(head) > 64 {
		return false
	}
	for i := range head {
		if _, ok := parseNumber(row[i]); !ok && row[i] != "" {
			return false
		}
		if _, ok := parseNumber(head[i]); ok || head[i] == "" || strings.ContainsAny(head[i], `"<>`) {
			return false
		}
	}
	return true
}

// readTriton reads a table of perf_report. The unit is not in the file, nor
// whether more is better.
func readTriton(b []byte, name string) (*File, error) {
	if !isTriton(b) {
		return nil, fmt.Errorf("%s: %w: expected a line of names and lines of numbers", name, ErrFormat)
	}
	f := &File{Tool: Triton}
	c := csv.NewReader(bytes.NewReader(b))
	c.FieldsPerRecord = -1
	var head []string
	for {
		rec, err := c.Read()
		if err == io.EOF {
			return f, nil
		}
		if err != nil {
			f.Problems = append(f.Problems, err.Error())
			return f, nil
		}
		if head == nil {
			head = rec
			continue
		}
		for i := 1; i < min(len(rec), len(head)); i++ {
			v, ok := parseNumber(rec[i])
			r := Result{Name: head[i], Axes: []Axis{{head[0], rec[0]}}}
			if ok && !math.IsNaN(v) {
				r.Values, r.Primary = []Value{{"value", v, ""}}, "value"
			} else {
				r.Skipped = "no value"
			}
			if !f.add(r) {
				return f, nil
			}
		}
	}
}
