package ncurep

import (
	"reflect"
	"slices"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// Field numbers of a result entry that are decoded on demand.
const (
	resultMetrics   = 13
	resultSections  = 17
	resultComments  = 18
	resultRules     = 19
	resultNvtx      = 21
	resultCallStack = 28
)

// Result is one profiled kernel launch. The header is decoded; metrics,
// sections, rule results and the rest are read and decoded by the methods, anew
// at each call.
type Result struct {
	ResultHeader
	Index       int      // in File.Results
	BlockIndex  int      // of the container block it stands in
	Process     *Process // of the block; nil if the block names none
	NumMetrics  int      // entries, duplicates included
	NumSections int
	NumRules    int

	// Broken is set if the entry breaks off in the middle: what precedes the
	// defect is there. File.Problems lists it as well.
	Broken error

	file  *File
	entry span
}

func onDemand(num int) bool {
	switch num {
	case resultMetrics, resultSections, resultComments, resultRules, resultNvtx, resultCallStack:
		return true
	}
	return false
}

func (f *File) addResult(b *Block, s span) {
	r := &Result{Index: len(f.Results), BlockIndex: len(f.Blocks) - 1, Process: b.Header.Process, file: f, entry: s}
	d := &decoder{file: f.in.name, budget: budgetFor(s.n)}
	head, to := Describe[ResultHeader](), reflect.ValueOf(&r.ResultHeader).Elem()
	err := f.in.scanFields(s, scan{
		skip: onDemand,
		visit: func(num int, wire cursor.Wire, v wireValue, raw []byte) bool {
			switch {
			case wire != cursor.Len || !onDemand(num):
				head.apply(d, num, wire, v, raw, to)
			case num == resultMetrics:
				r.NumMetrics++
			case num == resultSections:
				r.NumSections++
			case num == resultRules:
				r.NumRules++
			}
			return true
		},
	})
	if err != nil {
		d.problems.add(err)
		r.Broken = err
	}
	f.problems.join(d.problems.err())
	b.Results = append(b.Results, r.Index)
	f.Results = append(f.Results, r)
}

// Size is the size of the result's entry in bytes.
func (r *Result) Size() int64 { return r.entry.n }

// GridSize is the number of blocks of the grid in x, y and z.
func (r *Result) GridSize() [3]uint64 { return r.Grid.array() }

// BlockSize is the number of threads of a block in x, y and z.
func (r *Result) BlockSize() [3]uint64 { return r.ResultHeader.Block.array() }

// sourceRef is the Reference of the source that the kernel's code is in; see
// File.source.
func (r *Result) sourceRef() (ref uint64, ok bool) {
	if r.Source == nil {
		return 0, false
	}
	return r.Source.Reference.Value, r.Source.Reference.Set
}

// each calls visit with every field of the given number in the entry.
func (r *Result) each(num int, visit func(d *decoder, v wireValue)) error {
	raw, give, err := r.file.in.borrow(r.entry)
	if err != nil {
		return err
	}
	defer give()
	var problems Problems
	d := &decoder{file: r.file.in.name}
	c := cursor.New(r.file.in.name, r.entry.off, raw)
	for {
		n, wire, ok := c.Field()
		if !ok {
			break
		}
		if n != num || wire != cursor.Len {
			c.SkipField(wire)
			continue
		}
		v := readValue(&c, wire)
		if c.Err() != nil {
			break
		}
		v.b = slices.Clone(v.b) // messages keep unknown fields
		d.budget, d.problems = budgetFor(int64(len(v.b))), nil
		visit(d, v)
		problems.join(d.problems.err())
	}
	if err := c.Err(); err != nil {
		problems.add(err)
	}
	return problems.err()
}

// decodeEach decodes every field of the given number as an M.
func decodeEach[M any](r *Result, num int) (list []*M, err error) {
	err = r.each(num, func(d *decoder, v wireValue) {
		d.text, d.textBase = string(v.b), v.at
		list = append(list, newMessage[M](d, v))
	})
	return list, err
}

// Sections returns the section definitions that the result was made with.
// Results of a report mostly share their definitions: equal ones are decoded
// once and shared, so treat them as read-only (see clone).
func (r *Result) Sections() (list []*Section, err error) {
	f := r.file
	err = r.each(resultSections, func(d *decoder, v wireValue) {
		f.mu.Lock()
		s, ok := f.sections[string(v.b)]
		f.mu.Unlock()
		if !ok {
			d.text, d.textBase = string(v.b), v.at
			s = newMessage[Section](d, v)
			if len(d.problems) == 0 {
				f.mu.Lock()
				f.sections[d.text] = s
				f.mu.Unlock()
			}
		}
		list = append(list, s)
	})
	return list, err
}

// Rules returns the results of the rules applied to the result.
func (r *Result) Rules() ([]*RuleResult, error) {
	return decodeEach[RuleResult](r, resultRules)
}

// sectionComments returns the comments that a user attached to sections.
func (r *Result) sectionComments() ([]*Comment, error) {
	return decodeEach[Comment](r, resultComments)
}

// Nvtx returns the state of the NVTX ranges at the launch, nil if none is
// stored.
func (r *Result) Nvtx() (*NvtxState, error) {
	list, err := decodeEach[NvtxState](r, resultNvtx)
	return last(list), err
}

// CallStack returns the CPU call stack of the launch, nil if none is stored.
func (r *Result) CallStack() (*CallStack, error) {
	list, err := decodeEach[CallStack](r, resultCallStack)
	return last(list), err
}

func last[M any](list []*M) *M {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// clone returns a copy of a message, such as a shared [Section], that may be
// changed.
func clone[M any](m *M) *M {
	b := appendMessage[M](nil, m)
	return newMessage[M](newDecoder("", 0, b), wireValue{b: slices.Clip(b)})
}
