package amd

import (
	"bytes"
	"encoding/binary"
)

// An outlineWorker looks at lines and keeps of them what is counted.
type outlineWorker struct {
	*outliner
	reader *traceReader // of commands
	sum    Outline
	names  map[string]bool
	known  [256]knownName
	packed bool // lines of packets have an index of the queue
}

// A knownName is a name of an API that was met, and what stands for it in sums.
type knownName struct {
	name string
	sum  uint64
}

func newOutlineWorker(o *outliner) *outlineWorker {
	major, minor := o.trace.version()
	return &outlineWorker{outliner: o, names: map[string]bool{}, packed: major > 3 || major == 3 && minor >= 2,
		reader: &traceReader{trace: &Trace{}, devices: o.devices, works: newWorks()}}
}

// close adds what the worker counted to what others did.
func (w *outlineWorker) close() {
	o := w.outliner
	o.mu.Lock()
	defer o.mu.Unlock()
	for n := range w.names {
		o.names[n] = true
	}
	o.sum.Commands += w.sum.Commands
	o.sum.Kernels += w.sum.Kernels
	o.sum.Copies += w.sum.Copies
	o.sum.Packets += w.sum.Packets
	o.sum.Places += w.sum.Places
	o.sum.Ranges += w.sum.Ranges
}

// batch looks at the lines of a batch; false where one is out of the ordinary.
func (w *outlineWorker) batch(b *batch) bool {
	for _, p := range b.pieces {
		if bytes.IndexByte(p.lines, 0) >= 0 {
			return false
		}
		got := outlineBlock{devices: map[string]int{}}
		rest := p.lines
		for i := p.first; len(rest) > 0; i++ {
			n := bytes.IndexByte(rest, '\n')
			line := rest[:n]
			rest = rest[n+1:]
			if n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			if len(line) == 0 || line[0] == '=' || !w.line(p.block.kind, &got, i, line) {
				return false
			}
		}
		w.outliner.mu.Lock()
		p.block.names += got.names
		for d, i := range got.devices {
			if k, met := p.block.devices[d]; !met || i < k {
				p.block.devices[d] = i
			}
		}
		w.outliner.mu.Unlock()
	}
	return true
}

// line looks at line i of a block.
func (w *outlineWorker) line(kind Kind, to *outlineBlock, i int, line []byte) bool {
	switch kind {
	case APITrace:
		name, ok := callName(line)
		to.names += w.name(name, i)
		return ok
	case Timestamps:
		return w.stamp(to, i, line)
	}
	s := string(line)
	if _, number := integerLine(s); number || blank(s) {
		return false
	}
	switch kind {
	case StackTrace:
		w.sum.Places++
	case PerfMarkers:
		m, ok := ParseMarker(s)
		if !ok {
			return false
		}
		if m.Begin {
			w.sum.Ranges++
		}
	case KernelTimestamps:
		p, f := parsePacket(s, w.packed)
		if f != nil {
			return false
		}
		w.sum.Packets++
		if p.Dispatch {
			w.sum.Kernels++
			w.names[p.Name()] = true
			to.meet(Unescape(p.Agent), i)
		}
	}
	return true
}

func (b *outlineBlock) meet(device string, i int) {
	if k, met := b.devices[device]; !met || i < k {
		b.devices[device] = i
	}
}

// name is what a name at place i adds to the sum by which two lists of names are
// compared: equal lists have equal sums, and others all but never.
func (w *outlineWorker) name(name []byte, i int) uint64 {
	k := &w.known[(uint(len(name))*31+uint(name[len(name)-1])+uint(name[len(name)/2])<<3+uint(name[min(2, len(name)-1)])<<5)%uint(len(w.known))]
	if string(name) != k.name {
		*k = knownName{name: string(name)}
		for _, c := range name {
			k.sum = (k.sum ^ uint64(c)) * 0x100000001b3
		}
		w.names[k.name] = true
	}
	x := (k.sum + uint64(i)) * 0x9e3779b97f4a7c15
	return (x ^ x>>29) * 0xbf58476d1ce4e5b9
}

// callName finds the name in a line of the API section, as splitCall does; ok is false
// where the line is no whole call.
func callName(line []byte) (name []byte, ok bool) {
	open := bytes.IndexByte(line, '(')
	if end := bytes.TrimRight(line, " \t"); open > 1 && line[open-1] == ' ' && len(end) > open && end[len(end)-1] == ')' {
		name = line[:open-1]
		if k := bytes.LastIndexByte(name, '='); k > 0 && name[k-1] == ' ' && k+1 < len(name) && name[k+1] == ' ' {
			name = name[k+2:]
		}
		if len(name) > 0 && bytes.IndexByte(name, ' ') < 0 && bytes.IndexByte(name, '=') < 0 && bytes.IndexByte(name, '\t') < 0 {
			return name, true
		}
	}
	_, s, _, whole := splitCall(string(line))
	if s == "" {
		return []byte("?"), false
	}
	return []byte(s), whole
}

// stamp looks at a line of the timestamp section, as traceReader.stamp does.
func (w *outlineWorker) stamp(to *outlineBlock, i int, line []byte) bool {
	id, at := token(line, 0)
	name, at := token(line, at)
	start, at := token(line, at)
	end, at := token(line, at)
	if !isNumber(id) || len(id) > 9 || !isNumber(start) || !isNumber(end) || len(name) >= apiWidth {
		return false
	}
	to.names += w.name(name, i)
	for at < len(line) && line[at] == ' ' {
		at++
	}
	if at == len(line) {
		return true
	}
	e, c, f := w.reader.extras(string(line[at:]), 0, "", "")
	switch {
	case f != nil || e != nil && e.Fused:
		return false
	case c != nil:
		w.sum.Copies++
	case e != nil:
		w.sum.Commands++
		to.meet(e.Device, i)
		if e.IsKernel() {
			w.sum.Kernels++
			w.names[e.Name()] = true
		} else if e.Shape == Transfer {
			w.sum.Copies++
		}
	}
	return true
}

// token is field of bytes, quick with the runs of blanks that pad columns.
func token(s []byte, i int) (tok []byte, end int) {
	for i+8 <= len(s) && binary.LittleEndian.Uint64(s[i:]) == 0x2020202020202020 {
		i += 8
	}
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	begin := i
	for i < len(s) && s[i] != ' ' && s[i] != '\t' {
		i++
	}
	return s[begin:i], i
}

// isNumber reports whether s is a decimal that surely has 64 bits.
func isNumber(s []byte) bool {
	for _, c := range s {
		if c-'0' > 9 {
			return false
		}
	}
	return len(s) > 0 && len(s) < 20
}
