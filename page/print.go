package page

import (
	"slices"

	"github.com/gpuprof/gpuprof/view"
)

// PrintOptions shape what is read by people; their names and values are ncu's.
var PrintOptions = []Option{
	{Name: "print-units", Remote: true, Kind: Choice, Values: []string{"auto", "base"}, Default: "auto",
		Help: "scale units so that numbers are short, or keep them as recorded; csv keeps them unless auto is asked for"},
	{Name: "print-fp", Kind: Flag, Help: "print all numbers with decimals"},
	{Name: "print-metric-instances", Kind: Choice, Values: []string{"none", "values", "details"}, Default: "none",
		Help: "follow a metric by the values it is made of, or by those with their correlation ids"},
	{Name: "print-rule-details", Remote: true, Kind: Flag, Help: "print the tables and key metrics that rule messages rest on"},
	CompatOption,
}

// CompatOption asks for what a vendor's tool prints where ours differs.
var CompatOption = Option{Name: "compat", Kind: Choice, Values: []string{"", "2024.1"}, Arg: "VERSION",
	Help: "print exactly what this version of the vendor's tool prints, its errors included; docs/compat.md lists the differences"}

// WithCompat returns options of which compat takes a further value.
func WithCompat(options []Option, value string) []Option {
	out := slices.Clone(options)
	for i := range out {
		if out[i].Name == "compat" {
			out[i].Values = append(slices.Clone(out[i].Values), value)
		}
	}
	return out
}

// Compat2024 reports whether the page shall equal Nsight Compute 2024.1.
func (q *Request) Compat2024() bool { return q.Text("compat") == "2024.1" }

// ViewOptions are the options for the renderer that the request asks for.
func (q *Request) ViewOptions() view.Options {
	o := view.Options{
		Units:       view.Units(q.Text("print-units")),
		FloatPoint:  q.Flag("print-fp"),
		Instances:   view.Instances(q.Text("print-metric-instances")),
		RuleDetails: q.Flag("print-rule-details"),
	}
	if q.Compat2024() {
		o.Spelling = view.Spelling2024
	} else if q.Format == view.FormatCSV && !q.Given("print-units") {
		o.Units = view.UnitsBase // as ncu does since 2024.2
	}
	return o
}
