package nsysrep

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// A formatError says where a report departs from the format.
type formatError = cursor.FormatError

// Magic is how a report begins.
const Magic = "NVIDIA Tegra Profiler Report "

const (
	trailer  = "\x55\x33\x77[END]"
	rawMagic = "QDTEXT00"
	rawPart  = "Raw Sampling Data"

	maxSmall = 256 << 20 // bytes of a message outside of frames
)

// A Part is an entry of the directory.
type Part struct {
	Name   string
	Offset int64 // in the file, bytes
	Size   int64 // bytes
}

// A Frame is a compressed run of events.
type Frame struct {
	Offset       int64 // of the compressed bytes in the file
	Packed, Size int   // bytes, compressed and not
}

// A File is an opened report.
type File struct {
	Name    string
	Version string // of the header line: "1", or that of the tool
	Parts   []Part
	Header  Message // capture, devices, clocks
	Summary Message // counts
	Target  Message // GPUs, contexts, streams
	Threads Message // names of threads
	Frames  []Frame // of events

	in       io.ReaderAt
	size     int64
	strings  Frame
	schemas  Frame
	framesAt int64 // head of the first frame
	dirAt    int64
	problems []error
}

// Problems are the defects met when the file was opened: what lies behind them
// was left out.
func (f *File) Problems() []error { return f.problems }

// Open reads the directory and the small parts of a report of size bytes, and
// the heads of the frames. What is damaged or cut off is told by
// [File.Problems], and the frames that are whole are found in spite of it. An
// error is what is no report, holds no events at all, or uses another codec.
func Open(in io.ReaderAt, size int64, name string) (*File, error) {
	f := &File{Name: name, in: in, size: size}
	if err := f.readVersion(); err != nil {
		return nil, err
	}
	err := f.readDirectory()
	raw := f.part(rawPart)
	if err == nil && !f.isRaw(raw) {
		err = f.fail(size, "a part named "+rawPart+" that begins with "+rawMagic, "none")
	}
	if err != nil {
		if raw = f.rawByScan(); raw == nil {
			return nil, err
		}
		f.problems = append(f.problems, err)
	}
	return f, f.readRaw(*raw)
}

// isRaw reports whether a part begins as that with the events does.
func (f *File) isRaw(p *Part) bool {
	if p == nil || p.Size < int64(len(rawMagic)) {
		return false
	}
	b, err := f.bytes(p.Offset, int64(len(rawMagic)))
	return err == nil && string(b) == rawMagic
}

// part returns the part of a name, or nil.
func (f *File) part(name string) *Part {
	for i := range f.Parts {
		if f.Parts[i].Name == name {
			return &f.Parts[i]
		}
	}
	return nil
}

// Message reads a part that is one message; nil if there is none of the name.
func (f *File) Message(part string) (Message, error) {
	p := f.part(part)
	if p == nil {
		return nil, nil
	}
	b, err := f.bytes(p.Offset, p.Size)
	if err != nil {
		return nil, err
	}
	return parse(f.Name, p.Offset, b)
}

func (f *File) fail(at int64, want, found string) error {
	return &formatError{File: f.Name, Offset: at, Want: want, Found: found, Err: cursor.ErrCorrupt}
}

// bytes reads n bytes at an offset, which the file claims to have.
func (f *File) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > maxSmall || at > f.size-n {
		return nil, f.fail(at, fmt.Sprintf("at most %d bytes within the %d of the file", maxSmall, f.size), fmt.Sprintf("%d", n))
	}
	b := make([]byte, n)
	if _, err := f.in.ReadAt(b, at); err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: offset %d: %w", f.Name, at, err)
	}
	return b, nil
}

func (f *File) readVersion() error {
	head, err := f.bytes(0, min(f.size, 256))
	if err != nil {
		return err
	}
	rest, ok := bytes.CutPrefix(head, []byte(Magic))
	version, _, dot := bytes.Cut(rest, []byte("."))
	if !ok || !dot {
		return f.fail(0, fmt.Sprintf("%q and a version that ends in a dot", Magic), fmt.Sprintf("%.40q", head))
	}
	f.Version = string(bytes.ReplaceAll(version, []byte("@"), []byte(".")))
	return nil
}

func (f *File) readDirectory() error {
	if f.size < 16 {
		return f.fail(f.size, "a directory at the end", "a file that is too short")
	}
	tail, err := f.bytes(f.size-16, 16)
	if err != nil {
		return err
	}
	if string(tail[8:]) != trailer {
		return f.fail(f.size-8, "the end mark of a report", fmt.Sprintf("%q: the file is cut short", tail[8:]))
	}
	at := binary.LittleEndian.Uint64(tail)
	if at > uint64(f.size-16) {
		return f.fail(f.size-16, fmt.Sprintf("the offset of the directory, below %d", f.size-16), fmt.Sprint(at))
	}
	f.dirAt = int64(at)
	b, err := f.bytes(f.dirAt, f.size-16-f.dirAt)
	if err != nil {
		return err
	}
	dir, err := parse(f.Name, int64(at), b)
	for _, e := range dir.Subs(1) {
		p := Part{Name: e.Text(1), Offset: e.Int(2), Size: e.Int(3)}
		if p.Offset < 0 || p.Size < 0 || p.Offset > f.size-p.Size {
			f.problems = append(f.problems, f.fail(int64(at), "a part within the file", fmt.Sprintf("%q with %d bytes at %d", p.Name, p.Size, p.Offset)))
			continue
		}
		f.Parts = append(f.Parts, p)
	}
	return err
}

// rawByScan finds the part with the events in a report that has no directory, or
// a wrong one, by the magic word in front of it; nil if there is none. Nothing
// tells where the part ends.
func (f *File) rawByScan() *Part {
	const window = 1 << 20
	buf := make([]byte, min(f.size, window+int64(len(rawMagic))))
	for at := int64(0); at < f.size; at += window {
		n, _ := f.in.ReadAt(buf, at)
		if i := bytes.Index(buf[:n], []byte(rawMagic)); i >= 0 {
			at += int64(i)
			kept := f.Parts[:0]
			for _, p := range f.Parts {
				if p.Name != rawPart {
					kept = append(kept, p)
				}
			}
			f.Parts = append(kept, Part{Name: rawPart, Offset: at, Size: f.size - at})
			return f.part(rawPart)
		}
	}
	return nil
}
