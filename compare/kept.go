package compare

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// keptSchema names the form in which runs are kept: a line of JSON for each run.
const keptSchema = "gpuprof.run/1"

// keptRun is a line of a file of kept runs.
type keptRun struct {
	Schema   string             `json:"schema"`
	Name     string             `json:"name"`
	Kind     Kind               `json:"kind"`
	Began    *time.Time         `json:"began,omitempty"`
	Identity string             `json:"identity,omitempty"`
	Facts    map[Subject]string `json:"facts,omitempty"`
	Notes    []string           `json:"notes,omitempty"`
	Window   *Window            `json:"window,omitempty"`
	Coarse   bool               `json:"coarse,omitempty"`
	Entities []keptEntity       `json:"entities"`
}

type keptEntity struct {
	Class    Class                `json:"class"`
	Name     string               `json:"name"`
	Full     string               `json:"full,omitempty"` // where it differs from name
	Base     string               `json:"base,omitempty"`
	Shape    string               `json:"shape,omitempty"`
	Path     string               `json:"path,omitempty"`
	Launches int                  `json:"launches"`
	Failed   int                  `json:"failed,omitempty"`
	Grid     []uint64             `json:"grid,omitempty"`
	Block    []uint64             `json:"block,omitempty"`
	Values   map[string]keptValue `json:"values,omitempty"`
	Texts    map[string][]string  `json:"texts,omitempty"`
	Findings []Finding            `json:"findings,omitempty"`
}

type keptValue struct {
	Unit string    `json:"unit,omitempty"`
	Each []float64 `json:"v"`
}

// private are facts that are not kept: files of kept runs may be public.
var private = []Subject{CommandLine, Directory, Processes, Host, SessionNumber}

// Keep writes runs: of each entity the time, cycles, clock, work, attributes of
// the launch and costs, and the metrics that are named.
func Keep(w io.Writer, runs []*Run, metrics []string) error {
	names := slices.Concat(timeMetrics, cycleMetrics, clockMetrics, workMetrics, metrics)
	for _, a := range attributeWords {
		names = append(names, a.metric)
	}
	for _, m := range tellingMetrics {
		names = append(names, m.metric)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, r := range runs {
		k := keptRun{Schema: keptSchema, Name: r.Name, Kind: r.Kind, Identity: r.Identity, Notes: r.Notes, Coarse: r.Coarse, Facts: map[Subject]string{}}
		if !r.Began.IsZero() {
			k.Began = &r.Began
		}
		if r.Window != (Window{}) {
			k.Window = &r.Window
		}
		for _, f := range r.Facts {
			if !slices.Contains(private, f.What) {
				k.Facts[f.What] = f.Value
			}
		}
		for _, x := range r.Entities {
			k.Entities = append(k.Entities, keep(x, names))
		}
		if err := e.Encode(k); err != nil {
			return err
		}
	}
	return nil
}

func keep(x *Entity, names []string) keptEntity {
	k := keptEntity{Class: x.Class, Name: x.Name, Shape: x.Shape, Path: x.Path, Launches: x.Launches, Failed: x.Failed,
		Values: map[string]keptValue{}, Texts: map[string][]string{}, Findings: x.Source.Findings()}
	if x.Full != x.Name {
		k.Full = x.Full
	}
	if x.Base != x.Full {
		k.Base = x.Base
	}
	if x.Size != (Extent{}) {
		k.Grid, k.Block = x.Size.Grid[:], x.Size.Block[:]
	}
	if x.Class != Kernel || x.actions() == nil {
		names = x.Source.Metrics() // few
	}
	for _, name := range names {
		if _, done := k.Values[name]; done || noAttribute[name] {
			continue
		}
		if each, unit := x.Source.Each(name); len(each) > 0 {
			k.Values[name] = keptValue{unit, condensed(name, each)}
		} else if t := x.Source.Texts(name); len(t) > 0 {
			k.Texts[name] = t
		}
	}
	return k
}

// condensed are the values that are kept of those of all launches: of attributes
// each once, of others the middle.
func condensed(name string, each []float64) []float64 {
	if DirectionOf(name).Class == "exact" {
		v := slices.Clone(each)
		slices.Sort(v)
		return slices.Compact(v)
	}
	out := slices.DeleteFunc(slices.Clone(each), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	if len(out) == 0 {
		return nil
	}
	return []float64{median(out)}
}

func median(v []float64) float64 {
	s := slices.Clone(v)
	slices.Sort(s)
	return s[(len(s)-1)/2]/2 + s[len(s)/2]/2
}

// Limits of a file of kept runs.
const (
	maxKeptLine = 64 << 20
	maxKeptRuns = 100_000
)

// errKept is matched by the errors of files that hold no kept runs.
var errKept = errors.New("no kept runs")

// IsKept reports whether a file that begins so holds kept runs.
func IsKept(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte(`{"schema":"gpuprof.run/`))
}

// ReadKept reads runs that [Keep] wrote. Lines of other schemas are an error.
func ReadKept(r io.Reader, name string) ([]*Run, error) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), maxKeptLine)
	var out []*Run
	for line := 1; s.Scan(); line++ {
		if len(bytes.TrimSpace(s.Bytes())) == 0 {
			continue
		}
		var k keptRun
		if err := json.Unmarshal(s.Bytes(), &k); err != nil {
			return out, fmt.Errorf("%s:%d: %v", name, line, err)
		}
		if k.Schema != keptSchema {
			return out, fmt.Errorf("%s:%d: %w: expected the schema %s, found %q", name, line, errKept, keptSchema, k.Schema)
		}
		if len(out) >= maxKeptRuns {
			return out, fmt.Errorf("%s:%d: more than %d runs", name, line, maxKeptRuns)
		}
		out = append(out, k.run())
	}
	if err := s.Err(); err != nil {
		return out, fmt.Errorf("%s: %w", name, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: %w in it", name, errKept)
	}
	return out, nil
}

func (k *keptRun) run() *Run {
	r := &Run{Name: k.Name, Kind: k.Kind, Identity: k.Identity, Notes: k.Notes, Coarse: k.Coarse}
	if k.Began != nil {
		r.Began = *k.Began
	}
	if k.Window != nil {
		r.Window = *k.Window
	}
	for _, d := range differing { // in an order that maps do not have
		if v := k.Facts[d.what]; v != "" {
			r.know(d.what, v)
		}
	}
	for i := range k.Entities {
		x := &k.Entities[i]
		e := &Entity{Class: x.Class, Name: x.Name, Full: x.Full, Base: x.Base, Shape: x.Shape, Path: x.Path, Launches: x.Launches, Failed: x.Failed}
		if e.Full == "" {
			e.Full = e.Name
		}
		if e.Base == "" {
			e.Base = e.Full
		}
		copy(e.Size.Grid[:], x.Grid)
		copy(e.Size.Block[:], x.Block)
		v := &Values{findings: x.Findings}
		for name, t := range x.Texts {
			v.setTexts(name, t...)
		}
		for name, n := range x.Values {
			v.Set(name, n.Unit, n.Each...)
		}
		e.Source = v
		r.Entities = append(r.Entities, e)
	}
	return r
}
