package ncurep

// tally counts what a report holds.
type tally struct {
	metrics, instances, sections, rules, nvtx, frames, lines, files, strings int
	sum                                                                      float64 // keeps the work from being optimized away
}

// decodeAll decodes everything in a report and returns the first error.
func decodeAll(f *File) (n tally, err error) {
	note := func(e error) {
		if err == nil {
			err = e
		}
	}
	n.strings = len(f.Strings)
	for _, r := range f.Results {
		note(n.addResult(r))
	}
	for _, s := range f.Sources {
		note(n.addSource(s))
	}
	return n, err
}

func (n *tally) addResult(r *Result) error {
	var problems Problems
	ms, err := r.Metrics()
	problems.join(err)
	n.metrics += len(ms.All)
	var in Instances
	for i := range ms.All {
		problems.join(ms.All[i].decodeInstances(&in))
		n.instances += in.Len()
		for k := range in.Len() {
			id, v := in.At(k)
			x, _ := id.Float64()
			y, _ := v.Float64()
			n.sum += x + y
		}
	}
	n.metrics += len(ms.Unique())
	sections, err := r.Sections()
	problems.join(err)
	n.sections += len(sections)
	rules, err := r.Rules()
	problems.join(err)
	n.rules += len(rules)
	state, err := r.Nvtx()
	problems.join(err)
	if state.hasRanges() {
		n.nvtx++
	}
	stack, err := r.CallStack()
	problems.join(err)
	if stack != nil {
		n.frames += len(stack.Frames)
	}
	_, err = r.sectionComments()
	problems.join(err)
	return problems.err()
}

func (n *tally) addSource(s *Source) error {
	var problems Problems
	files, err := s.Files()
	problems.join(err)
	n.files += len(files)
	code, err := s.code()
	problems.join(err)
	for _, t := range []*LineTable{code.Lines, code.PTXLines} {
		for i := range t.Sequences {
			n.lines += len(t.Sequences[i].Rows)
		}
		problems.join(t.Problems.err())
	}
	return problems.err()
}
