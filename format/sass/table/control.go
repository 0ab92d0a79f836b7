package table

// Control says which control bits (105 to 124) the words of an operation must not
// have: a disassembler refuses words that do. The zero value refuses none.
type Control struct {
	NoStall uint32            // by value of bits 105 to 109: the stall, and the bit against yielding
	NoWrite bool              // may set no scoreboard when results are written: bits 110 to 112 must be 7
	NoRead  bool              // nor when operands are read: bits 113 to 115
	NoReuse [ReuseKinds]uint8 // by value of bits 122 to 124, for each of ReuseKind
}

// ReuseKinds is the number of kinds of words that reuse bits mean different things in.
const ReuseKinds = 3

// ReuseKind tells what reuse bits mean in a word: nothing where bits 105 to 109 are
// 0, hints to the scheduler where they are 1 to 15, registers that stay in the cache
// of operands above.
func ReuseKind(w Word) int {
	switch c := w.Field(105, 5); {
	case c == 0:
		return 0
	case c < 16:
		return 1
	}
	return 2
}

// noScoreboard in bits 110 to 112 or 113 to 115 is no scoreboard.
const noScoreboard = 7

// Allows reports whether a word has control bits that its operation may have.
func (c *Control) Allows(w Word) bool {
	return c.NoStall>>w.Field(105, 5)&1 == 0 &&
		!(c.NoWrite && w.Field(110, 3) != noScoreboard) &&
		!(c.NoRead && w.Field(113, 3) != noScoreboard) &&
		c.NoReuse[ReuseKind(w)]>>w.Field(122, 3)&1 == 0
}
