package source

import (
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/flow"
)

// A Change is an instruction that only one of two programs has.
type Change struct {
	Added bool // the new program has it, else the old
	Index int  // in its program
}

// DiffPrograms are the fewest instructions to take out of one program and to put in
// to make the other, in the order of the code. Instructions are the same if their
// texts are but for the numbers of registers and the targets of branches: compilers
// choose registers anew whenever anything changes. Programs with more than maxChanges
// changes have all instructions removed and added between their common ends.
func DiffPrograms(before, after *flow.Program) []Change {
	a, b := shapes(before), shapes(after)
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	to := 0
	for to < len(a)-from && to < len(b)-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	a, b = a[from:len(a)-to], b[from:len(b)-to]
	changes := shortest(a, b)
	if changes == nil {
		for i := range a {
			changes = append(changes, Change{Index: i})
		}
		for i := range b {
			changes = append(changes, Change{Added: true, Index: i})
		}
	}
	for i := range changes {
		changes[i].Index += from
	}
	return changes
}

// maxChanges bounds the work on programs that have little in common: it grows with
// the square of it.
const maxChanges = 4000

// shapes are the texts of the instructions of a program without the numbers of
// registers and the targets of branches.
func shapes(p *flow.Program) []string {
	out := make([]string, len(p.Instructions))
	var b strings.Builder
	for i := range out {
		in := &p.Instructions[i]
		if !in.Known() {
			out[i] = string(sass.AppendHex(nil, in.Word))
			continue
		}
		b.Reset()
		if !in.Guard.Always() {
			b.WriteString("@P ")
		}
		b.WriteString(in.Mnemonic)
		for _, m := range in.Modifiers {
			b.WriteString("." + m)
		}
		for k := range in.Operands {
			b.WriteString(" ")
			if in.Operands[k].Kind == sass.Target {
				b.WriteString("target")
			} else {
				writeUnnumbered(&b, in.Operands[k].Text)
			}
		}
		out[i] = b.String()
	}
	return out
}

// writeUnnumbered writes an operand without the numbers of its registers and without
// hints to keep them.
func writeUnnumbered(b *strings.Builder, text string) {
	text = strings.ReplaceAll(text, ".reuse", "")
	for i := 0; i < len(text); i++ {
		c := text[i]
		b.WriteByte(c)
		if (c != 'R' && c != 'P' && c != 'B') || i > 0 && text[i-1] >= 'A' && text[i-1] <= 'Z' && text[i-1] != 'U' && text[i-1] != 'S' {
			continue
		}
		for i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
			i++
		}
	}
}

// shortest is the shortest list of changes from a to b (Myers, An O(ND) Difference
// Algorithm, 1986), nil if it has more than maxChanges, empty if they are equal.
func shortest(a, b []string) []Change {
	n, m := len(a), len(b)
	most := min(n+m, maxChanges)
	v := make([]int, 2*most+3) // by diagonal: how far into a the best path goes
	var trace [][]int32
	for d := 0; d <= most; d++ {
		row := make([]int32, 2*d+1)
		for k := -d; k <= d; k += 2 {
			at := most + 1 + k
			x := v[at-1] + 1
			if k == -d || k != d && v[at-1] < v[at+1] {
				x = v[at+1]
			}
			for x < n && x-k < m && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			v[at] = x
			row[k+d] = int32(x)
			if x >= n && x-k >= m {
				return walkBack(append(trace, row), n, m)
			}
		}
		trace = append(trace, row)
	}
	return nil
}

// walkBack follows the path of shortest from its end.
func walkBack(trace [][]int32, n, m int) []Change {
	out := []Change{}
	x, y := n, m
	for d := len(trace) - 1; d > 0; d-- {
		last := trace[d-1]
		at := func(k int) int { return int(last[k+d-1]) }
		k := x - y
		down := k == -d || k != d && k-1 >= -(d-1) && k+1 <= d-1 && at(k-1) < at(k+1) || k-1 < -(d-1)
		if down {
			x = at(k + 1)
			y = x - (k + 1)
			out = append(out, Change{Added: true, Index: y})
		} else {
			x = at(k - 1)
			y = x - (k - 1)
			out = append(out, Change{Index: x})
		}
	}
	slices.Reverse(out)
	return out
}
