package nsysrep

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// A FormatError says where a report departs from the format.
type FormatError = cursor.FormatError

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
	problems []error
}

// Problems are the defects met when the file was opened: what lies behind them
// was left out.
func (f *File) Problems() []error { return f.problems }

// Open reads the directory and the small parts of a report of size bytes. A
// report whose directory cannot be read is an error; one whose parts are cut
// short yields the frames that are whole.
func Open(in io.ReaderAt, size int64, name string) (*File, error) {
	f := &File{Name: name, in: in, size: size}
	if err := f.readVersion(); err != nil {
		return nil, err
	}
	if err := f.readDirectory(); err != nil {
		return nil, err
	}
	raw := f.Part(rawPart)
	if raw == nil {
		return nil, f.fail(size, "a part named "+rawPart, "none")
	}
	return f, f.readRaw(*raw)
}

// Part returns the part of a name, or nil.
func (f *File) Part(name string) *Part {
	for i := range f.Parts {
		if f.Parts[i].Name == name {
			return &f.Parts[i]
		}
	}
	return nil
}

// Message reads a part that is one message; nil if there is none of the name.
func (f *File) Message(part string) (Message, error) {
	p := f.Part(part)
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
	return &FormatError{File: f.Name, Offset: at, Want: want, Found: found, Err: cursor.ErrCorrupt}
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
		return f.partsByScan(tail[8:])
	}
	at := binary.LittleEndian.Uint64(tail)
	if at > uint64(f.size-16) {
		return f.fail(f.size-16, fmt.Sprintf("the offset of the directory, below %d", f.size-16), fmt.Sprint(at))
	}
	b, err := f.bytes(int64(at), f.size-16-int64(at))
	if err != nil {
		return err
	}
	dir, err := parse(f.Name, int64(at), b)
	if err != nil {
		return err
	}
	for _, e := range dir.Subs(1) {
		p := Part{Name: e.Text(1), Offset: e.Int(2), Size: e.Int(3)}
		if p.Offset < 0 || p.Size < 0 || p.Offset > f.size-p.Size {
			f.problems = append(f.problems, f.fail(int64(at), "a part within the file", fmt.Sprintf("%q with %d bytes at %d", p.Name, p.Size, p.Offset)))
			continue
		}
		f.Parts = append(f.Parts, p)
	}
	return nil
}

// partsByScan finds the events of a report that was cut short, which has no
// directory, by the magic word in front of them.
func (f *File) partsByScan(found []byte) error {
	lost := f.fail(f.size-8, "the end mark of a report", fmt.Sprintf("%q: the file is cut short", found))
	head, err := f.bytes(0, min(f.size, 16<<20))
	if err != nil {
		return err
	}
	i := bytes.Index(head, []byte(rawMagic))
	if i < 0 {
		return lost
	}
	f.problems = append(f.problems, lost)
	f.Parts = append(f.Parts, Part{Name: rawPart, Offset: int64(i), Size: f.size - int64(i)})
	return nil
}
