package simlog

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"sort"
	"strconv"
)

// ScaleSim reads the folder of one SCALE-Sim run: each layer is a kernel, and
// each operand's on-chip buffer is a level, named IFMAP, FILTER and OFMAP.
//
// The buffers of inputs and weights are written by what the DRAM delivers and
// read by the array; the output buffer is written by the array and read by what
// goes back to DRAM. So a DRAM trace row is a store into the input buffers and a
// load from the output buffer, as GainSight counts it. It implements [Source].
type ScaleSim struct {
	ctx     context.Context
	fsys    fs.FS
	name    string
	layers  []layer
	reports map[string]*Report
	cur     *layerRun
	batch   Batch
	levels  *levelNames
	ids     [3]LevelID
	notes   notes
	tally   Tally
	err     error

	// Traces tells, for each trace file read so far, what was in it.
	Traces []TraceTally
}

// TraceTally is what one trace file held.
type TraceTally struct {
	Layer                         int
	File                          string
	Rows, Accesses, Idle, Padding int64
	First, Last                   int64 // cycles
	Reported                      int64 // the count in DETAILED_ACCESS_REPORT; -1 if none
}

type layer struct {
	id  int
	dir string
}

// operands and the columns of DETAILED_ACCESS_REPORT that count their accesses, in
// version 2 as in version 3.
var operands = [3]struct {
	name       string
	sramOp     Op
	sram, dram string
}{
	{"IFMAP", OpLoad, "SRAM IFMAP Reads", "DRAM IFMAP Reads"},
	{"FILTER", OpLoad, "SRAM Filter Reads", "DRAM Filter Reads"},
	{"OFMAP", OpStore, "SRAM OFMAP Writes", "DRAM OFMAP Writes"},
}

var layerDir = regexp.MustCompile(`^layer([0-9]{1,6})$`)

// OpenScaleSim looks for layers in a folder: subfolders layer0, layer1, ... or the
// trace files themselves.
func OpenScaleSim(ctx context.Context, fsys fs.FS, name string) (*ScaleSim, error) {
	s := &ScaleSim{ctx: ctx, fsys: fsys, name: name, reports: map[string]*Report{}, levels: newLevelNames()}
	for i, o := range operands {
		s.ids[i], _ = s.levels.id(o.name)
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if m := layerDir.FindStringSubmatch(e.Name()); m != nil && e.IsDir() {
			id, _ := strconv.Atoi(m[1])
			s.layers = append(s.layers, layer{id: id, dir: e.Name()})
		}
	}
	sort.Slice(s.layers, func(i, j int) bool { return s.layers[i].id < s.layers[j].id })
	if len(s.layers) == 0 {
		s.layers = []layer{{id: 0, dir: "."}}
	}
	found := false
	for _, l := range s.layers {
		files, _ := fs.Glob(fsys, path.Join(l.dir, "*_TRACE.csv"))
		found = found || len(files) > 0
	}
	if !found {
		return nil, &FormatError{File: name, Want: "SCALE-Sim traces such as layer0/IFMAP_SRAM_TRACE.csv", Found: "none in this folder", Err: ErrUnrecognized}
	}
	for _, r := range []string{"COMPUTE_REPORT.csv", "DETAILED_ACCESS_REPORT.csv", "BANDWIDTH_REPORT.csv"} {
		s.readReport(r)
	}
	return s, nil
}

func (s *ScaleSim) readReport(file string) {
	f, err := s.fsys.Open(file)
	if err != nil {
		s.notes.add(0, file+" is missing")
		return
	}
	defer f.Close()
	rep, err := ReadReport(f)
	if err != nil {
		s.notes.add(0, file+": "+err.Error())
	}
	if rep != nil {
		s.reports[file] = rep
	}
}

// scaleBatch is about how many accesses a batch holds.
const scaleBatch = 4096

// Next returns the next run of accesses and events; io.EOF after the last layer.
func (s *ScaleSim) Next() (*Batch, error) {
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return nil, s.err
	}
	b := &s.batch
	b.Cycle, b.Addr, b.Info, b.Events = b.Cycle[:0], b.Addr[:0], b.Info[:0], b.Events[:0]
	for b.Len() < scaleBatch {
		if s.cur == nil {
			if len(s.layers) == 0 {
				s.err = io.EOF
				return b, nil
			}
			s.begin(b, s.layers[0])
			s.layers = s.layers[1:]
		}
		if !s.cur.next(b, s) {
			s.end(b)
		}
	}
	return b, nil
}

// begin opens a layer's traces.
func (s *ScaleSim) begin(b *Batch, l layer) {
	run := &layerRun{layer: l}
	for i, o := range operands {
		run.open(s, path.Join(l.dir, o.name+"_SRAM_TRACE.csv"), s.ids[i], o.sramOp, o.sram)
		dramOp := OpStore
		if o.sramOp == OpStore {
			dramOp = OpLoad
		}
		run.open(s, path.Join(l.dir, o.name+"_DRAM_TRACE.csv"), s.ids[i], dramOp, o.dram)
	}
	run.kernel = Kernel{Index: int(s.tally.Kernels), ID: int64(l.id), Name: fmt.Sprintf("layer%d", l.id)}
	s.tally.Kernels++
	s.cur = run
	start := run.kernel
	b.Events = append(b.Events, Event{Kind: KernelStart, At: b.Len(), Kernel: &start})
}

// end closes the layer: its end is the run time the simulator reports, or the
// last access of any trace where that is later (results drain to DRAM).
func (s *ScaleSim) end(b *Batch) {
	k := s.cur.kernel
	if rep := s.reports["COMPUTE_REPORT.csv"]; rep != nil {
		if v, ok := rep.Get(s.cur.id, "Total Cycles"); ok && v > 0 && v < 1e18 {
			k.Cycles = int64(v)
		}
	}
	k.EndCycle, k.EndKnown = max(k.Cycles, s.cur.last), true
	s.Traces = append(s.Traces, s.cur.tallies(s)...)
	b.Events = append(b.Events, Event{Kind: KernelEnd, At: b.Len(), Kernel: &k})
	s.cur.close()
	s.cur = nil
}

// Levels names the levels of [Info.Level].
func (s *ScaleSim) Levels() []string { return s.levels.list() }

// Config is empty: SCALE-Sim's reports do not repeat its configuration.
func (s *ScaleSim) Config() Config { return Config{} }

// Tally counts what was read so far; Lines are rows of all traces.
func (s *ScaleSim) Tally() Tally { return s.tally }

// Notes lists what was odd.
func (s *ScaleSim) Notes() []Note { return slices.Clone(s.notes.sorted()) }

// Close closes the open traces.
func (s *ScaleSim) Close() error {
	if s.cur != nil {
		s.cur.close()
		s.cur = nil
	}
	return nil
}
