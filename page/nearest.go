package page

import (
	"cmp"
	"slices"
	"strings"
)

// nearest is what an unknown name may have been meant to be, as the end of a
// message: "; did you mean a, b?", or "".
func nearest(name string, known []string) string {
	type candidate struct {
		name string
		far  int
	}
	var near []candidate
	low := strings.ToLower(name)
	for _, k := range known {
		far := distance(low, strings.ToLower(k))
		if len(low) >= 3 && strings.Contains(strings.ToLower(k), low) {
			far = min(far, 2)
		}
		if far <= min(3, len(low)/2) {
			near = append(near, candidate{k, far})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	if len(near) == 0 {
		return ""
	}
	var names []string
	for _, c := range near[:min(3, len(near))] {
		names = append(names, c.name)
	}
	return "; did you mean " + strings.Join(names, ", ") + "?"
}

// distance is how many letters must be put in, taken out or changed to make one
// word of another.
func distance(a, b string) int {
	if d := len(a) - len(b); d > 8 || d < -8 {
		return 9
	}
	row := make([]int, len(b)+1)
	for k := range row {
		row[k] = k
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for k := range len(b) {
			change := last
			if a[i] != b[k] {
				change++
			}
			last = row[k+1]
			row[k+1] = min(change, row[k+1]+1, row[k]+1)
		}
	}
	return row[len(b)]
}
