package amd

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gpuprof/gpuprof/internal/carry"
)

// An Outline tells how much a trace holds. It is what [ReadTrace] would find, counted
// without keeping it: lines are looked at where they lie, on all processors.
type Outline struct {
	Header   []Entry
	Calls    int
	Commands int // of OpenCL queues
	Kernels  int // commands that ran one, and dispatches of HSA
	Copies   int // commands that moved data, and copies of HSA
	Packets  int // of HSA queues
	Places   int // lines of stack traces
	Ranges   int // begun by perf markers
	Devices  []string
	Names    int // of APIs and kernels, each once
}

// ReadOutline counts what an .atp file holds. It is nil where something of the file is
// out of the ordinary: damage, calls without times, a shape that only its neighbours
// explain. Then [ReadTrace] tells what, and what of the file is sound.
func ReadOutline(in io.ReaderAt, size int64, name string) *Outline {
	src, err := newSource(in, size, name)
	if err != nil {
		return nil
	}
	src.step = 64 << 10
	r := &traceReader{problems: problems{file: name}, l: newWindow(src), trace: &Trace{Name: name}, works: newWorks()}
	if checkEncoding(r.l.s, name) != nil || r.header() != nil || len(r.trace.Header) == 0 || len(r.list) > 0 || src.nul >= 0 {
		return nil
	}
	o := &outliner{trace: r.trace, devices: r.devices, in: in, off: r.l.pos(), size: size, names: map[string]bool{}}
	if !o.read() || !o.join() {
		return nil
	}
	o.sum.Header = r.trace.Header
	return &o.sum
}

// An outliner walks the blocks of a file and has workers look at their lines.
type outliner struct {
	trace     *Trace   // header and titles
	devices   []string // that the header names
	in        io.ReaderAt
	off, size int64
	broken    atomic.Bool // something is out of the ordinary
	fault     atomic.Pointer[carry.Fault]

	section *outlineSection
	block   *outlineBlock // whose lines come next
	left    int           // of them
	started bool          // a thread was named, its count comes next
	thread  uint64
	list    []*outlineSection

	mu    sync.Mutex // of what follows, and of blocks
	sum   Outline
	names map[string]bool
}

type outlineSection struct {
	kind   Kind
	module string
	blocks []*outlineBlock
}

// An outlineBlock is a block of lines of a thread, or the packets of a section.
type outlineBlock struct {
	kind    Kind
	thread  uint64
	count   int
	names   uint64         // of APIs, with their places
	devices map[string]int // and the first line that names them
}

// A batch is a part of the file, and the lines in it that belong to blocks.
type batch struct {
	buf    []byte
	pieces []outlinePiece
}

type outlinePiece struct {
	block *outlineBlock
	first int // of the lines, in the block
	lines []byte
}

// outlineBuffer is how much a worker looks at at a time: what fits into its cache.
const outlineBuffer = 1 << 20

// read walks the file; false where it is out of the ordinary.
func (o *outliner) read() bool {
	workers := max(1, min(runtime.GOMAXPROCS(0), 8))
	free, work := make(chan *batch, workers+2), make(chan *batch, workers+2)
	for range cap(free) {
		free <- &batch{buf: make([]byte, min(o.size, outlineBuffer))}
	}
	var group carry.Group
	for range workers {
		group.Go(func() {
			w := newOutlineWorker(o)
			for b := range work {
				// A worker that panics still takes what comes: who reads waits for its batches.
				fault := carry.Catch(func() {
					if !o.broken.Load() && !w.batch(b) {
						o.broken.Store(true)
					}
				})
				if fault != nil {
					o.fault.CompareAndSwap(nil, fault)
					o.broken.Store(true)
				}
				free <- b
			}
			w.close()
		})
	}
	whole := o.walk(free, work)
	close(work)
	group.Wait()
	o.fault.Load().Throw()
	return whole && !o.broken.Load()
}

// walk reads the file into batches. A line that begins in one and ends in the next is
// moved there.
func (o *outliner) walk(free, work chan *batch) bool {
	rest := []byte{}
	for o.off < o.size {
		if o.broken.Load() {
			return false
		}
		b := <-free
		n := copy(b.buf, rest)
		if n == len(b.buf) {
			return false // a line as long as that
		}
		k, err := o.in.ReadAt(b.buf[n:n+int(min(int64(len(b.buf)-n), o.size-o.off))], o.off)
		if k == 0 || err != nil && err != io.EOF {
			return false
		}
		o.off += int64(k)
		var ok bool
		b.pieces = b.pieces[:0]
		data := b.buf[:n+k]
		if data, ok = o.cut(b, data); !ok {
			return false
		}
		rest = append(rest[:0], data...)
		work <- b
	}
	return len(rest) == 0 && o.left == 0 && !o.started && len(o.list) > 0
}

// cut divides data into the lines of blocks, and returns what is no whole line.
func (o *outliner) cut(b *batch, data []byte) (rest []byte, ok bool) {
	for {
		if o.left > 0 {
			n, lines := takeLines(data, o.left)
			if n > 0 {
				b.pieces = append(b.pieces, outlinePiece{o.block, o.block.count - o.left, data[:lines]})
				data, o.left = data[lines:], o.left-n
			}
			if o.left > 0 {
				return data, true
			}
		}
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			return data, true
		}
		if !o.structure(string(bytes.TrimSuffix(data[:i], []byte("\r")))) {
			return nil, false
		}
		data = data[i+1:]
	}
}

// takeLines finds the end of at most n lines.
func takeLines(data []byte, n int) (lines, end int) {
	if n > 4096 { // else counting all that follows a short block would take long
		if c := bytes.Count(data, []byte{'\n'}); c <= n {
			return c, bytes.LastIndexByte(data, '\n') + 1
		}
	}
	for lines < n {
		i := bytes.IndexByte(data[end:], '\n')
		if i < 0 {
			break
		}
		end += i + 1
		lines++
	}
	return lines, end
}

// structure takes a line between blocks.
func (o *outliner) structure(line string) bool {
	if title, ok := sectionTitle(line); ok && !o.started {
		s := &outlineSection{}
		s.kind, s.module = parseTitle(title)
		o.section = s
		o.list = append(o.list, s)
		o.trace.Sections = append(o.trace.Sections, &Section{Title: title, Kind: s.kind, Module: s.module})
		return s.kind != UnknownSection
	}
	n, isNumber := integerLine(line)
	switch {
	case o.section == nil:
		return false
	case isNumber && (o.started || o.section.kind == KernelTimestamps):
		if n > uint64(o.size) || o.section.kind == KernelTimestamps && len(o.section.blocks) > 0 {
			return false
		}
		o.block = &outlineBlock{kind: o.section.kind, thread: o.thread, count: int(n), devices: map[string]int{}}
		o.section.blocks = append(o.section.blocks, o.block)
		o.left, o.started = int(n), false
		return true
	case isNumber:
		o.thread, o.started = n, true
		return true
	case o.started:
		return false
	case blank(line):
		return true
	}
	lead := o.section.kind == StackTrace || o.section.kind == PerfMarkers
	return lead && len(o.section.blocks) == 0 && strings.Contains(line, "=")
}

// join finds the times of each thread, as [Trace.Threads] does, and adds up; false
// where calls and times differ.
func (o *outliner) join() bool {
	var devices ids
	for _, m := range o.trace.Modules() {
		var calls, stamps []*outlineBlock
		for _, s := range o.list {
			if s.module != m {
				continue
			}
			switch s.kind {
			case APITrace:
				calls = append(calls, s.blocks...)
			case Timestamps:
				stamps = append(stamps, s.blocks...)
			}
		}
		for _, c := range calls {
			i := slices.IndexFunc(stamps, func(b *outlineBlock) bool { return b.thread == c.thread })
			if i < 0 || stamps[i].count != c.count || stamps[i].names != c.names {
				return false
			}
			devices.add(stamps[i].devices)
			stamps = slices.Delete(stamps, i, i+1)
			o.sum.Calls += c.count
		}
		if len(stamps) > 0 {
			return false
		}
	}
	for _, s := range o.list {
		if s.kind != KernelTimestamps {
			continue
		}
		if len(s.blocks) == 0 {
			return false // its count is missing
		}
		devices.add(s.blocks[0].devices)
	}
	o.sum.Devices, o.sum.Names = devices, len(o.names)
	return true
}

// ids are names in the order in which they were met first.
type ids []string

func (d *ids) add(met map[string]int) {
	names := make([]string, 0, len(met))
	for n := range met {
		if !slices.Contains(*d, n) {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return met[a] - met[b] })
	*d = append(*d, names...)
}
