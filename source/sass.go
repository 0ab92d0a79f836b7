package source

import (
	"context"
	"strings"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/flow"
	"github.com/gpuprof/gpuprof/profile"
)

// A Disassembler tells the instructions at the addresses of a program. It is for
// one goroutine at a time.
type Disassembler struct {
	decoders map[int]*sass.Decoder // by architecture
	tool     *tool                 // the user's own disassembler; nil: none
	programs map[*profile.Function]*flow.Program
}

// NewDisassembler makes a disassembler. With the path of the user's nvdisasm it
// asks that for the texts.
func NewDisassembler(nvdisasm string) *Disassembler {
	d := &Disassembler{decoders: map[int]*sass.Decoder{}, programs: map[*profile.Function]*flow.Program{}}
	if nvdisasm != "" {
		d.tool = newTool(nvdisasm)
	}
	return d
}

// Decoder is the decoder of an architecture.
func (d *Disassembler) Decoder(arch int) *sass.Decoder {
	dec := d.decoders[arch]
	if dec == nil {
		dec = sass.NewDecoder(arch)
		d.decoders[arch] = dec
	}
	return dec
}

// word is the instruction word at pc; ok is false where none is known.
func word(c *profile.Code, pc uint64) (w sass.Word, ok bool) {
	f := c.FunctionAt(pc)
	if f == nil || c.Arch < 70 { // instructions were of 8 bytes before Volta
		return w, false
	}
	at := pc - f.Address
	if at%sass.Size != 0 || at > uint64(len(f.Text)) || uint64(len(f.Text))-at < sass.Size {
		return w, false
	}
	return sass.WordAt(f.Text[at:]), true
}

// Instruction is the instruction at pc; ok is false where no word is known.
func (d *Disassembler) Instruction(c *profile.Code, pc uint64) (in sass.Instruction, ok bool) {
	w, ok := word(c, pc)
	if !ok {
		return in, false
	}
	return d.Decoder(c.Arch).Decode(w), true
}

// Program is the function that the instruction at pc is part of, and the number of
// the instruction in it; nil where no word is known, or none of the GPU's words is.
func (d *Disassembler) Program(c *profile.Code, pc uint64) (*flow.Program, int) {
	if _, ok := word(c, pc); !ok || !d.Decoder(c.Arch).Known() {
		return nil, 0
	}
	f := c.FunctionAt(pc)
	p := d.programs[f]
	if p == nil {
		p = flow.Of(d.Decoder(c.Arch), f.Text, f.Address)
		d.programs[f] = p
	}
	return p, int(pc-f.Address) / sass.Size
}

// Text is the instruction at pc as Nsight Compute writes it, guard column and all,
// or the word as hex if it is of a GPU that is not known, or unlike all that is; ""
// where the report has no code. What goes wrong with the user's disassembler is
// told to note.
func (d *Disassembler) Text(ctx context.Context, note func(format string, a ...any), c *profile.Code, pc uint64) string {
	if d.tool != nil {
		return d.tool.text(ctx, note, c, pc)
	}
	w, ok := word(c, pc)
	if !ok {
		return ""
	}
	return d.Decoder(c.Arch).Text(w, pc, sass.NsightCompute)
}

// Known reports whether there is a text, not hex, for the instruction at pc.
func (d *Disassembler) Known(c *profile.Code, pc uint64) bool {
	if d.tool != nil {
		return true
	}
	in, ok := d.Instruction(c, pc)
	return ok && in.Known()
}

// Plain is an instruction's text without the column of the guard and the blank
// behind it.
func Plain(text string) string { return strings.Join(strings.Fields(text), " ") }

// InstructionText returns a function that tells the text of the instruction at an
// address of an action's code, as the vendor's Python module does: "N/A" within a
// function where no instruction begins, "" elsewhere. It may be used by one
// goroutine at a time.
func InstructionText() func(*profile.Action, uint64) string {
	d := NewDisassembler("")
	return func(a *profile.Action, pc uint64) string {
		c, _ := a.Code() // what is broken has no text
		if c == nil {
			return ""
		}
		w, ok := word(c, pc)
		switch {
		case ok:
			return d.Decoder(c.Arch).Text(w, pc, sass.NsightCompute)
		case c.FunctionAt(pc) != nil:
			return "N/A"
		}
		return ""
	}
}

// Printable makes a source line fit for a terminal: tabs become blanks, other
// control characters go.
func Printable(s string) string {
	s = strings.ReplaceAll(s, "\t", "    ")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}
