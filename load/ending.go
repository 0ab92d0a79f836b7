package load

import (
	"slices"
	"strings"
)

// Endings are how the names of files end that hold one of these kinds: what folders and
// tars are searched for. Files that are named have any name.
func Endings(of Kinds) (out []string) {
	for _, e := range []struct {
		of   Kinds
		ends []string
	}{
		{Launches, []string{".ncu-rep", ".nsight-cuprof-report"}},
		{Timeline, []string{".nsys-rep", ".sqlite", ".db", ".json", ".json.gz", ".qdrep"}},
		{Memory, []string{".pickle", ".pickle.gz", ".pkl", ".pkl.gz"}},
	} {
		if e.of&of != 0 {
			out = append(out, e.ends...)
		}
	}
	return out
}

// EndsIn reports whether a name has one of the endings, in letters of any size.
func EndsIn(name string, endings []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) })
}
