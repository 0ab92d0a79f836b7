package amd

import (
	"bufio"
	"io"
	"strconv"
)

// WriteTo writes the trace in the layout of the profilers. Lines that could not
// be understood are written as they were.
func (t *Trace) WriteTo(w io.Writer) (int64, error) {
	x := &writer{w: bufio.NewWriterSize(w, 1<<16), crlf: t.CRLF}
	for _, e := range t.Header {
		x.line(e.Key, e.Sep, e.Value)
	}
	for _, s := range t.Sections {
		x.line("=====", s.Title, "=====")
		for _, l := range s.Lines {
			x.line(l)
		}
		switch s.Kind {
		case APITrace:
			for _, b := range s.Calls {
				x.block(b.Thread, len(b.Lines), b.Declared)
				for _, l := range b.Lines {
					x.line(l)
				}
			}
		case Timestamps:
			for _, b := range s.Stamps {
				x.block(b.Thread, b.len(), b.Declared)
				for i := range b.len() {
					x.stamp(t, b, i)
				}
			}
		case KernelTimestamps:
			if s.Declared >= 0 {
				x.num(uint64(s.Declared), 0)
				x.end()
			}
			for i := range s.Packets {
				x.packet(&s.Packets[i])
			}
		case StackTrace, PerfMarkers:
			for _, b := range s.Blocks {
				x.block(b.Thread, len(b.Lines), b.Declared)
				for _, l := range b.Lines {
					x.line(l)
				}
			}
		}
	}
	err := x.finish(t.Cut)
	return x.n, err
}

// writer pads fields as the profilers do.
type writer struct {
	w    *bufio.Writer
	b    []byte // the line that is being made
	crlf bool
	open bool // the last line is without its end
	n    int64
	err  error
}

// end ends the line in b. Its line end goes before the next line, or is written
// by finish.
func (x *writer) end() {
	x.eol()
	x.put(x.b)
	x.b, x.open = x.b[:0], true
}

func (x *writer) eol() {
	switch {
	case x.open && x.crlf:
		x.put([]byte("\r\n"))
	case x.open:
		x.put([]byte("\n"))
	}
}

func (x *writer) put(b []byte) {
	n, err := x.w.Write(b)
	x.n += int64(n)
	if x.err == nil {
		x.err = err
	}
}

// finish ends the last line unless the text shall end within it.
func (x *writer) finish(cut bool) error {
	if !cut {
		x.eol()
	}
	if err := x.w.Flush(); x.err == nil {
		x.err = err
	}
	return x.err
}

func (x *writer) line(parts ...string) {
	for _, p := range parts {
		x.b = append(x.b, p...)
	}
	x.end()
}

func (x *writer) block(thread uint64, n, declared int) {
	if declared < 0 {
		declared = n
	}
	x.num(thread, 0)
	x.end()
	x.num(uint64(declared), 0)
	x.end()
}

// pad fills a field that began at from with blanks up to a width.
func (x *writer) pad(from, width int) {
	for len(x.b)-from < width {
		x.b = append(x.b, ' ')
	}
}

func (x *writer) text(s string, width int) {
	from := len(x.b)
	x.b = append(x.b, s...)
	x.pad(from, width)
}

func (x *writer) num(v uint64, width int) {
	from := len(x.b)
	x.b = strconv.AppendUint(x.b, v, 10)
	x.pad(from, width)
}

func (x *writer) stamp(t *Trace, b *StampBlock, i int) {
	x.stampText(t, b, i)
	x.end()
}

// stampText makes the line of an entry.
func (x *writer) stampText(t *Trace, b *StampBlock, i int) {
	if s, ok := b.damaged[i]; ok {
		x.text(s, 0)
		return
	}
	x.column(strconv.FormatInt(int64(b.ID[i]), 10), 5)
	x.column(t.APIs[b.API[i]], apiWidth)
	pmc := b.pmc[i]
	x.num(b.Start[i], 21)
	x.group(pmc[0])
	x.num(b.End[i], 21)
	x.group(pmc[1])
	if e := b.enqueue(i); e != nil {
		x.enqueue(e)
	} else if c := b.copy(i); c != nil {
		x.num(c.Start, 21)
		x.num(c.End, 21)
	}
}

func (x *writer) group(s string) {
	if s != "" {
		x.text(s, 0)
		x.b = append(x.b, ' ')
	}
}

func (x *writer) enqueue(e *Enqueue) {
	x.column(strconv.FormatUint(uint64(e.Command), 10), 8)
	x.column(e.CommandName, 40)
	x.num(e.Queued, 21)
	x.num(e.Submit, 21)
	x.num(e.Start, 21)
	x.num(e.End, 21)
	x.column(strconv.FormatUint(uint64(e.QueueID), 10), 10)
	x.column(e.Queue, 25)
	x.column(strconv.FormatUint(uint64(e.ContextID), 10), 10)
	x.column(e.Context, 25)
	x.text(e.Device, deviceWidth)
	if len(e.Device) >= deviceWidth && !e.Fused {
		x.b = append(x.b, ' ')
	}
	switch e.Shape {
	case Dispatch:
		x.column(e.Kernel, 25)
		x.text(e.KernelName, 0)
		x.text(kernelNameSeparator, 0)
		x.text("{"+e.Global+"}     {"+e.Local+"}", 0)
	case Native:
		x.text(e.Kernel, 0)
	case Transfer:
		x.num(e.Bytes, 20)
	}
	if e.Rest != "" {
		x.b = append(x.b, ' ')
		x.text(e.Rest, 0)
	}
}

func (x *writer) packet(p *Packet) {
	x.packetText(p)
	x.end()
}

// packetText makes the line of a packet.
func (x *writer) packetText(p *Packet) {
	if p.damaged != "" {
		x.text(p.damaged, 0)
		return
	}
	if p.Dispatch {
		x.column(p.Kernel, 50)
		x.column(p.Object, 21)
		x.num(p.Start, 21)
		x.num(p.End, 21)
	}
	x.column(p.Agent, 64)
	x.column(p.AgentHandle, 21)
	if p.QueueIndex != "" {
		x.column(p.QueueIndex, 21)
	}
	if p.Queue != "" {
		// A handle before format 3.2, the index of the GPU since.
		if p.QueueIndex == "" {
			x.column(p.Queue, 21)
		} else {
			x.column(p.Queue, 10)
		}
	}
	if p.Type != "" {
		x.column(p.Type, 35)
		x.column(p.ID, 21)
		x.text(p.Dump, 0)
	}
}

// column writes a field that is set apart from the next one even where it fills
// its width.
func (x *writer) column(s string, width int) {
	x.text(s, width)
	if len(s) >= width {
		x.b = append(x.b, ' ')
	}
}
