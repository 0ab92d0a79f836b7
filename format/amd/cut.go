package amd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// A Keep chooses among the lines of a trace; a nil function takes all.
type Keep struct {
	Call   func(n int) bool // calls, thread by thread and module by module as Modules and Threads have them, from 0
	Packet func(n int) bool // dispatches of HSA, in file order from 0
	Marker func(n int) bool // ranges, by their beginning in file order from 0
}

// CutTo copies the text that t was read from, without the lines of what is not kept: of
// a call those in the API section, in that of times and, where there is one for each
// call, in that of places in the source. Counts of lines are mended; all else stays
// byte for byte. A trace with Problems is refused.
func (t *Trace) CutTo(to io.Writer, in io.Reader, keep Keep) error {
	if len(t.Problems) > 0 {
		return fmt.Errorf("a damaged trace is not written: %w", t.Problems[0])
	}
	c := &cutLines{drop: map[int]bool{}, less: map[int]int{}, count: map[int]int{}}
	if keep.Call != nil {
		c.calls(t, keep.Call)
	}
	if keep.Packet != nil {
		c.packets(t, keep.Packet)
	}
	if keep.Marker != nil {
		c.markers(t, keep.Marker)
	}
	return c.copy(to, in)
}

// cutLines are the lines that go, by their number from 1, and the lines with counts.
type cutLines struct {
	drop  map[int]bool
	less  map[int]int // by the line of a count: how many lines go
	count map[int]int // and how many there are
}

// leave drops a line of a block whose count stands on a line.
func (c *cutLines) leave(line, count, of int) {
	if !c.drop[line] {
		c.drop[line] = true
		c.less[count]++
		c.count[count] = of
	}
}

func (c *cutLines) calls(t *Trace, keep func(int) bool) {
	n := 0
	for _, module := range t.Modules() {
		sources := t.frameBlocks(module)
		for _, th := range t.Threads(module) {
			frames := matching(sources, th)
			said := 0 // calls so far of those that do not poll
			for i := range th.n {
				at := i
				if frames != nil && len(frames.Lines) != th.n {
					if at = said; th.Polls(i) {
						at = -1
					}
				}
				if !th.Polls(i) {
					said++
				}
				n++
				if keep(n - 1) {
					continue
				}
				if b := th.calls; b != nil {
					c.leave(b.Line+i, b.Line-1, len(b.Lines))
				}
				if k := th.stamp(i); k >= 0 {
					c.leave(th.stamps.Line+k, th.stamps.Line-1, th.stamps.len())
				}
				if frames != nil && at >= 0 {
					c.leave(frames.Line+at, frames.Line-1, len(frames.Lines))
				}
			}
		}
	}
}

// frameBlocks are the blocks of places in the source of a module.
func (t *Trace) frameBlocks(module string) (out []*TextBlock) {
	for _, s := range t.Sections {
		if s.Kind == StackTrace && s.Module == module {
			out = append(out, s.Blocks...)
		}
	}
	return out
}

// matching is the block that has a line for each call of a thread, with those that
// poll or without; nil where there is none.
func matching(blocks []*TextBlock, th *Thread) *TextBlock {
	polls := 0
	for i := range th.n {
		if th.Polls(i) {
			polls++
		}
	}
	for _, b := range blocks {
		if b.Thread == th.ID && (len(b.Lines) == th.n || len(b.Lines) == th.n-polls) {
			return b
		}
	}
	return nil
}

func (c *cutLines) packets(t *Trace, keep func(int) bool) {
	n := 0
	for _, s := range t.Sections {
		for p := range s.Dispatches() {
			if n++; !keep(n - 1) {
				c.leave(p.Line, s.countLine, len(s.Packets))
			}
		}
	}
}

func (c *cutLines) markers(t *Trace, keep func(int) bool) {
	n := 0
	for _, s := range t.Sections {
		if s.Kind != PerfMarkers {
			continue
		}
		for _, b := range s.Blocks {
			var open []bool // whether the range is kept
			for i, l := range b.Lines {
				m, ok := ParseMarker(l)
				stays := true
				switch {
				case !ok:
				case m.Begin:
					stays = keep(n)
					n++
					open = append(open, stays)
				case len(open) > 0:
					stays = open[len(open)-1]
					open = open[:len(open)-1]
				}
				if !stays {
					c.leave(b.Line+i, b.Line-1, len(b.Lines))
				}
			}
		}
	}
}

// copy copies a text line by line.
func (c *cutLines) copy(to io.Writer, in io.Reader) error {
	r, w := bufio.NewReaderSize(in, 1<<18), bufio.NewWriterSize(to, 1<<18)
	for num := 1; ; num++ {
		dropped := c.drop[num]
		if less := c.less[num]; less > 0 {
			line, err := r.ReadBytes('\n')
			digits := bytes.TrimSpace(line)
			if n, e := strconv.Atoi(string(digits)); e != nil || n != c.count[num] {
				return fmt.Errorf("line %d: expected the count %d, found %.40q", num, c.count[num], line)
			}
			w.Write(bytes.Replace(line, digits, strconv.AppendInt(nil, int64(c.count[num]-less), 10), 1))
			if err != nil {
				break
			}
			continue
		}
		more, err := c.line(r, w, dropped)
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	return w.Flush()
}

// line copies or drops a line of any length.
func (c *cutLines) line(r *bufio.Reader, w *bufio.Writer, dropped bool) (more bool, err error) {
	for {
		b, err := r.ReadSlice('\n')
		if !dropped {
			w.Write(b)
		}
		switch err {
		case nil:
			return true, nil
		case bufio.ErrBufferFull:
			continue
		case io.EOF:
			return false, nil
		}
		return false, err
	}
}
