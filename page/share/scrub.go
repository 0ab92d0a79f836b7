package share

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/scrub"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// dropWords are the values of --drop.
var dropWords = []string{"sources", "cubins", "paths", "names"}

// Scrub is the page scrub.
var Scrub = &page.Page{
	Name:  "scrub",
	Short: "Take names, addresses, environments and secrets out of a profile",
	Long: `Write IN without what others should not see: host and user names, IP and MAC addresses,
command lines, environments, working directories, console output, and what looks like a
key, token or password, wherever it stands, also in annotations and paths. Metrics,
times and names of kernels stay. It tells what was found and where, never the values.

--drop takes out more: sources (embedded source texts and PTX), cubins, paths (of source
files), names (kernel names become pseudonyms, the same in every report). Sources, cubins and
paths are told apart in .ncu-rep only; names in every profile.

--check writes nothing and exits with 1 if there is something to take out.

Reads .ncu-rep, .nsys-rep, SQLite exports, rocpd and RPD databases, Chrome and Perfetto
traces, rocprofv3 JSON, .atp, .csv, .occupancy, .nvtxt, .yaml and text; all but the first
two also packed with gzip.`,
	Example: "gpuprof scrub report.ncu-rep -o clean.ncu-rep\ngpuprof scrub --drop sources,names report.ncu-rep -o clean.ncu-rep\ngpuprof scrub --check *.nsys-rep",
	Group:   page.GroupTool, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Unopened: true, Output: page.OwnFile,
	Options: []page.Option{
		{Name: "check", Kind: page.Flag, Help: "only tell what there is to take out; exit with 1 if there is something"},
		{Name: "drop", Kind: page.List, Arg: "WHAT", Help: "take out more: " + strings.Join(dropWords, ", ")},
		{Name: "salt", Kind: page.Text, Arg: "TEXT", Help: "of --drop names: who does not know it cannot find out a name by trying"},
	},
	Build: buildScrub,
}

func buildScrub(ctx context.Context, q *page.Request) (*view.Document, error) {
	opt := scrub.Options{Salt: q.Text("salt")}
	for _, w := range q.List("drop") {
		switch w {
		case "sources":
			opt.Drop.Sources = true
		case "cubins":
			opt.Drop.Cubins = true
		case "paths":
			opt.Drop.Paths = true
		case "names":
			opt.Drop.Names = true
		default:
			return nil, page.Usagef("--drop: %q is not one of %s", w, strings.Join(dropWords, ", "))
		}
	}
	check := q.Flag("check")
	switch {
	case check && q.Output != "":
		return nil, page.Usagef("scrub: --check writes nothing, so there is no --output")
	case !check && q.Output == "":
		return nil, page.Usagef("scrub: expected the name of the output: -o OUT, or --check")
	case !check && len(q.Args) > 1:
		return nil, page.Usagef("scrub: %d files and one output; expected one file, or --check", len(q.Args))
	}
	d := &view.Document{Title: "scrub"}
	for _, name := range q.Args {
		s, err := scrubFile(ctx, q, name, opt, check)
		if err != nil {
			return nil, err
		}
		d.Sections = append(d.Sections, s)
		d.Failed = d.Failed || check && len(s.Items) > 0 && s.Items[0].Table != nil
	}
	return d, nil
}

// scrubFile scrubs or checks one file and tells of it.
func scrubFile(ctx context.Context, q *page.Request, name string, opt scrub.Options, check bool) (view.Section, error) {
	sec := view.Section{ID: name, Title: name}
	in, err := scrub.Open(name)
	if err != nil {
		return sec, err
	}
	defer in.Close()
	in.Progress = q.Progress
	for _, w := range in.Cannot(opt.Drop) {
		q.Notef("%s: --drop %s does nothing here: in a %s they are not told apart from other texts, or there are none", name, w, in.Format)
	}
	if opt.Drop.Names {
		if opt.Names, err = kernelNames(ctx, q, name); err != nil {
			return sec, err
		}
		if opt.Names == nil {
			q.Notef("%s: --drop names: no kernels were found", name)
		}
	}
	var s *scrub.Scrubber
	if check {
		s, err = scrub.Run(ctx, in, nil, opt)
	} else {
		err = atomicfile.Write(q.Output, func(f *atomicfile.File) (err error) {
			s, err = scrub.Run(ctx, in, f, opt)
			return err
		})
	}
	if err != nil {
		if errors.Is(err, atomicfile.ErrWrite) {
			err = page.Unwritten(err)
		}
		return sec, err
	}
	for _, n := range in.Notes {
		q.Notef("%s: %s", name, n)
	}
	found := s.Findings()
	if len(found) == 0 {
		sec.AddMessage(&view.Message{Text: fmt.Sprintf("Nothing to take out of this %s.", in.Format)})
		return sec, nil
	}
	sec.AddTable(findingTable(found))
	sec.AddTable(reasonTable(found))
	return sec, nil
}

// findingTable tells what was found, where and how often.
func findingTable(found []scrub.Finding) *view.Table {
	t := &view.Table{ID: "findings", Title: "Found", Columns: []view.Column{
		{Name: "kind", Label: "Kind", Type: view.Text},
		{Name: "rule", Label: "Found by", Type: view.Text},
		{Name: "place", Label: "Place", Type: view.Text, MaxWidth: 80},
		{Name: "count", Label: "Count"}}}
	for _, f := range found {
		t.Rows = append(t.Rows, []view.Value{view.String(f.Kind.String()), view.String(f.What), view.String(f.Place), view.Uint(uint64(f.Count), "")})
	}
	return t
}

// reasonTable says why the kinds that were found are taken out, and how many of each
// there are.
func reasonTable(found []scrub.Finding) *view.Table {
	t := &view.Table{ID: "kinds", Title: "Why", Columns: []view.Column{
		{Name: "kind", Label: "Kind", Type: view.Text},
		{Name: "count", Label: "Count"},
		{Name: "reason", Label: "It", Type: view.Text}}}
	var kinds []scrub.Kind
	counts := map[scrub.Kind]int64{}
	for _, f := range found {
		if counts[f.Kind] == 0 {
			kinds = append(kinds, f.Kind)
		}
		counts[f.Kind] += f.Count
	}
	for _, k := range kinds {
		t.Rows = append(t.Rows, []view.Value{view.String(k.String()), view.Uint(uint64(counts[k]), ""), view.String(k.Reason())})
	}
	return t
}

// kernelNames are the names of the kernels of a file; none where it is nothing that
// gpuprof reads as a profile.
func kernelNames(ctx context.Context, q *page.Request, name string) ([]string, error) {
	f, err := q.Open(ctx, name)
	if err != nil {
		return nil, nil // scrub reads texts, too, that are no profile
	}
	seen := map[string]bool{}
	if f.Report != nil {
		for _, r := range f.Report.Ranges {
			for _, a := range r.Actions {
				seen[a.FullName()], seen[a.Function] = true, true
			}
		}
	}
	if f.Trace != nil && f.Trace.Has(trace.TableKernel) {
		if err := f.Trace.LoadNames(ctx); err != nil {
			return nil, err
		}
		t, err := f.Trace.Table(ctx, trace.TableKernel, "demangledName", "shortName", "mangledName")
		if err != nil {
			return nil, err
		}
		for _, c := range []string{"demangledName", "shortName", "mangledName"} {
			col := t.Col(c)
			for i, id := range t.Ints(c) {
				if !col.IsNull(i) {
					seen[f.Trace.NameText(id)] = true
				}
			}
		}
	}
	delete(seen, "")
	return slices.Sorted(maps.Keys(seen)), nil
}
