package compare

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/choose"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// A reader makes runs of files as a request asks.
type reader struct {
	q        *page.Request
	names    compare.Names
	each     bool // every launch is an entity of its own
	separate bool // samples of benchmarks are runs
	timeline compare.TimelineOptions
	chosen   map[*load.File][]*profile.Action // nil: all launches
	selects  bool                             // the page has timelineOptions
	kept     map[*compare.Run]bool            // runs that were read from files of kept runs
	places   places
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
	r := &reader{q: q, kept: map[*compare.Run]bool{}, each: q.Text("by") == "launch", separate: q.Flag("assume-independent")}
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
	if list := q.List("kernel-name"); len(list) > 0 {
		names, err := choose.ParseNames(list)
		if err != nil {
			return nil, page.Usagef("--kernel-name: %v", err)
		}
		r.timeline.Kernels = func(name string) bool {
			return choose.MatchAny(names, compare.ShortName(name)) || q.Text("kernel-name-base") == "demangled" && choose.MatchAny(names, name)
		}
	}
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

// run makes runs of a file and refuses files that hold nothing which compares, such
// as what a profiler tells of the machine. One file that is named twice is one
// measurement, whatever it tells of itself.
func (r *reader) run(ctx context.Context, f *load.File, kind compare.Kind) ([]*compare.Run, error) {
	runs, err := r.runsOf(ctx, f, kind)
	if err != nil {
		return nil, err
	}
	n := 0
	for i, x := range runs {
		n += len(x.Entities)
		if x.Identity == "" {
			if at, err := filepath.Abs(f.Name); err == nil {
				x.Identity = "file " + at + "#" + strconv.Itoa(i)
			}
		}
	}
	if n == 0 && f.Report == nil && !r.chooses() {
		return nil, fmt.Errorf("%s: expected kernels, calls, ranges or results of benchmarks to compare, found %s without any", f.Name, f.Kind())
	}
	return runs, nil
}

// chooses reports whether options choose a part of the files, which may be empty.
func (r *reader) chooses() bool {
	return slices.ContainsFunc(slices.Concat(page.KernelOptions, timelineOptions), func(o page.Option) bool { return r.q.Given(o.Name) })
}

// runsOf makes runs of a file: of its launches where it has any and kind asks for
// nothing else, of its timeline, or of its results.
func (r *reader) runsOf(ctx context.Context, f *load.File, kind compare.Kind) ([]*compare.Run, error) {
	switch {
	case f.Report != nil && kind != compare.Timeline:
		var keep []*profile.Action
		if r.chosen != nil {
			if keep = r.chosen[f]; keep == nil {
				keep = []*profile.Action{}
			}
		}
		run := compare.FromReport(f.Report.Report, keep, &r.names, r.each)
		if at := slices.Index(r.q.Files, f); at >= 0 {
			r.places.add(run, at, f)
		}
		return []*compare.Run{run}, nil
	case f.Trace != nil:
		run, err := r.fromTrace(ctx, f)
		if err != nil {
			return nil, err
		}
		return []*compare.Run{run}, nil
	case len(f.Kept) > 0:
		for _, x := range f.Kept {
			r.kept[x] = true
		}
		return f.Kept, nil
	case f.Benchmarks != nil:
		return compare.FromBenchmarks(f.Name, f.Benchmarks, r.separate), nil
	}
	return nil, fmt.Errorf("%s: expected a report, a timeline or results of benchmarks, found %s", f.Name, f.Kind())
}

// fromTrace makes a run of what the options choose of a timeline.
func (r *reader) fromTrace(ctx context.Context, f *load.File) (*compare.Run, error) {
	tr, o := f.Trace, r.timeline
	if r.selects {
		var err error
		if tr, err = page.SelectTrace(ctx, r.q, f); err != nil {
			return nil, err
		}
		filter, err := page.TimeFilter(ctx, r.q, f)
		if err != nil {
			return nil, err
		}
		if filter != nil {
			o.Within, o.Cut = &interval.Span{Start: filter.Start, End: filter.End}, r.q.Given("filter-time")
		}
	}
	return compare.FromTrace(ctx, tr, &r.names, o)
}

// kernelChoices are the options for launches that choose kernels of timelines, too.
var kernelChoices = []string{"kernel-name", "kernel-name-base"}

// fitting refuses options that choose what the sides do not hold.
func (r *reader) fitting(kind compare.Kind) error {
	if !r.selects {
		return nil
	}
	if kind != compare.Timeline {
		for _, o := range timelineOptions {
			if r.q.Given(o.Name) {
				return page.Usagef("--%s chooses from timelines; these files hold %s", o.Name, kind)
			}
		}
	}
	if kind != compare.Launches {
		for _, o := range page.KernelOptions {
			if r.q.Given(o.Name) && !slices.Contains(kernelChoices, o.Name) {
				return page.Usagef("--%s chooses launches of kernel reports; these files hold %s, of which --kernel-regex, --range-regex, --filter-nvtx and the like choose", o.Name, kind)
			}
		}
	}
	return nil
}

// reaches refuses options that choose from timelines where no new run is one, or
// where the baseline was kept of whole timelines: 'check save' takes the same options.
func (r *reader) reaches(old, new []*compare.Run) error {
	i := slices.IndexFunc(timelineOptions, func(o page.Option) bool { return r.q.Given(o.Name) })
	if i < 0 {
		return nil
	}
	name := timelineOptions[i].Name
	if !slices.ContainsFunc(new, func(x *compare.Run) bool { return x.Kind == compare.Timeline }) {
		return page.Usagef("--%s chooses from timelines; these files hold %s", name, new[0].Kind)
	}
	for _, x := range old {
		switch {
		case x.Kind != compare.Timeline || !r.kept[x]:
		case r.q.Given("filter-time") && !x.Window.Cut:
			return page.Usagef("--filter-time does not reach into %s, whose runs are kept; give the option to 'check save', too", x.Name)
		default:
			r.q.Notef("%s: as it was kept: --%s chooses from the new runs", x.Name, name)
		}
	}
	return nil
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
	return a, b, r.fitting(a[0].Kind)
}
