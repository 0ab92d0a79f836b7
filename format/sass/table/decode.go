package table

import (
	"fmt"
	"slices"
)

// A Piece is a token that a word shows, with the field of its number.
type Piece struct {
	*Token
	Field *Field // nil for a literal
}

// Pieces returns the tokens of a word in the order of the text. It reports false
// for a word that is undecided: one that is no instruction, or unlike all that
// the table was learned from.
func (o *Op) Pieces(w Word) ([]Piece, bool) {
	if w.And(o.Fixed) != o.Value || w.Op() != o.Code || !o.Control.Allows(w) {
		return nil, false
	}
	labels := make([]int, len(o.Groups))
	absent := [256]bool{}
	for i := range o.Groups {
		g := &o.Groups[i]
		if absent[g.Slot] {
			labels[i] = Undecided
			continue
		}
		labels[i] = o.Eval(g.Tree, w)
		switch {
		case labels[i] == Undecided, g.Slot == Validity && labels[i] != 1:
			return nil, false
		case g.Presence:
			absent[g.Slot] = labels[i] == 0
		}
	}
	pieces := make([]Piece, 0, len(o.Tokens))
	last := int32(-1)
	empty := o.present(&absent)
	for i := range o.Tokens {
		t := &o.Tokens[i]
		if labels[t.Group] != int(t.Label) {
			continue
		}
		if last >= 0 && o.Tokens[last].Slot == t.Slot {
			if _, apart := slices.BinarySearchFunc(o.Apart, Apart{last, int32(i)}, compareApart); apart {
				return nil, false
			}
		}
		last = int32(i)
		p := Piece{Token: t}
		if t.Kind != Literal {
			k := 0
			if len(t.Choice) > 0 {
				k = o.Eval(t.Choice, w)
			}
			if k < 0 || k >= len(t.Fields) {
				return nil, false
			}
			p.Field = &t.Fields[k]
		}
		pieces = append(pieces, p)
		empty[t.Slot] = false
	}
	if slices.Contains(empty[:], true) {
		return nil, false // an operand that is there, but none of the names that it was seen with
	}
	return slices.Clip(pieces), true
}

// present are the operands that a word has: those of which something must be shown.
func (o *Op) present(absent *[256]bool) (slots [256]bool) {
	for i := range o.Tokens {
		s := o.Tokens[i].Slot
		slots[s] = s >= FirstOperand && !absent[s]
	}
	return slots
}

// Why says which part of the table leaves a word undecided.
func (o *Op) Why(w Word) string {
	if x := w.And(o.Fixed); x != o.Value {
		return fmt.Sprintf("fixed bits differ: %016x%016x", x.Hi^o.Value.Hi, x.Lo^o.Value.Lo)
	}
	if !o.Control.Allows(w) {
		return "control bits"
	}
	absent := [256]bool{}
	for i := range o.Groups {
		g := &o.Groups[i]
		if absent[g.Slot] {
			continue
		}
		x := o.Eval(g.Tree, w)
		absent[g.Slot] = g.Presence && x == 0
		if x != Undecided && (g.Slot != Validity || x == 1) {
			continue
		}
		var texts []string
		for _, t := range o.Tokens {
			if int(t.Group) == i && len(texts) < 6 {
				texts = append(texts, t.Text)
			}
		}
		return fmt.Sprintf("slot %d presence %v %q", g.Slot, g.Presence, texts)
	}
	return "number"
}
