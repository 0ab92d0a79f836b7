package ncurep

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

var (
	magicNVR  = []byte("NVR\x00")
	magicNVP  = []byte("NVP\x00")
	magicZstd = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

func isMagic(head []byte) bool {
	return bytes.HasPrefix(head, magicNVR) || bytes.HasPrefix(head, magicNVP)
}

// Sniff reports whether a file that starts with head may be a report. A zstd
// frame is decoded as far as head goes: if that yields the first four bytes they
// decide, else the answer is yes. Pass a few kilobytes if there are so many.
func Sniff(head []byte) bool {
	if !bytes.HasPrefix(head, magicZstd) {
		return isMagic(head)
	}
	z, err := zstd.NewReader(bytes.NewReader(head), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return true
	}
	defer z.Close()
	var b [4]byte
	if _, err := io.ReadFull(z, b[:]); err != nil {
		return true
	}
	return isMagic(b[:])
}

// A zstd frame header asks for memory, its window. What the reference tool asks
// for up to its level 19 is allowed in any case, and up to what it accepts if the
// limit on the content allows as much.
const (
	minWindow = 8 << 20
	maxWindow = 128 << 20
)

// unwrap replaces a zstd-wrapped input by its content.
func (f *File) unwrap(o Options) error {
	in := &f.in
	head, err := in.view(0, min(4, in.size))
	if err != nil || !bytes.HasPrefix(head, magicZstd) {
		return err
	}
	limit := o.MaxDecompressed
	if limit <= 0 {
		limit = 1<<20 + 100*in.size
	}
	var r io.Reader = bytes.NewReader(in.mem)
	if in.r != nil {
		r = io.NewSectionReader(in.r, 0, in.size)
	}
	window := uint64(min(max(limit, minWindow), maxWindow))
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return fmt.Errorf("%s: zstd: %w", in.name, err)
	}
	defer z.Close()
	var buf bytes.Buffer
	_, err = io.Copy(&buf, io.LimitReader(z, limit+1))
	if int64(buf.Len()) > limit || errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		return &formatError{File: in.name, Offset: int64(buf.Len()), Want: fmt.Sprintf("a report of at most %d bytes in %d compressed ones", limit, in.size),
			Found: "more, or a window of more", Err: errTooLarge}
	}
	*in = input{name: in.name, size: int64(buf.Len()), mem: buf.Bytes()}
	f.Compressed = true
	if err != nil {
		fe := &formatError{File: in.name, Offset: in.size, Want: "the rest of a zstd stream", Found: err.Error(), Err: cursor.ErrCorrupt}
		if in.size < 8 {
			return fe
		}
		f.problems.add(fe)
	}
	return nil
}

// errTooLarge is wrapped by the error about a compressed report that grows
// beyond [Options.MaxDecompressed].
var errTooLarge = errors.New("decompressed report too large")

// WriteSameTo writes the changed report as the one that was read is: wrapped in zstd
// if that is.
func (e *Edit) WriteSameTo(w io.Writer) error {
	if !e.file.Compressed {
		_, err := e.WriteTo(w)
		return err
	}
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	if _, err := e.WriteTo(z); err != nil {
		z.Close()
		return err
	}
	return z.Close()
}
