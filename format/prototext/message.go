package prototext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds of values.
const (
	KindMessage    Kind = iota // a message in braces
	KindString                 // text in quotes, escapes resolved
	KindNumber                 // digits, with a sign
	KindIdentifier             // a bare word: an enumeration's, true, inf
)

// A Pos is a place in a text, both counted from 1. Columns count bytes.
type Pos struct{ Line, Col int32 }

func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// A Message is a list of fields in the order of the text.
type Message []Field

// A Field is a name with a value. A field that is repeated stands as often; so
// does one whose value is a list.
type Field struct {
	Name    string
	Pos     Pos // of the name
	Value   Pos // of the value
	Kind    Kind
	Text    string // string, number or identifier
	Message Message
}

// Uint64 reads an integer that is not negative.
func (f *Field) Uint64() (uint64, bool) {
	if f.Kind != KindNumber {
		return 0, false
	}
	v, err := strconv.ParseUint(f.Text, 0, 64)
	return v, err == nil
}

// Int64 reads an integer.
func (f *Field) Int64() (int64, bool) {
	if f.Kind != KindNumber {
		return 0, false
	}
	v, err := strconv.ParseInt(f.Text, 0, 64)
	return v, err == nil
}

// Float64 reads a number, or one of the words inf, infinity and nan.
func (f *Field) Float64() (float64, bool) {
	switch f.Kind {
	case KindNumber:
		s := f.Text
		if !strings.HasPrefix(strings.TrimLeft(s, "+-"), "0x") {
			s = strings.TrimRight(s, "fF")
		}
		if v, err := strconv.ParseFloat(s, 64); err == nil {
			return v, true
		}
		v, err := strconv.ParseInt(s, 0, 64)
		return float64(v), err == nil
	case KindIdentifier:
		sign, word := 1, strings.ToLower(f.Text)
		if strings.HasPrefix(word, "-") {
			sign, word = -1, word[1:]
		}
		switch word {
		case "inf", "infinity":
			return math.Inf(sign), true
		case "nan":
			return math.NaN(), true
		}
	}
	return 0, false
}

// Bool reads true, false, t, f, 1 or 0.
func (f *Field) Bool() (value, ok bool) {
	if f.Kind == KindIdentifier || f.Kind == KindNumber {
		switch f.Text {
		case "true", "True", "t", "1":
			return true, true
		case "false", "False", "f", "0":
			return false, true
		}
	}
	return false, false
}

// A SyntaxError says where a text departs from the grammar.
type SyntaxError struct {
	File  string
	Pos   Pos
	Want  string
	Found string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%v: expected %s, found %s", e.File, e.Pos, e.Want, e.Found)
}
