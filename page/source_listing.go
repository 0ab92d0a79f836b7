package page

import (
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/cufilt"
)

// A listing is what the metrics of a launch say about its instructions. Columns
// and instructions are parallel: value i of a column belongs to pcs[i].
type listing struct {
	launch  launch
	code    *profile.Code
	metrics *profile.MetricSet
	shown   []profile.SourceMetric // by the report's sections
	blocks  []codeBlock            // in the order in which they are shown
	pcs     []uint64
	row     map[uint64]int32 // index into pcs
	columns []listColumn
	samples *listColumn // warp stall samples; nil if there are none
	issued  *listColumn // executed instructions; nil if not measured
	stalls  []listColumn
	total   uint64  // of samples
	ones    []int32 // 0, 1, 2, …
}

// A codeBlock is a range of instructions that belong to one function.
type codeBlock struct {
	name     string // as shown
	mangled  string
	from, to int // in pcs
}

// A listColumn is a metric by instruction.
type listColumn struct {
	metric profile.SourceMetric
	unit   string
	flags  flagNames // names of bits; nil for a number
	float  bool      // bits are float64
	bits   []uint64
	has    []bool // the metric has a value for the instruction
}

// one is the list of instruction i alone.
func (s *listing) one(i int) []int32 { return s.ones[i : i+1 : i+1] }

// sampleGroup is the metric whose value lists the reasons for stalls.
const sampleGroup = "group:smsp__pcsamp_warp_stall_reasons"

func (b *sourceBuilder) listing(l launch) *listing {
	s := &listing{launch: l, row: map[uint64]int32{}, metrics: metricsOf(b.Request, l)}
	code, err := l.Code()
	if err != nil {
		b.note("%v", err)
	}
	if s.code = code; code == nil {
		s.code = &profile.Code{}
	}
	s.shown = s.code.Metrics
	switch {
	case b.own != nil:
		s.shown = l.file.Report.SourceMetricsOf(l.Action, b.own.definitions(l))
		if b.own.deriver != nil {
			s.metrics = b.own.derived(b.own.target(l), s.metrics)
		}
	case b.Compat2024():
		s.shown = l.file.Report.SourceMetrics2024(l.Action)
	}
	s.addFunctions(b.Compat2024())
	s.ones = make([]int32, len(s.pcs))
	for i := range s.ones {
		s.ones[i] = int32(i)
	}
	for _, m := range s.chosen(b.choice) {
		if c, ok := s.column(m); ok {
			c.unit = unitOf(b.Request, l, m.Name)
			s.columns = append(s.columns, c)
		}
	}
	s.findSamples()
	return s
}

// chosen are the metrics that --metrics lets through: those that the sections
// show, and others where they are asked for.
func (s *listing) chosen(choice *metricChoice) []profile.SourceMetric {
	var out []profile.SourceMetric
	listed := map[string]bool{}
	for _, m := range s.shown {
		listed[m.Name] = true
		if choice.match(m.Name) {
			out = append(out, m)
		}
	}
	if choice == nil {
		return out
	}
	for _, m := range s.metrics.Sorted() {
		if !listed[m.Name] && choice.match(m.Name) {
			out = append(out, profile.SourceMetric{Name: m.Name, Label: m.Name})
		}
	}
	return out
}

// addFunctions lists the instructions of the functions that the launch ran. A
// report that does not tell which has the kernel's own function and those with
// measured instructions; Nsight Compute 2024.1 shows all of the binary.
func (s *listing) addFunctions(compat bool) {
	pcs := s.functionPCs()
	switch {
	case len(pcs) > 0:
		for _, pc := range pcs {
			if f := s.functionFrom(pc); f != nil {
				s.addFunction(f, compat)
			}
		}
	case compat:
		for i := range s.code.Functions {
			s.addFunction(&s.code.Functions[i], compat)
		}
	default:
		for i := range s.code.Functions {
			if f := &s.code.Functions[i]; f.Name == s.launch.Mangled {
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
func (s *listing) functionFrom(pc uint64) *profile.Function {
	if f := s.code.FunctionAt(pc); f != nil {
		return f
	}
	for i := range s.code.Functions {
		if f := s.code.Functions[i]; f.Name == s.launch.Mangled {
			f.Address = pc
			return &f
		}
	}
	return nil
}

// functionPCs are the addresses of the functions that the launch ran.
func (s *listing) functionPCs() []uint64 {
	m := s.metrics.Lookup("launch__function_pcs")
	if m == nil {
		return nil
	}
	var out []uint64
	if pc := m.Value.Uint64(); m.NumInstances() == 0 && s.code.FunctionAt(pc) != nil {
		return []uint64{pc} // the number of functions where there are instances
	}
	for _, in := range m.Instances() {
		if in.Value.IsInteger() {
			out = append(out, in.Value.Uint64())
		}
	}
	return out
}

func (s *listing) addFunction(f *profile.Function, compat bool) {
	arch := s.code.Arch
	if compat && arch > 90 {
		arch = 30 // that version knows no GPU beyond and takes it for the oldest
	}
	s.addBlock(s.functionName(f, compat), f.Name, f.Instructions(arch))
}

// functionName is the name under which a function is shown. Nsight Compute 2024.1
// demangles it anew where the report has another spelling.
func (s *listing) functionName(f *profile.Function, compat bool) string {
	n, ok := "", false
	if compat {
		n, ok = cufilt.Name(f.Name)
	}
	switch {
	case ok:
		return n
	case f.Name == s.launch.Mangled:
		return fullName(s.launch.Action)
	case f.Demangled != "":
		return f.Demangled
	}
	return f.Name
}

// maxInstructions bounds how many a launch shows: a broken report can name a
// function any number of times.
const maxInstructions = 4 << 20

func (s *listing) addBlock(name, mangled string, pcs []uint64) {
	bl := codeBlock{name: name, mangled: mangled, from: len(s.pcs)}
	for _, pc := range pcs {
		if len(s.pcs) == maxInstructions {
			break
		}
		if _, dup := s.row[pc]; !dup {
			s.row[pc] = int32(len(s.pcs))
			s.pcs = append(s.pcs, pc)
		}
	}
	if bl.to = len(s.pcs); bl.to > bl.from {
		s.blocks = append(s.blocks, bl)
	}
}

// addMeasured adds what was measured outside of the functions listed so far:
// the whole function where it is known, else the instructions that have values.
func (s *listing) addMeasured() {
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
			if f := s.code.FunctionAt(pc); f != nil && f.Size > 0 {
				s.addFunction(f, false)
			}
			if _, known := s.row[pc]; !known {
				loose = append(loose, pc)
			}
		}
	}
	slices.Sort(loose)
	s.addBlock(fullName(s.launch.Action), s.launch.Mangled, slices.Compact(loose))
}

// column gathers a metric, or the members of a group, by instruction; ok is
// false if it has no value for any instruction that is listed.
func (s *listing) column(sm profile.SourceMetric) (c listColumn, ok bool) {
	c = listColumn{metric: sm, flags: flagsOf(sm.Name)}
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

func (s *listing) add(c *listColumn, m *profile.Metric) (any bool) {
	if m.NumInstances() == 0 || m.Series {
		return false
	}
	for _, in := range m.Instances() {
		i, ok := s.row[in.ID.Uint64()]
		if !ok || !in.ID.IsInteger() || in.Value.Kind() == profile.KindString {
			continue
		}
		if !any {
			any = true
			if c.bits == nil {
				c.bits, c.has = make([]uint64, len(s.pcs)), make([]bool, len(s.pcs))
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
func (s *listing) findSamples() {
	for _, name := range []string{sampleGroup, "smsp__pcsamp_sample_count"} {
		if c, ok := s.column(profile.SourceMetric{Name: name, Label: "Samples"}); ok && !c.float {
			s.samples = &c
			for _, u := range c.bits {
				s.total += u
			}
			break
		}
	}
	if c, ok := s.column(profile.SourceMetric{Name: "inst_executed", Label: "Inst Executed"}); ok && !c.float {
		s.issued = &c
	}
	labels := map[string]string{}
	for _, m := range s.code.Metrics {
		labels[m.Name] = m.Label
	}
	for _, m := range s.metrics.Sorted() {
		if label, ok := stallLabel(m.Name, labels[m.Name]); ok {
			if c, ok := s.column(profile.SourceMetric{Name: m.Name, Label: label}); ok && !c.float {
				s.stalls = append(s.stalls, c)
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
