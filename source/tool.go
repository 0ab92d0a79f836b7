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

// toolTime bounds a run of the user's disassembler.
const toolTime = 60 * time.Second

// A tool asks the user's nvdisasm for the text of instructions. It works on the
// instructions of one function, not on the whole binary: what reports before
// 2022.3 hold is an image of the loaded binary, which nvdisasm refuses.
type tool struct {
	path  string
	known map[*profile.Function]map[uint64]string // address -> instruction
	said  string                                  // what went wrong, once
}

func newTool(path string) *tool {
	return &tool{path: path, known: map[*profile.Function]map[uint64]string{}}
}

// text is the instruction at pc, "" if it is not known.
func (d *tool) text(ctx context.Context, note func(format string, a ...any), c *profile.Code, pc uint64) string {
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

// run disassembles a function for a GPU of the given architecture.
func (d *tool) run(ctx context.Context, fn *profile.Function, arch int) (map[uint64]string, error) {
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
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, d.path, "--binary", fmt.Sprintf("SM%d", arch),
		"--base-address", fmt.Sprintf("0x%x", fn.Address), f.Name())
	cmd.Stderr = &stderr
	cmd.WaitDelay = time.Second // for what it leaves behind with the pipe open
	out, err := cmd.Output()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: not done after %v", d.path, toolTime)
	case err != nil:
		first, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("%s: %v: %s", d.path, err, first)
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
