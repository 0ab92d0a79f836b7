package section

import (
	"testing"

	"github.com/gpuprof/gpuprof/format/ncurep"
)

func arch(n int) ncurep.Opt[ncurep.Arch] { return ncurep.Some(ncurep.Arch(n)) }

func ranges(bounds ...int) *ncurep.MetricFilter {
	f := &ncurep.MetricFilter{}
	for i := 0; i < len(bounds); i += 2 {
		r := &ncurep.ArchRange{}
		if bounds[i] != 0 {
			r.MinArch = arch(bounds[i])
		}
		if bounds[i+1] != 0 {
			r.MaxArch = arch(bounds[i+1])
		}
		f.Ranges = append(f.Ranges, r)
	}
	return f
}

var everyArch = []int{50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 110, 120, 121}

// TestTargetArch says for every architecture whether a filter lets it through.
func TestTargetArch(t *testing.T) {
	for _, c := range []struct {
		name   string
		filter *ncurep.MetricFilter
		known  []int
		want   string // 1 for each of everyArch that passes
	}{
		{"none", nil, nil, "11111111111111111111"},
		{"empty", &ncurep.MetricFilter{}, nil, "11111111111111111111"},
		{"from 80", &ncurep.MetricFilter{MinArch: arch(80)}, nil, "00000000011111111111"},
		{"to 70", &ncurep.MetricFilter{MaxArch: arch(70)}, nil, "11111110000000000000"},
		{"75 to 86", &ncurep.MetricFilter{MinArch: arch(75), MaxArch: arch(86)}, nil, "00000000111000000000"},
		{"ranges", ranges(0, 70, 75, 86, 89, 0), nil, "11111110111011111111"},
		{"ranges replace bounds", &ncurep.MetricFilter{MinArch: arch(120), Ranges: ranges(80, 80).Ranges}, nil, "00000000010000000000"},
		{"empty range lets all through", ranges(0, 0), nil, "11111111111111111111"},
		{"upside down", &ncurep.MetricFilter{MinArch: arch(90), MaxArch: arch(80)}, nil, "00000000000000000000"},
		{"newer architectures", ranges(87, 87, 101, 101), nil, "00000000000100010000"},
		{"unknown to 2024.1", ranges(87, 87, 101, 101), Known2024, "11111111111111111111"},
		{"one bound unknown to 2024.1", &ncurep.MetricFilter{MinArch: arch(89), MaxArch: arch(100)}, Known2024, "00000000000011111111"},
	} {
		got := ""
		for _, a := range everyArch {
			if (Target{Arch: a, Known: c.known}).matches(c.filter) {
				got += "1"
			} else {
				got += "0"
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTargetScope(t *testing.T) {
	scopes := func(s ...ncurep.CollectionScope) *ncurep.MetricFilter {
		return &ncurep.MetricFilter{Collection: &ncurep.CollectionFilter{Scopes: s}}
	}
	for _, c := range []struct {
		target Target
		filter *ncurep.MetricFilter
		want   bool
	}{
		{Target{Arch: 80}, scopes(), true},
		{Target{Arch: 80}, scopes(ncurep.ScopeLaunch), true},
		{Target{Arch: 80}, scopes(ncurep.ScopeRange, ncurep.ScopeCmdlist), false},
		{Target{Arch: 80, Scope: ncurep.ScopeRange}, scopes(ncurep.ScopeLaunch), false},
		{Target{Arch: 80, Scope: ncurep.ScopeRange}, scopes(ncurep.ScopeLaunch, ncurep.ScopeRange), true},
		{Target{Arch: 80}, &ncurep.MetricFilter{MinArch: arch(86), Collection: scopes(ncurep.ScopeLaunch).Collection}, false},
	} {
		if got := c.target.matches(c.filter); got != c.want {
			t.Errorf("%+v matches %+v: %v", c.target, c.filter.Collection, got)
		}
	}
}
