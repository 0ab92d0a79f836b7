package timeline

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/stats/rcp"
	"github.com/gpuprof/gpuprof/view"
)

// amdStatsOptions are what stats can be told about AMD traces.
var amdStatsOptions = []page.Option{
	{Name: "rules-file", Kind: page.Text, Arg: "FILE", Help: "which rules of best practices run: lines APITrace.APIRules.NAME=True or False"},
	{Name: "compat", Kind: page.Choice, Values: []string{"", "rcp"}, Arg: "TOOL",
		Help: "print exactly what Radeon Compute Profiler 5.6 prints, its errors included; docs/compat-amd.md lists the differences"},
}

// amdSections makes the named reports of an AMD trace or, where names is empty,
// all but the lists for which it has something.
func amdSections(ctx context.Context, q *page.Request, f *load.File, names []string) ([]view.Section, error) {
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
	s, lacking, err := rcp.Sections(ctx, f.AMD.Trace, pages, o, len(names) > 0, q.Progress)
	for _, p := range lacking {
		q.Notef("%s: %s: the trace holds nothing for this page", f.Name, p.Name)
	}
	return s, err
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
			return nil, page.Usagef("--report: %q is not one of %s", n, strings.Join(rcp.Names(), ", "))
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
