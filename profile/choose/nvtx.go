package choose

import (
	"fmt"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/nvtxfilter"
)

// An NVTX is the pair of --nvtx-include and --nvtx-exclude.
type NVTX struct {
	filter  nvtxfilter.Filter
	domains map[string]bool // domains met
}

// ParseNVTX reads the expressions of the two options.
func ParseNVTX(include, exclude []string) (*NVTX, error) {
	c := &NVTX{domains: map[string]bool{}}
	c.filter.Compat = true // an expression means here what it means to ncu
	for _, o := range []struct {
		name  string
		texts []string
		to    *[]*nvtxfilter.Expr
	}{{"nvtx-include", include, &c.filter.Include}, {"nvtx-exclude", exclude, &c.filter.Exclude}} {
		for _, s := range o.texts {
			e, err := nvtxfilter.Parse(s)
			if err != nil {
				return nil, fmt.Errorf("--%s: %v", o.name, err)
			}
			*o.to = append(*o.to, e)
		}
	}
	return c, nil
}

func (c *NVTX) match(a *profile.Action) (bool, error) {
	if c == nil || len(c.filter.Include)+len(c.filter.Exclude) == 0 {
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

// Unmet tells of expressions whose domain no launch has: most often a range
// and a domain that changed places.
func (c *NVTX) Unmet() []string {
	var out []string
	for _, e := range append(append([]*nvtxfilter.Expr(nil), c.filter.Include...), c.filter.Exclude...) {
		met := false
		for d := range c.domains {
			met = met || e.MatchDomain(d)
		}
		if !met {
			out = append(out, fmt.Sprintf("no launch has a range in the NVTX domain %q that %q asks for", e.Domain(), e))
		}
	}
	return out
}
