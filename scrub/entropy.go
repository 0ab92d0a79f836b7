package scrub

import (
	"bytes"
	"math"
)

// A random word of letters and digits changes between capitals, small letters and
// digits at six of ten places; names of kernels, paths and words do at two or three.
// So that is what is measured, with Shannon's entropy to refuse repetition. The
// bounds are ours, set so that the symbols and names of real profiles stay out.
const (
	randomLength  = 32   // shorter words are too often names
	randomChanges = 0.45 // changes of class for each place
	longLength    = 40   // words from here on
	longChanges   = 0.38 // need fewer, as chance weighs less
	longestWords  = 2.6  // small letters in a row, on average: 1.7 by lot, three and more in NamesLikeThis
	randomBits    = 4.0  // bits a character
)

var isAlnum, isWord = func() (alnum, word [256]bool) {
	for c := range 256 {
		b := byte(c)
		alnum[c] = b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
		word[c] = alnum[c] || b == '_' || b == '-' || b == '+' || b == '/'
	}
	return alnum, word
}()

// class is 1 for small letters, 2 for capitals, 3 for digits, else 0.
func class(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return 1
	case c >= 'A' && c <= 'Z':
		return 2
	case c >= '0' && c <= '9':
		return 3
	}
	return 0
}

// random reports whether a word of isWord looks drawn by lot.
func random(b []byte) bool {
	if len(b) < randomLength || len(b) > 512 || bytes.Contains(b, []byte("_Z")) || bytes.Contains(b, []byte("__")) {
		return false
	}
	var count [4]int
	changes, words, last := 0, 0, 0
	for _, c := range b {
		k := class(c)
		count[k]++
		if k != last && last != 0 && k != 0 {
			changes++
		}
		if k == 1 && last != 1 {
			words++
		}
		last = k
	}
	// Names are joined of words by other characters; in base64 they are one of 32.
	if count[0] > 1+len(b)/12 || count[1] < 4 || count[2] < 4 || count[3] < 2 {
		return false
	}
	if float64(count[1]) > longestWords*float64(words) {
		return false
	}
	least := randomChanges
	if len(b) >= longLength {
		least = longChanges
	}
	return float64(changes) >= least*float64(len(b)) && entropy(b) >= randomBits
}

// entropy is Shannon's, in bits a byte.
func entropy(b []byte) float64 {
	var n [256]int
	for _, c := range b {
		n[c]++
	}
	sum := 0.0
	for _, k := range n {
		if k > 0 {
			p := float64(k) / float64(len(b))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// mixed reports whether a value behind a telling word may be a secret: no number, no
// word, no path and no call, but letters with digits or capitals among them.
func mixed(b []byte) bool {
	var count [4]int
	changes, last := 0, 0
	for _, c := range b {
		k := class(c)
		count[k]++
		if k != last && k != 0 && last != 0 {
			changes++
		}
		last = k
	}
	letters := count[1] + count[2]
	switch {
	case letters < 4 || count[3] < 2, b[0] == '/', b[0] == '$', b[0] == '<', b[0] == '{':
		return false
	case bytes.ContainsAny(b, "()[]{}<>"), bytes.Contains(b, []byte("::")):
		return false
	}
	return changes >= 3 && notPlaceholder(b) && (count[0] <= 2+len(b)/8)
}

// notPlaceholder refuses what stands where a password would.
func notPlaceholder(b []byte) bool {
	if len(b) < 3 || clean(b) {
		return false
	}
	for _, p := range [][]byte{[]byte("none"), []byte("null"), []byte("nil"), []byte("true"), []byte("false"), []byte("***"), []byte("xxx"), []byte("prompt"), []byte("$"), []byte("<")} {
		if len(b) >= len(p) && bytes.EqualFold(b[:len(p)], p) && (len(b) == len(p) || p[0] == '*' || p[0] == 'x' || p[0] == '$' || p[0] == '<') {
			return false
		}
	}
	return true
}
