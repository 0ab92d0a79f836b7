package sasslearn

import (
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// A sighting is a number seen in a text, and the word.
type sighting struct {
	word  table.Word
	value int64
	float float64
}

// usual are the places where most operations keep numbers of a kind; they are
// tried first, so that little evidence ends at the likely place.
var usual = map[table.Kind][]int{
	table.Reg:   {24, 32, 64, 16},
	table.UReg:  {32, 24, 64, 16},
	table.Pred:  {87, 81, 84, 77, 68, 16},
	table.UPred: {87, 81, 84, 77, 68, 16},
	table.Float: {32, 48, 40, 64},
}

// candidates are the fields of fixed width that a number of the kind may have.
func candidates(k table.Kind) []table.Field {
	var out []table.Field
	add := func(n int, f table.Field) {
		at := func(lo int) {
			c := f
			c.Runs = []table.Run{{Word: uint8(lo), Len: uint8(n)}}
			out = append(out, c)
		}
		for _, lo := range usual[k] {
			at(lo)
		}
		for lo := 16; lo+n <= 105; lo++ {
			at(lo)
		}
	}
	switch k {
	case table.Reg:
		add(8, table.Field{})
	case table.UReg:
		add(6, table.Field{})
		add(8, table.Field{})
		add(6, table.Field{Form: table.Next})
	case table.Pred, table.UPred:
		add(3, table.Field{})
		add(3, table.Field{Invert: true})
	case table.Float:
		add(32, table.Field{Form: table.Single})
		add(32, table.Field{Form: table.Double})
		add(16, table.Field{Form: table.Half})
		add(16, table.Field{Form: table.BFloat})
	case table.Hex: // where nothing better is found: the place of a number depends on what stands before it
		for _, n := range []int{32, 24, 16, 14, 13, 8, 6, 5, 4, 3, 2} {
			add(n, table.Field{})
		}
	case table.Barrier, table.Scoreboard, table.Set:
		for n := 6; n >= 1; n-- {
			add(n, table.Field{})
		}
	}
	return out
}

// explains reports whether the field gives what was seen.
func explains(f *table.Field, k table.Kind, s *sighting) bool {
	if k == table.Float {
		return sameFloat(f.Float(s.word), s.float)
	}
	v := f.Value(s.word)
	if s.value == -1 && (k == table.Reg || k == table.UReg) {
		return v == 1<<f.Bits()-1
	}
	return v == s.value
}

func sameFloat(a, b float64) bool {
	if a != a || b != b {
		return a != a && b != b
	}
	if a == 0 || b == 0 || math.IsInf(a, 0) {
		return a == b && math.Signbit(a) == math.Signbit(b)
	}
	return math.Abs(a-b) <= 1e-12*math.Abs(b)
}

// common are the fields that most numbers are in: offsets of addresses, offsets in
// constant banks (of words), and immediates.
var common = []table.Field{
	{Runs: []table.Run{{Word: 40, Len: 24}}, Signed: true},
	{Runs: []table.Run{{Value: 2, Word: 40, Len: 14}}, Signed: true},
	{Runs: []table.Run{{Word: 32, Len: 32}}, Signed: true},
	{Runs: []table.Run{{Word: 32, Len: 32}}},
}

// fitField finds the field that explains all that was seen.
func fitField(k table.Kind, seen []sighting) (table.Field, bool) {
	if k == table.Hex || k == table.Relative {
		for i := range common {
			if k == table.Hex && all(&common[i], k, seen) {
				return common[i], true
			}
		}
		return fitBits(seen)
	}
	for _, f := range candidates(k) {
		if all(&f, k, seen) {
			return f, true
		}
	}
	return table.Field{}, false
}

func all(f *table.Field, k table.Kind, seen []sighting) bool {
	for i := range seen {
		if !explains(f, k, &seen[i]) {
			return false
		}
	}
	return true
}

// fitBits finds for each bit of a number the bit of the word that it is a copy of.
func fitBits(seen []sighting) (table.Field, bool) {
	var copies [64]table.Word // bits of the word that are always as bit i of the value
	var one [64]bool          // bit i of the value is set somewhere
	const everywhere = ^uint64(0)
	for i := range copies {
		copies[i] = table.Word{Lo: everywhere &^ 0xffff, Hi: 1<<41 - 1}
	}
	for _, s := range seen {
		for i := range copies {
			c := &copies[i]
			if s.value>>i&1 == 1 {
				c.Lo, c.Hi, one[i] = c.Lo&s.word.Lo, c.Hi&s.word.Hi, true
			} else {
				c.Lo, c.Hi = c.Lo&^s.word.Lo, c.Hi&^s.word.Hi
			}
		}
	}
	var f table.Field
	last := -1
	for i := 0; i < 64; i++ {
		if !one[i] {
			continue
		}
		c := copies[i]
		switch {
		case last >= 0 && last+1 < 105 && c.Bit(last+1) == 1:
			last++
		case last >= 0 && i > 0 && c.Bit(last) == 1 && i > int(f.Bits())-1 && f.Bits() == i:
			for ; i < 64; i++ {
				if copies[i].Bit(last) == 0 || !one[i] {
					return f, false
				}
			}
			f.Signed = true
			return f, true
		case c != (table.Word{}):
			last = longest(&copies, i)
		default:
			return f, false
		}
		if n := len(f.Runs); n > 0 && i-int(f.Runs[n-1].Value) == last-int(f.Runs[n-1].Word) {
			f.Runs[n-1].Len = uint8(i-int(f.Runs[n-1].Value)) + 1 // bits between them that were never set are of the field too
		} else {
			f.Runs = append(f.Runs, table.Run{Value: uint8(i), Word: uint8(last), Len: 1})
		}
	}
	return f, true
}

// longest is the bit of the word where the longest run begins that bits i, i+1, …
// of the value may be copies of.
func longest(copies *[64]table.Word, i int) int {
	best, most := -1, 0
	for lo := 16; lo < 105; lo++ {
		n := 0
		for i+n < 64 && lo+n < 105 && copies[i+n].Bit(lo+n) == 1 {
			n++
		}
		if n > most {
			best, most = lo, n
		}
	}
	return best
}

// fitSeveral explains the numbers by several fields: by a bit that tells two
// ways of writing apart, or by any of the fields of fixed width.
func fitSeveral(k table.Kind, seen []sighting) []table.Field {
	if k == table.Hex {
		for i := range common { // an immediate that is signed by type, an offset signed where a register stands before it
			if signed, plain := common[i], common[i]; signed.Signed {
				plain.Signed = false
				if !slices.ContainsFunc(seen, func(s sighting) bool { return !explains(&signed, k, &s) && !explains(&plain, k, &s) }) {
					return []table.Field{signed, plain}
				}
			}
		}
	}
	if k == table.Hex || k == table.Relative {
		if f := fitSplit(k, seen, 2); f != nil || k == table.Relative {
			return f
		}
	}
	left := make([]bool, len(seen))
	for i := range left {
		left[i] = true
	}
	n := len(seen)
	var out []table.Field
	for n > 0 && len(out) < 5 {
		best, most := table.Field{}, 0
		for _, f := range candidates(k) {
			c := 0
			for i := range seen {
				if left[i] && explains(&f, k, &seen[i]) {
					c++
				}
			}
			if c > most {
				best, most = f, c
			}
		}
		if most == 0 {
			break
		}
		out = append(out, best)
		for i := range seen {
			if left[i] && explains(&best, k, &seen[i]) {
				left[i] = false
				n--
			}
		}
	}
	if k == table.Hex && n > 0 {
		return nil
	}
	return out
}

// fitSplit looks for a bit of the word that tells two or more ways of writing
// the number apart.
func fitSplit(k table.Kind, seen []sighting, depth int) []table.Field {
	if f, ok := fitField(k, seen); ok {
		return []table.Field{f}
	}
	if depth == 0 || len(seen) < 4 {
		return nil
	}
	var best []table.Field
	for bit := 16; bit < 105; bit++ {
		var half [2][]sighting
		for _, s := range seen {
			b := s.word.Bit(bit)
			half[b] = append(half[b], s)
		}
		if len(half[0]) < 2 || len(half[1]) < 2 {
			continue
		}
		a, aok := fitField(k, half[0])
		b, bok := fitField(k, half[1])
		if aok && bok {
			return []table.Field{a, b}
		}
		if depth < 2 || aok == bok || best != nil {
			continue
		}
		if aok {
			if rest := fitSplit(k, half[1], depth-1); rest != nil {
				best = append([]table.Field{a}, rest...)
			}
		} else if rest := fitSplit(k, half[0], depth-1); rest != nil {
			best = append([]table.Field{b}, rest...)
		}
	}
	return best
}
