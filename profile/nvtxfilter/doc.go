// Package nvtxfilter reads the expressions of Nsight Compute's --nvtx-include
// and --nvtx-exclude and decides which kernel launches they keep.
//
// An expression names NVTX ranges of one domain:
//
//	["regex:"] [domain "@"] ranges
//	ranges   = startend | pushpop
//	startend = name { "," name }                     all of them are open, in any order
//	pushpop  = ["["] item { "/" item } ["]" | "/"]   a piece of the stack, bottom first
//	item     = name | "*" | "+"                      between two names: any number, exactly one range
//
// Ranges are of the push/pop kind if they hold an unescaped "/", begin with "["
// (the first name is the bottom of the stack) or end with "]" (the last name is
// the top); else of the start/end kind. A backslash takes the special meaning
// from the next character. Without a domain the default domain is meant.
//
// The way through the package: [Parse] turns text into an [Expr] or a
// [SyntaxError]; a [Filter] holds the included and the excluded expressions and
// judges one launch's [State] at a time; [Expr.MatchDomain] lets a caller warn
// of a domain that no state has, which Nsight Compute passes over in silence.
// [Escape] writes any name so that it stands for itself.
//
//	scan.go    escapes and splitting
//	expr.go    expressions: parsing, domains, start/end ranges
//	stack.go   the operators / * + [ ] over any stack, apart from what a name is
//	filter.go  states, includes and excludes
//	error.go   what is wrong with an expression, and where
//
// Matching takes at most one comparison for each name and frame of the stack;
// regular expressions are Go's, linear in the name's length. The vendor's
// behaviour was measured, not read: docs/nvtx-filter.md tells the measured
// facts, the mechanism inferred from them and every difference.
package nvtxfilter
