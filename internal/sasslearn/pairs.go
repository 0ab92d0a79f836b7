package sasslearn

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// A Pair is an instruction word and the text that a disassembler printed for it.
type Pair struct {
	Word table.Word
	Text string // "" for a word that is no instruction
}

// ReadPairs reads lines of 32 hex digits (bits 127 to 0), a tab and a text. A
// line without a text is a word that is no instruction; "~" as the text, a word
// for which the disassembler prints nothing, is dropped.
func ReadPairs(r io.Reader) ([]Pair, error) {
	var pairs []Pair
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for n := 1; sc.Scan(); n++ {
		l := sc.Text()
		if len(l) < 32 || len(l) > 32 && l[32] != '\t' {
			return nil, fmt.Errorf("line %d: found %.40q, expected 32 hex digits, a tab and a text", n, l)
		}
		hi, err := strconv.ParseUint(l[:16], 16, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		lo, err := strconv.ParseUint(l[16:32], 16, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		p := Pair{Word: table.Word{Lo: lo, Hi: hi}}
		if len(l) > 33 {
			if p.Text = l[33:]; p.Text == "~" {
				continue
			}
		}
		pairs = append(pairs, p)
	}
	return pairs, sc.Err()
}
