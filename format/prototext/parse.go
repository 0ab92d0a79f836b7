package prototext

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits of what Parse takes.
const (
	maxDepth = 64
	maxSize  = 64 << 20 // bytes; the largest file in use has 1.5 MB
)

// Parse reads a text; file stands in its error, which is a *[SyntaxError].
func Parse(file, text string) (Message, error) {
	p := &parser{scanner: scanner{file: file, text: text, line: 1}}
	if len(text) > maxSize {
		p.fail(fmt.Sprintf("a text of at most %d bytes", maxSize), fmt.Sprintf("%d bytes", len(text)))
		return nil, p.err
	}
	if strings.HasPrefix(text, "\ufeff") {
		p.off, p.lineStart = 3, 3
	}
	p.next()
	m := p.message(0, 0)
	if p.err != nil {
		return nil, p.err
	}
	return m, nil
}

type parser struct {
	scanner
}

// message reads fields up to the closing bracket, or to the end of the text
// where it is 0.
func (p *parser) message(end byte, depth int) Message {
	if depth > maxDepth {
		p.fail(fmt.Sprintf("messages at most %d deep", maxDepth), "one more")
		return nil
	}
	var m Message
	for p.err == nil {
		switch {
		case p.tok == tokenEnd && end == 0, p.tok == tokenMark && end != 0 && p.mark() == end:
			return m
		case p.tok == tokenWord, p.tok == tokenMark && p.mark() == '[':
			m = p.field(m, depth)
		default:
			want := "a field name"
			if end != 0 {
				want += " or '" + string(end) + "'"
			}
			p.fail(want, p.found())
		}
	}
	return m
}

// field reads a name and its value, or values, and appends them to m.
func (p *parser) field(m Message, depth int) Message {
	f := Field{Name: p.str, Pos: p.pos}
	if p.tok == tokenMark {
		f.Name = p.extension()
	}
	p.next()
	colon := p.accept(':')
	if p.tok == tokenMark && p.mark() == '[' && colon {
		return p.list(m, f, depth)
	}
	m = append(m, p.value(f, colon, depth))
	p.separator()
	return m
}

// extension reads a name in brackets and leaves its last token as the current.
func (p *parser) extension() string {
	var b strings.Builder
	for b.WriteByte('['); p.err == nil; {
		p.next()
		switch {
		case p.tok == tokenMark && p.mark() == ']':
			b.WriteByte(']')
			return b.String()
		case p.tok == tokenWord || p.tok == tokenMark && (p.mark() == '.' || p.mark() == '/'):
			b.WriteString(p.str)
		default:
			p.fail("a name and ']'", p.found())
		}
	}
	return b.String()
}

// list reads values in brackets, each a field of its own.
func (p *parser) list(m Message, f Field, depth int) Message {
	p.next()
	for first := true; p.err == nil; first = false {
		if p.accept(']') {
			break
		}
		if !first && !p.accept(',') {
			p.fail("',' or ']'", p.found())
			return m
		}
		m = append(m, p.value(f, true, depth))
	}
	p.separator()
	return m
}

func (p *parser) separator() {
	if !p.accept(',') {
		p.accept(';')
	}
}

func (p *parser) accept(mark byte) bool {
	if p.err == nil && p.tok == tokenMark && p.mark() == mark {
		p.next()
		return true
	}
	return false
}

// value reads one value into f. Without a colon it must be a message.
func (p *parser) value(f Field, colon bool, depth int) Field {
	f.Value = p.pos
	if p.tok == tokenMark && (p.mark() == '{' || p.mark() == '<') {
		end := byte('}')
		if p.mark() == '<' {
			end = '>'
		}
		p.next()
		f.Kind, f.Message = KindMessage, p.message(end, depth+1)
		p.next()
		return f
	}
	if !colon {
		p.fail("':' or '{' after "+f.Name, p.found())
		return f
	}
	switch p.tok {
	case tokenString:
		f.Kind = KindString
		for f.Text = p.str; ; f.Text += p.str {
			if p.next(); p.tok != tokenString || p.err != nil {
				return f
			}
		}
	case tokenNumber, tokenWord:
		f.Kind, f.Text = KindNumber, p.str
		if p.tok == tokenWord {
			f.Kind = KindIdentifier
		}
		p.next()
	case tokenMark:
		if p.mark() == '-' || p.mark() == '+' {
			sign := strings.TrimPrefix(p.str, "+")
			if p.next(); p.tok == tokenNumber || p.tok == tokenWord {
				g := p.value(f, true, depth)
				g.Text = sign + g.Text
				return g
			}
		}
		fallthrough
	default:
		p.fail("a value of "+f.Name, p.found())
	}
	return f
}

// found describes the current token.
func (p *parser) found() string {
	switch p.tok {
	case tokenEnd:
		return "the end of the text"
	case tokenString:
		return "the string " + strconv.Quote(clip(p.str))
	}
	return strconv.Quote(clip(p.str))
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
