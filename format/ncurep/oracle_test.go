package ncurep

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// dict is a JSON object of the second decoder's dump.
type dict = map[string]any

// TestSecondDecoder compares everything that an independent decoder of the same
// reports found: session, results, metrics, instances, sections, rules, NVTX
// states, call stacks and sources.
func TestSecondDecoder(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "oracle", "ncu")
	for _, name := range corpusFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			want := readDump(t, filepath.Join(dir, filepath.Base(name)+".json.gz"))
			f, err := OpenFile(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var got any
			b, err := json.Marshal(dumpFile(t, f))
			if err != nil {
				t.Fatal(err)
			}
			decodeNumbers(t, bytes.NewReader(b), &got)
			n := 0
			compareTrees(t, "", got, want, &n)
			if n < 200 {
				t.Errorf("only %d values compared", n)
			}
		})
	}
}

func readDump(t *testing.T, name string) any {
	r, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	z, err := gzip.NewReader(r)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	decodeNumbers(t, z, &v)
	return v
}

func decodeNumbers(t *testing.T, r io.Reader, v *any) {
	t.Helper()
	d := json.NewDecoder(r)
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatal(err)
	}
}

// compareTrees reports where got departs from want; every key of either must
// be in both.
func compareTrees(t *testing.T, path string, got, want any, n *int) {
	if t.Failed() && *n < 0 {
		return
	}
	switch w := want.(type) {
	case dict:
		g, ok := got.(dict)
		if !ok {
			t.Errorf("%s: got %v, want an object", path, got)
			return
		}
		for k := range g {
			if _, ok := w[k]; !ok {
				t.Errorf("%s.%s: got %v, want nothing", path, k, g[k])
			}
		}
		for k, wv := range w {
			compareTrees(t, path+"."+k, g[k], wv, n)
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			t.Errorf("%s: got %v, want %d elements", path, got, len(w))
			return
		}
		for i := range w {
			compareTrees(t, fmt.Sprintf("%s[%d]", path, i), g[i], w[i], n)
		}
	default:
		*n++
		if !sameScalar(got, want) {
			t.Errorf("%s: got %v (%T), want %v (%T)", path, got, got, want, want)
		}
	}
}

func sameScalar(got, want any) bool {
	g, ok1 := got.(json.Number)
	w, ok2 := want.(json.Number)
	if !ok1 || !ok2 {
		return got == want
	}
	if g == w {
		return true
	}
	_, err1 := strconv.ParseUint(string(g), 10, 64)
	_, err2 := strconv.ParseUint(string(w), 10, 64)
	a, _ := g.Float64()
	b, _ := w.Float64()
	return a == b && (err1 != nil || err2 != nil)
}

func dumpFile(t *testing.T, f *File) dict {
	results := []any{}
	for _, r := range f.Results {
		results = append(results, dumpResult(t, r))
	}
	sources := []any{}
	for _, s := range f.Sources {
		for i := range s.Entries {
			sources = append(sources, dumpSource(t, s, &s.Entries[i]))
		}
	}
	return dict{
		"file": filepath.Base(f.Name), "report_version": f.Header.Version, "blocks": len(f.Blocks), "strings": len(f.Strings),
		"session": dumpSession(f), "results": results, "sources": sources,
	}
}

func dumpSession(f *File) dict {
	s := f.Session
	d := dict{}
	set(d, "CreationTime", s.CreationTime)
	set(d, "command_line", s.CommandLine)
	for name, m := range map[string]*SystemInfo{"HostSystemInfo": s.Host, "TargetSystemInfo": s.Target} {
		if m == nil {
			continue
		}
		x := dict{}
		set(x, "OSName", m.OSName)
		set(x, "Build", m.Build)
		set(x, "Processor", m.Processor)
		set(x, "Architecture", m.Architecture)
		set(x, "ComputerName", m.ComputerName)
		set(x, "Platform", m.Platform)
		d[name] = x
	}
	if s.Properties != nil {
		d["DeviceProperties"] = dict{}
	}
	var devices, versions []any
	for _, v := range s.Devices {
		devices = append(devices, dict{"id": v.ID, "name": v.Name.Value, "attrs": len(v.Attributes)})
	}
	for _, v := range s.Versions {
		versions = append(versions, dict{"Provider": v.Provider, "Version": v.Version})
	}
	d["devices"] = devices
	if versions != nil {
		d["VersionInfo"] = versions
	}
	for _, b := range f.Blocks {
		if p := b.Header.Process; p != nil {
			x := dict{"ProcessID": p.ID}
			set(x, "Hostname", p.Hostname)
			set(x, "ProcessName", p.Name)
			d["process"] = x
		}
	}
	dumpSettings(d, s)
	return d
}

func dumpSettings(d dict, s *Session) {
	if m := s.Executable; m != nil {
		x := dict{"ExecutablePath": m.Path}
		set(x, "WorkDirectory", m.WorkDirectory)
		set(x, "CmdlineAgruments", m.Arguments)
		set(x, "Environment", m.Environment)
		d["ExecutableSettings"] = x
	}
	m := s.Settings
	if m == nil {
		return
	}
	x := dict{}
	setBool(x, "EnableNvtx", m.EnableNvtx)
	setBool(x, "DisableProfilingStartStop", m.DisableProfilingStartStop)
	setBool(x, "EnableProfilingFromStart", m.EnableProfilingFromStart)
	set(x, "ActivityType", m.ActivityType)
	set(x, "EnabledSections", m.EnabledSections)
	set(x, "ClockControlMode", m.ClockControlMode)
	if o := m.Filter; o != nil {
		y := dict{}
		set(y, "KernelRegex", o.KernelRegex)
		set(y, "KernelRegexBase", o.KernelRegexBase)
		set(y, "KernelId", o.KernelID)
		set(y, "SkipCount", o.SkipCount)
		set(y, "SkipBeforeMatchCount", o.SkipBeforeMatchCount)
		set(y, "CaptureCount", o.CaptureCount)
		x["FilterOptions"] = y
	}
	if o := m.Other; o != nil {
		y := dict{}
		setBool(y, "ApplyRules", o.ApplyRules)
		set(y, "Metrics", o.Metrics)
		x["OtherOptions"] = y
	}
	if o := m.Sampling; o != nil {
		y := dict{}
		setBool(y, "IntervalAuto", o.IntervalAuto)
		set(y, "Interval", o.Interval)
		set(y, "MaxPasses", o.MaxPasses)
		set(y, "BufferSize", o.BufferSize)
		x["SamplingOptions"] = y
	}
	d["ProfilerSettings"] = x
}

func set[T any](d dict, key string, o Opt[T]) {
	if o.Set {
		d[key] = o.Value
	}
}

func setBool(d dict, key string, o Opt[bool]) {
	if o.Set {
		d[key] = map[bool]int{false: 0, true: 1}[o.Value]
	}
}

// orNull is how the dump shows an absent field.
func orNull[T any](o Opt[T]) any {
	if o.Set {
		return o.Value
	}
	return nil
}

func dumpXYZ(u *Uint64x3) any {
	if u == nil {
		return nil
	}
	d := dict{}
	set(d, "X", u.X)
	set(d, "Y", u.Y)
	set(d, "Z", u.Z)
	return d
}

func dumpValue(v Value) any {
	switch v.Kind() {
	case KindNone:
		return nil
	case KindString:
		return v.String()
	case KindUint32, KindUint64:
		u, _ := v.Uint64()
		return u
	}
	f, _ := v.Float64()
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return fmt.Sprint(f)
	}
	return f
}

func dumpResult(t *testing.T, r *Result) dict {
	d := dict{
		"kernel": r.FunctionName, "mangled": r.MangledName, "demangled": r.DemangledName,
		"grid": dumpXYZ(r.Grid), "block": dumpXYZ(r.Block),
		"context": orNull(r.ContextID), "stream": orNull(r.StreamID), "api_call_id": r.APICallID, "source_ref": nil,
	}
	if ref, ok := r.sourceRef(); ok {
		d["source_ref"] = ref
	}
	d["metrics"], d["instances"] = dumpMetrics(t, r)
	d["sections"] = dumpSections(t, r)
	d["rules"] = dumpRules(t, r)
	nvtx, err := r.Nvtx()
	check(t, err)
	d["nvtx"] = dumpNvtx(nvtx)
	stack, err := r.CallStack()
	check(t, err)
	frames := []any{}
	if stack != nil {
		for _, f := range stack.Frames {
			frames = append(frames, []any{f.Module.Value, f.Function.Value})
		}
	}
	d["cpu_frames"] = frames
	return d
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// dumpMetrics keeps the last of several entries with one name, as the dump does.
func dumpMetrics(t *testing.T, r *Result) (values, instances dict) {
	ms, err := r.Metrics()
	check(t, err)
	values, instances = dict{}, dict{}
	for i := range ms.All {
		m := &ms.All[i]
		values[m.Name] = dumpValue(m.Value)
		in, err := m.Instances()
		check(t, err)
		if n := in.Len(); n > 0 {
			at := func(i int) []any {
				id, v := in.At(i)
				return []any{dumpValue(id), dumpValue(v)}
			}
			instances[m.Name] = dict{"n": n, "first": at(0), "last": at(n - 1)}
		}
	}
	return values, instances
}

func dumpSections(t *testing.T, r *Result) []any {
	list := []any{}
	sections, err := r.Sections()
	check(t, err)
	for _, s := range sections {
		header := []any{}
		if s.Header != nil {
			for _, m := range s.Header.Metrics {
				header = append(header, []any{m.Name, orNull(m.Label)})
			}
		}
		list = append(list, dict{"id": s.Identifier, "name": s.DisplayName, "order": orNull(s.Order), "header": header})
	}
	return list
}

func dumpSource(t *testing.T, s *Source, e *SourceEntry) dict {
	functions, files := []any{}, []any{}
	if e.Functions != nil {
		for _, fn := range e.Functions.Functions {
			x := dict{"MangledName": fn.MangledName, "Address": fn.Address}
			set(x, "Index", fn.Index)
			functions = append(functions, x)
		}
	}
	list, err := e.Files()
	check(t, err)
	for _, f := range list {
		files = append(files, f.Path)
	}
	return dict{
		"ref": e.Reference.Value, "cubin": e.binarySize(), "sass_level": orNull(e.SassLevel), "sm_revision": orNull(e.SMRevision),
		"functions": functions, "files": files,
	}
}
