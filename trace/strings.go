package trace

import (
	"maps"
	"sync"
)

// A Sym stands for a text of a trace. Equal texts have equal Syms. Sym 0 is the
// empty text.
type Sym uint32

// Strings interns texts.
type Strings struct {
	mu    sync.RWMutex
	index map[string]Sym
	texts []string
}

func newStrings() *Strings { return &Strings{index: map[string]Sym{"": 0}, texts: []string{""}} }

// Intern returns the Sym of a text.
func (s *Strings) Intern(text string) Sym {
	s.mu.Lock()
	defer s.mu.Unlock()
	if y, ok := s.index[text]; ok {
		return y
	}
	return s.add(text)
}

func (s *Strings) add(text string) Sym {
	y := Sym(len(s.texts))
	s.texts = append(s.texts, text)
	s.index[text] = y
	return y
}

// InternAll interns n texts, which at returns as bytes that it may reuse.
func (s *Strings) InternAll(n int, at func(i int) []byte) []Sym {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Sym, n)
	for i := range out {
		b := at(i)
		y, ok := s.index[string(b)]
		if !ok {
			y = s.add(string(b))
		}
		out[i] = y
	}
	return out
}

// InternTexts interns n texts that are kept anyhow.
func (s *Strings) InternTexts(n int, at func(i int) string) []Sym {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expect(n)
	out := make([]Sym, n)
	for i := range out {
		text := at(i)
		y, ok := s.index[text]
		if !ok {
			y = s.add(text)
		}
		out[i] = y
	}
	return out
}

// expect makes room for n texts before the first ones come, most of which are
// those of StringIds, where each is another.
func (s *Strings) expect(n int) {
	if len(s.texts) > 64 || n < 1024 {
		return
	}
	index := make(map[string]Sym, n)
	maps.Copy(index, s.index)
	s.index, s.texts = index, append(make([]string, 0, n+len(s.texts)), s.texts...)
}

// Text returns the text of a Sym.
func (s *Strings) Text(y Sym) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if int(y) < len(s.texts) {
		return s.texts[y]
	}
	return ""
}
