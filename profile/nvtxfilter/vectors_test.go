package nvtxfilter

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// vector is one line of testdata/vectors.tsv: what Nsight Compute 2024.1.1 did
// with an expression, on a report with a result for each state of states.json.
type vector struct {
	mode, expr string
	rejected   bool
	kept       []int
	message    string
}

func readVectors(tb testing.TB) []vector {
	tb.Helper()
	b, err := os.ReadFile("testdata/vectors.tsv")
	if err != nil {
		tb.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")[1:]
	var vs []vector
	for _, line := range lines {
		c := strings.Split(line, "\t")
		if len(c) != 5 {
			tb.Fatalf("line %q has %d cells, want 5", line, len(c))
		}
		v := vector{mode: c[0], expr: c[1], rejected: c[2] != "0", message: c[4]}
		for _, s := range strings.FieldsFunc(c[3], func(r rune) bool { return r == ',' }) {
			n, err := strconv.Atoi(s)
			if err != nil {
				tb.Fatal(err)
			}
			v.kept = append(v.kept, n)
		}
		vs = append(vs, v)
	}
	return vs
}

func readStates(tb testing.TB) []State {
	tb.Helper()
	b, err := os.ReadFile("testdata/states.json")
	if err != nil {
		tb.Fatal(err)
	}
	var raw []struct{ Push, Start map[string][]string }
	if err := json.Unmarshal(b, &raw); err != nil {
		tb.Fatal(err)
	}
	var states []State
	for _, r := range raw {
		byName := map[string]*Domain{}
		at := func(name string) *Domain {
			if byName[name] == nil {
				byName[name] = &Domain{Name: name}
			}
			return byName[name]
		}
		for name, stack := range r.Push {
			at(name).PushPop = stack
		}
		for name, open := range r.Start {
			at(name).StartEnd = open
		}
		var s State
		for _, d := range byName {
			s.Domains = append(s.Domains, *d)
		}
		states = append(states, s)
	}
	return states
}

// filter is the vector's expressions as a filter.
func (v *vector) filter(tb testing.TB, compat bool) (Filter, error) {
	tb.Helper()
	var texts [2][]string // include, exclude
	switch v.mode {
	case "include":
		texts[0] = []string{v.expr}
	case "exclude":
		texts[1] = []string{v.expr}
	case "both":
		if err := json.Unmarshal([]byte(v.expr), &texts); err != nil {
			tb.Fatal(err)
		}
	default:
		tb.Fatalf("unknown mode %q", v.mode)
	}
	f := Filter{Compat: compat}
	for i, dst := range []*[]*Expr{&f.Include, &f.Exclude} {
		for _, text := range texts[i] {
			e, err := Parse(text)
			if err != nil {
				return f, err
			}
			*dst = append(*dst, e)
		}
	}
	return f, nil
}

func kept(f Filter, states []State) []int {
	var out []int
	for i := range states {
		if f.Match(states[i]) {
			out = append(out, i)
		}
	}
	return out
}

// departs lists the vectors in which the default, which follows the
// documentation, differs from the vendor's tool.
var departs = map[string][]int{
	"A/A":   {27},       // the stack A, A has A directly above A
	"[A/A]": {27},       // and nothing else
	"[A]":   {0, 8, 13}, // the stack A has A at its bottom and at its top
}

func TestVectors(t *testing.T) {
	states, vectors := readStates(t), readVectors(t)
	if len(vectors) != 101 || len(states) != 30 {
		t.Fatalf("%d vectors on %d states, want 101 on 30", len(vectors), len(states))
	}
	departed := 0
	for _, v := range vectors {
		for _, compat := range []bool{true, false} {
			want, isRejected := v.kept, v.rejected
			if d, ok := departs[v.expr]; ok && !compat && v.mode == "include" {
				want = d
				departed++
			}
			f, err := v.filter(t, compat)
			if (err != nil) != isRejected {
				t.Errorf("%s %q: error %v, want rejected %v", v.mode, v.expr, err, isRejected)
				continue
			}
			if err != nil {
				checkMessage(t, v, err)
				continue
			}
			if got := kept(f, states); !slices.Equal(got, want) {
				t.Errorf("%s %q, compat %v: kept states %v, want %v", v.mode, v.expr, compat, got, want)
			}
		}
	}
	if departed != len(departs) {
		t.Errorf("%d of the %d listed differences are among the vectors", departed, len(departs))
	}
}

func checkMessage(t *testing.T, v vector, err error) {
	t.Helper()
	var s *SyntaxError
	if !errors.As(err, &s) {
		t.Errorf("%q: error %v is no SyntaxError", v.expr, err)
		return
	}
	want, _, _ := strings.Cut(strings.TrimPrefix(v.message, "==ERROR== "), " | ")
	if got := s.Vendor("nvtx-include"); got != want {
		t.Errorf("%q: vendor message %q, want %q", v.expr, got, want)
	}
}

// A state does not change with the order in which its domains are listed.
func TestDomainOrder(t *testing.T) {
	states := readStates(t)
	for _, v := range readVectors(t) {
		f, err := v.filter(t, true)
		if err != nil {
			continue
		}
		for i := range states {
			back := State{Domains: slices.Clone(states[i].Domains)}
			slices.Reverse(back.Domains)
			if f.Match(states[i]) != f.Match(back) {
				t.Errorf("%s %q: state %d depends on the order of its domains", v.mode, v.expr, i)
			}
		}
	}
}
