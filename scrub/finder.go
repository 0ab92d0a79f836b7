package scrub

import (
	"strings"
	"sync"
)

// A hit is a thing found in a text.
type hit struct {
	start, end int
	kind       Kind
	what       string // which shape or rule
}

// A probe looks closer where its cue begins.
type probe struct {
	cue  string // of two characters or more
	fold bool   // letters of either case; the cue is in lower case
	run  func(b []byte, at int, emit func(hit))
}

// A text is gone over once, by pairs of characters: most pairs begin no cue, which
// one look at a table tells.
type finder struct {
	pairs  [1 << 16]uint16 // number in groups, 0 for none
	groups [][]probe
}

// finders is made when a text is first looked at: its expressions take longer to
// compile than most commands run.
var finders = sync.OnceValue(newFinder)

func pair(a, b byte) int { return int(a)<<8 | int(b) }

func newFinder() *finder {
	by := map[int][]probe{}
	add := func(p probe) {
		for _, a := range cases(p.cue[0], p.fold) {
			for _, b := range cases(p.cue[1], p.fold) {
				by[pair(a, b)] = append(by[pair(a, b)], p)
			}
		}
	}
	for _, list := range [][]rule{rules, assignments} {
		for i := range list {
			r := list[i].compiled()
			add(probe{cue: r.cue, fold: r.fold, run: func(b []byte, at int, emit func(hit)) {
				if start, end, ok := r.try(b, at); ok {
					emit(hit{start, end, Secret, r.name})
				}
			}})
		}
	}
	for _, h := range homes {
		add(probe{cue: h, run: home(h)})
	}
	for name, kind := range variables {
		add(probe{cue: name, run: variable(name, kind)})
	}
	for c := range 256 {
		ch := byte(c)
		if isDigit(ch) {
			add(probe{cue: string([]byte{ch, '.'}), run: ipv4})
		}
		if isHex(ch) {
			add(probe{cue: string([]byte{ch, ':'}), run: func(b []byte, at int, emit func(hit)) {
				hardware(b, at, emit)
				ipv6(b, at, emit)
			}})
			add(probe{cue: string([]byte{ch, '-'}), run: hardware})
		}
		if isAlnum[ch] {
			add(probe{cue: string([]byte{'@', ch}), run: mail})
		}
	}
	f := &finder{}
	f.index(by)
	return f
}

// index numbers the pairs. Pairs with the same probes share a number.
func (f *finder) index(by map[int][]probe) {
	f.groups = [][]probe{nil}
	known := map[string]uint16{}
	for p := range 1 << 16 {
		list, ok := by[p]
		if !ok {
			continue
		}
		key := ""
		for _, q := range list {
			if len(q.cue) == 2 && isAlnum[q.cue[0]] && (q.cue[1] == '.' || q.cue[1] == ':' || q.cue[1] == '-') {
				key += "#" + q.cue[1:] + "\n"
				continue
			}
			if q.cue[0] == '@' {
				key += "@\n"
				continue
			}
			key += q.cue + "\n"
		}
		n, ok := known[key]
		if !ok {
			n = uint16(len(f.groups))
			for i := range list {
				if len(list[i].cue) == 2 {
					list[i].cue = "" // the pair is all of it
				}
			}
			f.groups, known[key] = append(f.groups, list), n
		}
		f.pairs[p] = n
	}
}

func cases(c byte, fold bool) []byte {
	if fold && c >= 'a' && c <= 'z' {
		return []byte{c, c - 32}
	}
	return []byte{c}
}

// find emits what it finds in a text: hits may overlap.
func find(b []byte, emit func(hit)) {
	if len(b) < 4 {
		return
	}
	f := finders()
	word := 0 // where the word began that goes on here
	for i := 0; i < len(b)-1; i++ {
		c := b[i]
		if !isWord[c] {
			if i-word >= randomLength && random(b[word:i]) {
				emit(hit{word, i, Secret, "random text"})
			}
			word = i + 1
		}
		g := f.pairs[int(c)<<8|int(b[i+1])]
		if g == 0 {
			continue
		}
		for _, p := range f.groups[g] {
			if starts(b[i:], p.cue, p.fold) {
				p.run(b, i, emit)
			}
		}
	}
	end := len(b)
	if !isWord[b[end-1]] {
		end--
	}
	if end-word >= randomLength && random(b[word:end]) {
		emit(hit{word, end, Secret, "random text"})
	}
}

func starts(b []byte, cue string, fold bool) bool {
	if len(b) < len(cue) {
		return false
	}
	if fold {
		return strings.EqualFold(string(b[:len(cue)]), cue)
	}
	return string(b[:len(cue)]) == cue
}
