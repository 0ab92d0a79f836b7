package python

import (
	"context"
	"hash/maphash"
	"strconv"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// A Service answers the questions of ncu_report and NvRules about reports. It
// serves one program.
type Service struct {
	// Open opens the report that the program names. It decides which files the
	// program may open.
	Open func(ctx context.Context, name string) (*profile.Report, error)

	// Compat2024 has metrics as Nsight Compute 2024.1 has them: their units and
	// types, and which of several with one name is found.
	Compat2024 bool

	// LastWins finds the last of several metrics with one name, as ncu_report does,
	// with Compat2024 or without.
	LastWins bool

	// SASS, if not nil, returns the instruction at an address of an action's code
	// as text.
	SASS func(a *profile.Action, address uint64) string

	// Overlay is what the program sees beside what the reports have; nil: nothing.
	Overlay *profile.Overlay

	reports []*profile.Report
	sets    map[uint64]int // key of a metric set -> its number
	seed    maphash.Seed
}

// Add gives the program a report and returns its number.
func (s *Service) Add(r *profile.Report) int {
	s.reports = append(s.reports, r)
	return len(s.reports) - 1
}

// Handle implements Handler.
func (s *Service) Handle(ctx context.Context, q *Request) error {
	op, ok := operations[q.Op]
	if !ok {
		return errUnknown(q.Op)
	}
	return op(s, ctx, q)
}

var operations = map[string]func(*Service, context.Context, *Request) error{
	"open":         (*Service).open,
	"action":       (*Service).action,
	"instances":    (*Service).instances,
	"describe":     (*Service).describe,
	"by_nvtx":      (*Service).byNvtx,
	"nvtx":         (*Service).nvtx,
	"place":        (*Service).place,
	"source_files": (*Service).sourceFiles,
	"rule_results": (*Service).ruleResults,
	"occupancy":    (*Service).occupancy,
	"gpu":          (*Service).gpu,
}

func (s *Service) open(ctx context.Context, q *Request) error {
	var a struct{ File string }
	if err := q.Decode(&a); err != nil {
		return err
	}
	if s.Open == nil {
		return &Error{"OSError", a.File + ": this program may open no reports"}
	}
	r, err := s.Open(ctx, a.File)
	if err != nil {
		return &Error{"OSError", err.Error()}
	}
	return q.Answer(outline(s.Add(r), r))
}

// outlineRecord is the answer to "open": the number of a report and how many
// actions each of its ranges has.
type outlineRecord struct {
	Report  int   `json:"report"`
	Actions []int `json:"actions"`
}

// outline describes report number n.
func outline(n int, r *profile.Report) outlineRecord {
	o := outlineRecord{Report: n, Actions: []int{}}
	for i := range r.Ranges {
		o.Actions = append(o.Actions, len(r.Ranges[i].Actions))
	}
	return o
}

// at is how a program names an action.
type at struct{ Report, Range, Action int }

func (s *Service) find(k at) (*profile.Action, error) {
	if k.Report >= 0 && k.Report < len(s.reports) {
		if r := s.reports[k.Report]; k.Range >= 0 && k.Range < len(r.Ranges) {
			if as := r.Ranges[k.Range].Actions; k.Action >= 0 && k.Action < len(as) {
				return as[k.Action], nil
			}
		}
	}
	return nil, &Error{"IndexError", "there is no such action"}
}

// named is the action that a request names.
func (s *Service) named(q *Request) (*profile.Action, error) {
	var k at
	if err := q.Decode(&k); err != nil {
		return nil, err
	}
	return s.find(k)
}

func (s *Service) metrics(a *profile.Action) *profile.MetricSet {
	ms, _ := s.Overlay.Launch(a).Metrics() // what is broken is missing
	if s.Compat2024 || s.LastWins {
		ms = ms.LastWins()
	}
	return ms
}

// action answers with names and scalar metrics. Properties that many actions
// share, the columns of a set, travel once.
func (s *Service) action(_ context.Context, q *Request) error {
	a, err := s.named(q)
	if err != nil {
		return err
	}
	sorted := s.metrics(a).Sorted()
	kinds := make([]byte, len(sorted))
	for i, m := range sorted {
		kinds[i] = kindOf(m)
	}
	number, isNew := s.set(a, sorted, kinds)
	b := append(q.out, `{"names":[`...)
	b = append(appendString(b, a.Function), ',')
	b = append(appendString(b, a.Demangled), ',')
	b = append(appendString(b, a.Mangled), `],"workload":0,"schema":`...)
	b = strconv.AppendInt(b, int64(number), 10)
	if isNew {
		b = append(b, `,"set":`...)
		b = s.appendSet(b, a, sorted, kinds)
	}
	b = append(b, `,"values":[`...)
	for i, m := range sorted {
		b = comma(b, i)
		b = appendValue(b, m.Value)
	}
	b = append(b, `],"counts":[`...)
	n := 0
	for i, m := range sorted {
		if m.NumInstances() > 0 {
			b = comma(b, n)
			n++
			b = append(strconv.AppendInt(append(b, '['), int64(i), 10), ',')
			b = append(strconv.AppendInt(b, int64(m.NumInstances()), 10), ']')
		}
	}
	q.out = append(b, "]}"...)
	return nil
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// set returns the number of the set that a's metrics are of, and whether the
// program has not seen it yet.
func (s *Service) set(a *profile.Action, ms []*profile.Metric, kinds []byte) (number int, isNew bool) {
	if s.sets == nil {
		s.sets, s.seed = map[uint64]int{}, maphash.MakeSeed()
	}
	var h maphash.Hash
	h.SetSeed(s.seed)
	h.Write(kinds)
	maphash.WriteComparable(&h, capability(a))
	for _, m := range ms {
		h.WriteString(m.Name)
		h.WriteByte(0)
	}
	key := h.Sum64()
	if n, ok := s.sets[key]; ok {
		return n, false
	}
	s.sets[key] = len(s.sets)
	return len(s.sets) - 1, true
}

func capability(a *profile.Action) int {
	major, minor := a.CC()
	return major*10 + minor
}

// appendSet appends the columns of a metric set.
func (s *Service) appendSet(b []byte, a *profile.Action, ms []*profile.Metric, kinds []byte) []byte {
	cc := capability(a)
	infos := make([]metric.Info, len(ms))
	for i, m := range ms {
		if s.Compat2024 {
			infos[i] = metric.Lookup2024(m.Name, cc)
		} else {
			infos[i] = metric.Lookup(m.Name)
		}
	}
	column := func(name string, cell func(i int)) {
		b = append(append(append(b, '"'), name...), `":[`...)
		for i := range ms {
			b = comma(b, i)
			cell(i)
		}
		b = append(b, ']')
	}
	number := func(n uint8) { b = strconv.AppendUint(b, uint64(n), 10) }
	b = append(b, '{')
	column("names", func(i int) { b = appendString(b, ms[i].Name) })
	b = append(b, ',')
	column("kinds", func(i int) { number(kinds[i]) })
	b = append(b, ',')
	column("units", func(i int) { b = appendString(b, infos[i].Unit.String()) })
	b = append(b, ',')
	column("types", func(i int) { number(uint8(infos[i].Type)) })
	b = append(b, ',')
	column("subtypes", func(i int) { number(uint8(infos[i].Submetric)) })
	b = append(b, ',')
	column("rollups", func(i int) { number(uint8(infos[i].Rollup)) })
	return append(b, '}')
}
