package annotate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/nvtxt"
)

// testdata/nsys holds small files and what the importer of Nsight Systems
// 2023.4.4 makes of them: whether it accepts them, its messages, and the
// events, names and session of the report it writes.

type vectorEvent struct {
	Type   string
	Event  nvtxt.EventType `json:"eventType"`
	Start  int64
	End    *int64
	Open   bool
	Text   string
	Length *int `json:"textLen"`
	Pid    uint32
	Tid    uint32
	Hw, Vm uint8
	Color  string
}

type vectorName struct {
	Pid, Tid uint32
	Name     string
}

type vector struct {
	Cmd       string
	Into      string
	Args      []string
	Exit      int
	Messages  []string
	Report    bool
	Session   *Window
	Events    []vectorEvent
	Threads   []vectorName
	Processes []vectorName
	Files     []struct {
		Name string
		Pids []uint32
	}
}

func readVector(t *testing.T, path string) (v vector) {
	t.Helper()
	b, err := os.ReadFile(strings.TrimSuffix(path, ".nvtxt") + ".expect.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// vectorOptions reads the importer's command line.
func vectorOptions(args []string) (opt LoadOptions, target Target, err error) {
	opt.Dialect = nvtxt.Nsys
	for i := 0; i < len(args); i++ {
		if args[i] == "--update_report_time" {
			opt.Widen = true
			continue
		}
		name, arg := args[i], args[i+1]
		i++
		n, _ := strconv.ParseInt(arg, 10, 64)
		switch name {
		case "--mode":
			if opt.Mode.Kind, err = ParseModeKind(arg); err != nil {
				return
			}
		case "--target":
			if target, err = ParseTarget(arg, nvtxt.Nsys); err != nil {
				return
			}
		case "--ns_a":
			opt.Mode.NsA = &n
		case "--ns_b":
			opt.Mode.NsB = &n
		case "--nvtxt_a":
			opt.Mode.NvtxtA = &n
		case "--nvtxt_b":
			opt.Mode.NvtxtB = &n
		case "--freq":
			opt.Mode.Freq, _ = strconv.ParseFloat(arg, 64)
		default:
			return opt, target, fmt.Errorf("unknown option %s", name)
		}
	}
	return opt, target, opt.Mode.Validate()
}

// vectorEvents puts events into the form of the vectors, in their order.
func vectorEvents(f *File, t Target) []vectorEvent {
	var out []vectorEvent
	for _, e := range f.Events.All() {
		ve := vectorEvent{Event: e.Type, Start: e.Start, Text: e.Text, Pid: e.Process, Tid: e.Thread,
			Hw: t.Hw, Vm: t.Vm, Open: e.Open, Color: fmt.Sprintf("#%08X", e.Color)}
		ve.Type = map[nvtxt.EventType]string{nvtxt.TypeMarker: "marker", nvtxt.TypePushPopRange: "pushpop", nvtxt.TypeStartEndRange: "startend"}[e.Type]
		if e.Type != nvtxt.TypeMarker && !e.Open {
			ve.End = &e.End
		}
		if e.Open && e.End != math.MaxInt64 {
			ve.Text += " (an open range must end with the largest int64)"
		}
		out = append(out, ve)
	}
	return out
}

func sortEvents(es []vectorEvent) {
	slices.SortFunc(es, func(a, b vectorEvent) int {
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		return bytes.Compare(x, y)
	})
}

// expectGarbage names the vectors in which the importer crashes or writes
// garbage: ours says what is wrong instead.
var expectGarbage = map[string]string{
	"175-name-osthread-one-arg": "crashes",
	"205-mode-lerp-one-event":   "mode lerp: all times of the file are 1000",
}

func TestNsysVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/nsys/*.nvtxt")
	if err != nil || len(files) != 173 {
		t.Fatalf("found %d vectors, want 173 (%v)", len(files), err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".nvtxt"), func(t *testing.T) { testVector(t, path) })
	}
}

func testVector(t *testing.T, path string) {
	v := readVector(t, path)
	opt, target, err := vectorOptions(v.Args)
	if err != nil {
		if v.Exit == 0 || !strings.HasPrefix(v.Messages[0], "Error! ") {
			t.Fatalf("options refused: %v", err)
		}
		return
	}
	var base *File
	if v.Cmd == "merge" {
		if base, err = LoadFile(context.Background(), filepath.Join(filepath.Dir(path), v.Into), LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}}); err != nil {
			t.Fatal(err)
		}
		opt.Session = &base.Session
	}
	f, err := LoadFile(context.Background(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	if want, ok := expectGarbage[filepath.Base(strings.TrimSuffix(path, ".nvtxt"))]; ok {
		if err := f.Diagnostics.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want one with %q", err, want)
		}
		return
	}
	if failed := f.Diagnostics.Failed(false); failed != (v.Exit != 0) {
		t.Fatalf("the importer exits with %d %v, ours says %v", v.Exit, v.Messages, f.Diagnostics.Err())
	}
	if v.Exit != 0 {
		compareError(t, f, v.Messages)
		return
	}
	if report := f.Imported > 0; report != v.Report {
		t.Errorf("report: got %v, want %v", report, v.Report)
	}
	if n := fmt.Sprintf("%d events imported", f.Imported); !slices.Contains(v.Messages, n) {
		t.Errorf("%s, want %v", n, v.Messages)
	}
	if f.Outside > 0 && !slices.Contains(v.Messages, fmt.Sprintf("%d events skipped because outside the profiling session window", f.Outside)) {
		t.Errorf("%d outside, want %v", f.Outside, v.Messages)
	}
	if v.Report {
		compareReport(t, f, base, target, &v)
	}
}

var (
	lineNumber = regexp.MustCompile(`Parsing error at line (\d+): (\(\w+\))?`)
	tags       = map[string]nvtxt.Class{"(Lexing)": nvtxt.Lexing, "(Parsing)": nvtxt.Parsing, "": nvtxt.Loading}
)

// compareError compares line and class of the error that ends the file.
func compareError(t *testing.T, f *File, messages []string) {
	t.Helper()
	if n := f.Diagnostics.Count(nvtxt.Error); n != 1 {
		t.Errorf("%d errors, want 1", n)
	}
	if f.Events.Len() > 0 {
		t.Errorf("%d events beside an error", f.Events.Len())
	}
	d := f.Diagnostics.Messages()[0]
	for _, m := range messages {
		if g := lineNumber.FindStringSubmatch(m); g != nil {
			if strconv.Itoa(d.Line) != g[1] {
				t.Errorf("error on line %d (%v), want %s", d.Line, &d, m)
			}
			if d.Class != tags[g[2]] {
				t.Errorf("error of class %v (%v), want %s", d.Class, &d, m)
			}
			return
		}
	}
	if d.Line == 0 {
		t.Errorf("%v names no line", &d)
	}
}

func compareReport(t *testing.T, f, base *File, target Target, v *vector) {
	t.Helper()
	got := vectorEvents(f, target)
	if base != nil {
		for _, e := range vectorEvents(base, Target{}) {
			if e.Open { // a later report closes them where the first ends
				e.Open, e.End = false, &base.Session.End
			}
			got = append(got, e)
		}
	}
	for i := range v.Events {
		if v.Events[i].Length != nil {
			t.Fatal("cut text")
		}
	}
	if len(got)+len(v.Events) == 0 {
		got, v.Events = nil, nil
	}
	sortEvents(got)
	sortEvents(v.Events)
	if d := cmp.Diff(v.Events, got, cmp.Transformer("end", func(p *int64) string {
		if p == nil {
			return "none"
		}
		return strconv.FormatInt(*p, 10)
	})); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
	if f.Session != *v.Session {
		t.Errorf("session %v, want %v", f.Session, *v.Session)
	}
	var threads, processes []vectorName
	for _, n := range slices.Backward(f.Threads) { // the newest first
		threads = append(threads, vectorName{n.Process, n.Thread, n.Name})
	}
	for _, n := range slices.Backward(f.Processes) {
		processes = append(processes, vectorName{Pid: n.Process, Name: n.Name})
	}
	if !slices.Equal(threads, v.Threads) || !slices.Equal(processes, v.Processes) {
		t.Errorf("names %v %v, want %v %v", threads, processes, v.Threads, v.Processes)
	}
	file := v.Files[len(v.Files)-1]
	slices.Sort(file.Pids)
	if name := strings.Replace(f.DisplayName, f.Path, "FILE", 1); name != file.Name || !slices.Equal(f.IDs, file.Pids) {
		t.Errorf("file %q %v, want %q %v", name, f.IDs, file.Name, file.Pids)
	}
}
