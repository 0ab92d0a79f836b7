package benchjson

import (
	"regexp"
	"strings"
)

// hasStates reports whether a list of benchmarks is nvbench's.
func (n *node) hasStates() bool {
	for _, b := range n.list() {
		if b.at("states") != nil {
			return true
		}
	}
	return false
}

// older are the names of summaries before tags, with the tags of today.
var older = map[string]string{
	"Number of Samples (Cold)":               "nv/cold/sample_size",
	"Number of Trials (Cold)":                "nv/cold/sample_size",
	"Average CPU Time (Cold)":                "nv/cold/time/cpu/mean",
	"CPU Relative Standard Deviation (Cold)": "nv/cold/time/cpu/stdev/relative",
	"Average GPU Time (Cold)":                gpuMean,
	"GPU Relative Standard Deviation (Cold)": "nv/cold/time/gpu/stdev/relative",
	"Element Throughput":                     "nv/cold/bw/item_rate",
	"Average Global Memory Throughput":       "nv/cold/bw/global/bytes_per_second",
	"Percent Peak Global Memory Throughput":  "nv/cold/bw/global/utilization",
	"Average GPU Time (Batch)":               "nv/batch/time/gpu/mean",
	"Number of Samples (Batch)":              "nv/batch/sample_size",
}

const (
	gpuMean = "nv/cold/time/gpu/mean"
	cpuMean = "nv/cpu_only/time/cpu/mean"
)

func readNVBench(root *node) *File {
	f := &File{Tool: NVBench, Layout: "C"}
	v := root.at("meta").at("version").at("nvbench")
	f.Version = v.at("git_version").str()
	if f.Version == "" {
		f.Version = v.at("string").str()
	}
	var argv []string
	for _, a := range root.at("meta").at("argv").list() {
		argv = append(argv, a.str())
	}
	f.know("command line", strings.Join(argv, " "))
	names := map[int]string{}
	for _, d := range root.at("devices").list() {
		x := Device{ID: d.at("id").whole(), Name: d.at("name").str(), SMs: d.at("number_of_sms").whole(), Capability: d.at("sm_version").whole(), Clock: int64(d.at("sm_default_clock_rate").whole())}
		f.Devices = append(f.Devices, x)
		names[x.ID] = x.Name
	}
	for _, b := range root.at("benchmarks").list() {
		states := b.at("states")
		for i, s := range states.list() {
			r := Result{Name: b.at("name").str()}
			label := s.at("name").str()
			if states.kind == '{' {
				label = states.keys[i]
			}
			if label == "" {
				label = s.at("description").str()
			}
			if d := s.at("device"); d != nil {
				r.Device = names[d.whole()]
			}
			r.Axes = axesOf(s.at("axis_values"))
			if r.Axes == nil {
				if rest := strings.TrimSpace(deviceLabel.ReplaceAllString(label, "")); rest != "" {
					r.Axes = []Axis{{"state", rest}}
				}
			}
			f.summaries(&r, s.at("summaries"))
			if s.at("is_skipped").isTrue() {
				r.Skipped = "skipped: " + s.at("skip_reason").str()
				r.Values, r.Primary = nil, ""
			}
			if !f.add(r) {
				return f
			}
		}
	}
	return f
}

var deviceLabel = regexp.MustCompile(`^Device=\d+ ?`)

// axesOf reads the values of the axes: a list, or an object by name.
func axesOf(n *node) []Axis {
	var out []Axis
	for i, a := range n.list() {
		name := a.at("name").str()
		if n.kind == '{' {
			name = n.keys[i]
		}
		out = append(out, Axis{name, a.at("value").plain()})
	}
	return out
}

// summaries reads the values of a state.
func (f *File) summaries(r *Result, n *node) {
	for i, s := range n.list() {
		name := s.at("name").str()
		tag := s.at("tag").str()
		var value *node
		texts := false
		fields := map[string]*node{}
		switch {
		case n.kind == '{': // objects by name
			name = n.keys[i]
			value = s.at("value").at("value")
			if value == nil {
				value = s.at("value")
			}
			if f.Layout == "C" {
				f.Layout = "B1"
			}
			texts = value != nil && value.kind == 's'
			if texts && f.Layout == "B1" && s.at("value").at("type").str() != "string" {
				f.Layout = "B2"
			}
		case tag == "" && s.at("values") != nil: // lists without tags
			f.Layout = "A"
			value = named(s.at("values"), "value")
		default:
			value = named(s.at("data"), "value")
			for _, d := range s.at("data").list() {
				fields[d.at("name").str()] = d.at("value")
			}
		}
		if tag == "" {
			tag = tagOf(name)
		}
		if file := fields["filename"]; file != nil {
			r.Sidecars = append(r.Sidecars, Sidecar{Tag: tag[strings.IndexByte(tag, ':')+1:], Name: file.str(), Count: fields["size"].whole()})
			continue
		}
		v, ok := value.number()
		if !ok {
			continue
		}
		unit := unitOf(tag)
		if unit == "ns" {
			v *= 1e9
		}
		r.Values = append(r.Values, Value{tag, v, unit})
	}
	for _, p := range []string{gpuMean, cpuMean} {
		if _, ok := r.Value(p); ok && r.Primary == "" {
			r.Primary = p
		}
	}
}

// named is the value of the element of a list with that name.
func named(n *node, name string) *node {
	for _, d := range n.list() {
		if d.at("name").str() == name {
			return d.at("value")
		}
	}
	return nil
}

// tagOf is the tag of a summary of the years before tags.
func tagOf(name string) string {
	if t, ok := older[name]; ok {
		return t
	}
	for prefix, tag := range map[string]string{"Element count": "nv/element_count", "Input Buffer Size": "nv/gmem/reads", "Output Buffer Size": "nv/gmem/writes"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			if column := strings.TrimPrefix(rest, ": "); column != "" {
				return tag + "/" + column
			}
			return tag
		}
	}
	return name
}

// unitOf is the unit of a tag, times as they are kept here. Hints are wrong for
// some, so that the tag alone decides.
func unitOf(tag string) string {
	switch {
	case !strings.HasPrefix(tag, "nv/"):
		return ""
	case strings.HasSuffix(tag, "/relative"), strings.HasSuffix(tag, "/utilization"), strings.HasSuffix(tag, "/scaling/percent"):
		return ""
	case strings.Contains(tag, "/time/"), strings.HasSuffix(tag, "/walltime"):
		return "ns"
	case strings.HasSuffix(tag, "/sm_clock_rate/mean"):
		return "Hz"
	case strings.HasSuffix(tag, "/bytes_per_second"):
		return "byte/second"
	case strings.HasPrefix(tag, "nv/gmem/"):
		return "byte"
	}
	return ""
}
