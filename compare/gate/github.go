package gate

import (
	"fmt"
	"io"
	"strings"
)

// mostAnnotations is how many annotations of a level GitHub shows of one step.
const mostAnnotations = 10

// Annotations writes the commands by which a step of GitHub Actions marks lines,
// the worst first, and what did not fit as a last line.
func (r *Report) Annotations(w io.Writer) error {
	words := map[Status]string{Broken: "error", Missing: "error", NotComparable: "error", Undecided: "error", Warning: "warning"}
	count := map[string]int{}
	left := 0
	for i := range r.Results {
		x := &r.Results[i]
		word := words[x.Status]
		if word == "" {
			continue
		}
		limit := mostAnnotations
		if word == "error" {
			limit-- // one is for the line that tells of the others
		}
		if count[word]++; count[word] > limit {
			left++
			continue
		}
		file, line := r.place(x)
		if _, err := fmt.Fprintf(w, "::%s file=%s,line=%d,title=%s::%s\n", word, property(file), max(1, line), property("gpuprof: "+string(x.Rule)), data(className(x)+": "+x.Text)); err != nil {
			return err
		}
	}
	if left > 0 {
		_, err := fmt.Fprintf(w, "::error title=gpuprof::and %d more\n", left)
		return err
	}
	return nil
}

// data escapes the text of a command, property what stands in its head. Control
// characters have no place in either.
func data(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' || r == 0x7f {
			return '\ufffd'
		}
		return r
	}, s)
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}
