package table

import "cmp"

// Undecided is the label of a leaf that was never seen, or that means a word
// which is no instruction.
const Undecided = -1

// A Node of a tree. A leaf has Feature -1.
type Node struct {
	Feature int32 // index into Op.Features
	Label   int32 // of a leaf
	No, Yes int32 // index of the next node
}

// A Tree answers which label a word has. Its first node is the root.
type Tree []Node

// Eval walks the tree.
func (o *Op) Eval(t Tree, w Word) int {
	if i := o.Leaf(t, w); i >= 0 {
		return int(t[i].Label)
	}
	return Undecided
}

// Leaf is the index of the leaf that the word comes to, -1 in a tree that has none.
func (o *Op) Leaf(t Tree, w Word) int {
	i := int32(0)
	for range t {
		n := &t[i]
		if n.Feature < 0 {
			return int(i)
		}
		if o.Features[n.Feature].Holds(w) {
			i = n.Yes
		} else {
			i = n.No
		}
	}
	return -1
}

// A Slot is a place of the text: the mnemonic, its modifiers, or an operand.
type Slot uint8

const (
	Mnemonic Slot = 0
	Modifier Slot = 1
	Tail     Slot = 2 // the blank before the semicolon
	Validity Slot = 3 // no place: its group tells whether a word is an instruction, label 1
	// Operands follow: 16(n+1)+i is predicate i after n other operands, 16(n+1)+15
	// the operand n+1 that is no predicate.
	FirstOperand Slot = 16
)

// A Group decides between tokens that exclude each other.
type Group struct {
	Slot     Slot
	Presence bool // decides whether the slot is there; stands before the slot's other groups
	Tree     Tree // label 0: none of the tokens
}

// A Token is a piece of text, there if its group has its label.
type Token struct {
	Slot   Slot
	Group  int32 // index into Op.Groups
	Label  int32
	Text   string // literal, or what stands before the number
	Kind   Kind
	Choice Tree    // which of Fields; empty if there is one
	Fields []Field // of a number
}

// Guard is what the guard bits of an operation mean.
type Guard uint8

const (
	PredicateGuard Guard = iota // @P0
	UniformGuard                // @UP0
	NoGuard                     // the text does not show them
)

// An Op is all that was learned of an operation: the words whose lowest 12 bits
// are Code.
type Op struct {
	Code     int
	Guard    Guard
	Fixed    Word // bits that must be as in Value
	Value    Word
	Control  Control
	Features []Feature
	Groups   []Group
	Tokens   []Token // in the order of the text
	Apart    []Apart // sorted
}

// Apart are two tokens of a slot, indices into Op.Tokens, of which neither is known to
// stand before the other: no text showed both, nor others between them. A
// word that would show both is undecided.
type Apart struct{ First, Second int32 }

func compareApart(a, b Apart) int {
	return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
}

// MoveAlias is the modifier of multiplications that are moves.
const MoveAlias = ".MOV"
