package rocm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// header finds the columns and chooses what a row is.
func (t *table) header(head []string) (func(*table), error) {
	for i := range t.at {
		t.at[i] = -1
	}
	for i, name := range head {
		name = strings.TrimSpace(name)
		t.names = append(t.names, name)
		f := fieldOf(name)
		if f == fCounter {
			t.counters = append(t.counters, i)
		} else if f != fOther && t.at[f] < 0 {
			t.at[f] = i
		}
	}
	switch {
	case t.has(fSample, fInstruction):
		return (*table).sample, nil
	case t.has(fVaddr, fInstruction, fHits):
		return (*table).instruction, nil
	case t.has(fKernel) && (t.has(fID) || t.has(fStart, fEnd)):
		return (*table).dispatch, nil
	case t.has(fDirection, fStart, fEnd):
		return (*table).copy, nil
	case t.has(fOperation, fStart, fEnd):
		return (*table).allocation, nil
	case t.has(fName, fStart, fEnd):
		return (*table).call, nil
	case t.has(fName, fCalls, fSum), t.has(fKernel, fCalls, fSum):
		return (*table).total, nil
	case t.named("Node_Id", "Agent_Type"):
		return (*table).agent, nil
	case t.named("workload_name") || t.named("device", "HBMBw"):
		return (*table).fact, nil
	}
	return nil, &FormatError{Line: 1, Want: "the columns of a rocprof file, such as Kernel_Name and Dispatch_ID, or Function and Start_Timestamp",
		Found: fmt.Sprintf("%.80q", strings.Join(t.names, ",")), Err: ErrUnknown}
}

func (t *table) has(fs ...field) bool {
	for _, f := range fs {
		if t.at[f] < 0 {
			return false
		}
	}
	return true
}

// named reports whether there are columns of the names.
func (t *table) named(names ...string) bool {
	for _, n := range names {
		if t.column(n) < 0 {
			return false
		}
	}
	return true
}

func (t *table) column(name string) int {
	for i, n := range t.names {
		if strings.EqualFold(n, name) {
			return i
		}
	}
	return -1
}

func (t *table) text(f field) string {
	if i := t.at[f]; i >= 0 {
		return t.keep(t.row[i])
	}
	return ""
}

// keep returns a text that outlives the row.
func (t *table) keep(s string) string {
	k, ok := t.kept[s]
	if !ok {
		k = strings.Clone(s)
		if len(t.kept) < 1<<20 {
			t.kept[k] = k
		}
	}
	return k
}

// Agents may be counted among those of their type: "GPU 0". The type stands in the
// high bits until all agents are known.
const (
	relativeGPU = 1 << 62
	relativeCPU = 1 << 61
)

// agent reads the number of one: 4, "Agent 4", "GPU 0"; 0 where the cell is empty.
func agentNumber(s string) (uint64, error) {
	s = strings.TrimSpace(s)
	var kind uint64
	if word, rest, ok := strings.Cut(s, " "); ok {
		switch strings.ToUpper(word) {
		case "GPU":
			kind, s = relativeGPU, rest
		case "CPU":
			kind, s = relativeCPU, rest
		case "AGENT":
			s = rest
		}
	}
	if s == "" {
		return 0, nil
	}
	v, err := strconv.ParseUint(s, 0, 64)
	return kind | v, err
}

// number reads a whole number; agents may be written "Agent 4".
func (t *table) number(f field) uint64 {
	i := t.at[f]
	if i < 0 {
		return 0
	}
	s := strings.TrimSpace(t.row[i])
	if s == "" {
		return 0
	}
	var v uint64
	var err error
	if f == fAgent || f == fFrom || f == fTo {
		v, err = agentNumber(s)
	} else if v, err = strconv.ParseUint(s, 0, 64); err != nil {
		// Tables that were merged or saved by a spreadsheet have 3.0 and 4.2E+9.
		if x, e := strconv.ParseFloat(s, 64); e == nil && x >= 0 && x < 1<<63 && (x == math.Trunc(x) || f == fStart || f == fEnd) {
			v, err = uint64(x), nil
		}
	}
	if err != nil && t.bad == "" {
		t.bad = t.names[i] + " " + strconv.Quote(s)
	}
	return v
}

// optional reads a whole number, -1 where there is no column.
func (t *table) optional(f field) int64 {
	if t.at[f] < 0 || strings.TrimSpace(t.row[t.at[f]]) == "" {
		return -1
	}
	return int64(t.number(f) & (1<<63 - 1))
}

// ok reports whether all cells of the row made sense.
func (t *table) ok() bool {
	if t.bad != "" {
		t.s.problem(FormatError{Line: t.line, Want: "a whole number", Found: t.bad, Err: cursor.ErrCorrupt})
	}
	return t.bad == ""
}

func (t *table) size(x, y, z field) [3]uint64 {
	d := [3]uint64{t.number(x), 1, 1}
	if t.at[y] >= 0 {
		d[1] = t.number(y)
	}
	if t.at[z] >= 0 {
		d[2] = t.number(z)
	}
	return d
}

// process is that of the row's GUID; 0 where there is none.
func (t *table) process() int {
	if t.at[fGUID] < 0 {
		return 0
	}
	return t.s.processOf(t.text(fGUID), t.runs)
}

// processOf returns the number of the process of a name.
func (s *Session) processOf(name string, of map[string]int) int {
	n, ok := of[name]
	if !ok {
		n = len(s.Processes)
		of[name] = n
		s.Processes = append(s.Processes, Process{Name: name})
	}
	return n
}

// span is when a dispatch began and ended: 0 where the row does not tell both. An end
// before its start is told, and no time.
func (t *table) span() (start, end uint64) {
	for _, f := range []field{fStart, fEnd} {
		if i := t.at[f]; i < 0 || strings.TrimSpace(t.row[i]) == "" {
			return 0, 0
		}
	}
	if start, end = t.number(fStart), t.number(fEnd); end > 0 && end < start && t.bad == "" {
		t.s.problem(FormatError{Line: t.line, Want: "an end after the start", Found: fmt.Sprintf("%s %d and %s %d", t.names[t.at[fStart]], start, t.names[t.at[fEnd]], end), Err: cursor.ErrCorrupt})
		return 0, 0
	}
	return start, end
}

// elapsed is the time between two cells that are no whole numbers; 0 for others.
func (t *table) elapsed() float64 {
	i, k := t.at[fStart], t.at[fEnd]
	if i < 0 || k < 0 || !strings.ContainsRune(t.row[i]+t.row[k], '.') {
		return 0
	}
	start, err1 := strconv.ParseFloat(strings.TrimSpace(t.row[i]), 64)
	end, err2 := strconv.ParseFloat(strings.TrimSpace(t.row[k]), 64)
	if err1 != nil || err2 != nil || !(end > start) {
		return 0
	}
	return end - start
}

func (t *table) dispatch() {
	d := Dispatch{Process: t.process(), ID: t.number(fID), Kernel: t.text(fKernel), Agent: t.number(fAgent), Queue: t.number(fQueue), Stream: t.number(fStream),
		PID: t.number(fPID), TID: t.number(fTID), Correlation: t.number(fCorrelation), Time: t.elapsed(),
		Grid: t.size(fGrid, fGridY, fGridZ), Group: t.size(fGroup, fGroupY, fGroupZ), LDS: t.optional(fLDS), Scratch: t.optional(fScratch),
		VGPRs: t.optional(fVGPR), AGPRs: t.optional(fAGPR), SGPRs: t.optional(fSGPR), Wave: t.number(fWave)}
	d.Start, d.End = t.span()
	if !t.ok() || !t.s.take(dispatchTakes) {
		return
	}
	key := member{d.Process, d.ID}
	if t.at[fCounterName] >= 0 { // a row for each counter
		t.value(key, t.text(fCounterName), t.at[fCounterValue])
		if n, ok := t.last[key]; ok {
			t.repeat(n, &d)
			return
		}
		t.last[key] = len(t.s.Dispatches)
	} else {
		for _, i := range t.counters {
			t.value(key, t.names[i], i)
		}
	}
	t.s.Dispatches = append(t.s.Dispatches, d)
}

// repeat notes the times of a further row of a dispatch, where they differ: each pass
// of a run has its own.
func (t *table) repeat(n int, d *Dispatch) {
	times := t.times[n]
	if first := &t.s.Dispatches[n]; times == nil {
		if first.Start == d.Start && first.End == d.End {
			t.rows[n]++
			return
		}
		times = &passTimes{}
		for range t.rows[n] + 1 {
			times.add(first)
		}
		t.times[n] = times
	}
	if t.s.take(16) {
		times.add(d)
	}
}

// passTimes are the durations of a dispatch in each of its rows.
type passTimes struct{ of []uint64 }

func (p *passTimes) add(d *Dispatch) {
	if d.End >= d.Start {
		p.of = append(p.of, d.End-d.Start)
	}
}

// medians gives dispatches that several passes timed the median of their durations
// over all rows, as rocprof-compute does; begin and end stay those of the first row.
func (t *table) medians() {
	for n, p := range t.times {
		if len(p.of) == 0 {
			continue
		}
		slices.Sort(p.of)
		k := len(p.of) / 2
		t.s.Dispatches[n].Time = float64(p.of[k])
		if len(p.of)%2 == 0 {
			t.s.Dispatches[n].Time = (float64(p.of[k-1]) + float64(p.of[k])) / 2
		}
	}
}

// value adds the counter in column i; an empty cell is none. A column whose first
// cell is a word is kept as words.
func (t *table) value(of member, name string, i int) {
	if i < 0 {
		return
	}
	cell := strings.TrimSpace(t.row[i])
	if cell == "" {
		return
	}
	v, err := strconv.ParseFloat(cell, 64)
	numbers, known := t.words[i]
	if !known && t.at[fCounterValue] != i {
		numbers = err == nil
		t.words[i] = numbers
	}
	switch {
	case err == nil && (numbers || t.at[fCounterValue] == i):
		if t.s.take(counterTakes) {
			t.s.Counters = append(t.s.Counters, Counter{Dispatch: of.id, Name: name, Value: v, Process: of.process})
		}
	case t.at[fCounterValue] == i || numbers:
		t.s.problem(FormatError{Line: t.line, Want: "a number for " + name, Found: strconv.Quote(t.row[i]), Err: cursor.ErrCorrupt})
	default:
		t.extra(i)
	}
}

// extra keeps the cell of a column that is not known.
func (t *table) extra(i int) {
	if t.row[i] != "" && t.s.take(counterTakes) {
		t.s.Kept = append(t.s.Kept, Kept{Row: t.line - 1, Column: t.names[i], Value: t.keep(t.row[i])})
	}
}

// extras keeps the cells of all columns that are not known.
func (t *table) extras() {
	for _, i := range t.counters {
		t.extra(i)
	}
}

func (t *table) copy() {
	c := Copy{Process: t.process(), Direction: t.text(fDirection), From: t.number(fFrom), To: t.number(fTo), Bytes: t.optional(fBytes), PID: t.number(fPID),
		Queue: t.number(fQueue), Stream: t.number(fStream), Correlation: t.number(fCorrelation), Start: t.number(fStart), End: t.number(fEnd)}
	if t.ok() && t.s.take(copyTakes) {
		t.s.Copies = append(t.s.Copies, c)
		t.extras()
	}
}

// call reads a call of an API or, by its domain, a marker of the application.
func (t *table) call() {
	c := Call{Process: t.process(), Domain: t.text(fDomain), Name: t.text(fName), PID: t.number(fPID), TID: t.number(fTID), Correlation: t.number(fCorrelation),
		Start: t.number(fStart), End: t.number(fEnd)}
	if c.Domain == "" {
		c.Domain = t.text(fKind)
	}
	if !t.ok() || !t.s.take(callTakes) {
		return
	}
	t.s.addCall(c, c.Name, false)
	t.extras()
}

// isMarker tells the domains of markers from those of calls. What controls the
// profiler or names things is a call.
func isMarker(domain string) bool {
	return strings.HasPrefix(domain, "MARKER_CORE") || strings.HasPrefix(domain, "ROCTX")
}

// addCall adds a call, or the marker of the given text.
func (s *Session) addCall(c Call, text string, free bool) {
	if !isMarker(c.Domain) {
		s.Calls = append(s.Calls, c)
		return
	}
	s.Ranges = append(s.Ranges, Range{Process: c.Process, Domain: c.Domain, Text: text, PID: c.PID, TID: c.TID, Correlation: c.Correlation,
		Start: c.Start, End: c.End, Mark: c.Start == c.End, Free: free})
}

// allocation reads a row of memory or of scratch memory.
func (t *table) allocation() {
	a := Allocation{Process: t.process(), Agent: t.number(fAgent), HasAgent: t.at[fAgent] >= 0 && t.row[t.at[fAgent]] != "", Bytes: max(t.optional(fAllocated), t.optional(fBytes)),
		Address: t.number(fAddress), PID: t.number(fPID), TID: t.number(fTID), Correlation: t.number(fCorrelation), Start: t.number(fStart), End: t.number(fEnd)}
	a.Operation, a.Level = allocationOf(t.text(fOperation))
	if t.ok() && t.s.take(copyTakes) {
		t.s.Allocations = append(t.s.Allocations, a)
		t.extras()
	}
}

// allocationOf reads MEMORY_ALLOCATION_ALLOCATE, MEMORY_ALLOCATION_VMEM_FREE,
// SCRATCH_MEMORY_ALLOC, SCRATCH_MEMORY_ASYNC_RECLAIM and the like.
func allocationOf(s string) (operation, level string) {
	level = "REAL"
	if rest, ok := strings.CutPrefix(s, "SCRATCH_MEMORY_"); ok {
		s, level = rest, "SCRATCH"
	}
	s = strings.TrimPrefix(s, "MEMORY_ALLOCATION_")
	if rest, ok := strings.CutPrefix(s, "VMEM_"); ok {
		s, level = rest, "VIRTUAL"
	}
	switch s {
	case "ALLOCATE":
		s = "ALLOC"
	case "ASYNC_RECLAIM":
		s = "RECLAIM"
	}
	return s, level
}

func (t *table) total() {
	sum, err := strconv.ParseFloat(strings.TrimSpace(t.row[t.at[fSum]]), 64)
	if err != nil {
		t.s.problem(FormatError{Line: t.line, Want: "a number", Found: t.names[t.at[fSum]] + " " + strconv.Quote(t.row[t.at[fSum]]), Err: cursor.ErrCorrupt})
		return
	}
	c := Total{Name: t.text(fName), Calls: t.number(fCalls), Sum: sum}
	if t.at[fName] < 0 {
		c.Name = t.text(fKernel)
	}
	if t.ok() && t.s.take(counterTakes) {
		t.s.Totals = append(t.s.Totals, c)
	}
}

func (t *table) sample() {
	x := Sample{Process: t.process(), Time: t.number(fSample), Exec: t.number(fExec), Dispatch: t.number(fID), Correlation: t.number(fCorrelation),
		Instruction: t.text(fInstruction), Source: t.text(fSource), Issued: t.at[fIssued] < 0 || t.number(fIssued) != 0, Type: t.text(fType), Stall: t.text(fReason), Waves: t.number(fWaves)}
	if t.ok() && t.s.take(callTakes) {
		t.s.Samples = append(t.s.Samples, x)
		t.extras()
	}
}

func (t *table) instruction() {
	x := Instruction{CodeObject: int64(t.number(fCodeObject)), Address: t.number(fVaddr), Line: int64(len(t.s.Code)), Text: t.text(fInstruction), Source: t.text(fSource),
		Hits: t.number(fHits), Latency: t.number(fLatency), Stall: t.number(fStall), Idle: t.number(fIdle)}
	if t.ok() && t.s.take(callTakes) {
		t.s.Code = append(t.s.Code, x)
		t.extras()
	}
}

// agent reads a row of agent_info.
func (t *table) agent() {
	cell := func(name string) string {
		if i := t.column(name); i >= 0 {
			return t.keep(t.row[i])
		}
		return ""
	}
	whole := func(name string) uint32 { v, _ := strconv.ParseUint(cell(name), 10, 32); return uint32(v) }
	id, err := strconv.ParseUint(cell("Node_Id"), 10, 64)
	if err != nil {
		t.s.problem(FormatError{Line: t.line, Want: "a whole number", Found: "Node_Id " + strconv.Quote(cell("Node_Id")), Err: cursor.ErrCorrupt})
		return
	}
	a := Agent{Process: t.process(), ID: id, GPU: cell("Agent_Type") == "GPU" || cell("Agent_Type") == "2", Name: cell("Name"), Product: cell("Product_Name"),
		CUs: whole("Cu_Count"), Wave: whole("Wave_Front_Size"), LDS: whole("Lds_Size_In_Kb"), Clock: whole("Max_Engine_Clk_Fcompute")}
	for _, o := range t.s.Agents {
		if o.Process == a.Process && o.GPU == a.GPU {
			a.Index++
		}
	}
	if t.s.take(symbolTakes) {
		t.s.Agents = append(t.s.Agents, a)
	}
}

// fact reads a row of sysinfo or roofline.
func (t *table) fact() {
	of := "system"
	if i := t.column("device"); i >= 0 && t.column("workload_name") < 0 {
		of = "roofline of device " + t.keep(t.row[i])
	}
	for i, name := range t.names {
		if t.row[i] != "" && t.s.take(counterTakes) {
			t.s.Facts = append(t.s.Facts, Fact{Of: of, Name: name, Value: t.keep(t.row[i])})
		}
	}
}
