package section

import "github.com/gpuprof/gpuprof/format/ncurep"

// Definition is a section as section files and reports hold it.
type Definition = ncurep.Section

// A Target is what filters look at.
type Target struct {
	Arch  int                    // compute capability times ten: 86 is 8.6; 0 if unknown
	Scope ncurep.CollectionScope // 0 stands for a launch

	// Known are the architectures that filters may name; nil for any. A bound
	// that is not among them counts as not set: so does a tool older than the
	// report, whose format has no word for the architecture.
	Known []int
}

// Known2024 are the architectures that Nsight Compute 2024.1 has words for.
var Known2024 = []int{0, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90}

// matches reports whether f lets t through; a missing filter lets all through.
func (t Target) matches(f *ncurep.MetricFilter) bool {
	if f == nil {
		return true
	}
	return t.inRange(f) && t.inScope(f.Collection)
}

// inRange checks the architecture: ranges replace the two bounds.
func (t Target) inRange(f *ncurep.MetricFilter) bool {
	if len(f.Ranges) == 0 {
		return t.between(f.MinArch, f.MaxArch)
	}
	for _, r := range f.Ranges {
		if t.between(r.MinArch, r.MaxArch) {
			return true
		}
	}
	return false
}

func (t Target) between(low, high ncurep.Opt[ncurep.Arch]) bool {
	return (!t.bounds(low) || t.Arch >= int(low.Value)) && (!t.bounds(high) || t.Arch <= int(high.Value))
}

// bounds reports whether a bound is set.
func (t Target) bounds(a ncurep.Opt[ncurep.Arch]) bool {
	if !a.Set || t.Known == nil {
		return a.Set
	}
	for _, k := range t.Known {
		if int(a.Value) == k {
			return true
		}
	}
	return false
}

func (t Target) inScope(f *ncurep.CollectionFilter) bool {
	if f == nil || len(f.Scopes) == 0 {
		return true
	}
	scope := t.Scope
	if scope == 0 {
		scope = ncurep.ScopeLaunch
	}
	for _, s := range f.Scopes {
		if s == scope {
			return true
		}
	}
	return false
}
