package ranks

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Magic begins a file of partials. Its last byte is the version.
const Magic = "gpuprof ranks\r\n\x01"

const version = 1

// Bounds of a block, so that a hostile file asks for no more memory.
const (
	mostPacked = 64 << 20  // bytes, compressed
	mostBytes  = 256 << 20 // bytes
)

// A Set is a set of partials: each is there once, whatever was added how often
// and in which order.
type Set struct{ blocks []block }

// A Digest tells partials apart: that of their bytes, by SHA-256.
type Digest [sha256.Size]byte

// A block is a partial as files have it.
type block struct {
	digest Digest // of the partial before compression
	size   int    // bytes before compression
	packed []byte
}

func (b *block) compare(o *block) int {
	return cmp.Or(bytes.Compare(b.digest[:], o.digest[:]), bytes.Compare(b.packed, o.packed))
}

// Len is the number of partials.
func (s *Set) Len() int { return len(s.blocks) }

// encoder packs blocks, for any number of goroutines. It is made once: its tables take
// a megabyte, and more time to clear than a partial takes to pack.
var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)))
})

// Add adds partials.
func (s *Set) Add(list ...*Partial) error {
	enc, err := encoder()
	if err != nil {
		return err
	}
	for _, p := range list {
		b := p.pack()
		s.blocks = append(s.blocks, block{sha256.Sum256(b), len(b), enc.EncodeAll(b, nil)})
	}
	s.settle()
	return nil
}

// Merge adds the partials of other sets. It is associative, commutative and
// idempotent.
func (s *Set) Merge(others ...*Set) {
	for _, o := range others {
		s.blocks = append(s.blocks, o.blocks...)
	}
	s.settle()
}

// settle sorts the blocks and drops those that are there twice. Where two
// compressed the same differently, the first in order stays.
func (s *Set) settle() {
	slices.SortFunc(s.blocks, func(a, b block) int { return a.compare(&b) })
	s.blocks = slices.CompactFunc(s.blocks, func(a, b block) bool { return a.digest == b.digest })
}

// WriteTo writes the set as a file: Magic, then the blocks by digest.
func (s *Set) WriteTo(out io.Writer) (n int64, err error) {
	w := bufio.NewWriter(out)
	n = int64(len(Magic))
	w.WriteString(Magic)
	for i := range s.blocks {
		b := &s.blocks[i]
		head := append([]byte(nil), b.digest[:]...)
		head = binary.AppendUvarint(head, uint64(b.size))
		head = binary.AppendUvarint(head, uint64(len(b.packed)))
		w.Write(head)
		w.Write(b.packed)
		n += int64(len(head) + len(b.packed))
	}
	return n, w.Flush()
}

// A FormatError says where a file of partials is broken.
type FormatError struct {
	File   string
	Offset int64
	What   string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("%s: offset %d: %s", e.File, e.Offset, e.What)
}

// ReadSet reads a file of partials. name stands in errors. What was read before
// an error is returned with it.
func ReadSet(in io.Reader, name string) (*Set, error) {
	r := bufio.NewReaderSize(in, 1<<12)
	s, at := &Set{}, int64(len(Magic))
	fail := func(format string, args ...any) (*Set, error) {
		s.settle()
		return s, &FormatError{name, at, fmt.Sprintf(format, args...)}
	}
	magic := make([]byte, len(Magic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic[:len(magic)-1]) != Magic[:len(Magic)-1] {
		at = 0
		return fail("expected a file of partials, found one that begins with %q", magic)
	}
	if v := magic[len(magic)-1]; v != version {
		at--
		return fail("expected version %d, found %d", version, v)
	}
	for {
		var b block
		if n, err := io.ReadFull(r, b.digest[:]); err == io.EOF {
			s.settle()
			return s, nil
		} else if err != nil {
			return fail("expected a digest of %d bytes, found %d", len(b.digest), n)
		}
		size, err1 := binary.ReadUvarint(r)
		packed, err2 := binary.ReadUvarint(r)
		if err1 != nil || err2 != nil || size > mostBytes || packed > mostPacked {
			return fail("expected sizes of at most %d and %d bytes, found %d and %d", mostBytes, mostPacked, size, packed)
		}
		var buf bytes.Buffer // grows as bytes arrive, not as the file claims
		buf.Grow(int(min(packed, 1<<20)))
		if n, err := io.CopyN(&buf, r, int64(packed)); err != nil {
			return fail("expected %d bytes, found %d", packed, n)
		}
		b.size, b.packed = int(size), slices.Clip(buf.Bytes())
		at += int64(len(b.digest)+len(b.packed)) + int64(uvarintLen(size)+uvarintLen(packed))
		s.blocks = append(s.blocks, b)
	}
}

func uvarintLen(v uint64) int { return len(binary.AppendUvarint(nil, v)) }

// Partials decodes the set. Those that are broken are left out and returned as
// errors.
func (s *Set) Partials() (out []*Partial, problems []error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(mostBytes))
	if err != nil {
		return nil, []error{err}
	}
	defer dec.Close()
	for i := range s.blocks {
		b := &s.blocks[i]
		raw, err := dec.DecodeAll(b.packed, make([]byte, 0, min(b.size, 1<<22)))
		switch {
		case err != nil:
		case sha256.Sum256(raw) != b.digest:
			err = fmt.Errorf("its bytes do not have its digest")
		default:
			var p *Partial
			if p, err = unpack(raw); err == nil {
				p.Digest = b.digest
				out = append(out, p)
				continue
			}
		}
		problems = append(problems, fmt.Errorf("partial %x: %w", b.digest[:4], err))
	}
	return out, problems
}
