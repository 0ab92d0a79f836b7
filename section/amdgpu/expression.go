package amdgpu

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An expression is a formula over counters and facts of a system. Its operators are
// + - * / and brackets; a /? b is nothing and a /0 b is 0 where b is 0, while a / b is infinite there.
// Names that begin with $ are facts; T is the duration of a dispatch in ns.
type expression interface {
	eval(of func(name string) float64) float64
}

type (
	constant float64
	name     string
	binary   struct {
		op   string
		a, b expression
	}
)

func (c constant) eval(func(string) float64) float64 { return float64(c) }
func (n name) eval(of func(string) float64) float64  { return of(string(n)) }
func (b *binary) eval(of func(string) float64) float64 {
	x, y := b.a.eval(of), b.b.eval(of)
	switch b.op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/?":
		if y == 0 {
			return math.NaN()
		}
	case "/0":
		if y == 0 {
			return 0
		}
	}
	return x / y
}

// parseExpression reads a formula of our own table.
func parseExpression(text string) (expression, error) {
	p := &parser{words: strings.Fields(spaced.Replace(text))}
	e, err := p.sum()
	if err == nil && len(p.words) > 0 {
		err = fmt.Errorf("expected the end, found %q", p.words[0])
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return e, nil
}

var spaced = strings.NewReplacer("(", " ( ", ")", " ) ", "/?", " /? ", "/0", " /0 ", "*", " * ", "+", " + ")

type parser struct{ words []string }

func (p *parser) next(ops ...string) string {
	if len(p.words) > 0 {
		for _, op := range ops {
			if p.words[0] == op {
				p.words = p.words[1:]
				return op
			}
		}
	}
	return ""
}

func (p *parser) sum() (expression, error) {
	a, err := p.product()
	for err == nil {
		op := p.next("+", "-")
		if op == "" {
			break
		}
		var b expression
		b, err = p.product()
		a = &binary{op, a, b}
	}
	return a, err
}

func (p *parser) product() (expression, error) {
	a, err := p.factor()
	for err == nil {
		op := p.next("*", "/", "/?", "/0")
		if op == "" {
			break
		}
		var b expression
		b, err = p.factor()
		a = &binary{op, a, b}
	}
	return a, err
}

func (p *parser) factor() (expression, error) {
	if len(p.words) == 0 {
		return nil, fmt.Errorf("expected a name, a number or a bracket, found the end")
	}
	if p.next("(") != "" {
		e, err := p.sum()
		if err == nil && p.next(")") == "" {
			err = fmt.Errorf("expected a bracket that closes")
		}
		return e, err
	}
	w := p.words[0]
	p.words = p.words[1:]
	if v, err := strconv.ParseFloat(w, 64); err == nil {
		return constant(v), nil
	}
	return name(w), nil
}
