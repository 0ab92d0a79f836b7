package benchjson

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"
)

// Tool is the program that wrote a file.
type Tool string

// The tools.
const (
	NVBench         Tool = "nvbench"
	GoogleBenchmark Tool = "Google Benchmark"
	PytestBenchmark Tool = "pytest-benchmark"
	Hyperfine       Tool = "hyperfine"
	Criterion       Tool = "Criterion"
	Triton          Tool = "Triton"
)

// A File is what one run of a benchmark program left.
type File struct {
	Tool     Tool
	Layout   string // of nvbench: A, B1, B2 or C; else ""
	Version  string // of the tool, "" if the file does not say
	Date     string // as written
	Host     string
	Context  []Attribute // what else is known of the machine, in the order of the file
	Devices  []Device    // GPUs, used or not
	Results  []Result
	Problems []string // what could not be read; all else is sound
}

// An Attribute is a named text.
type Attribute struct{ Name, Value string }

// A Device is a GPU.
type Device struct {
	ID         int
	Name       string
	SMs        int
	Capability int   // 860 for 8.6; 0: not known
	Clock      int64 // default clock of the multiprocessors, Hz; 0: not known
}

// A Result is one measurement. Results with equal keys are repetitions within
// one run of the program.
type Result struct {
	Name       string
	Device     string // name of the GPU, "" if it has none or the file does not say
	Axes       []Axis // parameters, in the order of the file
	Values     []Value
	Primary    string    // name of the value to compare, "" if there is none
	Samples    []float64 // ns, of the primary value; nil if the file has none
	Sidecars   []Sidecar
	Repetition int    // from 0
	Skipped    string // why there is no value; "" if there is one
}

// An Axis is a parameter of a benchmark and its value.
type Axis struct{ Name, Value string }

// A Value is a number that was measured, under the name that the tool gives it.
type Value struct {
	Name string
	V    float64
	Unit string // "ns", "Hz", "byte/second", "%"; "" for counts and what has none or is not known
}

// A Sidecar is a file of samples beside the file.
type Sidecar struct {
	Tag   string // of what
	Name  string // path as written, relative to where the program ran or to the file
	Count int    // of float32 numbers
}

// Key names what was measured, the same in every run of the program.
func (r *Result) Key() string {
	var b strings.Builder
	b.WriteString(r.Name)
	for _, a := range r.Axes {
		b.WriteString(" " + a.Name + "=" + a.Value)
	}
	if r.Device != "" {
		b.WriteString(" [" + r.Device + "]")
	}
	return b.String()
}

// Value returns a value by name.
func (r *Result) Value(name string) (v Value, ok bool) {
	for _, x := range r.Values {
		if x.Name == name {
			return x, true
		}
	}
	return Value{}, false
}

// Limits of what is read.
const (
	maxBytes   = 512 << 20
	maxDepth   = 64
	maxNodes   = 20_000_000
	maxResults = 1_000_000
)

// ErrFormat is matched by the errors for files that no tool known here wrote.
var ErrFormat = errors.New("no result file of a benchmark program")

// An Error tells where a file is broken.
type Error struct {
	Name   string
	Offset int64
	What   string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: at byte %d: %s", e.Name, e.Offset, e.What) }

// Sniff reports whether a file that begins so and bears that name may be one of
// a benchmark program. Compressed files are sniffed by what they hold.
func Sniff(head []byte, name string) bool {
	head = unzipHead(head)
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	t := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if strings.HasSuffix(name, ".csv") {
		return isTriton(head) || isCriterionCSV(head)
	}
	if len(t) == 0 || t[0] != '{' || bytes.Contains(head, []byte(`"ph"`)) || bytes.Contains(head, []byte(`"traceEvents"`)) {
		return false
	}
	has := func(words ...string) bool {
		for _, w := range words {
			if !bytes.Contains(head, []byte(`"`+w+`"`)) {
				return false
			}
		}
		return true
	}
	switch {
	case has("benchmarks", "states"), has("devices", "sm_version"), has("meta", "nvbench"): // nvbench
	case has("context", "benchmarks"), has("context", "num_cpus"), has("benchmarks", "run_type"):
	case has("machine_info") && (has("benchmarks") || has("commit_info") || has("python_version")):
	case has("results", "command", "mean"):
	case has("point_estimate"), has("full_id", "group_id"), bytes.Contains(head, []byte(`"iters":[`)):
	default:
		return false
	}
	return true
}

// unzipHead is the beginning of what a gzip file holds, or b itself.
func unzipHead(b []byte) []byte {
	if !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		return b
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return b
	}
	out, _ := io.ReadAll(io.LimitReader(z, 64<<10))
	return out
}

// Read reads a file of results. name tells its extension and stands in errors.
func Read(r io.Reader, name string) (*File, error) {
	b, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".csv") {
		if isCriterionCSV(b) {
			return readCriterionCSV(b, name)
		}
		return readTriton(b, name)
	}
	root, cut, err := parse(b, name)
	if err != nil {
		return nil, err
	}
	f, err := readTree(root, name)
	if err != nil {
		return nil, err
	}
	if cut {
		f.Problems = append(f.Problems, fmt.Sprintf("the file is cut off after %d results", len(f.Results)))
	}
	return f, nil
}

func readAll(r io.Reader, name string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err == nil && bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			b, err = io.ReadAll(io.LimitReader(z, maxBytes+1))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(b) > maxBytes {
		return nil, &Error{name, maxBytes, fmt.Sprintf("more than %d bytes of results", maxBytes)}
	}
	return b, nil
}

func readTree(root *node, name string) (*File, error) {
	bench := root.at("benchmarks")
	switch {
	case root.at("machine_info") != nil && bench != nil:
		return readPytest(root), nil
	case bench != nil && (root.at("context") != nil || bench.first().at("run_type") != nil || bench.first().at("real_time") != nil):
		return readGoogle(root), nil
	case bench != nil && (root.at("devices") != nil || bench.hasStates()):
		return readNVBench(root), nil
	case root.at("results") != nil && root.at("results").first().at("command") != nil:
		return readHyperfine(root), nil
	}
	if f := readCriterion(root, path.Base(name)); f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("%s: %w: expected benchmarks, results or estimates at the top", name, ErrFormat)
}

// add appends a result and reports whether there was room.
func (f *File) add(r Result) bool {
	if len(f.Results) >= maxResults {
		if len(f.Problems) == 0 || f.Problems[len(f.Problems)-1] != tooMany {
			f.Problems = append(f.Problems, tooMany)
		}
		return false
	}
	f.Results = append(f.Results, r)
	return true
}

var tooMany = fmt.Sprintf("only the first %d results are read", maxResults)

func (f *File) know(name, value string) {
	if value != "" {
		f.Context = append(f.Context, Attribute{name, value})
	}
}

// parseNumber reads a number as JSON or C++ write it, words for what is none.
func parseNumber(s string) (float64, bool) {
	switch strings.ToLower(strings.TrimPrefix(s, "+")) {
	case "nan", "-nan":
		return math.NaN(), true
	case "inf", "infinity":
		return math.Inf(1), true
	case "-inf", "-infinity":
		return math.Inf(-1), true
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return v, true
}
