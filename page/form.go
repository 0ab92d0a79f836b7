package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/view"
	"github.com/gpuprof/gpuprof/view/tabular"
)

// FormNames are the forms of pages with parts: those of documents and of tables.
func FormNames() (out []string) {
	for _, t := range tabular.Forms() {
		out = append(out, t.Name)
	}
	for _, name := range view.Formats() {
		if !slices.Contains(out, name) {
			out = append([]string{name}, out...)
		}
	}
	return out
}

// HelpForms tells of these forms of tables; of none, or of all: lists all forms.
func HelpForms(names []string) (string, error) {
	names = slices.DeleteFunc(slices.Clone(names), func(s string) bool { return strings.EqualFold(s, "all") })
	known := 0
	var b strings.Builder
	for _, f := range tabular.Forms() {
		if len(names) == 0 || slices.Contains(names, f.Name) {
			known++
			fmt.Fprintf(&b, "  %s  (.%s)\n      %s\n", f.Usage, f.Ext, f.Short)
		}
	}
	if known < len(names) {
		return "", Usagef("--help-formats: %s: not all of these are forms", strings.Join(names, ", "))
	}
	if len(names) == 0 {
		b.WriteString("  text, csv, json, md\n      the forms of every page: all reports in one document\n" +
			"  every form of a table also takes :time=UNIT\n")
	}
	return b.String(), nil
}
