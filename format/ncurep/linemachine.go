package ncurep

import "github.com/gpuprof/gpuprof/format/internal/cursor"

// Opcodes of the DWARF line number program, and NVIDIA's extension. The latter
// is not documented; its meaning is read off tables whose sources are known (of
// 4574 rows the line of the call names the function in 4117, and is an operator,
// a function object or a macro in the others): the operands are the number of the
// call's row, counted from 1 within the sequence, and the offset of the inlined
// function's name in .debug_str; row 0 ends the inlining.
const (
	lnsCopy           = 1
	lnsAdvancePC      = 2
	lnsAdvanceLine    = 3
	lnsSetFile        = 4
	lnsSetColumn      = 5
	lnsNegateStmt     = 6
	lnsSetBasicBlock  = 7
	lnsConstAddPC     = 8
	lnsFixedAdvancePC = 9

	lneEndSequence   = 1
	lneSetAddress    = 2
	lneNvInlinedCall = 0x90
)

// lineMachine executes a line number program.
type lineMachine struct {
	*lineParser
	h  lineHeader
	at int // offset of the program in the section

	seq      LineSequence
	offset   uint64
	file     uint64
	line     int64
	column   uint64
	call     uint64
	function uint32
}

// reset starts a sequence.
func (m *lineMachine) reset() {
	m.seq = LineSequence{}
	m.offset, m.file, m.line, m.column, m.call, m.function = 0, 1, 1, 0, 0, 0
}

func (m *lineMachine) run(c *cursor.Cursor) {
	for c.More() {
		op := c.U8()
		switch {
		case op >= m.h.opcodeBase:
			adj := uint64(op - m.h.opcodeBase)
			m.offset += adj / m.h.lineRange * m.h.minInst
			m.line += m.h.lineBase + int64(adj%m.h.lineRange)
			m.emit(false)
		case op == 0:
			m.extended(c)
		default:
			m.standard(c, op)
		}
	}
	m.flush()
}

func (m *lineMachine) standard(c *cursor.Cursor, op uint8) {
	switch op {
	case lnsCopy:
		m.emit(false)
	case lnsAdvancePC:
		m.offset += c.Uvarint() * m.h.minInst
	case lnsAdvanceLine:
		m.line += svarint(c)
	case lnsSetFile:
		m.file = c.Uvarint()
	case lnsSetColumn:
		m.column = c.Uvarint()
	case lnsNegateStmt, lnsSetBasicBlock:
	case lnsConstAddPC:
		m.offset += uint64(255-m.h.opcodeBase) / m.h.lineRange * m.h.minInst
	case lnsFixedAdvancePC:
		m.offset += uint64(c.U16())
	default:
		for range m.h.lengths[op-1] {
			c.Uvarint()
		}
	}
}

func (m *lineMachine) extended(c *cursor.Cursor) {
	n := c.Uvarint()
	at := m.at + c.Pos()
	if n > uint64(c.Len()) {
		c.Failf("an opcode within the unit", "one of %d bytes", n)
		return
	}
	k := cursor.New(m.lineParser.file, m.base+int64(at), c.Bytes(int(n)))
	switch k.U8() {
	case lneEndSequence:
		m.emit(true)
		m.flush()
	case lneSetAddress:
		if len(m.seq.Rows) > 0 {
			m.flush() // a new function without the end of the last
		}
		m.seq.Section, m.offset = m.place(at+1, k.U64())
	case lneNvInlinedCall:
		m.call = k.Uvarint()
		m.function = uint32(min(k.Uvarint(), 1<<32-1))
	}
	if err := k.Err(); err != nil {
		m.table.Problems.add(err)
	}
}

// svarint reads a signed LEB128 number, which Uvarint's bytes are without the
// sign.
func svarint(c *cursor.Cursor) int64 {
	start := c.Pos()
	u := c.Uvarint()
	bits := 7 * (c.Pos() - start)
	if bits > 0 && bits < 64 && u>>(bits-1)&1 == 1 {
		u |= ^uint64(0) << bits
	}
	return int64(u)
}

// emit appends a row.
func (m *lineMachine) emit(end bool) {
	r := LineRow{Offset: m.offset, File: -1, Line: int32(m.line), Column: int32(m.column), End: end}
	if m.file > 0 && m.file <= uint64(len(m.h.files)) {
		r.File = m.h.files[m.file-1]
	}
	if m.call > 0 && m.call <= uint64(len(m.seq.Rows)) {
		r.Call, r.function = int32(m.call), m.function
	}
	m.seq.Rows = append(m.seq.Rows, r)
}

// flush ends a sequence.
func (m *lineMachine) flush() {
	if len(m.seq.Rows) > 0 {
		m.table.Sequences = append(m.table.Sequences, m.seq)
	}
	m.reset()
}
