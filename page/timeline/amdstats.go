package timeline

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/stats/rcp"
)

// amdStatsOptions are what stats can be told about AMD traces.
var amdStatsOptions = []page.Option{
	{Name: "rules-file", Kind: page.Text, Arg: "FILE", Help: "which rules of best practices run: lines APITrace.APIRules.NAME=True or False"},
	{Name: "compat", Kind: page.Choice, Values: []string{"", "rcp"}, Arg: "TOOL",
		Help: "print exactly what Radeon Compute Profiler 5.6 prints, its errors included; docs/compat-amd.md lists the differences"},
}

// amdParts are pages of AMD's profilers as parts; asked is false for those of
// Default, which are left out where the trace holds nothing for them.
func amdParts(names []string, asked bool) []page.Part {
	known := map[*load.File]*rcp.Analysis{} // of a file once for all parts
	var out []page.Part
	for _, p := range rcp.Pages() {
		if asked && !slices.Contains(names, p.Name) || !asked && p.List {
			continue
		}
		out = append(out, page.Part{Spec: p.Name, Build: func(ctx context.Context, q *page.Request, f *load.File) (*page.Piece, error) {
			a := known[f]
			if a == nil {
				var err error
				if a, err = amdAnalysis(ctx, q, f); err != nil {
					return nil, err
				}
				known[f] = a
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			s, lacks := a.Section(p, asked)
			if s == nil {
				return nil, nil
			}
			if lacks {
				q.Notef("%s: %s: the trace holds nothing for this page", f.Name, p.Name)
				return &page.Piece{Section: *s}, nil
			}
			return &page.Piece{Section: *s, Table: s.Items[0].Table}, nil
		}})
	}
	return out
}

func amdAnalysis(ctx context.Context, q *page.Request, f *load.File) (*rcp.Analysis, error) {
	if err := checkTimeline(f); err != nil {
		return nil, err
	}
	if f.AMD == nil || f.AMD.Trace == nil {
		return nil, fmt.Errorf("%s: this page is about an AMD trace (.atp); this is %s", f.Name, f.Kind())
	}
	o := rcp.Options{Compat: q.Text("compat") == "rcp"}
	if name := q.Text("rules-file"); name != "" {
		var err error
		if o.Rules, err = readRules(name, o.Compat); err != nil {
			return nil, err
		}
	}
	return rcp.New(ctx, f.AMD.Trace, o)
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
