package spelling

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest is what an unknown name may have been meant to be, as the end of a
// message: "; did you mean a, b?", or "".
func Nearest(name string, known []string) string {
	type candidate struct {
		name string
		far  int
	}
	var near []candidate
	low := strings.ToLower(name)
	for _, k := range known {
		far := Distance(low, strings.ToLower(k), 8)
		if len(low) >= 3 && strings.Contains(strings.ToLower(k), low) {
			far = min(far, 2)
		}
		if far <= min(3, len(low)/2) {
			near = append(near, candidate{k, far})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	if len(near) == 0 {
		for _, k := range known {
			if hasWords(strings.ToLower(k), low) {
				near = append(near, candidate{name: k})
			}
		}
	}
	if len(near) == 0 {
		return ""
	}
	var names []string
	for _, c := range near[:min(3, len(near))] {
		names = append(names, c.name)
	}
	return "; did you mean " + strings.Join(names, ", ") + "?"
}

// hasWords reports whether a name has the words of another, two or more, one after the
// other: CUPTI_KERNEL is short for CUPTI_ACTIVITY_KIND_KERNEL.
func hasWords(name, short string) bool {
	words := strings.Split(short, "_")
	for _, w := range words {
		i := strings.Index(name, w)
		if i < 0 || len(w) < 2 {
			return false
		}
		name = name[i+len(w):]
	}
	return len(words) > 1
}
