// Package table holds what was learned of the instructions of an architecture, and
// decodes words with it.
//
// An [Op] is one operation: the words whose lowest 12 bits are its code. Its text is
// a list of [Token] in a fixed order, each in a [Slot]: the mnemonic, a modifier, an
// operand. Tokens that exclude each other form a [Group]; a [Tree] of yes-or-no
// questions about the word ([Feature]) says which of them is there, and -1 where
// that is not known. A token that is a number has a [Field]: the bits of the word
// that it is made of.
package table
