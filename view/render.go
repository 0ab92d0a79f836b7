package view

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Format names a renderer.
type Format string

// The formats.
const (
	FormatText     Format = "text"
	FormatCSV      Format = "csv"
	FormatJSON     Format = "json"
	FormatMarkdown Format = "md"
)

// renderers lists the formats in the order in which help shows them.
var renderers = []struct {
	format Format
	render func(io.Writer, *Document, Options) error
}{
	{FormatText, renderText},
	{FormatCSV, renderCSV},
	{FormatJSON, renderJSON},
	{FormatMarkdown, renderMarkdown},
}

// Formats are the names that Render knows.
func Formats() []string {
	var names []string
	for _, r := range renderers {
		names = append(names, string(r.format))
	}
	return names
}

// Instances says how much of a series text, csv and md show.
type Instances string

// The ways to show a series.
const (
	InstancesNone    Instances = "none"    // the aggregate only
	InstancesValues  Instances = "values"  // the aggregate, then the values
	InstancesDetails Instances = "details" // the aggregate, then id: value
)

// Options shape formats that are read by people; JSON heeds none of them but
// Brief and Cells, and the others where Cells is set.
type Options struct {
	// Brief, where set, asks for an answer that fits a budget, in the form that it
	// names, in place of text, json or md.
	Brief *Brief

	// Cells gives each table of JSON two more members for people: "labels", the
	// headings (null: the column is for programs alone), and "text", the cells
	// as text prints them.
	Cells bool

	Units       Units     // scaling of numbers; default UnitsAuto
	Spelling    Spelling  // names of units; default SpellingCurrent
	FloatPoint  bool      // print every number with decimals
	Instances   Instances // default InstancesNone
	RuleDetails bool      // print what messages rest on
	CSVSafe     bool      // csv and tsv: no text is a formula to a spreadsheet
	Color       bool      // ANSI colours; only ever for a terminal
	Charts      bool      // text draws charts rather than print their tables
	Width       int       // of drawings, in characters; 0 means 80
	Fit         int       // text has no line of more characters, where that can be; 0: lines are as long as they are
}

// Render writes d to w in the given format.
func Render(w io.Writer, d *Document, f Format, o Options) error {
	if o.Brief != nil && f != FormatCSV {
		return renderBrief(w, d, o)
	}
	for _, r := range renderers {
		if r.format == f {
			b := bufio.NewWriterSize(w, 1<<16)
			if err := r.render(b, d, o); err != nil {
				return err
			}
			return b.Flush()
		}
	}
	return fmt.Errorf("format %q is unknown; there are %s", f, strings.Join(Formats(), ", "))
}
