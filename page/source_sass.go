package page

import (
	"bufio"
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
// PATH, for the text of instructions.
type disassembler struct {
	tool  string                  // "" if there is none
	known map[*byte]*disassembled // by the first byte of the binary
}

// disassembled is the text of a binary: function name -> offset -> instruction.
type disassembled map[string]map[uint64]string

func newDisassembler() *disassembler {
	tool, err := exec.LookPath("nvdisasm")
	if err != nil {
		tool = ""
	}
	return &disassembler{tool: tool, known: map[*byte]*disassembled{}}
}

// found reports whether there is a disassembler.
func (d *disassembler) found() bool { return d != nil && d.tool != "" }

// text is the instruction at pc, "" if it is not known.
func (d *disassembler) text(b *sourceBuilder, c *profile.Code, pc uint64) string {
	if !d.found() || len(c.Binary) == 0 {
		return ""
	}
	key := &c.Binary[0]
	all, ok := d.known[key]
	if !ok {
		m, err := d.run(b.ctx, c.Binary)
		if err != nil {
			b.note("no text of instructions: %v", err)
		}
		all = &m
		d.known[key] = all
	}
	f := c.FunctionAt(pc)
	if f == nil {
		return ""
	}
	return (*all)[f.Name][pc-f.Address]
}

// run disassembles a cubin.
func (d *disassembler) run(ctx context.Context, cubin []byte) (disassembled, error) {
	f, err := os.CreateTemp("", "gpuprof-*.cubin")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(cubin)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, nvdisasmTime)
	defer cancel()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, d.tool, "-c", f.Name())
	cmd.Stderr = &stderr
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

var (
	// sectionLine begins the code of a kernel: ".text.NAME:", or in a comment.
	sectionLine = regexp.MustCompile(`^(?://-+\s+)?\.text\.([^\s:]+)`)
	// instructionLine is "/*0010*/ @!P0 EXIT ;", with braces around instructions
	// that are issued together and an encoding in a comment behind.
	instructionLine = regexp.MustCompile(`^\s*[{}]?\s*/\*([0-9a-fA-F]+)\*/\s+(.*?)\s*(?:;.*)?[{}]?\s*$`)
)

// parseDisassembly reads what nvdisasm -c prints.
func parseDisassembly(out []byte) disassembled {
	d := disassembled{}
	var cur map[uint64]string
	sc := bufio.NewScanner(bytes.NewReader(out))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if m := sectionLine.FindSubmatch(sc.Bytes()); m != nil {
			name := string(m[1])
			if d[name] == nil {
				d[name] = map[uint64]string{}
			}
			cur = d[name]
			continue
		}
		if m := instructionLine.FindSubmatch(sc.Bytes()); m != nil && cur != nil {
			if off, err := strconv.ParseUint(string(m[1]), 16, 64); err == nil {
				cur[off] = strings.Join(strings.Fields(string(m[2])), " ")
			}
		}
	}
	return d
}
