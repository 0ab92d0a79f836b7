// Package sasslearn learns the tables of package format/sass from pairs of
// instruction words and the text that a disassembler prints for them.
//
//	pairs, err := sasslearn.ReadPairs(f)
//	ops := sasslearn.Learn(pairs, sasslearn.Options{})
//	b := table.Encode(ops)
//
// # The way from pairs to a table
//
//  1. lex.go takes each text apart with one grammar for all operations. A token is
//     known by its place: which operand, within which brackets.
//  2. order.go puts the tokens of an operation into one order.
//  3. field.go finds the bits of the word that each number is made of.
//  4. group.go joins tokens that exclude each other.
//  5. tree.go learns which of them is there. What may matter is told by pairs of
//     words that differ in one bit; what a register being RZ, or a number being 0,
//     does is asked as one question. Where not enough is known a tree is undecided.
//  6. learn.go learns besides which words are no instructions.
//
// The same pairs give the same table. Command learn is the face of this package;
// measure.go and set.go tell how good a table is on words that it has not seen.
package sasslearn
