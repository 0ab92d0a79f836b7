package sasslearn

import (
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// A tokenID says what a token is and where in the grammar it stands; texts that
// say the same thing at the same place have the same tokenID.
type tokenID struct {
	slot  table.Slot
	part  uint8      // of an operand: 0 before brackets, 1 in "c[", 2 in "[", 3 behind
	kind  table.Kind // Literal or the kind of a number
	occur uint8      // tells equal tokens of a slot apart
	text  string     // the literal, or what stands before the number
}

// A token is a tokenID with the number that it shows.
type token struct {
	tokenID
	value int64
	float float64
}

// A reading is a text taken apart.
type reading struct {
	guard  string // "@!P0", "" if there is none
	tokens []token
	text   string
	named  bool // no part of it is a value without a name ("INVALID3", "???2", "?PM1")
}

// maxText is the length of the longest text that is taken apart. The longest of
// nvdisasm's has 186 bytes, and equal tokens are counted in a byte.
const maxText = 255

// read takes the text of an instruction apart. It reports false for a text that
// the grammar does not know, or that is too long for one.
func read(text string) (reading, bool) {
	r := reading{text: text}
	if len(text) > maxText {
		return r, false
	}
	r.named = !strings.Contains(text, "INVALID") && !strings.Contains(text, "?")
	if strings.HasPrefix(text, "@") {
		g, rest, ok := strings.Cut(text, " ")
		if !ok {
			return r, false
		}
		r.guard, text = g, strings.TrimLeft(rest, " ")
	}
	body := strings.TrimRight(text, " ")
	blanks := len(text) - len(body)
	if wantsBlank(body) {
		if blanks == 0 {
			return r, false
		}
		blanks--
		body += " "
	}
	name, operands, has := strings.Cut(body, " ")
	base, mods, _ := strings.Cut(name, ".")
	r.tokens = append(r.tokens, token{tokenID: tokenID{slot: table.Mnemonic, text: base}})
	if mods != "" {
		for m := range strings.SplitSeq(mods, ".") {
			r.add(token{tokenID: tokenID{slot: table.Modifier, text: "." + m}}, 1)
		}
	}
	if has && !r.operands(operands) {
		return r, false
	}
	if blanks > 0 {
		r.tokens = append(r.tokens, token{tokenID: tokenID{slot: table.Tail, text: " "}})
	}
	return r, blanks <= 1
}

// wantsBlank reports whether a text ends in a number that has a blank of its own
// behind it.
func wantsBlank(s string) bool {
	for _, e := range [...]string{"+INF", "-INF", "+QNAN", "-QNAN", "+SNAN", "-SNAN", " -0.0"} {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

// add appends a token, and tells it from equal ones from index from on.
func (r *reading) add(t token, from int) {
	for _, o := range r.tokens[from:] {
		if o.slot == t.slot && o.part == t.part && o.kind == t.kind && o.text == t.text {
			t.occur = max(t.occur, o.occur+1)
		}
	}
	r.tokens = append(r.tokens, t)
}

func (r *reading) operands(s string) bool {
	mains, preds := 0, 0
	for o := range strings.SplitSeq(s, ", ") {
		slot := int(table.FirstOperand)*(mains+1) + 15
		if isPredicate(o) {
			slot = int(table.FirstOperand)*(mains+1) + preds
			preds++
		} else {
			mains, preds = mains+1, 0
		}
		if slot > 255 || preds > 14 || !r.operand(table.Slot(slot), o) {
			return false
		}
	}
	return true
}

func isPredicate(o string) bool {
	kind, _, n := register(strings.TrimPrefix(o, "!"))
	return n > 0 && n == len(strings.TrimPrefix(o, "!")) && (kind == table.Pred || kind == table.UPred)
}

// registers are the names that stand before a number, longest first.
var registers = []struct {
	name string
	kind table.Kind
	last string // the name of the highest number
}{
	{"UR", table.UReg, "Z"}, {"UP", table.UPred, "T"}, {"SB", table.Scoreboard, ""},
	{"R", table.Reg, "Z"}, {"P", table.Pred, "T"}, {"B", table.Barrier, ""},
}

// register reads a register at the start of s: its kind, its number (-1 for RZ
// and URZ, 7 for PT and UPT) and how long its name is, 0 if there is none.
func register(s string) (table.Kind, int64, int) {
	w := s[:wordLen(s)]
	for _, r := range registers {
		d, ok := strings.CutPrefix(w, r.name)
		switch {
		case !ok || d == "" || len(d) > 3:
		case d == r.last && d == "Z":
			return r.kind, -1, len(w)
		case d == r.last:
			return r.kind, 7, len(w)
		default:
			if n, err := strconv.ParseUint(d, 10, 16); err == nil {
				return r.kind, int64(n), len(w)
			}
		}
	}
	return 0, 0, 0
}

func wordLen(s string) int {
	i := 0
	for i < len(s) && (s[i] >= 'A' && s[i] <= 'Z' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= '0' && s[i] <= '9' || s[i] == '_' || s[i] == '?') {
		i++
	}
	return i
}

// nameLen is the length of a name at the start of s with all that dots join to it:
// SR_TID.X is one name, since SR_TID.Y need not be one too.
func nameLen(s string) int {
	n := wordLen(s)
	for n < len(s) && s[n] == '.' && wordLen(s[n+1:]) > 0 {
		n += 1 + wordLen(s[n+1:])
	}
	return n
}

// operand reads one operand: the shared grammar of all operations.
func (r *reading) operand(slot table.Slot, s string) bool {
	from := len(r.tokens)
	part := uint8(0)
	before := "" // of the next number
	put := func(kind table.Kind, text string, v int64, f float64) {
		r.add(token{tokenID{slot: slot, part: part, kind: kind, text: before + text}, v, f}, from)
		before = ""
	}
	literal := func(n int) {
		put(table.Literal, s[:n], 0, 0)
		s = s[n:]
	}
	start := true // of a core: what stands here may be a register or a number
	for s != "" {
		number := start
		start = false
		switch c := s[0]; {
		case number && c != '.':
			if n, ok := r.number(s, put); ok {
				s = s[n:]
				continue
			}
			fallthrough
		default:
			switch {
			case c == '+' && part == 2:
				before, s, start = "+", s[1:], true
			case c == '-' || c == '~' || c == '!':
				literal(1)
				start = true
			case c == '|':
				literal(1)
				start = number
			case c == '[':
				part = 2
				literal(1)
				start = true
			case c == ']':
				literal(1)
				if !strings.HasPrefix(s, "[") && !strings.HasPrefix(s, " [") {
					part = 3
				}
			case c == ' ':
				literal(1)
				start = true
			case c == '.':
				literal(1 + wordLen(s[1:]))
			default:
				n := wordLen(s)
				if n == 0 {
					return false
				}
				if number && part == 0 && nameLen(s) == len(s) {
					n = len(s)
				}
				if n < len(s) && s[n] == '[' {
					if part = 1; s[:n] == "a" { // one pair of brackets, with an address
						part = 2
					}
					literal(n + 1)
					start = true
				} else {
					literal(n)
				}
			}
		}
	}
	return before == ""
}

// number reads a register or number at the start of s and hands it to put.
func (r *reading) number(s string, put func(table.Kind, string, int64, float64)) (int, bool) {
	if kind, v, n := register(s); n > 0 {
		put(kind, "", v, 0)
		return n, true
	}
	if s[0] == '{' {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, false
		}
		var v int64
		for d := range strings.SplitSeq(s[1:end], ",") {
			k, err := strconv.ParseUint(d, 10, 5)
			if err != nil {
				return 0, false
			}
			v |= 1 << k
		}
		put(table.Set, "", v, 0)
		return end + 1, true
	}
	if rest, ok := strings.CutPrefix(s, "rel"); ok && rest != "" && (rest[0] == '+' || rest[0] == '-') {
		v, n := hexNumber(strings.TrimPrefix(rest, "+"))
		if n == 0 {
			return 0, false
		}
		put(table.Relative, "", v, 0)
		return 3 + n + len(rest) - len(strings.TrimPrefix(rest, "+")), true
	}
	if v, n := hexNumber(s); n > 0 {
		put(table.Hex, "", v, 0)
		return n, true
	}
	if f, n := floatNumber(s); n > 0 {
		put(table.Float, "", 0, f)
		return n, true
	}
	return 0, false
}

func hexNumber(s string) (int64, int) {
	d := strings.TrimPrefix(s, "-")
	d, ok := strings.CutPrefix(d, "0x")
	if !ok {
		return 0, 0
	}
	n := 0
	for n < len(d) && (d[n] >= '0' && d[n] <= '9' || d[n] >= 'a' && d[n] <= 'f') {
		n++
	}
	v, err := strconv.ParseUint(d[:n], 16, 64)
	if err != nil {
		return 0, 0
	}
	if s[0] == '-' {
		return -int64(v), len(s) - len(d) + n
	}
	return int64(v), len(s) - len(d) + n
}

func floatNumber(s string) (float64, int) {
	for _, x := range [...]struct {
		text  string
		value float64
	}{{"+INF ", math.Inf(1)}, {"-INF ", math.Inf(-1)}, {"+QNAN ", math.NaN()}, {"-QNAN ", math.NaN()}, {"+SNAN ", math.NaN()}, {"-SNAN ", math.NaN()}, {"-0.0 ", math.Copysign(0, -1)}} {
		if strings.HasPrefix(s, x.text) {
			return x.value, len(x.text)
		}
	}
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.' && n+1 < len(s) && s[n+1] >= '0' && s[n+1] <= '9' || s[n] == 'e' && n > 0 || (s[n] == '-' || s[n] == '+') && (n == 0 || s[n-1] == 'e')) {
		n++
	}
	if n == 0 || s[n-1] == '-' || s[n-1] == '+' || wordLen(s[n:]) > 0 {
		return 0, 0
	}
	f, err := strconv.ParseFloat(s[:n], 64)
	if err != nil {
		return 0, 0
	}
	return f, n
}
