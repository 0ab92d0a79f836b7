package page

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/stats/rcp"
	"github.com/gpuprof/gpuprof/view"
)

// amdStatsOptions are what stats can be told about AMD traces.
var amdStatsOptions = []Option{
	{Name: "rules-file", Kind: Text, Arg: "FILE", Help: "which rules of best practices run: lines APITrace.APIRules.NAME=True or False"},
	{Name: "compat", Kind: Choice, Values: []string{"", "rcp"}, Arg: "TOOL",
		Help: "print exactly what Radeon Compute Profiler 5.6 prints, its errors included; docs/compat-amd.md lists the differences"},
}

func amdReports() []string {
	var out []string
	for _, p := range rcp.Pages() {
		out = append(out, p.Name)
	}
	return out
}

// amdSpecs tells the pages of AMD's profilers from other reports.
func amdSpecs(specs []string) (amdNames, others []string) {
	for _, s := range specs {
		if _, ok := rcp.Lookup(s); ok {
			amdNames = append(amdNames, s)
		} else {
			others = append(others, s)
		}
	}
	return amdNames, others
}

// amdSections makes the named reports of an AMD trace or, where names is empty,
// all but the lists for which it has something.
func amdSections(ctx context.Context, q *Request, f *load.File, names []string) ([]view.Section, error) {
	pages, err := amdPages(names)
	if err != nil {
		return nil, err
	}
	if f.AMD == nil || f.AMD.Trace == nil {
		return nil, fmt.Errorf("%s: this page is about an AMD trace (.atp); this is %s", f.Name, f.Kind())
	}
	o := rcp.Options{Compat: q.Text("compat") == "rcp", Raw: q.Format == view.FormatJSON}
	if name := q.Text("rules-file"); name != "" {
		if o.Rules, err = readRules(name, o.Compat); err != nil {
			return nil, err
		}
	}
	return rcpPages(ctx, q, f, pages, o, len(names) > 0)
}

// rcpPages makes pages of an AMD trace. A page without content is a message where
// asked is set, else nothing.
func rcpPages(ctx context.Context, q *Request, f *load.File, pages []rcp.Page, o rcp.Options, asked bool) ([]view.Section, error) {
	a, err := rcp.New(ctx, f.AMD.Trace, o)
	if err != nil {
		return nil, err
	}
	var out []view.Section
	for i, p := range pages {
		q.step(i, len(pages))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t, notes := a.Page(p)
		s := view.Section{ID: p.Name, Title: p.Title}
		switch {
		case t != nil:
			s.AddTable(t)
		case asked:
			q.note("%s: %s: the trace holds nothing for this page", f.Name, p.Name)
			s.AddMessage(&view.Message{Type: view.OK, Source: p.Name, Text: "The trace holds nothing for this page."})
		default:
			continue
		}
		for _, n := range notes {
			s.AddMessage(&view.Message{Type: view.Warning, Source: p.Name, Text: n})
		}
		out = append(out, s)
	}
	return out, nil
}

func amdPages(names []string) ([]rcp.Page, error) {
	var out []rcp.Page
	if len(names) == 0 {
		for _, p := range rcp.Pages() {
			if !p.List {
				out = append(out, p)
			}
		}
	}
	for _, n := range names {
		p, ok := rcp.Lookup(n)
		if !ok {
			return nil, Usagef("--report: %q is not one of %s", n, strings.Join(amdReports(), ", "))
		}
		out = append(out, p)
	}
	return out, nil
}

func readRules(name string, compat bool) (rcp.Rules, error) {
	in, err := os.Open(name)
	if err != nil {
		return rcp.Rules{}, err
	}
	defer in.Close()
	r, err := rcp.ParseRules(in, compat)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return r, err
}

// onlyAMDTraces reports whether every file of a request is an .atp file.
func onlyAMDTraces(q *Request) bool {
	for _, f := range q.Files {
		if f.AMD == nil || f.AMD.Trace == nil {
			return false
		}
	}
	return len(q.Files) > 0
}

// amdDetails shows all summary pages of AMD traces that have anything to say, then
// the launches of their sessions: those whose counters or occupancy are at hand.
func amdDetails(ctx context.Context, q *Request) (*view.Document, error) {
	d := &view.Document{Title: "details"}
	for _, f := range q.Files {
		compat := q.Text("compat") == "rcp"
		pages, err := rcpPages(ctx, q, f, rcp.Pages(), rcp.Options{Compat: compat, Raw: q.Format == view.FormatJSON}, false)
		if err != nil {
			return nil, err
		}
		if len(q.Files) > 1 {
			pages = []view.Section{{ID: f.Name, Title: f.Name, Sections: pages}}
		}
		d.Sections = append(d.Sections, pages...)
	}
	if q.Text("compat") == "rcp" {
		return d, nil
	}
	with := *q
	with.Files = slices.DeleteFunc(slices.Clone(q.Files), func(f *load.File) bool { return f.Report == nil })
	if len(with.Files) == 0 {
		return d, nil
	}
	rest, err := launchDetails(ctx, &with)
	if err != nil {
		return nil, err
	}
	d.Sections, d.More, d.Failed = append(d.Sections, rest.Sections...), rest.More, rest.Failed
	return d, nil
}
