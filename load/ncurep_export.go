package load

import (
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
)

// Export returns a report that holds the launches of keep alone, with metrics
// added to them and what rules said of them; what is not touched stays byte for byte.
func (r *Report) Export(keep []*profile.Action, added map[*profile.Action][]ncurep.MetricData) (io.WriterTo, error) {
	if r.ncu == nil {
		return nil, fmt.Errorf("%s: a %s cannot be written as a report of Nsight Compute", r.File, r.Format)
	}
	e := r.ncu.file.Edit()
	kept := map[*ncurep.Result]bool{}
	for _, a := range keep {
		res := r.ncu.results[a]
		kept[res] = true
		if ms := added[a]; len(ms) > 0 {
			e.Result(res).AppendMetrics(ms...)
		}
	}
	for _, a := range keep {
		if err := r.editRules(e, a, a.AddedRuleResults()); err != nil {
			return nil, err
		}
	}
	if len(kept) < len(r.ncu.results) {
		e.Keep(func(res *ncurep.Result) bool { return kept[res] })
		e.DropUnusedSources()
	}
	return e, nil
}
