package export

import (
	"context"
	"fmt"

	"github.com/google/pprof/profile"

	"github.com/gpuprof/gpuprof/flame"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/trace"
)

// Pprof writes what ran inside what as a profile of pprof, gzip. Of a timeline of
// PyTorch a sample has the time on the device and on the host; of another the
// first kind of stacks that it has.
func Pprof(ctx context.Context, tr *trace.Trace, path string) error {
	p := &pprofWriter{profile: &profile.Profile{}, functions: map[string]*profile.Location{}}
	kinds := []flame.Kind{flame.Device, flame.PyTorch}
	if !flame.Has(tr, flame.PyTorch) {
		kinds[1] = flame.Ops
	}
	if !flame.Has(tr, flame.Device) {
		kinds = nil
		for _, k := range flame.Kinds {
			if len(kinds) == 0 && flame.Has(tr, k) {
				kinds = []flame.Kind{k}
			}
		}
	}
	for i, k := range kinds {
		f, err := flame.Read(ctx, tr, k, flame.Filter{})
		if err != nil {
			return err
		}
		if f != nil {
			p.add(f, k, i, len(kinds))
		}
	}
	if len(p.profile.Sample) == 0 {
		return fmt.Errorf("%s: nothing ran inside anything: the timeline holds no operators, ranges or stacks", tr.File)
	}
	p.profile.DefaultSampleType = p.profile.SampleType[0].Type // else pprof takes the last, which is the host
	if err := p.profile.CheckValid(); err != nil {
		return fmt.Errorf("%s: profile: %w", tr.File, err)
	}
	return atomicfile.Write(path, func(w *atomicfile.File) error { return p.profile.Write(w) })
}

type pprofWriter struct {
	profile   *profile.Profile
	functions map[string]*profile.Location
}

// pprofTypes name the values of samples. pprof knows these units.
var pprofTypes = map[flame.Kind]string{flame.Device: "device", flame.PyTorch: "host", flame.Ops: "host", flame.Memory: "inuse_space"}

// add adds the stacks of a tree with their own weights, as value i of n.
func (p *pprofWriter) add(f *flame.Profile, kind flame.Kind, i, n int) {
	typ, unit := pprofTypes[kind], f.Unit
	if typ == "" {
		typ = string(kind)
	}
	switch unit {
	case "ns":
		unit = "nanoseconds"
	case "byte":
		unit = "bytes"
	case "cycle", "sample":
		unit = "count"
	}
	p.profile.SampleType = append(p.profile.SampleType, &profile.ValueType{Type: typ, Unit: unit})
	for node, self := range f.Self {
		if self == 0 {
			continue
		}
		s := &profile.Sample{Value: make([]int64, n)}
		s.Value[i] = self
		for k := int32(node); k >= 0; k = f.Parent[k] {
			s.Location = append(s.Location, p.location(f.Names[f.Name[k]]))
		}
		p.profile.Sample = append(p.profile.Sample, s)
	}
}

// location is that of a function, each its own.
func (p *pprofWriter) location(name string) *profile.Location {
	if l := p.functions[name]; l != nil {
		return l
	}
	id := uint64(len(p.functions) + 1)
	f := &profile.Function{ID: id, Name: name} // with a SystemName pprof would take "<built-in method …>" for arguments of a template, and show nothing
	l := &profile.Location{ID: id, Line: []profile.Line{{Function: f}}}
	p.profile.Function, p.profile.Location = append(p.profile.Function, f), append(p.profile.Location, l)
	p.functions[name] = l
	return l
}
