package compare

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/trace"
)

// Subject is what a fact is about.
type Subject string

// The subjects.
const (
	GPU           Subject = "GPU"
	Capability    Subject = "compute capability"
	SMs           Subject = "multiprocessors"
	Partition     Subject = "MIG"
	PowerLimit    Subject = "power limit"
	ECC           Subject = "ECC"
	ClockControl  Subject = "clock control"
	CacheControl  Subject = "cache control"
	ReplayMode    Subject = "replay mode"
	Passes        Subject = "passes"
	Graphs        Subject = "CUDA graph trace"
	Traced        Subject = "what was traced"
	Driver        Subject = "driver"
	CUDA          Subject = "CUDA"
	Tool          Subject = "tool"
	CommandLine   Subject = "command line"
	Directory     Subject = "working directory"
	Host          Subject = "host"
	Processes     Subject = "processes"
	BuildType     Subject = "library build"
	SessionNumber Subject = "session"
)

// reportFacts reads what a report of launches tells.
func reportFacts(run *Run, r *profile.Report, keep []*profile.Action) {
	info := map[string]string{}
	for _, a := range r.Session.Info {
		info[a.Name] = a.Value
	}
	run.know(Host, cmp.Or(info["Target Name"], info["Host Name"]))
	run.know(Driver, info["Display Driver Version"])
	run.know(CUDA, info["CUDA Version"])
	run.know(Tool, cmp.Or(r.Tool, info["Nsight Compute Target"]))
	if run.Began.IsZero() {
		run.Began = parseTime(info["Created"])
	}
	var processes []string
	for _, p := range r.Processes {
		processes = append(processes, strconv.FormatUint(uint64(p.ID), 10)+" "+p.Executable())
		run.know(Host, p.Host)
	}
	run.know(Processes, strings.Join(processes, ", "))
	used := map[int]bool{}
	for _, a := range keep {
		used[a.Device()] = true
	}
	var names []string
	for _, d := range r.Devices {
		if len(used) == 0 || used[d.ID] {
			if d.Name != "" && !slices.Contains(names, d.Name) {
				names = append(names, d.Name)
			}
			for _, at := range d.Attributes {
				switch at.Name {
				case "multiprocessor_count":
					run.know(SMs, attributeText(at.Value))
				case "ecc_enabled":
					run.know(ECC, attributeText(at.Value))
				}
			}
		}
	}
	slices.Sort(names)
	run.know(GPU, strings.Join(names, ", "))
	if len(keep) > 0 {
		if major, minor := keep[0].CC(); major > 0 {
			run.know(Capability, fmt.Sprintf("%d.%d", major, minor))
		}
		for name, what := range map[string]Subject{"device__attribute_display_name": GPU, "device__attribute_multiprocessor_count": SMs, "profiler__replayer_passes": Passes} {
			if m := keep[0].Metric(name); m != nil {
				run.know(what, attributeText(m.Value))
			}
		}
	}
	for _, a := range r.Session.Launch {
		switch a.Name {
		case "Profiler Command Line":
			commandFacts(run, a.Value)
		case "Working Directory":
			run.know(Directory, a.Value)
		}
	}
	if r.Format == "Nsight Compute report" && run.Fact(CommandLine) != "" {
		run.know(ClockControl, "base") // what ncu does unless told otherwise
		run.know(CacheControl, "all")
		run.know(ReplayMode, "kernel")
	}
	for _, a := range keep {
		if a.FreeClock {
			run.know(ClockControl, "none")
		}
	}
	if strings.Contains(strings.ToLower(r.Format), "simulator") {
		run.Coarse = true
	}
}

func attributeText(v metric.Value) string {
	switch {
	case v.Kind() == metric.KindString:
		return v.Text()
	case v.IsInteger():
		return strconv.FormatUint(v.Uint64(), 10)
	case v.Kind() == metric.KindNone:
		return ""
	}
	return strconv.FormatFloat(v.Double(), 'g', -1, 64)
}

// commandFacts reads the settings of ncu's command line that change what is
// measured.
func commandFacts(run *Run, line string) {
	run.know(CommandLine, line)
	words := strings.Fields(line)
	for i, w := range words {
		name, value, given := strings.Cut(w, "=")
		if !given && i+1 < len(words) {
			value = words[i+1]
		}
		switch name {
		case "--clock-control":
			run.know(ClockControl, value)
		case "--cache-control":
			run.know(CacheControl, value)
		case "--replay-mode":
			run.know(ReplayMode, value)
		}
	}
}

// parseTime reads the times that files tell; zero where it cannot.
func parseTime(s string) time.Time {
	for _, layout := range []string{"2006-Jan-02 15:04:05", "2006-01-02T15:04:05.999999999", time.RFC3339Nano, "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t
		}
	}
	return time.Time{}
}

// traceFacts reads what a timeline tells.
func traceFacts(ctx context.Context, run *Run, tr *trace.Trace) error {
	s, err := tr.Session(ctx)
	if err != nil {
		return err
	}
	export := map[string]string{}
	for _, a := range s.Export {
		export[a.Name] = a.Value
	}
	run.Began = parseTime(s.Began)
	run.know(Host, s.Attribute("Hostname"))
	run.know(Driver, s.Attribute("NvDriverVersion"))
	run.know(CUDA, s.Attribute("CudaDriverVersion"))
	run.know(Tool, cmp.Or(tr.Tool, export["EXPORT_PRODUCT_VERSION"]))
	gpus, err := tr.GPUs(ctx)
	if err != nil {
		return err
	}
	var names []string
	for _, name := range gpus {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	run.know(GPU, strings.Join(names, ", "))
	for _, g := range s.GPUs {
		for _, a := range g.Attributes {
			switch a.Name {
			case "smCount":
				run.know(SMs, a.Value)
			case "MigEnabled", "migEnabled":
				run.know(Partition, a.Value)
			}
		}
	}
	if s.HasWindow {
		run.Window.Duration = float64(s.Stop - s.Start)
	}
	if w := export["DERIVED_WINDOW_NS"]; w != "" {
		from, to, ok := strings.Cut(w, "-")
		a, err1 := strconv.ParseFloat(from, 64)
		b, err2 := strconv.ParseFloat(to, 64)
		if ok && err1 == nil && err2 == nil && b > a && !math.IsInf(b-a, 0) {
			run.Window.Duration = b - a
		}
		run.Window.Cut = true
	}
	if err := captureFacts(ctx, run, tr); err != nil {
		return err
	}
	// Two files of one session have one beginning to the nanosecond.
	t, err := tr.Table(ctx, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs")
	if err == nil && t != nil && t.Rows > 0 {
		if ns := t.Ints("utcEpochNs")[0]; ns > 0 {
			run.know(SessionNumber, strings.TrimSpace(strconv.FormatInt(ns, 10)))
			run.Began = time.Unix(0, ns).UTC()
		}
	}
	return err
}

// captureFacts reads META_DATA_CAPTURE, the settings of the capture.
func captureFacts(ctx context.Context, run *Run, tr *trace.Trace) error {
	t, err := tr.Table(ctx, "META_DATA_CAPTURE", "name", "value")
	if err != nil || t == nil {
		return err
	}
	name, value := t.Col("name"), t.Col("value")
	var traced, arguments []string
	for i := range t.Rows {
		k, v := tr.CellText(name, i), tr.CellText(value, i)
		last := k[strings.LastIndexByte(k, ':')+1:]
		switch {
		case last == "CAPTURE_EVENT_TYPE":
			if !slices.Contains(traced, v) {
				traced = append(traced, v)
			}
		case strings.HasSuffix(k, "CUDA_GRAPH_TRACE_OPTIONS:MODE"):
			run.know(Graphs, strings.ToLower(v))
		case strings.HasPrefix(last, "ARGUMENT_"):
			arguments = append(arguments, v)
		case last == "WORKING_DIR":
			run.know(Directory, v)
		case last == "START_TRIGGER" && v != "" && !strings.EqualFold(v, "Immediate"),
			last == "STOP_TRIGGER" && strings.Contains(strings.ToLower(v), "range"):
			run.Window.Cut = true
		case last == "START_DELAY_MS" && v != "" && v != "0":
			run.Window.Cut = true
		}
	}
	slices.Sort(traced)
	run.know(Traced, strings.Join(traced, ", "))
	run.know(CommandLine, strings.Join(arguments, " "))
	return nil
}

// identityOf names the measurement that a run holds, from what its file tells of
// session, host and processes; "" where that is too little.
func identityOf(run *Run) string {
	switch {
	case run.Fact(SessionNumber) != "":
		// A window cut elsewhere from one session is another part of it.
		return hashed("session ", run.Fact(SessionNumber), " ", run.Fact(Host), " ", run.Fact(CommandLine), " ", contentOf(run))
	case run.Kind == Launches && !run.Began.IsZero() && run.Fact(Host) != "" && run.Fact(Processes) != "":
		return hashed("created ", run.Began.Unix(), " ", run.Fact(Host), " ", run.Fact(Processes), " ", contentOf(run))
	case run.Kind == Timeline && len(run.Entities) > 0, run.Kind == Benchmarks && len(run.Entities) > 0 && !run.Coarse:
		// No session is told: all times equal to the last digit are the same ones.
		parts := []any{run.Kind, run.Began.UnixNano()}
		for _, e := range run.Entities {
			each, _ := e.Source.Each(primaryOf(e))
			parts = append(parts, e.exact(), e.Launches, each)
		}
		return hashed(parts...)
	}
	return ""
}

// hashed is a name for a measurement that does not tell of host and processes.
func hashed(parts ...any) string {
	h := sha256.Sum256([]byte(fmt.Sprint(parts...)))
	return hex.EncodeToString(h[:16])
}

// contentOf tells what was measured in a few numbers, so that two parts of one
// session, written to two files, are not taken for the same.
func contentOf(run *Run) string {
	n, total := 0, 0.0
	for _, e := range run.Entities {
		n += e.Launches
		if t := primaryOf(e); t != "" {
			each, _ := e.Source.Each(t)
			for _, v := range each {
				total += v
			}
		}
	}
	return fmt.Sprintf("%d launches %.17g", n, total)
}

// UsualTime is the metric by which the time of an entity is told where runs of any
// length stand beside each other: of timelines that of a step, else of an instance.
// "": it has none.
func (e *Entity) UsualTime() string {
	for _, name := range []string{StepTime, MedianTime} {
		if has(e, name) {
			return name
		}
	}
	return primaryOf(e)
}

// primaryOf is the metric of an entity's time, "" if it has none.
func primaryOf(e *Entity) string {
	for _, name := range timeMetrics {
		if each, _ := e.Source.Each(name); len(each) > 0 {
			return name
		}
	}
	return ""
}
