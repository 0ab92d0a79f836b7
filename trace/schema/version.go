package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// A Version is a version of the export schema. The zero Version stands for the
// exports before 2.9.1, which do not state one.
type Version struct{ Major, Minor, Micro int }

// The versions that a writer is asked for most. Newest is the newest of which
// files were there to compare with; the catalogue knows later tables too.
var (
	oldest = Version{}
	Newest = Version{3, 25, 0}
)

// ParseVersion reads "3.7.2"; "2021" is the zero Version.
func ParseVersion(s string) (Version, error) {
	var v Version
	if s == "2021" || s == "" {
		return v, nil
	}
	parts := strings.Split(s, ".")
	if len(parts) > 3 {
		return v, fmt.Errorf("schema version %q: expected three numbers", s)
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 {
			return v, fmt.Errorf("schema version %q: %q is no number", s, p)
		}
		*[]*int{&v.Major, &v.Minor, &v.Micro}[i] = n
	}
	return v, nil
}

// Less reports whether v is older than w.
func (v Version) Less(w Version) bool {
	if v.Major != w.Major {
		return v.Major < w.Major
	}
	if v.Minor != w.Minor {
		return v.Minor < w.Minor
	}
	return v.Micro < w.Micro
}

func (v Version) String() string {
	if v == (Version{}) {
		return "2021"
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Micro)
}

// A Span is a range of versions. Open means that the newest version known still
// belongs to it.
type Span struct {
	First, Last Version
	Open        bool
}

// Has reports whether v lies in the span.
func (s Span) Has(v Version) bool { return !v.Less(s.First) && (s.Open || !s.Last.Less(v)) }

func (s Span) String() string {
	if s.Open {
		return s.First.String() + "-"
	}
	return s.First.String() + "-" + s.Last.String()
}
