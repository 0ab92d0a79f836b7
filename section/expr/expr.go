package expr

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// An Expr is a parsed expression. It does not change and may be shared.
type Expr struct {
	text    string
	names   []string
	code    []step // in postfix order, so that evaluation needs no recursion
	offsets []int  // of each step in text
}

// A step puts an operand on the stack, or replaces the topmost ones by a result.
type step struct {
	op    op
	index int          // of a name
	value metric.Value // of a constant
}

type op uint8

const (
	opName op = iota
	opConstant
	opAdd
	opSubtract
	opMultiply
	opDivide
	opSimplify
	opNaNAsZero
)

func (o op) String() string {
	return [...]string{"name", "constant", "+", "-", "*", "/", "simplify", "nan_as_zero"}[o]
}

// functions are the names that are functions before a parenthesis.
var functions = map[string]op{"simplify": opSimplify, "nan_as_zero": opNaNAsZero}

// String returns the text of the expression.
func (e *Expr) String() string { return e.text }

// Names are the metrics that the expression needs, each once, in the order of
// appearance. The result is shared: do not change it.
func (e *Expr) Names() []string { return e.names }

// Equal reports whether two expressions are the same but for spaces and
// parentheses that change nothing.
func (e *Expr) Equal(other *Expr) bool {
	return slices.Equal(e.names, other.names) && slices.Equal(e.code, other.code)
}

// A SyntaxError says where a text departs from the grammar.
type SyntaxError struct {
	Text   string // the expression
	Offset int    // in bytes
	Want   string
	Found  string
}

// Column is the place in characters, from 1.
func (e *SyntaxError) Column() int { return column(e.Text, e.Offset) }

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s: column %d: expected %s, found %s", quote(e.Text), e.Column(), e.Want, e.Found)
}

// A ValueError says that an operator needs the regular value of a side that has
// none.
type ValueError struct {
	Text   string // the expression
	Offset int    // of the operator, in bytes
	Op     string
	Side   string // "left" or "right"
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("%s: column %d: the %s side of %s has instances but no value of its own, which the other side's instances need",
		quote(e.Text), column(e.Text, e.Offset), e.Side, e.Op)
}

func column(text string, offset int) int { return utf8.RuneCountInString(text[:offset]) + 1 }

// quote shortens what an error shows of a long expression.
func quote(text string) string {
	const limit = 120
	if len(text) > limit {
		text = text[:limit] + "..."
	}
	return fmt.Sprintf("%q", text)
}
