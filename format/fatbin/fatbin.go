package fatbin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// Kind is what an image holds.
type Kind uint16

const (
	PTX Kind = 1
	ELF Kind = 2 // a cubin
)

const (
	magic      = 0xba55ed50
	headerSize = 16
	imageSize  = 64

	flagLZ4  = 0x2000
	flagZstd = 0x8000
)

// An Image is a GPU program in a file.
type Image struct {
	Kind   Kind
	SM     int   // 80 for sm_80; 0 if the file does not tell
	Offset int64 // in the file

	name     string
	payload  []byte
	flags    uint64
	packed   int // compressed bytes; 0: not compressed
	unpacked uint64
}

// ErrNone says that a file holds no GPU program.
var ErrNone = errors.New("no GPU program found")

// maxImages bounds the images of a file.
const maxImages = 1 << 16

// Sniff reports whether a file that begins with head may hold GPU programs.
func Sniff(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\x7fELF\x02\x01")) || len(head) >= 4 && binary.LittleEndian.Uint32(head) == magic
}

// Find finds the images of a file. Those found before something broken are
// returned together with the error.
func Find(b []byte, name string) ([]Image, error) {
	if len(b) >= 4 && binary.LittleEndian.Uint32(b) == magic {
		return scan(nil, b, 0, name)
	}
	sections, machine, err := sections(b, name)
	if err != nil {
		return nil, err
	}
	if machine == machineCUDA {
		return []Image{{Kind: ELF, name: name, payload: b}}, nil
	}
	var images []Image
	var first error
	for _, s := range sections {
		if s.name != ".nv_fatbin" && s.name != "__nv_relfatbin" {
			continue
		}
		if images, err = scan(images, s.data, s.offset, name); err != nil && first == nil {
			first = err
		}
	}
	if len(images) == 0 && first == nil {
		first = fmt.Errorf("%s: %w", name, ErrNone)
	}
	return images, first
}

// scan reads the fat binaries in b, which stands at an offset of the file. They
// begin at multiples of 8, with zeros between them.
func scan(images []Image, b []byte, offset int64, name string) ([]Image, error) {
	for at := 0; at+headerSize <= len(b); {
		if binary.LittleEndian.Uint32(b[at:]) != magic {
			at += 8
			continue
		}
		c := cursor.New(name, offset+int64(at), b[at:])
		c.Skip(6)
		header, size := int(c.U16()), c.U64()
		if header < headerSize || header > c.Len()+headerSize || size > uint64(len(b)-at-header) {
			return images, fmt.Errorf("%s: offset %#x: fat binary of %d bytes behind a header of %d, expected at most the %d bytes that remain", name, offset+int64(at), size, header, len(b)-at)
		}
		body := b[at+header:][:size]
		var err error
		if images, err = scanImages(images, body, offset+int64(at+header), name); err != nil {
			return images, err
		}
		at += (header + int(size) + 7) &^ 7
	}
	return images, nil
}

func scanImages(images []Image, b []byte, offset int64, name string) ([]Image, error) {
	for at := 0; at+imageSize <= len(b); {
		c := cursor.New(name, offset+int64(at), b[at:])
		im := Image{Kind: Kind(c.U16()), Offset: offset + int64(at), name: name}
		c.Skip(2)
		header, size := c.U32(), c.U64()
		im.packed = int(c.U32())
		c.Skip(8)
		im.SM = int(c.U32())
		c.Skip(8)
		im.flags = c.U64()
		c.Skip(8)
		im.unpacked = c.U64()
		rest := uint64(len(b) - at)
		if c.Err() != nil || header < imageSize || uint64(header) > rest || size > rest-uint64(header) {
			return images, fmt.Errorf("%s: offset %#x: image of %d bytes behind a header of %d, expected at most the %d bytes that remain", name, im.Offset, size, header, rest)
		}
		im.payload = b[at+int(header):][:size]
		if im.packed > len(im.payload) {
			return images, fmt.Errorf("%s: offset %#x: %d compressed bytes in an image of %d", name, im.Offset, im.packed, size)
		}
		if im.Kind == PTX || im.Kind == ELF {
			if len(images) == maxImages {
				return images, fmt.Errorf("%s: more than %d images", name, maxImages)
			}
			images = append(images, im)
		}
		at += int(header) + int(size)
	}
	return images, nil
}

// maxUnpacked bounds an image when it is unpacked, bytes.
const maxUnpacked = 1 << 30

// Data is the image's program: an ELF file, or PTX without the zeros behind it.
func (im *Image) Data() ([]byte, error) {
	b, err := im.unpack()
	if err != nil {
		return nil, fmt.Errorf("%s: offset %#x: %w", im.name, im.Offset, err)
	}
	if im.Kind == PTX {
		b = bytes.TrimRight(b, "\x00")
	}
	return b, nil
}

func (im *Image) unpack() ([]byte, error) {
	if im.packed == 0 || im.flags&(flagLZ4|flagZstd) == 0 {
		return im.payload, nil
	}
	packed := im.payload[:im.packed]
	if im.flags&flagZstd != 0 {
		r, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return r.DecodeAll(packed, nil)
	}
	if im.unpacked > min(maxUnpacked, 255*uint64(im.packed)+16) {
		return nil, fmt.Errorf("%d bytes when unpacked, of %d compressed ones", im.unpacked, im.packed)
	}
	b := make([]byte, im.unpacked)
	n, err := lz4.UncompressBlock(packed, b)
	if err != nil {
		return nil, err
	}
	return b[:n], nil
}
