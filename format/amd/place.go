package amd

import "math"

// Places tells where in the source the calls of a thread were made.
type Places struct {
	lines []string
	pair  []int32 // line of each call, -1 for none; nil: the same position
}

// Placed reports whether the trace has stack traces of any thread.
func (t *Trace) Placed() bool {
	for _, s := range t.Sections {
		if s.Kind == StackTrace && len(s.Blocks) > 0 {
			return true
		}
	}
	return false
}

// Places are those of a thread; nil where the trace has no stack traces of it. Lines and
// calls are joined by their position, and by the names that both have where one side
// lost lines.
func (t *Thread) Places() *Places {
	for _, s := range t.trace.Sections {
		if s.Kind != StackTrace || s.Module != t.Module {
			continue
		}
		for _, b := range s.Blocks {
			if b.Thread != t.ID {
				continue
			}
			names := make([]uint32, len(b.Lines))
			for i, l := range b.Lines {
				id, ok := t.trace.api[apiOf(l)]
				if !ok {
					id = math.MaxUint32
				}
				names[i] = id
			}
			return &Places{b.Lines, pair(t.apis()[:t.n], names)}
		}
	}
	return nil
}

// Of is where call i was made; ok is false where nothing is known. A symbol "NA" is not
// known either.
func (p *Places) Of(i int) (f Frame, ok bool) {
	if p == nil {
		return f, false
	}
	if p.pair != nil {
		if i = int(p.pair[i]); i < 0 {
			return f, false
		}
	}
	if i >= len(p.lines) {
		return f, false
	}
	if f = ParseFrame(p.lines[i]); f.Symbol == "NA" {
		f.Symbol = ""
	}
	return f, f.Symbol != "" || f.File != ""
}
