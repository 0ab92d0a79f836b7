package flow

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/gpuprof/gpuprof/format/sass"
)

// Dot writes the graph of blocks in the language of Graphviz.
func (p *Program) Dot(w io.Writer, name string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph %s {\n\tnode [shape=box fontname=monospace]\n", quote(name))
	for k := range p.Blocks {
		fmt.Fprintf(b, "\tb%d [label=\"", k)
		for i := p.Blocks[k].From; i < p.Blocks[k].To; i++ {
			fmt.Fprintf(b, "%04x  %s\\l", p.Address(i), escape(strings.TrimRight(p.Text(i, sass.NsightCompute), " ")))
		}
		b.WriteString("\"]\n")
		for _, n := range p.Blocks[k].Next {
			fmt.Fprintf(b, "\tb%d -> b%d\n", k, n)
		}
	}
	b.WriteString("}\n")
	return b.Flush()
}

func quote(s string) string { return `"` + escape(s) + `"` }

// escape keeps quotes, backslashes and control characters from ending a string.
func escape(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s))
}
