package trace

import (
	"strings"
	"sync"
)

// A folder gives texts that differ only in their numbers one text.
type folder struct {
	strings *Strings

	mu sync.Mutex
	of map[Sym]Sym
}

// fold returns the text with its numbers as N.
func (f *folder) fold(y Sym) Sym {
	f.mu.Lock()
	defer f.mu.Unlock()
	out, ok := f.of[y]
	if !ok {
		out = f.strings.Intern(foldNumbers(f.strings.Text(y)))
		f.of[y] = out
	}
	return out
}

// foldNumbers replaces the numbers of a text, also hexadecimal ones and those with
// a point, by N: "aten::conv2d, seq = 12" becomes "aten::conv2d, seq = N". Digits
// that belong to a word, as the 2 of conv2d, stay.
func foldNumbers(s string) string {
	letter := func(i int) bool {
		return i >= 0 && i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || s[i] >= 0x80)
	}
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	hex := func(i int) bool { return digit(i) || letter(i) && (s[i]|0x20) <= 'f' }
	var b strings.Builder
	last := 0
	for i := 0; i < len(s); i++ {
		if !digit(i) || letter(i-1) || digit(i-1) {
			continue
		}
		j := i
		if s[i] == '0' && i+1 < len(s) && s[i+1]|0x20 == 'x' && hex(i+2) {
			for j = i + 2; hex(j); j++ {
			}
		} else {
			for digit(j) || j > i && s[j:min(j+1, len(s))] == "." && digit(j+1) {
				j++
			}
		}
		if letter(j) { // 2d
			continue
		}
		b.WriteString(s[last:i])
		b.WriteByte('N')
		last, i = j, j-1
	}
	if last == 0 && b.Len() == 0 {
		return s
	}
	return b.String() + s[last:]
}
