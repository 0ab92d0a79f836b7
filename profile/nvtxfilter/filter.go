package nvtxfilter

// A State is what NVTX ranges were open when a kernel was launched.
type State struct {
	Domains []Domain
}

// A Domain is the state of one NVTX domain.
type Domain struct {
	Name     string   // empty or [DefaultDomain] for the default domain
	PushPop  []string // names on the push/pop stack, bottom (outermost) first
	StartEnd []string // names of the open start/end ranges, in any order
}

// A Filter keeps the launches that any expression of Include matches, or all
// if there is none, less those that any expression of Exclude matches.
type Filter struct {
	Include []*Expr
	Exclude []*Expr

	// Compat makes the filter match as Nsight Compute 2024.1.1 does, also where
	// that is not what its documentation says: in a push/pop expression of two or
	// more places each name of the stack has one position only, its lowest. So A/A
	// never matches, nor [A] with one name for both ends.
	Compat bool
}

// Match reports whether the filter keeps a launch in this state.
func (f *Filter) Match(s State) bool {
	return (len(f.Include) == 0 || f.any(f.Include, s)) && !f.any(f.Exclude, s)
}

func (f *Filter) any(exprs []*Expr, s State) bool {
	for _, e := range exprs {
		if e.match(s, f.Compat) {
			return true
		}
	}
	return false
}
