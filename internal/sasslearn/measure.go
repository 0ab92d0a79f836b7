package sasslearn

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/table"
)

// A Score counts how texts compare with those expected.
type Score struct {
	Words   int // that have a text
	Exact   int
	Hex     int // left as hex
	Wrong   int
	Illegal int // words that are no instruction, or one with a value that has no name
	Taken   int // of those, the ones that got a text

	failures map[string]*Failure
}

// A Failure is a kind of word that does not get its text.
type Failure struct {
	Words     int
	Why       string
	Word      table.Word // an example
	Want, Got string
}

func (f Failure) String() string {
	return fmt.Sprintf("%d %03x %s: %016x%016x want %q, got %q", f.Words, f.Word.Op(), f.Why, f.Word.Hi, f.Word.Lo, f.Want, f.Got)
}

// Measure compares the texts of a decoder with those of pairs.
func Measure(d *sass.Decoder, pairs []Pair) *Score {
	s := &Score{failures: map[string]*Failure{}}
	var b []byte
	for i := range pairs {
		p := &pairs[i]
		var known bool
		b, known = d.AppendText(b[:0], p.Word, sass.Unplaced, sass.Nvdisasm)
		got := string(b)
		if p.Text == "" || strings.Contains(p.Text, "?") || strings.Contains(p.Text, "INVALID") {
			s.Illegal++
			if known {
				s.Taken++
			}
			continue
		}
		s.Words++
		why := "wrong"
		switch {
		case known && got == p.Text:
			s.Exact++
			continue
		case known:
			s.Wrong++
		default:
			s.Hex++
			why = d.Why(p.Word)
		}
		key := fmt.Sprintf("%03x %s", p.Word.Op(), why)
		f := s.failures[key]
		if f == nil {
			f = &Failure{Why: why, Word: p.Word, Want: p.Text, Got: got}
			s.failures[key] = f
		}
		f.Words++
	}
	return s
}

// Add adds the counts of another score.
func (s *Score) Add(t *Score) {
	s.Words += t.Words
	s.Exact += t.Exact
	s.Hex += t.Hex
	s.Wrong += t.Wrong
	s.Illegal += t.Illegal
	s.Taken += t.Taken
	if s.failures == nil {
		s.failures = map[string]*Failure{}
	}
	for k, f := range t.failures {
		if have := s.failures[k]; have != nil {
			have.Words += f.Words
		} else {
			s.failures[k] = f
		}
	}
}

// Failures are the kinds of failures, the most frequent first, at most n.
func (s *Score) Failures(n int) []Failure {
	var out []Failure
	for _, k := range slices.Sorted(maps.Keys(s.failures)) {
		out = append(out, *s.failures[k])
	}
	slices.SortStableFunc(out, func(a, b Failure) int { return cmp.Compare(b.Words, a.Words) })
	return out[:min(len(out), n)]
}

func (s *Score) String() string {
	share := func(n int) float64 { return 100 * float64(n) / float64(max(s.Words, 1)) }
	return fmt.Sprintf("%d words, %.4f %% exact, %.4f %% hex, %.4f %% wrong; %d of %d words that are none have a text",
		s.Words, share(s.Exact), share(s.Hex), share(s.Wrong), s.Taken, s.Illegal)
}
