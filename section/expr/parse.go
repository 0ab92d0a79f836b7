package expr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// Limits of what Parse takes.
const (
	maxLength = 1 << 12 // bytes of an expression
	maxDepth  = 100     // of parentheses inside each other
)

// Parse reads an expression. The error is a *[SyntaxError].
func Parse(text string) (*Expr, error) {
	p := parser{expr: &Expr{text: text}}
	if len(text) > maxLength {
		return nil, p.fail(0, fmt.Sprintf("at most %d bytes", maxLength), fmt.Sprintf("%d", len(text)))
	}
	if err := p.sum(0); err != nil {
		return nil, err
	}
	if p.spaces(); p.at < len(text) {
		return nil, p.fail(p.at, "an operator or the end", p.found())
	}
	return p.expr, nil
}

type parser struct {
	expr *Expr
	at   int
}

func (p *parser) fail(offset int, want, found string) error {
	return &SyntaxError{Text: p.expr.text, Offset: offset, Want: want, Found: found}
}

// found describes what is at the place that has been reached.
func (p *parser) found() string {
	rest := p.expr.text[p.at:]
	if rest == "" {
		return "the end"
	}
	if n := nameLength(rest); n > 0 {
		return strconv.Quote(rest[:min(n, 60)])
	}
	_, n := utf8.DecodeRuneInString(rest)
	return strconv.Quote(rest[:n])
}

func (p *parser) spaces() {
	rest := p.expr.text[p.at:]
	p.at += len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
}

// operator reads one of the characters in set, if it comes next.
func (p *parser) operator(set string) (char byte, offset int, ok bool) {
	p.spaces()
	if p.at < len(p.expr.text) && strings.IndexByte(set, p.expr.text[p.at]) >= 0 {
		p.at++
		return p.expr.text[p.at-1], p.at - 1, true
	}
	return 0, p.at, false
}

func (p *parser) emit(s step, offset int) {
	p.expr.code = append(p.expr.code, s)
	p.expr.offsets = append(p.expr.offsets, offset)
}

var operators = map[byte]op{'+': opAdd, '-': opSubtract, '*': opMultiply, '/': opDivide}

func (p *parser) sum(depth int) error {
	return p.chain("+-", func() error {
		return p.chain("*/", func() error { return p.operand(depth) })
	})
}

// chain reads parts with the operators in set between them.
func (p *parser) chain(set string, part func() error) error {
	if err := part(); err != nil {
		return err
	}
	for {
		char, offset, ok := p.operator(set)
		if !ok {
			return nil
		}
		if err := part(); err != nil {
			return err
		}
		p.emit(step{op: operators[char]}, offset)
	}
}

func (p *parser) operand(depth int) error {
	p.spaces()
	start, rest := p.at, p.expr.text[p.at:]
	switch {
	case rest != "" && rest[0] == '(':
		p.at++
		return p.group(start, depth)
	case rest != "" && isDigit(rest[0]):
		return p.number()
	}
	n := nameLength(rest)
	if n == 0 {
		return p.fail(start, "a metric, a number or '('", p.found())
	}
	p.at += n
	name := rest[:n]
	if _, _, ok := p.operator("("); ok {
		f, known := functions[name]
		if !known {
			return p.fail(start, "simplify or nan_as_zero before '('", strconv.Quote(name))
		}
		if err := p.group(start, depth); err != nil {
			return err
		}
		p.emit(step{op: f}, start)
		return nil
	}
	k := slices.Index(p.expr.names, name)
	if k < 0 {
		k = len(p.expr.names)
		p.expr.names = append(p.expr.names, name)
	}
	p.emit(step{op: opName, index: k}, start)
	return nil
}

// group reads what follows a parenthesis, and the one that closes it.
func (p *parser) group(start, depth int) error {
	if depth == maxDepth {
		return p.fail(start, fmt.Sprintf("parentheses at most %d deep", maxDepth), "more")
	}
	if err := p.sum(depth + 1); err != nil {
		return err
	}
	if _, _, ok := p.operator(")"); !ok {
		return p.fail(p.at, "an operator or ')'", p.found())
	}
	return nil
}

func (p *parser) number() error {
	start, text := p.at, p.expr.text
	n := start + digits(text[start:])
	whole := true
	if n < len(text) && text[n] == '.' {
		whole = false
		n += 1 + digits(text[n+1:])
	}
	if k := exponent(text[n:]); k > 0 {
		whole = false
		n += k
	}
	p.at = n
	if nameContinues(text[n:]) {
		return p.fail(n, "an operator after the number "+text[start:n], p.found())
	}
	var v metric.Value
	var err error
	if whole {
		var u uint64
		u, err = strconv.ParseUint(text[start:n], 10, 64)
		v = metric.Uint64(u)
	} else {
		var f float64
		f, err = strconv.ParseFloat(text[start:n], 64)
		v = metric.Double(f)
	}
	if err != nil {
		return p.fail(start, "a number of 64 bits", quote(text[start:n]))
	}
	p.emit(step{op: opConstant, value: v}, start)
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// exponent is the length of an exponent that s starts with, or 0.
func exponent(s string) int {
	if s == "" || s[0] != 'e' && s[0] != 'E' {
		return 0
	}
	n := 1
	if n < len(s) && (s[n] == '+' || s[n] == '-') {
		n++
	}
	d := digits(s[n:])
	if d == 0 {
		return 0
	}
	return n + d
}

// nameLength is the length of the name that s starts with, or 0.
func nameLength(s string) int {
	r, _ := utf8.DecodeRuneInString(s)
	if r != '_' && !unicode.IsLetter(r) {
		return 0
	}
	n := strings.IndexFunc(s, func(r rune) bool { return !inName(r) })
	if n < 0 {
		return len(s)
	}
	return n
}

func nameContinues(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && inName(r)
}

func inName(r rune) bool {
	return r == '_' || r == '.' || r == ':' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
