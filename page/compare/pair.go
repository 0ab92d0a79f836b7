package compare

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
)

// pair makes runs of one launch each, by --pair.
func (r *reader) pair(old, new []*load.File, which string) (a, b []*compare.Run, err error) {
	first, second, ok := strings.Cut(which, ":")
	if !ok {
		return nil, nil, page.Usagef("--pair: expected OLD:NEW, two numbers of launches, found %q", which)
	}
	if len(old) != 1 || len(new) != 1 {
		return nil, nil, page.Usagef("--pair takes one old and one new report, found %d and %d", len(old), len(new))
	}
	for _, o := range page.KernelOptions {
		if r.q.Given(o.Name) {
			return nil, nil, page.Usagef("--pair names the launches: --%s has nothing to choose", o.Name)
		}
	}
	for _, side := range []struct {
		file    *load.File
		operand int
		number  string
		to      *[]*compare.Run
	}{{old[0], 0, first, &a}, {new[0], 1, second, &b}} {
		run, err := r.one(side.file, side.operand, side.number)
		if err != nil {
			return nil, nil, err
		}
		*side.to = []*compare.Run{run}
	}
	return a, b, nil
}

// one is a run of the launch of a report with this number.
func (r *reader) one(f *load.File, operand int, number string) (*compare.Run, error) {
	if f.Report == nil {
		return nil, page.Usagef("--pair compares launches of kernel reports; %s holds %s", f.Name, f.Kind())
	}
	all := f.Report.Actions()
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(all) {
		return nil, page.Usagef("--pair: expected a launch of %s, 0 to %d, found %q", f.Name, len(all)-1, number)
	}
	run := compare.FromReport(f.Report.Report, []*profile.Action{all[n]}, &r.names, true)
	// Launches of one report are measurements of their own.
	run.Identity += fmt.Sprintf(" launch %d", n)
	r.places.add(run, operand, f)
	return run, nil
}
