// Package expr computes derived metrics: expressions such as
//
//	100.0 * nan_as_zero(simplify(a) / (simplify(b) + simplify(c)))
//
// over the metrics of a launch, as the MetricDefinitions of section files hold
// them.
//
// # Grammar
//
//	sum     = product { ("+" | "-") product } .
//	product = operand { ("*" | "/") operand } .
//	operand = name | uint64 | double | "(" sum ")" | ("simplify" | "nan_as_zero") "(" sum ")" .
//	uint64  = digit { digit } .
//	double  = digit { digit } "." { digit } [exponent] | digit { digit } exponent .
//
// Operators of one rank group from the left. Spaces may be anywhere between
// tokens and nowhere inside. A name starts with a letter or "_" and goes on with
// letters, digits, "_", "." and ":", as far as it can: "a.sum/b" is a quotient,
// "a-1" a difference, and "a.1" one name. No metric of a known report has another
// character in its name, save the patterns "regex:...", which have no value. A
// name that is followed by "(" is a function.
// There is no sign: "-1" is written "0 - 1", whose kind, an unsigned integer,
// has no room for it; "0. - 1" has. The exponent is an addition of ours.
//
// # Values
//
// A metric has a regular value, instances, or both; an instance is a value with
// an id or without. [Expr.Eval] combines the two sides of an operator as the
// first of these that fits:
//
//	neither side has ids       the first N instances of both, the rest of the left
//	both sides have ids        joined by id; what is on one side alone is kept
//	the left side has ids      every left instance with the right regular value
//	the right side has ids     the left regular value with one right instance after the other
//
// and the two regular values with each other, save in the last case, where what
// comes out of the chain is the only value. The kind of the left value is that
// of the result: the right one is converted. Text on the left stays as it is. A
// division by an integer zero leaves the left value, as does a division of an
// integer by what the conversion makes zero.
//
// simplify drops the instances and keeps the regular value; nan_as_zero puts 0
// for each value that is not a number. The vendor's guide has neither; this is
// how they are used.
//
// [Guide] are these rules; [Tool] are those that releases since 2023.3 follow,
// as their reports show.
package expr
