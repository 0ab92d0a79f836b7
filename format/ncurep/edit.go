package ncurep

import "slices"

// An Edit is a list of changes to a report. Nothing happens to the File; the
// changes take effect in what [Edit.WriteTo] writes. All that they do not touch
// is written back byte for byte.
type Edit struct {
	file        *File
	drop        map[int]bool
	dropSources bool
	results     map[int]*ResultEdit
	sessions    []func(*Session)
	processes   []func(*Process)
	strings     []string // new ones, behind those of the file
	ids         map[string]uint32
	texts       *texts // nil: texts stay
	dropStrings bool
	numbers     *numbering        // of the names of metrics; nil: they stay
	refs        map[uint64]uint64 // references of sources that change
	skip        map[span]bool     // entries of sources that are left out
	noSession   bool              // leave the session out
}

// Edit starts a list of changes.
func (f *File) Edit() *Edit {
	return &Edit{file: f, drop: make(map[int]bool), results: make(map[int]*ResultEdit), ids: make(map[string]uint32)}
}

// Keep drops the results for which keep is false.
func (e *Edit) Keep(keep func(*Result) bool) {
	for _, r := range e.file.Results {
		if !keep(r) {
			e.drop[r.Index] = true
		}
	}
}

// DropUnusedSources drops the sources that no result kept refers to.
func (e *Edit) DropUnusedSources() { e.dropSources = true }

// Session has change called with a copy of each piece of the session; see
// [Session] for the pieces.
func (e *Edit) Session(change func(*Session)) { e.sessions = append(e.sessions, change) }

// process has change called with a copy of each block's process.
func (e *Edit) process(change func(*Process)) { e.processes = append(e.processes, change) }

// Result returns the changes to a result of the file, which are none at first.
func (e *Edit) Result(r *Result) *ResultEdit {
	re := e.results[r.Index]
	if re == nil {
		re = &ResultEdit{edit: e, result: r, replace: make(map[int][]byte)}
		e.results[r.Index] = re
	}
	return re
}

// ResultEdit is a list of changes to one result.
type ResultEdit struct {
	edit    *Edit
	result  *Result
	header  []func(*ResultHeader)
	replace map[int][]byte // field number to the fields that take its place
	extra   []byte         // fields to add
	dropped func(*Metric) bool
}

// Header has change called with a copy of the result's header.
func (re *ResultEdit) Header(change func(*ResultHeader)) { re.header = append(re.header, change) }

// DropMetrics drops the metrics for which drop is true.
func (re *ResultEdit) DropMetrics(drop func(*Metric) bool) { re.dropped = drop }

// AppendMetrics adds metrics.
func (re *ResultEdit) AppendMetrics(list ...MetricData) {
	re.extra = appendMetrics(re.extra, list, re.edit.id)
}

// SetSections replaces the sections.
func (re *ResultEdit) SetSections(list []*Section) {
	re.replace[resultSections] = appendFields(nil, resultSections, list)
}

// appendSections adds sections.
func (re *ResultEdit) appendSections(list ...*Section) {
	re.extra = appendFields(re.extra, resultSections, list)
}

// SetRules replaces the rule results.
func (re *ResultEdit) SetRules(list []*RuleResult) {
	re.replace[resultRules] = appendFields(nil, resultRules, list)
}

// AppendRules adds rule results.
func (re *ResultEdit) AppendRules(list ...*RuleResult) {
	re.extra = appendFields(re.extra, resultRules, list)
}

// setSectionComments replaces the comments.
func (re *ResultEdit) setSectionComments(list []*Comment) {
	re.replace[resultComments] = appendFields(nil, resultComments, list)
}

// setNvtx replaces the NVTX state; nil removes it.
func (re *ResultEdit) setNvtx(s *NvtxState) {
	re.replace[resultNvtx] = appendFields(nil, resultNvtx, one(s))
}

// setCallStack replaces the CPU call stack; nil removes it.
func (re *ResultEdit) setCallStack(s *CallStack) {
	re.replace[resultCallStack] = appendFields(nil, resultCallStack, one(s))
}

// id returns the id of a metric name, which may be new to the file.
func (e *Edit) id(name string) uint32 {
	if id, ok := e.file.canon[name]; ok {
		return id
	}
	id, ok := e.ids[name]
	if !ok {
		id = uint32(len(e.file.Strings) + len(e.strings))
		e.ids[name] = id
		e.strings = append(e.strings, name)
	}
	return id
}

// encode returns the entry with the changes made.
func (re *ResultEdit) encode() ([]byte, error) {
	r := re.result
	raw, err := r.file.in.bytes(r.entry)
	if err != nil {
		return nil, err
	}
	var all, s fieldSet
	all.add(raw)
	var ms *Metrics
	if re.dropped != nil {
		ms, _ = r.Metrics() // a broken metric is judged by what there is of it
	}
	metric := 0
	for _, f := range all {
		if ms != nil && f.num == resultMetrics && metric < len(ms.All) && ms.All[metric].end() == f.end {
			metric++
			if re.dropped(&ms.All[metric-1]) {
				continue
			}
		}
		if _, replaced := re.replace[f.num]; replaced || len(re.header) > 0 && !onDemand(f.num) {
			continue
		}
		if n := re.edit.numbers; n != nil && f.num == resultMetrics {
			f.raw = n.metric(f.raw)
		}
		s = append(s, f)
	}
	if len(re.header) > 0 {
		h := *clone(&r.ResultHeader)
		for _, change := range re.header {
			change(&h)
		}
		s.add(appendMessage(nil, &h))
	}
	for _, num := range []int{resultSections, resultComments, resultRules, resultNvtx, resultCallStack} {
		s.add(re.replace[num])
	}
	s.add(re.extra)
	return s.join(), nil
}

// usedSources returns the references of the results that are kept.
func (e *Edit) usedSources() map[uint64]bool {
	used := make(map[uint64]bool)
	for _, r := range e.file.Results {
		if ref, ok := r.sourceRef(); ok && !e.drop[r.Index] {
			used[ref] = true
		}
	}
	return used
}

// stringBlock is the index of the block whose string table new strings join:
// the last that has strings, so that the order of ids is kept and the strings
// come no later than they do for the file's own.
func (e *Edit) stringBlock() int {
	if len(e.strings) == 0 {
		return -1
	}
	for i, b := range slices.Backward(e.file.Blocks) {
		if st := b.Header.Strings; st != nil && len(st.Strings) > 0 {
			return i
		}
	}
	return 0
}
