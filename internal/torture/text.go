package torture

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// text reports whether data seems to be text.
func text(head []byte) bool {
	odd := 0
	for _, c := range head {
		if c < 9 || c > 13 && c < 32 {
			odd++
		}
	}
	return len(head) > 0 && odd*50 < len(head)
}

// lines changes the order and number of lines.
func lines(r *rand.Rand, b []byte) []byte {
	all := bytes.SplitAfter(b, []byte("\n"))
	i, k := r.IntN(len(all)), r.IntN(len(all))
	all = slices.Clone(all)
	switch r.IntN(6) {
	case 0:
		all = slices.Delete(all, i, i+1)
	case 1:
		all[i], all[k] = all[k], all[i]
	case 2:
		for range 1 + r.IntN(200) {
			all = slices.Insert(all, i, all[k])
		}
	case 3:
		all[i] = []byte(pick(r, evil) + "\n")
	case 4:
		all = all[:i]
	case 5: // one line out of two
		all[i] = bytes.TrimRight(all[i], "\r\n")
	}
	return bytes.Join(all, nil)
}

var field = regexp.MustCompile(`"[^"\n]*"|[^\s,;=()\[\]:"]+`)

// fields replaces a field of a line: what stands between separators.
func fields(r *rand.Rand, b []byte) []byte {
	all := field.FindAllIndex(b, 20_000)
	if len(all) == 0 {
		return flip(r, b)
	}
	at := pick(r, all)
	old := string(b[at[0]:at[1]])
	quoted := strings.HasPrefix(old, `"`)
	other := pick(r, all)
	var with string
	switch r.IntN(5) {
	case 0, 1:
		with = pick(r, evil)
	case 2:
		with = pick(r, numbers)
	case 3:
		with = strings.Trim(string(b[other[0]:other[1]]), `"`)
	case 4:
		with = strings.Trim(old, `"`) + pick(r, evil)
	}
	if quoted && r.IntN(8) > 0 {
		with = `"` + with + `"`
	}
	return slices.Concat(b[:at[0]], []byte(with), b[at[1]:])
}

var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null|[{}\[\],:]`)

// tokens replaces a token of JSON by another of its kind, or by none.
func tokens(r *rand.Rand, b []byte) []byte {
	all := token.FindAllIndex(b, 20_000)
	if len(all) == 0 {
		return flip(r, b)
	}
	at := pick(r, all)
	other := pick(r, all)
	var with string
	switch r.IntN(7) {
	case 0:
		with = pick(r, numbers)
	case 1:
		with = `"` + pick(r, []string{`\u001b[31m`, `\u009b`, `\u202e`, `\ud800`, `\u0000`, `\r`, `<script>`, "\x1b[2J", "x"}) + `"`
	case 2:
		with = string(b[other[0]:other[1]])
	case 3:
		n := 1 + r.IntN(20_000)
		with = strings.Repeat("[", n) + strings.Repeat("]", n*r.IntN(2))
	case 4:
		with = strings.Repeat(`{"a":`, 1+r.IntN(5000)) + "1"
	case 5:
		with = pick(r, []string{"null", "true", "{}", "[]", `""`})
	case 6:
	}
	return slices.Concat(b[:at[0]], []byte(with), b[at[1]:])
}

// zipped changes what is compressed, or the compressed bytes.
func zipped(r *rand.Rand, b []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil || r.IntN(4) == 0 {
		return flip(r, b)
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxInput))
	if err != nil {
		return flip(r, b)
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if r.IntN(8) == 0 && len(plain) > 0 { // a small bomb
		for range min(r.IntN(400), 32<<20/len(plain)) {
			w.Write(plain)
		}
	} else {
		plain = mutate(r, plain)
	}
	w.Write(plain)
	w.Close()
	return out.Bytes()
}

// unpacked is how large data is without its compression, as far as is told here.
func unpacked(data []byte) int {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return len(data)
	}
	n, _ := io.Copy(io.Discard, z)
	return max(int(n), len(data))
}
