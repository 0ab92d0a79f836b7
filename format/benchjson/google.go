package benchjson

import (
	"fmt"
	"strings"
)

// units are the units of times, as factors to ns.
var units = map[string]float64{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}

// notCounters are the members of a row that are no counters of the program.
var notCounters = map[string]bool{
	"name": true, "run_name": true, "family_index": true, "per_family_instance_index": true, "run_type": true, "repetitions": true,
	"repetition_index": true, "threads": true, "iterations": true, "aggregate_name": true, "aggregate_unit": true, "real_time": true,
	"cpu_time": true, "time_unit": true, "error_occurred": true, "error_message": true, "skipped": true, "skip_message": true,
	"label": true, "cpu_coefficient": true, "real_coefficient": true, "big_o": true, "rms": true,
}

func readGoogle(root *node) *File {
	f := &File{Tool: GoogleBenchmark}
	c := root.at("context")
	f.Date, f.Host, f.Version = c.at("date").str(), c.at("host_name").str(), c.at("library_version").str()
	if c != nil && c.kind == '{' {
		for i, k := range c.keys {
			if k != "date" && k != "host_name" && k != "library_version" {
				f.know(k, c.items[i].plain())
			}
		}
	}
	var rows []*googleRow
	seen := map[string]bool{} // plain names, that aggregates of old files follow
	iterated := map[string]bool{}
	for _, b := range root.at("benchmarks").list() {
		r := &googleRow{n: b, name: b.at("name").str(), run: b.at("run_name").str(), aggregate: b.at("aggregate_name").str()}
		switch b.at("run_type").str() {
		case "aggregate":
			if r.aggregate == "" {
				r.aggregate = "of no name"
			}
		case "iteration":
			r.aggregate = ""
		default: // before 1.5
			r.guess(seen)
		}
		if r.run == "" {
			r.run = r.name
		}
		seen[r.name] = true
		if r.aggregate == "" {
			iterated[r.run] = true
		}
		rows = append(rows, r)
	}
	best := map[string]string{} // aggregate that stands for a run without iterations
	for _, r := range rows {
		if a := r.aggregate; !iterated[r.run] && (a == "median" || a == "mean" && best[r.run] != "median") {
			best[r.run] = a
		}
	}
	lost := map[string]bool{}
	repetition := map[string]int{}
	for _, r := range rows {
		if r.aggregate != "" && r.aggregate != best[r.run] {
			lost[r.run] = !iterated[r.run] && best[r.run] == ""
			continue
		}
		x := r.result()
		x.Repetition = repetition[r.run]
		repetition[r.run]++
		if !f.add(x) {
			break
		}
	}
	for _, r := range rows {
		if lost[r.run] {
			lost[r.run] = false
			f.Problems = append(f.Problems, fmt.Sprintf("%s: only aggregates that are neither a median nor a mean, so no value", r.run))
		}
	}
	return f
}

type googleRow struct {
	n                    *node
	name, run, aggregate string
}

// guess tells aggregates of files that do not say by their names.
func (r *googleRow) guess(seen map[string]bool) {
	for _, a := range []string{"mean", "median", "stddev", "cv", "BigO", "RMS"} {
		if base, ok := strings.CutSuffix(r.name, "_"+a); ok && (seen[base] || a == "BigO" || a == "RMS") {
			r.aggregate, r.run = a, base
			return
		}
	}
}

func (r *googleRow) result() Result {
	x := Result{Name: r.run}
	b := r.n
	switch {
	case b.at("error_occurred").isTrue():
		x.Skipped = "error: " + b.at("error_message").str()
		return x
	case b.at("skipped").isTrue():
		x.Skipped = "skipped: " + b.at("skip_message").str()
		return x
	}
	unit := b.at("time_unit").str()
	if unit == "" {
		unit = "ns"
	}
	factor, ok := units[unit]
	if !ok {
		x.Skipped = fmt.Sprintf("time unit %q is not known", unit)
		return x
	}
	for _, name := range []string{"real_time", "cpu_time"} {
		if v, ok := b.at(name).number(); ok {
			x.Values = append(x.Values, Value{name, v * factor, "ns"})
			if name == "real_time" {
				x.Primary = name
			}
		}
	}
	if x.Primary == "" {
		x.Skipped = "it has no real_time"
	}
	for i, k := range b.keys {
		if notCounters[k] || b.items[i].kind != 'n' && b.items[i].kind != 's' {
			continue
		}
		v, ok := b.items[i].number()
		if !ok {
			continue
		}
		unit := ""
		if k == "bytes_per_second" {
			unit = "byte/second"
		}
		x.Values = append(x.Values, Value{k, v, unit})
	}
	return x
}
