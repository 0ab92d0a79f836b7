package compare

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
)

// A reader makes runs of files as a request asks.
type reader struct {
	q        *page.Request
	names    compare.Names
	each     bool // every launch is an entity of its own
	separate bool // samples of benchmarks are runs
	timeline compare.TimelineOptions
	chosen   map[*load.File][]*profile.Action // nil: all launches
}

// open makes runs of files that are no operands: a baseline, or what is kept.
func (r *reader) open(ctx context.Context, names []string) ([]*compare.Run, error) {
	var out []*compare.Run
	for _, name := range names {
		f, err := r.q.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		for _, problem := range f.Problems() {
			r.q.Notef("%s", problem)
		}
		runs, err := r.run(ctx, f, "")
		if err != nil {
			return nil, err
		}
		out = append(out, runs...)
	}
	return out, nil
}

func newReader(q *page.Request) (*reader, error) {
	r := &reader{q: q, each: q.Text("by") == "launch", separate: q.Flag("assume-independent")}
	r.names.FoldDigits = q.Flag("fold-digits")
	for _, s := range q.List("rename") {
		from, to, ok := strings.Cut(s, "=")
		if !ok {
			return nil, page.Usagef("--rename: expected 'OLD_RE=NEW', found %q", s)
		}
		re, err := regexp.Compile(from)
		if err != nil {
			return nil, page.Usagef("--rename: %v", err)
		}
		r.names.Rename = append(r.names.Rename, compare.Rename{From: re, To: to})
	}
	r.timeline.SkipSteps = q.Count("skip-steps")
	return r, nil
}

// choose reads the selection of launches for the files that have any.
func (r *reader) choose(files []*load.File) error {
	if !slices.ContainsFunc(page.KernelOptions, func(o page.Option) bool { return r.q.Given(o.Name) }) {
		return nil
	}
	sub := *r.q
	sub.Files = nil
	for _, f := range files {
		if f.Report != nil {
			sub.Files = append(sub.Files, f)
		}
	}
	if len(sub.Files) == 0 {
		return nil
	}
	launches, err := page.SelectLaunches(&sub)
	if err != nil {
		return err
	}
	r.chosen = map[*load.File][]*profile.Action{}
	for _, l := range launches {
		r.chosen[l.File] = append(r.chosen[l.File], l.Action)
	}
	return nil
}

// run makes runs of a file: of its launches where it has any and kind asks for
// nothing else, of its timeline, or of its results.
func (r *reader) run(ctx context.Context, f *load.File, kind compare.Kind) ([]*compare.Run, error) {
	switch {
	case f.Report != nil && kind != compare.Timeline:
		var keep []*profile.Action
		if r.chosen != nil {
			if keep = r.chosen[f]; keep == nil {
				keep = []*profile.Action{}
			}
		}
		return []*compare.Run{compare.FromReport(f.Report.Report, keep, &r.names, r.each)}, nil
	case f.Trace != nil:
		run, err := compare.FromTrace(ctx, f.Trace, &r.names, r.timeline)
		if err != nil {
			return nil, err
		}
		return []*compare.Run{run}, nil
	case len(f.Kept) > 0:
		return f.Kept, nil
	case f.Benchmarks != nil:
		return compare.FromBenchmarks(f.Name, f.Benchmarks, r.separate), nil
	}
	return nil, fmt.Errorf("%s: expected a report, a timeline or results of benchmarks, found %s", f.Name, f.Kind())
}

// sides makes runs of two lists of files. Files that hold launches and a
// timeline, too, are compared by what the other side has.
func (r *reader) sides(ctx context.Context, old, new []*load.File) (a, b []*compare.Run, err error) {
	if err := r.choose(slices.Concat(old, new)); err != nil {
		return nil, nil, err
	}
	kind := compare.Launches
	for _, f := range slices.Concat(old, new) {
		if f.Report == nil && len(f.Kept) == 0 {
			kind = compare.Timeline
		}
	}
	n := 0
	for _, side := range []struct {
		files []*load.File
		to    *[]*compare.Run
	}{{old, &a}, {new, &b}} {
		for _, f := range side.files {
			runs, err := r.run(ctx, f, kind)
			if err != nil {
				return nil, nil, err
			}
			*side.to = append(*side.to, runs...)
			n++
			r.q.Progress(n, len(old)+len(new))
		}
	}
	for _, x := range slices.Concat(a, b) {
		if x.Kind != a[0].Kind {
			return nil, nil, fmt.Errorf("%s holds %s and %s holds %s: these cannot be compared", a[0].Name, a[0].Kind, x.Name, x.Kind)
		}
	}
	return a, b, nil
}
