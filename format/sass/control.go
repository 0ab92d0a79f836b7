package sass

// Control is what an instruction tells the scheduler. It can be read of every
// word, known or not.
type Control struct {
	Stall        uint8 // cycles before the next instruction of the warp
	Yield        bool  // the scheduler may prefer another warp
	WriteBarrier int8  // scoreboard that is released when results are written; -1 none
	ReadBarrier  int8  // scoreboard that is released when operands are read; -1 none
	Wait         uint8 // bit i: waits for scoreboard i, of 0 to 5
	Reuse        uint8 // bit i: source operand A, B or C (0 to 2) stays in the reuse cache
}

// Scoreboards is the number of scoreboard barriers of a warp.
const Scoreboards = 6

// controlOf reads the control bits of a word, 105 to 124.
func controlOf(w Word) Control {
	c := Control{
		Stall:        uint8(w.Field(105, 4)),
		Yield:        w.Bit(109) == 0,
		WriteBarrier: int8(w.Field(110, 3)),
		ReadBarrier:  int8(w.Field(113, 3)),
		Wait:         uint8(w.Field(116, 6)),
		Reuse:        uint8(w.Field(122, 3)),
	}
	if c.WriteBarrier == 7 {
		c.WriteBarrier = -1
	}
	if c.ReadBarrier == 7 {
		c.ReadBarrier = -1
	}
	return c
}

// String is the notation of public assemblers: the scoreboards waited for, the
// read and the write barrier, yield, stall; "------:-:W0:Y:S04".
func (c Control) String() string {
	b := []byte("------:-:-:-:S00")
	for i := range Scoreboards {
		if c.Wait>>i&1 == 1 {
			b[i] = '0' + byte(i)
		}
	}
	b = b[:7]
	if c.ReadBarrier >= 0 {
		b = append(b, 'R', '0'+byte(c.ReadBarrier))
	} else {
		b = append(b, '-')
	}
	b = append(b, ':')
	if c.WriteBarrier >= 0 {
		b = append(b, 'W', '0'+byte(c.WriteBarrier))
	} else {
		b = append(b, '-')
	}
	b = append(b, ':')
	if c.Yield {
		b = append(b, 'Y')
	} else {
		b = append(b, '-')
	}
	return string(append(b, ':', 'S', '0'+c.Stall/10, '0'+c.Stall%10))
}
