package occupancy

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
)

// ErrDevice is wrapped by the error for a name that is no device's.
var ErrDevice = errors.New("device is unknown")

// Lookup finds a device by name or alias, whatever the case. The error for an
// unknown name proposes those most like it.
func Lookup(name string) (*Device, error) {
	if d := Find(name); d != nil {
		return d, nil
	}
	if near := nearest(name); len(near) > 0 {
		return nil, fmt.Errorf("%w: %.64q; did you mean %s?", ErrDevice, name, strings.Join(near, " or "))
	}
	return nil, fmt.Errorf("%w: %.64q; there are %s", ErrDevice, name, strings.Join(names(), ", "))
}

// Find is Lookup for names that need not be known: nil if there is no such device.
func Find(name string) *Device {
	if d := index[fold(name)]; d != nil {
		return d
	}
	// AMD's profilers number GPUs of one kind: Tahiti1.
	if trimmed := strings.TrimRight(name, "0123456789"); trimmed != name && len(trimmed) > 3 && !strings.HasPrefix(strings.ToLower(name), "gfx") && len(name)-len(trimmed) == 1 {
		if d := index[fold(trimmed)]; d != nil && d.Vendor == AMD {
			return d
		}
	}
	return nil
}

// nearest are up to three names or aliases that differ little from name.
func nearest(name string) []string {
	const most = 3
	type match struct {
		distance int
		name     string
	}
	want := fold(name)
	if len(want) > 64 { // no name is as long
		return nil
	}
	var all []match
	for i := range devices {
		best := match{distance: max(1, len(want)/3) + 1}
		for _, n := range append([]string{devices[i].Name}, devices[i].Aliases...) {
			if d := spelling.Distance(want, fold(n), best.distance); d < best.distance {
				best = match{d, n}
			}
		}
		if best.name != "" {
			all = append(all, best)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].distance < all[j].distance })
	var out []string
	for _, m := range all[:min(most, len(all))] {
		out = append(out, m.name)
	}
	return out
}

var separators = strings.NewReplacer(" ", "", "_", "", "-", "", "/", "")

// fold makes names comparable: "SM 9.0", "sm_90" and "CC9.0" are one.
func fold(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	s = separators.Replace(s)
	for _, p := range []string{"sm", "cc", "compute"} {
		if t, ok := strings.CutPrefix(s, p); ok && t != "" && t[0] >= '0' && t[0] <= '9' {
			s = t
		}
	}
	if s != "" && s[0] >= '1' && s[0] <= '9' {
		s = strings.ReplaceAll(s, ".", "")
		s = strings.TrimRight(s, "af") // sm_90a, sm_100f
	}
	return s
}

// index finds devices by folded names; it is never written after it is made.
var index = func() map[string]*Device {
	m := map[string]*Device{}
	for i := range devices {
		d := &devices[i]
		for _, n := range append([]string{d.Name}, d.Aliases...) {
			m[fold(n)] = d
		}
	}
	return m
}()
