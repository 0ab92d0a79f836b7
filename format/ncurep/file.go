package ncurep

import (
	"io"
	"os"
	"sync"
)

// File is an open report. Its methods may be called from several goroutines at
// once; nothing in it changes after Open.
type File struct {
	Name    string
	Magic   [4]byte // "NVR\0"; the published guide prints "NVP\0", which is accepted
	Header  FileHeader
	Blocks  []*Block
	Session *Session  // merged over all blocks; never nil
	Strings []string  // the string tables of all blocks, joined
	Results []*Result // in file order
	Sources []*Source // merged by Reference, in order of first appearance

	// Compressed reports that the file was wrapped in zstd (.ncu-repz); offsets
	// in messages are then those of the decompressed report.
	Compressed bool

	in       input
	closer   io.Closer
	problems Problems
	pieces   int // blocks and entries that may still be read
	doubt    *stringDoubt
	sources  map[uint64]*Source
	canon    map[string]uint32 // string to the first of its ids

	mu       sync.Mutex
	sections map[string]*Section // decoded sections by their encoding
}

// Options changes how a report is opened. The zero Options is the default.
type Options struct {
	// MaxDecompressed bounds the size of a decompressed report in bytes. The
	// default is 1 MiB + 100 times the compressed size; sound reports compress
	// by less than a factor of 30.
	MaxDecompressed int64
}

// Open reads the outline of the report of the given size in r: block headers,
// strings, session, and of every result and source the small fields. Metrics,
// sections and the like are read when asked for, so r must stay usable. The
// name is used in messages.
//
// A report with defects opens if anything in it is usable; see [File.Problems].
func Open(r io.ReaderAt, size int64, name string) (*File, error) {
	return Options{}.Open(r, size, name)
}

// Open is like the function [Open].
func (o Options) Open(r io.ReaderAt, size int64, name string) (*File, error) {
	f := &File{Name: name, in: input{name: name, size: size, r: r}}
	return f, f.open(o)
}

// OpenBytes opens the report in b, which must not change while the File is in
// use.
func OpenBytes(b []byte, name string) (*File, error) {
	return Options{}.OpenBytes(b, name)
}

// OpenBytes is like the function [OpenBytes].
func (o Options) OpenBytes(b []byte, name string) (*File, error) {
	f := &File{Name: name, in: input{name: name, size: int64(len(b)), mem: b}}
	return f, f.open(o)
}

// OpenFile opens the named report. [File.Close] closes it.
func OpenFile(path string) (*File, error) { return Options{}.openFile(path) }

// openFile is like the function [OpenFile].
func (o Options) openFile(path string) (*File, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	fi, err := r.Stat()
	if err != nil {
		r.Close()
		return nil, err
	}
	f, err := o.Open(r, fi.Size(), path)
	if err != nil {
		r.Close()
		return nil, err
	}
	f.closer = r
	return f, nil
}

// Close closes the file that [OpenFile] opened; else it does nothing.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Problems lists what was found broken by Open. Functions that decode on demand
// report what they find themselves.
func (f *File) Problems() Problems { return f.problems }

// String returns the string of a name id; ok is false if the tables do not
// reach that far.
func (f *File) String(id uint32) (s string, ok bool) {
	if uint64(id) < uint64(len(f.Strings)) {
		return f.Strings[id], true
	}
	return "", false
}

func (f *File) open(o Options) error {
	f.Session = new(Session)
	f.sources = make(map[uint64]*Source)
	f.sections = make(map[string]*Section)
	if err := f.unwrap(o); err != nil {
		return err
	}
	if f.in.r != nil {
		f.in.scratch = make([]byte, min(f.in.size, scanWindow))
	}
	err := f.readContainer()
	f.in.scratch = nil
	if err != nil {
		return err
	}
	f.settleStrings()
	f.canon = make(map[string]uint32, len(f.Strings))
	for i, s := range f.Strings {
		if _, ok := f.canon[s]; !ok {
			f.canon[s] = uint32(i)
		}
	}
	return nil
}

// addBlock joins b to the file.
func (f *File) addBlock(b *Block) {
	f.Blocks = append(f.Blocks, b)
	f.addStrings(b)
	if b.Header.Session != nil {
		f.Session.merge(b.Header.Session)
	}
	for _, s := range b.sources {
		f.addSource(b, s)
	}
	for _, s := range b.results {
		f.addResult(b, s)
	}
}
