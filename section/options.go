package section

import (
	"cmp"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// Details says which parts of sections are shown.
type Details string

// The parts, as ncu spells them.
const (
	DetailsHeader Details = "header"
	DetailsBody   Details = "body"
	DetailsAll    Details = "all"
)

func (d Details) header() bool { return d != DetailsBody }
func (d Details) body() bool   { return d == DetailsBody || d == DetailsAll }

// Names says how people see metrics named.
type Names string

// The ways to name, as ncu spells them.
const (
	namesLabel     Names = "label"
	namesName      Names = "name"
	namesLabelName Names = "label-name"
)

// Options say what a Builder makes. The zero value means the first of each.
type Options struct {
	Details Details
	Names   Names

	// Instances says that the values behind each metric go into the tables, for
	// programs and for people who ask for them.
	Instances bool

	// DefaultFirst puts the body that is to be looked at first before the others.
	DefaultFirst bool

	// Unit tells the canonical base unit of a metric on an architecture; nil:
	// what its name says.
	Unit func(name string, arch int) string
}

func (o Options) withDefaults() Options {
	if o.Unit == nil {
		o.Unit = func(name string, _ int) string { return metric.Lookup(name).Unit.String() }
	}
	return o
}

func compare[T cmp.Ordered](a, b T) int { return cmp.Compare(a, b) }
