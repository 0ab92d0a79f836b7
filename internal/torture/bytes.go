package torture

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
)

// evil are texts that a terminal, a page or a spreadsheet would obey, and texts at
// the ends of what a text may be.
var evil = []string{
	"\x1b[31mred\x1b[0m", "\x1b]0;owned\x07", "\x1b[2J\x1b[H", "\u009b31m", "\x9b31m", "\u202egnp.exe", "\u2066x\u2069",
	"a\rb", "\x00", "a\x00b", "\x7f", "\xff\xfe", "\xc3", "<script>alert(1)</script>", "=cmd|'/c calc'!A0", "%s%n%d", "../../../etc/passwd",
	"", " ", "\n", "\t", "'", `"`, "'; drop table x; --", strings.Repeat("A", 5000), strings.Repeat("(", 300), strings.Repeat("<a", 300),
}

// numbers are at the ends of what numbers may be.
var numbers = []string{
	"0", "-1", "1", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "2147483648", "4294967295", "-2147483649",
	"1e308", "-1e308", "1e-320", "1e999", "NaN", "-inf", "0x7fffffffffffffff", "1.5", "00", "+5", "1,000", "1_000", "99999999999999999999999999",
}

// words are whole numbers at the ends of their sizes.
var words = []uint64{0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 62, 1<<63 - 1, 1 << 63, 1<<64 - 1}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// flip changes bytes wherever they are.
func flip(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	if len(b) == 0 {
		return []byte{byte(r.Uint32())}
	}
	at := r.IntN(len(b))
	switch r.IntN(9) {
	case 0:
		b[at] ^= 1 << r.IntN(8)
	case 1:
		b[at] = byte(r.Uint32())
	case 2:
		return b[:at]
	case 3: // a part is gone
		return slices.Delete(b, at, min(len(b), at+1+r.IntN(64)))
	case 4: // a part is there twice
		part := slices.Clone(b[at:min(len(b), at+1+r.IntN(256))])
		return slices.Insert(b, at, part...)
	case 5:
		return slices.Insert(b, at, []byte(pick(r, evil))...)
	case 6:
		copy(b[at:], pick(r, evil))
	case 7:
		var w [8]byte
		binary.LittleEndian.PutUint64(w[:], pick(r, words))
		copy(b[at:], w[:1<<r.IntN(4)])
	case 8:
		clear(b[at:min(len(b), at+1+r.IntN(512))])
	}
	return b
}

// mutate changes data in one to four ways that suit its form. Equal generators give
// equal results.
func mutate(r *rand.Rand, data []byte) []byte {
	for range 1 + r.IntN(4) {
		how := flip
		if forms := fitting(data); len(forms) > 0 && r.IntN(6) > 0 {
			how = pick(r, forms)
		}
		if out := how(r, data); len(out) <= maxInput {
			data = out
		}
	}
	return data
}

// maxInput bounds what mutations may grow to.
const maxInput = 1 << 20

type mutation = func(*rand.Rand, []byte) []byte

// fitting are the mutations that know the form of data.
func fitting(data []byte) (out []mutation) {
	head := data[:min(len(data), 64<<10)]
	switch {
	case strings.HasPrefix(string(head), "SQLite format 3\x00"):
		out = append(out, sqlRows, sqlSchema, sqlitePages)
	case strings.HasPrefix(string(head), "\x1f\x8b"):
		out = append(out, zipped)
	case len(framed(data)) > 0:
		out = append(out, protobuf, protobuf)
	case text(head):
		out = append(out, lines, fields)
		if c := strings.TrimLeft(string(head), " \t\r\n"); c != "" && (c[0] == '{' || c[0] == '[') {
			out = append(out, tokens, tokens)
		}
	}
	if len(elfs(data)) > 0 {
		out = append(out, elf)
	}
	return out
}
