package load

import (
	"fmt"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/cufilt"
	"github.com/gpuprof/gpuprof/profile/metric"
)

func isNcuReport(head []byte, _ string) bool { return ncurep.Sniff(head) }

// ncuReport is what an Nsight Compute report knows beyond the model.
type ncuReport struct {
	file    *ncurep.File
	results map[*profile.Action]*ncurep.Result
	codes   ncuCodes
}

func openNcuReport(f *File) error {
	file, err := openNcuFile(f)
	if err != nil {
		return err
	}
	n := &ncuReport{file: file, results: make(map[*profile.Action]*ncurep.Result, len(file.Results))}
	r := &profile.Report{
		File:    f.Name,
		Format:  f.Format,
		Tool:    file.Session.Version("Nsight Compute Target"),
		Session: ncuSession(file.Session),
		Ranges:  []profile.Range{{}},
	}
	if t := file.Session.CreationTime; t.Set {
		r.Created = time.Unix(int64(t.Value), 0).UTC()
	}
	for _, d := range file.Session.Devices {
		r.Devices = append(r.Devices, ncuDevice(d))
	}
	for _, p := range file.Problems() {
		r.Problems = append(r.Problems, profile.Problem{Offset: p.Offset, Text: p.Error()})
	}
	seen := map[profile.Process]bool{}
	for _, res := range file.Results {
		a := ncuAction(n, res, r.Devices)
		n.results[a] = res
		r.Ranges[0].Actions = append(r.Ranges[0].Actions, a)
		seen[a.Process] = true
	}
	for _, b := range file.Blocks {
		p := ncuProcess(b.Header.Process)
		if b.Header.Process != nil && seen[p] {
			r.Processes = append(r.Processes, p)
			delete(seen, p)
		}
	}
	f.Report = &Report{Report: r, ncu: n}
	return nil
}

// wholeSize is the size up to which a report is read at once: pages look into
// each launch several times, and reading costs more than the memory.
const wholeSize = 32 << 20

func openNcuFile(f *File) (*ncurep.File, error) {
	o := ncurep.Options{MaxDecompressed: f.maxUnpacked}
	if f.Size > wholeSize {
		return o.Open(f.in, f.Size, f.Name)
	}
	b := make([]byte, f.Size)
	if n, err := f.in.ReadAt(b, 0); n < len(b) {
		return nil, fmt.Errorf("%s: expected %d bytes, found %d: %w", f.Name, len(b), n, err)
	}
	return o.OpenBytes(b, f.Name)
}

func ncuProcess(p *ncurep.Process) profile.Process {
	if p == nil {
		return profile.Process{}
	}
	return profile.Process{ID: p.ID, Name: strings.TrimRight(p.Name.Or(""), "\x00"), Host: p.Hostname.Or("")}
}

func ncuAction(n *ncuReport, res *ncurep.Result, devices []profile.Device) *profile.Action {
	a := profile.NewAction(&ncuLoader{report: n, result: res})
	a.ID = res.Index
	a.Function, a.Demangled, a.Mangled = res.FunctionName, res.DemangledName, res.MangledName
	if a.Demangled == "" || a.Demangled == a.Mangled {
		a.Demangled = cufilt.Filter(a.Mangled)
	}
	a.Grid, a.Block = ncuDim(res.Grid), ncuDim(res.Block)
	a.Context, a.Stream = res.ContextID.Or(0), res.StreamID.Or(0)
	a.Process = ncuProcess(res.Process)
	a.ThreadID = res.ThreadID
	if c := res.ClockControl; c != nil {
		a.FreeClock = c.Field1.Value == 0 && c.Field2.Value == 0
	}
	return a
}

func ncuDim(d *ncurep.Uint64x3) [3]uint64 {
	if d == nil {
		return [3]uint64{1, 1, 1}
	}
	return [3]uint64{d.X.Or(1), d.Y.Or(1), d.Z.Or(1)}
}

func ncuDevice(d *ncurep.DeviceAttributes) profile.Device {
	out := profile.Device{ID: int(d.ID), Name: d.Name.Or("")}
	for _, at := range d.Attributes {
		out.Attributes = append(out.Attributes, profile.DeviceAttribute{Name: at.Name, Value: ncuValue(at.Value)})
	}
	return out
}

func ncuValue(v ncurep.Value) metric.Value {
	switch v.Kind() {
	case ncurep.KindString:
		s, _ := v.Text()
		return metric.String(s)
	case ncurep.KindFloat:
		f, _ := v.Float64()
		return metric.Float(float32(f))
	case ncurep.KindDouble:
		f, _ := v.Float64()
		return metric.Double(f)
	case ncurep.KindUint32:
		u, _ := v.Uint64()
		return metric.Uint32(uint32(u))
	case ncurep.KindUint64:
		u, _ := v.Uint64()
		return metric.Uint64(u)
	}
	return metric.Value{}
}

// ncuLoader is the profile.Loader of one result.
type ncuLoader struct {
	report  *ncuReport
	result  *ncurep.Result
	metrics *ncurep.Metrics
}

func (l *ncuLoader) Metrics() (*profile.MetricSet, error) {
	ms, err := l.result.Metrics()
	l.metrics = ms
	out := make([]profile.Metric, len(ms.All))
	for i := range ms.All {
		m := &ms.All[i]
		out[i] = profile.LazyMetric(m.Name, ncuValue(m.Value), m.NumInstances(), l, i)
		out[i].Series = m.Series.Or(0) == 1
	}
	return profile.NewMetricSet(out), err
}

// ScanMetrics passes over the metrics and keeps none.
func (l *ncuLoader) ScanMetrics(want func(name string) bool, take func(name string, v metric.Value, instances int)) error {
	return l.result.ScanMetrics(want, func(name string, v ncurep.Value, n int) { take(name, ncuValue(v), n) })
}

// Instances is the profile.InstanceSource of all metrics of the result.
func (l *ncuLoader) Instances(index int) []profile.Instance {
	in, _ := l.metrics.All[index].Instances() // a broken element is left out
	out := make([]profile.Instance, in.Len())
	for i := range out {
		id, v := in.At(i)
		out[i] = profile.Instance{ID: ncuValue(id), Value: ncuValue(v)}
	}
	return out
}

func (l *ncuLoader) CallStack() ([]profile.Frame, error) {
	s, err := l.result.CallStack()
	if s == nil {
		return nil, err
	}
	var out []profile.Frame
	for _, f := range s.Frames {
		out = append(out, profile.Frame{Address: f.Address.Or(0), Function: f.Function.Or(""),
			File: f.File.Or(""), Line: f.Line.Or(0), Module: f.Module.Or("")})
	}
	return out, err
}

// Sections returns the section definitions that a report carries for an action,
// in file order. They are shared between actions: do not change them.
func (r *Report) Sections(a *profile.Action) ([]*ncurep.Section, error) {
	if r.ncu == nil {
		return r.sections.Of(a)
	}
	res := r.ncu.results[a]
	if res == nil {
		return nil, fmt.Errorf("action %d is not of this report", a.ID)
	}
	return res.Sections()
}
