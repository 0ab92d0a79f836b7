package simlog

import (
	"bytes"

	"github.com/gpuprof/gpuprof/internal/carry"
)

// chunkSize is how much text is parsed at a time: small enough that text and
// columns stay in a core's second-level cache, large enough that handing a chunk
// from goroutine to goroutine costs nothing.
const chunkSize = 256 << 10

// chunk is a run of whole lines, and what was found in them.
type chunk struct {
	buf  []byte // chunkSize + padding; text is buf[:n]
	n    int
	last bool  // the input ends with this chunk
	cut  bool  // the last line has no line end: it may be incomplete
	long int64 // lines dropped before this chunk since they exceed chunkSize
	read int64 // bytes taken from the input for it
	err  error // the input broke off behind this chunk

	fault *carry.Fault // of who filled or parsed it

	batch Batch
	texts []text // lines about kernels, for the assembler
	arena []byte // their bytes

	lines         int64
	malformed     int64
	malformedLine int64 // first, counted from 1 within the chunk
	done          chan struct{}
}

// text is a line that is not an access but says something about kernels.
type text struct {
	at       int   // accesses of the chunk before it
	line     int64 // from 1 within the chunk
	off, end int   // arena[off:end], without line end
	cut      bool  // the input ended within this line
}

func newChunk() *chunk {
	const guess = chunkSize / 80 // an access line has 80 to 90 bytes
	return &chunk{
		buf: make([]byte, chunkSize+padding),
		batch: Batch{
			Cycle: make([]int64, 0, guess),
			Addr:  make([]uint64, 0, guess),
			Info:  make([]Info, 0, guess),
		},
		done: make(chan struct{}, 1),
	}
}

func (c *chunk) reset() {
	b := &c.batch
	b.Cycle, b.Addr, b.Info, b.Events = b.Cycle[:0], b.Addr[:0], b.Info[:0], b.Events[:0]
	c.texts, c.arena = c.texts[:0], c.arena[:0]
	c.n, c.last, c.cut, c.long, c.read, c.err = 0, false, false, 0, 0, nil
	c.lines, c.malformed, c.malformedLine = 0, 0, 0
}

// parse finds the accesses in the chunk's lines.
func (c *chunk) parse(levels *levelTable) {
	b, end := c.buf, c.n
	clear(b[end : end+padding])
	bt := &c.batch
	cycles, addrs, infos := bt.Cycle, bt.Addr, bt.Info
	var a access
	var lines int64
	for i := 0; i < end; {
		lines++
		next, v := parseAccess(b, i, end, levels, &a)
		if v == isAccess {
			if b[next] == '\n' || next == end || b[next] == '\r' && (b[next+1] == '\n' || next+1 == end) {
				cycles, addrs, infos = append(cycles, a.cycle), append(addrs, a.addr), append(infos, a.info)
				i = next + 1
				if b[next] == '\r' {
					i++
				}
				continue
			}
			v = isMalformed
		}
		next = min(next, end)
		eol := end
		if k := bytes.IndexByte(b[next:end], '\n'); k >= 0 {
			eol = next + k
		}
		if v == isMalformed {
			if c.malformed++; c.malformed == 1 {
				c.malformedLine = lines
			}
		} else if ofInterest(b[i:eol]) {
			c.keep(b[i:eol], len(infos), lines, eol == end && c.cut)
		}
		i = eol + 1
	}
	bt.Cycle, bt.Addr, bt.Info, c.lines = cycles, addrs, infos, lines
}

func (c *chunk) keep(line []byte, at int, number int64, cut bool) {
	off := len(c.arena)
	c.arena = append(c.arena, bytes.TrimRight(line, "\r")...)
	c.texts = append(c.texts, text{at: at, line: number, off: off, end: len(c.arena), cut: cut})
}

// maxText bounds the lines that are looked at for kernel headers and statistics:
// the longest are mangled kernel names.
const maxText = 16 << 10

// ofInterest tells, from its first bytes, whether the assembler wants a line.
func ofInterest(line []byte) bool {
	if len(line) < 8 || len(line) > maxText {
		return false
	}
	switch line[0] {
	case 'P':
		return hasPrefix(line, "Processing kernel ")
	case 'G':
		return hasPrefix(line, "GPGPU-Sim: Reconfigure L1") || hasPrefix(line, "GPGPU-Sim PTX: pushing kernel") || hasPrefix(line, "GPGPU-Sim: *** exit")
	case 'l':
		return hasPrefix(line, "launching kernel name")
	case '-':
		return hasPrefix(line, "-kernel ") || hasPrefix(line, "-grid dim") || hasPrefix(line, "-block dim") ||
			hasPrefix(line, "-shmem = ") || hasPrefix(line, "-nregs = ") || hasPrefix(line, "-cuda stream") || hasPrefix(line, "-gpgpu_")
	case 'k', 'g', 'L', 'T', 'm', 'a', 't':
		return bytes.IndexByte(line, '=') > 0
	case '\t', ' ':
		w := bytes.TrimLeft(line, "\t ")
		return (hasPrefix(w, "L1") || hasPrefix(w, "L2") || hasPrefix(w, "Total_core")) && bytes.IndexByte(w, '=') > 0
	}
	return false
}

func hasPrefix(b []byte, p string) bool { return len(b) >= len(p) && string(b[:len(p)]) == p }
