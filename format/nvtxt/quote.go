package nvtxt

import (
	"io"
	"slices"
)

// Quote gives the kept messages that arose only after their lines had passed,
// such as that nothing ends a range, the line and the place of the instruction
// in it. It reads src again, as far as the last of these lines.
func (ds *Diagnostics) Quote(src io.Reader) error {
	var late []*Diagnostic
	for i := range ds.kept {
		for j := range ds.kept[i] {
			if d := &ds.kept[i][j]; d.Line > 0 && d.Source == "" {
				late = append(late, d)
			}
		}
	}
	if len(late) == 0 {
		return nil
	}
	slices.SortFunc(late, func(a, b *Diagnostic) int { return a.Line - b.Line })
	l := NewLines(src)
	l.Begin()
	for len(late) > 0 {
		line, off, _, ok := l.Next()
		if !ok {
			return l.err
		}
		for ; len(late) > 0 && late[0].Line == l.number; late = late[1:] {
			d, pos := late[0], 0
			for pos < len(line)-1 && (line[pos] == ' ' || line[pos] >= '\t' && line[pos] <= '\r') {
				pos++
			}
			d.Col, d.Offset = pos+1, off+int64(pos)
			d.Source, d.caret = clip(line, pos)
		}
	}
	return nil
}
