package source

import (
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/cufilt"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// A Listing is what the metrics of a launch say about its instructions. Columns
// and instructions are parallel: value i of a column belongs to PCs[i].
type Listing struct {
	Action  *profile.Action
	Code    *profile.Code
	metrics *profile.MetricSet
	shown   []profile.SourceMetric // by the report's sections
	Blocks  []Block                // in the order in which they are shown
	PCs     []uint64               // addresses of instructions
	row     map[uint64]int32       // index into PCs
	Columns []Column
	Samples *Column // warp stall samples; nil if there are none
	Issued  *Column // executed instructions; nil if not measured
	Stalls  []Column
	Total   uint64  // of Samples
	ones    []int32 // 0, 1, 2, …
}

// A Block is a range of instructions that belong to one function.
type Block struct {
	Name     string // as shown
	Mangled  string
	From, To int // in PCs
}

// A Column is a metric by instruction.
type Column struct {
	Metric profile.SourceMetric
	Unit   string
	flags  flagNames // names of bits; nil for a number
	float  bool      // bits are float64
	bits   []uint64
	has    []bool // the metric has a value for the instruction
}

// Number is the place of the instruction at an address in PCs.
func (s *Listing) Number(pc uint64) (int, bool) {
	i, ok := s.row[pc]
	return int(i), ok
}

// Begin is where the function of instruction i begins in PCs.
func (s *Listing) Begin(i int) int {
	for k := range s.Blocks {
		if b := &s.Blocks[k]; i >= b.From && i < b.To {
			return b.From
		}
	}
	return 0
}

// One is the list of instruction i alone.
func (s *Listing) One(i int) []int32 { return s.ones[i : i+1 : i+1] }

// SampleGroup is the metric whose value lists the reasons for stalls.
const SampleGroup = "group:smsp__pcsamp_warp_stall_reasons"

// Options say what a listing holds beside the code.
type Options struct {
	Compat bool                     // what Nsight Compute 2024.1 would list
	Shown  []profile.SourceMetric   // columns in their order
	Takes  func(name string) bool   // of those and of all other metrics takes these; nil: all of Shown
	Unit   func(name string) string // canonical base unit of a metric
}

// List gathers what the metrics of a launch say about its code.
func List(a *profile.Action, code *profile.Code, ms *profile.MetricSet, o Options) *Listing {
	s := &Listing{Action: a, Code: code, row: map[uint64]int32{}, metrics: ms, shown: o.Shown}
	s.addFunctions(o.Compat)
	s.ones = make([]int32, len(s.PCs))
	for i := range s.ones {
		s.ones[i] = int32(i)
	}
	for _, m := range s.chosen(o.Takes) {
		if c, ok := s.column(m); ok {
			c.Unit = o.Unit(m.Name)
			s.Columns = append(s.Columns, c)
		}
	}
	s.findSamples()
	return s
}

// chosen are the metrics that --metrics lets through: those that the sections
// show, and others where they are asked for.
func (s *Listing) chosen(takes func(name string) bool) []profile.SourceMetric {
	var out []profile.SourceMetric
	listed := map[string]bool{}
	for _, m := range s.shown {
		listed[m.Name] = true
		if takes == nil || takes(m.Name) {
			out = append(out, m)
		}
	}
	if takes == nil {
		return out
	}
	for _, m := range s.metrics.Sorted() {
		if !listed[m.Name] && takes(m.Name) {
			out = append(out, profile.SourceMetric{Name: m.Name, Label: m.Name})
		}
	}
	return out
}

// addFunctions lists the instructions of the functions that the launch ran. A
// report that does not tell which has the kernel's own function and those with
// measured instructions; Nsight Compute 2024.1 shows all of the binary.
func (s *Listing) addFunctions(compat bool) {
	pcs := s.functionPCs()
	switch {
	case len(pcs) > 0:
		for _, pc := range pcs {
			if f := s.functionFrom(pc); f != nil {
				s.addFunction(f, compat)
			}
		}
	case compat:
		for i := range s.Code.Functions {
			s.addFunction(&s.Code.Functions[i], compat)
		}
	default:
		for i := range s.Code.Functions {
			if f := &s.Code.Functions[i]; f.Name == s.Action.Mangled {
				s.addFunction(f, compat)
			}
		}
	}
	if !compat {
		s.addMeasured()
	}
}

// functionFrom is the function that begins at pc. The kernel itself may have been
// loaded to another address than the report's table tells.
func (s *Listing) functionFrom(pc uint64) *profile.Function {
	if f := s.Code.FunctionAt(pc); f != nil {
		return f
	}
	for i := range s.Code.Functions {
		if f := s.Code.Functions[i]; f.Name == s.Action.Mangled {
			f.Address = pc
			return &f
		}
	}
	return nil
}

// functionPCs are the addresses of the functions that the launch ran.
func (s *Listing) functionPCs() []uint64 {
	m := s.metrics.Lookup("launch__function_pcs")
	if m == nil {
		return nil
	}
	var out []uint64
	if pc := m.Value.Uint64(); m.NumInstances() == 0 && s.Code.FunctionAt(pc) != nil {
		return []uint64{pc} // the number of functions where there are instances
	}
	for _, in := range m.Instances() {
		if in.Value.IsInteger() {
			out = append(out, in.Value.Uint64())
		}
	}
	return out
}

func (s *Listing) addFunction(f *profile.Function, compat bool) {
	arch := s.Code.Arch
	if compat && arch > 90 {
		arch = 30 // that version knows no GPU beyond and takes it for the oldest
	}
	s.addBlock(s.functionName(f, compat), f.Name, f.Instructions(arch))
}

// functionName is the name under which a function is shown. Nsight Compute 2024.1
// demangles it anew where the report has another spelling.
func (s *Listing) functionName(f *profile.Function, compat bool) string {
	n, ok := "", false
	if compat {
		n, ok = cufilt.Name(f.Name)
	}
	switch {
	case ok:
		return n
	case f.Name == s.Action.Mangled:
		return s.Action.FullName()
	case f.Demangled != "":
		return f.Demangled
	}
	return f.Name
}

// maxInstructions bounds how many a launch shows: a broken report can name a
// function any number of times.
const maxInstructions = 4 << 20

func (s *Listing) addBlock(name, mangled string, pcs []uint64) {
	bl := Block{Name: name, Mangled: mangled, From: len(s.PCs)}
	for _, pc := range pcs {
		if len(s.PCs) == maxInstructions {
			break
		}
		if _, dup := s.row[pc]; !dup {
			s.row[pc] = int32(len(s.PCs))
			s.PCs = append(s.PCs, pc)
		}
	}
	if bl.To = len(s.PCs); bl.To > bl.From {
		s.Blocks = append(s.Blocks, bl)
	}
}

// addMeasured adds what was measured outside of the functions listed so far:
// the whole function where it is known, else the instructions that have values.
func (s *Listing) addMeasured() {
	var loose []uint64
	for _, name := range []string{"inst_executed", "smsp__pcsamp_sample_count"} {
		m := s.metrics.Lookup(name)
		if m == nil {
			continue
		}
		for _, in := range m.Instances() {
			pc := in.ID.Uint64()
			if _, known := s.row[pc]; known || !in.ID.IsInteger() {
				continue
			}
			if f := s.Code.FunctionAt(pc); f != nil && f.Size > 0 {
				s.addFunction(f, false)
			}
			if _, known := s.row[pc]; !known {
				loose = append(loose, pc)
			}
		}
	}
	slices.Sort(loose)
	s.addBlock(s.Action.FullName(), s.Action.Mangled, slices.Compact(loose))
}

// column gathers a metric, or the members of a group, by instruction; ok is
// false if it has no value for any instruction that is listed.
func (s *Listing) column(sm profile.SourceMetric) (c Column, ok bool) {
	c = Column{Metric: sm, flags: flagsOf(sm.Name)}
	m := s.metrics.Lookup(sm.Name)
	if m == nil {
		return c, false
	}
	members := []string{sm.Name}
	if strings.HasPrefix(sm.Name, "group:") {
		members = strings.Split(m.Value.Text(), ",")
	}
	for _, name := range members {
		if m := s.metrics.Lookup(name); m != nil && s.add(&c, m) {
			ok = true
		}
	}
	return c, ok
}

func (s *Listing) add(c *Column, m *profile.Metric) (any bool) {
	if m.NumInstances() == 0 || m.Series {
		return false
	}
	for _, in := range m.Instances() {
		i, ok := s.row[in.ID.Uint64()]
		if !ok || !in.ID.IsInteger() || in.Value.Kind() == metric.KindString {
			continue
		}
		if !any {
			any = true
			if c.bits == nil {
				c.bits, c.has = make([]uint64, len(s.PCs)), make([]bool, len(s.PCs))
			}
		}
		if !in.Value.IsInteger() && !c.float {
			c.float = true
			for k, u := range c.bits {
				c.bits[k] = math.Float64bits(float64(u))
			}
		}
		c.has[i] = true
		if c.float {
			c.bits[i] = math.Float64bits(math.Float64frombits(c.bits[i]) + in.Value.Double())
		} else {
			c.bits[i] += in.Value.Uint64()
		}
	}
	return any
}

// findSamples finds the columns that tell hot from cold.
func (s *Listing) findSamples() {
	for _, name := range []string{SampleGroup, "smsp__pcsamp_sample_count"} {
		if c, ok := s.column(profile.SourceMetric{Name: name, Label: "Samples"}); ok && !c.float {
			s.Samples = &c
			for _, u := range c.bits {
				s.Total += u
			}
			break
		}
	}
	if c, ok := s.column(profile.SourceMetric{Name: "inst_executed", Label: "Inst Executed"}); ok && !c.float {
		s.Issued = &c
	}
	labels := map[string]string{}
	for _, m := range s.Code.Metrics {
		labels[m.Name] = m.Label
	}
	for _, m := range s.metrics.Sorted() {
		if label, ok := stallLabel(m.Name, labels[m.Name]); ok {
			if c, ok := s.column(profile.SourceMetric{Name: m.Name, Label: label}); ok && !c.float {
				s.Stalls = append(s.Stalls, c)
			}
		}
	}
}

// stallLabel is the name of the reason that a metric counts stalls of: out of the
// label that sections give it, such as stall_long_sb, or out of its own name. A
// warp that was selected did not stall.
func stallLabel(metric, label string) (reason string, ok bool) {
	reason, ok = strings.CutPrefix(metric, "smsp__pcsamp_warps_issue_stalled_")
	if !ok {
		reason, ok = strings.CutPrefix(metric, "smsp__pcsamp_warp_stall_")
	}
	if !ok || strings.HasSuffix(reason, "_not_issued") || reason == "selected" {
		return "", false
	}
	if short, ok := strings.CutPrefix(label, "stall_"); ok {
		return short, true
	}
	return reason, true
}
