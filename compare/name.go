package compare

import (
	"regexp"
	"strings"

	"github.com/gpuprof/gpuprof/profile/cufilt"
)

// A Names prepares the names of kernels and ranges for matching. The zero value
// renames nothing. It is for one goroutine.
type Names struct {
	Rename     []Rename
	FoldDigits bool // of kernels: numbers at the end of a name stand for any number

	cache map[string]names
}

// A Rename replaces names on both sides before they are matched.
type Rename struct {
	From *regexp.Regexp // found in the name without arguments, else in the whole name
	To   string         // as in regexp.ReplaceAllString
}

// names are the forms of one kernel's name.
type names struct {
	shown string // as the file spells it
	full  string // one spelling for what tools spell in several ways
	base  string // without template arguments and parameters
}

// of returns the forms of a kernel's name.
func (n *Names) of(name string) names {
	if f, ok := n.cache[name]; ok {
		return f
	}
	f := names{full: normal(name)}
	f.base, f.shown = baseOf(f.full), name
	if strings.HasPrefix(name, "_Z") {
		f.shown = f.full
	}
	for _, r := range n.Rename {
		switch {
		case r.From.MatchString(f.base):
			to := r.From.ReplaceAllString(f.base, r.To)
			f.full, f.base = strings.Replace(f.full, f.base, to, 1), to
			f.shown = f.full
		case r.From.MatchString(f.full):
			f.full = r.From.ReplaceAllString(f.full, r.To)
			f.base, f.shown = baseOf(f.full), f.full
		}
	}
	if n.FoldDigits {
		f.full, f.base = trailing.ReplaceAllString(f.full, "N"), trailing.ReplaceAllString(f.base, "N")
	}
	if n.cache == nil {
		n.cache = map[string]names{}
	}
	n.cache[name] = f
	return f
}

var (
	cast      = regexp.MustCompile(`\((?:(?:un)?signed |long |short )*(?:int|long|short|char|bool|size_t)\)(-?\d)`)
	literal   = regexp.MustCompile(`\b(\d+)(?:u|l|ul|ull|ll|U|L|UL|ULL|LL)\b`)
	truth     = regexp.MustCompile(`\b(true|false)\b`)
	triton    = regexp.MustCompile(`_(?:\d+(?:de|d|c)){2,}\d*$`)
	trailing  = regexp.MustCompile(`\d+$`)
	digits    = regexp.MustCompile(`0[xX][0-9a-fA-F]+|\d+[A-Za-z]?`)
	parameter = regexp.MustCompile(`\bT(\d+)\b`)
	version   = regexp.MustCompile(`(?:_v\d+|_ptsz|_ptds)+$`)
	clone     = regexp.MustCompile(` ?\[clone [^\]]*\]`)
)

// Fold replaces the numbers in a text by N, so that "step 12" and "step 13" are
// one range. A number with a letter behind it is part of a word, as in
// "AllToAll4D".
func Fold(text string) string {
	return digits.ReplaceAllStringFunc(text, func(s string) string {
		if last := s[len(s)-1]; last > '9' && !strings.HasPrefix(s, "0x") && !strings.HasPrefix(s, "0X") {
			return s
		}
		return "N"
	})
}

// unversioned is the name of an API function without the version that headers
// add: cudaLaunchKernel for cudaLaunchKernel_v7000.
func unversioned(api string) string { return version.ReplaceAllString(api, "") }

// maxName is the length in bytes beyond which a name stays as it is: none that a
// compiler made is so long, and spelling it anew takes time and room.
const maxName = 32 << 10

// normal writes the name of a kernel in one spelling, whatever tool and version
// spelled it: demangled, no casts before numbers, const first, no return type,
// the parameters of templates put in, Triton's and AMD's suffixes dropped.
func normal(name string) string {
	if len(name) > maxName {
		return name
	}
	name = strings.TrimSuffix(name, ".kd")
	if strings.HasPrefix(name, "_Z") {
		name = cufilt.Filter(name)
	}
	if !strings.ContainsAny(name, "<(") {
		name = clone.ReplaceAllString(name, "")
		return triton.ReplaceAllString(name, "")
	}
	name = clone.ReplaceAllString(name, "")
	for _, anonymous := range []string{"(anonymous namespace)", "<unnamed>", "{anonymous}"} {
		name = strings.ReplaceAll(name, anonymous, "anonymous")
	}
	for range 4 { // a cast of a cast
		name = cast.ReplaceAllString(name, "$1")
	}
	name = literal.ReplaceAllString(name, "$1")
	name = truth.ReplaceAllStringFunc(name, func(s string) string {
		if s == "true" {
			return "1"
		}
		return "0"
	})
	name = strings.TrimPrefix(name, "void ")
	return substitute(spaces(name))
}

// spaces writes the words of each type once, const before them, and a blank only
// between words.
func spaces(name string) string {
	var out strings.Builder
	var words []string
	flush := func() {
		front := 0
		for i, w := range words {
			if w == "const" {
				copy(words[front+1:i+1], words[front:i])
				words[front] = "const"
				front++
			}
		}
		out.WriteString(strings.Join(words, " "))
		words = words[:0]
	}
	start := -1
	for i := 0; i <= len(name); i++ {
		if i < len(name) && wordByte(name[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			words = append(words, name[start:i])
			start = -1
		}
		if i < len(name) && name[i] != ' ' {
			flush()
			out.WriteByte(name[i])
		}
	}
	flush()
	return out.String()
}

func wordByte(b byte) bool {
	return b == '_' || b == ':' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// substitute puts the arguments of the function's own template in the place of
// T1, T2 among its parameters, which is how NVIDIA's demangler names them.
func substitute(name string) string {
	open := parametersAt(name)
	if open <= 0 || name[open-1] != '>' {
		return name
	}
	from := opener(name, open-1)
	if from < 0 {
		return name
	}
	arguments := splitArguments(name[from+1 : open-1])
	if (open-from)*strings.Count(name[open:], "T") > maxName*16 {
		return name
	}
	return name[:open] + parameter.ReplaceAllStringFunc(name[open:], func(s string) string {
		n := 0
		for _, c := range s[1:] {
			n = n*10 + int(c-'0')
			if n > len(arguments) {
				return s
			}
		}
		if n < 1 {
			return s
		}
		return arguments[n-1]
	})
}

// parametersAt is where the list of parameters begins, -1 if there is none.
func parametersAt(name string) int {
	depth := 0
	for i := range len(name) {
		switch name[i] {
		case '<':
			depth++
		case '>':
			depth--
		case '(':
			if depth == 0 && i > 0 {
				return i
			}
		}
	}
	return -1
}

// opener is the "<" that the ">" at i closes, -1 if none does.
func opener(name string, i int) int {
	depth := 0
	for ; i >= 0; i-- {
		switch name[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitArguments splits at the commas that stand in no brackets.
func splitArguments(list string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, list[from:i])
				from = i + 1
			}
		}
	}
	return append(out, list[from:])
}

// ShortName is the name of a function without namespaces, arguments and template
// arguments.
func ShortName(name string) string {
	base := baseOf(normal(name))
	return base[strings.LastIndexByte(base, ':')+1:]
}

// baseOf is a name without what stands in brackets and without the type before
// it: that of the function with its namespaces.
func baseOf(name string) string {
	if !strings.ContainsAny(name, "<(") {
		return name
	}
	var out strings.Builder
	depth := 0
	for i := range len(name) {
		switch c := name[i]; c {
		case '<', '(':
			depth++
		case '>', ')':
			depth = max(0, depth-1)
		default:
			if depth == 0 {
				out.WriteByte(c)
			}
		}
	}
	base := strings.TrimSpace(out.String())
	if at := strings.LastIndexByte(base, ' '); at >= 0 && at+1 < len(base) && wordByte(base[at+1]) {
		base = base[at+1:]
	}
	base = strings.TrimRight(base, "*& ")
	if base == "" {
		return name
	}
	return base
}
