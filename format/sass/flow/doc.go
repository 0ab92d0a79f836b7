// Package flow tells how the instructions of a function hang together: its basic
// blocks and where they lead, which registers are live, which instruction made the
// value that another reads, and for which loads an instruction waits.
//
//	p := flow.Of(sass.NewDecoder(80), code, address)
//	for i := range p.Instructions {
//		fmt.Println(p.Text(i), p.Live(i), p.Waits(i))
//	}
//
// All of it follows from the instructions alone, so it is what may happen, not
// what did. Branches through registers (BRX, JMX) lead nowhere here; a call comes
// back to the next instruction. Words that are not known read and write nothing.
package flow
