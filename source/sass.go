package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/profile"
)

// nvdisasmTime bounds a run of nvdisasm.
const nvdisasmTime = 60 * time.Second

// A disassembler asks the nvdisasm of the user's CUDA toolkit, if there is one on
// PATH, for the text of instructions. It works on the instructions of one
// function, not on the whole binary: what reports before 2022.3 hold is an image
// of the loaded binary, which nvdisasm refuses.
type Disassembler struct {
	tool  string                                  // "" if there is none
	known map[*profile.Function]map[uint64]string // address -> instruction
	said  string                                  // what went wrong, once
}

func NewDisassembler() *Disassembler {
	tool, err := exec.LookPath("nvdisasm")
	if err != nil {
		tool = ""
	}
	return &Disassembler{tool: tool, known: map[*profile.Function]map[uint64]string{}}
}

// Found reports whether there is a disassembler.
func (d *Disassembler) Found() bool { return d != nil && d.tool != "" }

// Text is the instruction at pc, "" if it is not known.
func (d *Disassembler) Text(ctx context.Context, note func(format string, a ...any), c *profile.Code, pc uint64) string {
	if !d.Found() {
		return ""
	}
	f := c.FunctionAt(pc)
	if f == nil || len(f.Text) == 0 {
		return ""
	}
	m, ok := d.known[f]
	if !ok {
		var err error
		if m, err = d.run(ctx, f, c.Arch); err != nil {
			if d.said == "" { // one cause has many functions
				note("no text of instructions: %v", err)
			}
			d.said = err.Error()
		}
		d.known[f] = m
	}
	return m[pc]
}

// InstructionText returns a function that tells the text of the instruction at an
// address of an action's code, as nvdisasm on PATH has it; without that the text
// is "", and note says so once. As in Nsight Compute it is "N/A" within a function
// where no instruction begins. It may be used by one goroutine at a time.
func InstructionText(ctx context.Context, note func(format string, a ...any)) func(*profile.Action, uint64) string {
	d := NewDisassembler()
	silent := false
	return func(a *profile.Action, pc uint64) string {
		if !d.Found() {
			if !silent {
				note("no text of instructions: nvdisasm of the CUDA toolkit is not on PATH")
			}
			silent = true
			return ""
		}
		c, _ := a.Code() // what is broken has no text
		if c == nil {
			return ""
		}
		if text := d.Text(ctx, note, c, pc); text != "" {
			return text
		}
		if f := c.FunctionAt(pc); f != nil && len(d.known[f]) > 0 {
			return "N/A"
		}
		return ""
	}
}

// run disassembles a function for a GPU of the given architecture.
func (d *Disassembler) run(ctx context.Context, fn *profile.Function, arch int) (map[uint64]string, error) {
	f, err := os.CreateTemp("", "gpuprof-*.bin")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(fn.Text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, nvdisasmTime)
	defer cancel()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, d.tool, "--binary", fmt.Sprintf("SM%d", arch),
		"--base-address", fmt.Sprintf("0x%x", fn.Address), f.Name())
	cmd.Stderr = &stderr
	cmd.WaitDelay = time.Second // for what it leaves behind with the pipe open
	out, err := cmd.Output()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: not done after %v", d.tool, nvdisasmTime)
	case err != nil:
		first, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("%s: %v: %s", d.tool, err, first)
	}
	return parseDisassembly(out), nil
}

// instructionLine is "/*0010*/ @!P0 EXIT ;", with braces around instructions that
// are issued together and the encoding in a comment behind.
var instructionLine = regexp.MustCompile(`^[\s{]*/\*([0-9a-fA-F]{4,})\*/\s+([^;]*[^;\s])\s*;`)

// parseDisassembly reads what nvdisasm prints.
func parseDisassembly(out []byte) map[uint64]string {
	d := map[uint64]string{}
	for line := range bytes.Lines(out) {
		m := instructionLine.FindSubmatch(line)
		if m == nil {
			continue
		}
		if pc, err := strconv.ParseUint(string(m[1]), 16, 64); err == nil {
			d[pc] = Printable(strings.Join(strings.Fields(string(m[2])), " "))
		}
	}
	return d
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
