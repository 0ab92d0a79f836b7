package page

import (
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/nvtxfilter"
)

// nvtxChoice is the pair of --nvtx-include and --nvtx-exclude.
type nvtxChoice struct {
	filter  nvtxfilter.Filter
	domains map[string]bool // domains met
}

func newNvtxChoice(q *Request) (*nvtxChoice, error) {
	c := &nvtxChoice{domains: map[string]bool{}}
	c.filter.Compat = true // an expression means here what it means to ncu
	for _, o := range []struct {
		name string
		to   *[]*nvtxfilter.Expr
	}{{"nvtx-include", &c.filter.Include}, {"nvtx-exclude", &c.filter.Exclude}} {
		for _, s := range q.List(o.name) {
			e, err := nvtxfilter.Parse(s)
			if err != nil {
				return nil, Usagef("--%s: %v", o.name, err)
			}
			*o.to = append(*o.to, e)
		}
	}
	return c, nil
}

func (c *nvtxChoice) match(a *profile.Action) (bool, error) {
	if len(c.filter.Include)+len(c.filter.Exclude) == 0 {
		return true, nil
	}
	s, err := a.NvtxState()
	if err != nil {
		return false, err
	}
	var f nvtxfilter.State
	if s != nil {
		for i := range s.Domains {
			d := nvtxfilter.Domain{Name: s.Domains[i].Name}
			c.domains[d.Name] = true
			for k := range s.Domains[i].PushPop {
				d.PushPop = append(d.PushPop, s.Domains[i].PushPop[k].Name)
			}
			for k := range s.Domains[i].StartEnd {
				d.StartEnd = append(d.StartEnd, s.Domains[i].StartEnd[k].Name)
			}
			f.Domains = append(f.Domains, d)
		}
	}
	return c.filter.Match(f), nil
}

// report tells of expressions whose domain no launch has: most often a range
// and a domain that changed places.
func (c *nvtxChoice) report(q *Request) {
	for _, e := range append(append([]*nvtxfilter.Expr(nil), c.filter.Include...), c.filter.Exclude...) {
		met := false
		for d := range c.domains {
			met = met || e.MatchDomain(d)
		}
		if !met {
			q.note("no launch has a range in the NVTX domain %q that %q asks for", e.Domain(), e)
		}
	}
}
