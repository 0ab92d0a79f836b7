package rocm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
	"github.com/gpuprof/gpuprof/format/internal/packed"
)

// A FormatError says where a file departs from its format.
type FormatError = cursor.FormatError

// ErrUnknown is wrapped by the error for a file that is none of the formats.
var ErrUnknown = errors.New("no output of rocprof, rocprofv3 or rocmProfileData")

// Kind is the format of a file.
type Kind string

// The formats.
const (
	KindCSV       Kind = "rocprof CSV"
	KindText      Kind = "rocprof v2 text"
	KindJSON      Kind = "rocprofv3 JSON"
	KindRocpd     Kind = "rocpd database"
	KindRPD       Kind = "RPD database"
	KindV1        Kind = "rocprof v1 database"
	KindChrome    Kind = "rocprof v1 Chrome trace"
	KindV1Text    Kind = "rocprof v1 text"
	KindRoctracer Kind = "roctracer text"
	KindPerfetto  Kind = "Perfetto trace of ROCm"
	KindATT       Kind = "ROCm thread trace"
	KindCompute   Kind = "rocprof-compute workload"
	KindFacts     Kind = "facts of a ROCm run"
	KindFolder    Kind = "rocprofv3 folder"
)

// A Session is the content of a file, or of the files of a folder.
type Session struct {
	Name        string
	Kind        Kind
	Processes   []Process // whose numbers of dispatches, calls and agents are their own
	Agents      []Agent
	Dispatches  []Dispatch
	Calls       []Call
	Ranges      []Range
	Copies      []Copy
	Allocations []Allocation
	Counters    []Counter
	Monitors    []Monitor
	Totals      []Total  // of a _stats.csv, which has nothing else
	Samples     []Sample // of the program counter
	Code        []Instruction
	Waves       []Wave
	Facts       []Fact
	Kept        []Kept // cells of columns that are not known
	Problems    []*FormatError

	alike map[string]*alike // problems that are said once
	more  int               // problems that are not listed
	plain *packed.Counter   // of what is read, unpacked
	taken int64             // bytes of memory that rows take
	full  bool
	part  bool // of a folder, in which another file may list the agents
}

const maxProblems = 1000

// An alike is a problem that was listed, and how many more say the same of other
// rows.
type alike struct {
	first *FormatError
	more  int
}

// subject is what a problem says without what differs from row to row: the text in
// quotes and numbers.
func subject(e *FormatError) string {
	found, _, _ := strings.Cut(e.Found, "\"")
	return e.Want + "\x00" + strings.TrimLeft(found, "0123456789")
}

func (s *Session) problem(e FormatError) {
	key := subject(&e)
	if a := s.alike[key]; a != nil && e.Err != ErrTooLarge {
		a.more++
		return
	}
	if len(s.Problems) >= maxProblems && e.Err != ErrTooLarge { // which is told whatever comes before it
		s.more++
		return
	}
	e.File = s.Name
	s.Problems = append(s.Problems, &e)
	if s.alike == nil {
		s.alike = map[string]*alike{}
	}
	s.alike[key] = &alike{first: &e}
}

func (s *Session) finish() {
	for _, a := range s.alike {
		if a.more > 0 {
			a.first.Found += fmt.Sprintf(" (and %d more like it)", a.more)
		}
	}
	s.alike = nil
	if !s.part {
		s.resolveAgents()
	}
	s.sortCalls()
	if len(s.Processes) == 0 {
		s.Processes = []Process{{}}
	}
	if s.more > 0 {
		s.Problems = append(s.Problems, &FormatError{File: s.Name, Want: "a sound file", Found: fmt.Sprintf("%d problems more than the %d listed", s.more, maxProblems), Err: cursor.ErrCorrupt})
		s.more = 0
	}
	s.plain, s.taken, s.full = nil, 0, false // of no use any more
}

// sortCalls moves markers from the calls, among which some formats list them, to
// the ranges.
func (s *Session) sortCalls() {
	rest := s.Calls[:0]
	for _, c := range s.Calls {
		if isMarker(c.Domain) {
			s.addCall(c, c.Name, strings.Contains(c.Name, "RangeStart"))
		} else {
			rest = append(rest, c)
		}
	}
	s.Calls = rest
}

// ErrTooLarge is wrapped by the error about a file that unpacks to too much, or
// whose rows take too much memory for its size.
var ErrTooLarge = packed.ErrTooLarge

// Options say how to read a file; the zero value is good.
type Options struct {
	MaxUnpacked int64 // bytes that a compressed file may unpack to; 0: 16 MB or 50 times its size, 8 GB at most
}

// Open reads a file of the given size in bytes, whichever of the formats it is;
// name stands in messages.
func Open(ctx context.Context, in io.ReaderAt, size int64, name string) (*Session, error) {
	return Options{}.Open(ctx, in, size, name)
}

// Open is the function Open with options. A compressed file is unpacked as it is
// read; of one that unpacks to too much, what was read until then is kept, and a
// problem says so.
func (o Options) Open(ctx context.Context, in io.ReaderAt, size int64, name string) (*Session, error) {
	return o.open(ctx, in, size, &Session{Name: name})
}

// open reads a file into the empty session s.
func (o Options) open(ctx context.Context, in io.ReaderAt, size int64, s *Session) (*Session, error) {
	name := s.Name
	defer s.finish()
	r := bufio.NewReaderSize(io.NewSectionReader(in, 0, size), headSize)
	head, err := peek(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if isGzip(head) {
		count := &packed.Counter{R: r}
		z, err := gzip.NewReader(count)
		if err != nil {
			return nil, &FormatError{File: name, Want: "a gzip header", Found: err.Error(), Err: cursor.ErrCorrupt}
		}
		r = bufio.NewReaderSize(packed.NewReader(name, z, count, o.MaxUnpacked), headSize)
		if head, err = peek(r); err != nil && len(head) == 0 {
			return nil, &FormatError{File: name, Want: "a gzip stream", Found: err.Error(), Err: cursor.ErrCorrupt}
		}
		if isGzip(head) {
			return nil, &FormatError{File: name, Want: "a profile", Found: "gzip within gzip", Err: ErrUnknown}
		}
		size = -1
	}
	if marked := bytes.TrimPrefix(head, byteOrderMark); len(marked) < len(head) {
		head = marked
		r.Discard(len(byteOrderMark)) //nolint:errcheck // was peeked
	}
	s.plain = &packed.Counter{R: r}
	kind, read := kindOf(head, unpackedName(name))
	if kind == "" && read == nil {
		return nil, &FormatError{File: name, Line: 1, Want: "a profile of ROCm", Found: fmt.Sprintf("%.80q", head[:min(len(head), 80)]), Err: ErrUnknown}
	}
	s.Kind = kind
	if err := read(s, ctx, s.plain, size); err != nil {
		return nil, err
	}
	return s, nil
}

// unpackedName is the name of a file without the ending of its packing.
func unpackedName(name string) string {
	if strings.EqualFold(path.Ext(name), ".gz") {
		return name[:len(name)-3]
	}
	return name
}

// headSize is how much of a file tells its format, in bytes.
const headSize = 1 << 16

func peek(r *bufio.Reader) ([]byte, error) {
	head, err := r.Peek(headSize)
	if err == io.EOF {
		err = nil
	}
	return head, err
}

// byteOrderMark begins texts that a spreadsheet saved. Before a quote it would make
// the quote a part of the cell.
var byteOrderMark = []byte("\xef\xbb\xbf")

func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }

// Rows may take mostFor times as much memory as the text they come from, and
// freeRows bytes in any case. Rows that profilers write take two to five times as
// much; rows of three bytes would take a hundred.
const (
	mostFor  = 10
	freeRows = 16 << 20
)

// take reports whether there is room for what takes n bytes. Where there is none
// the rest of the file is not read, and a problem says so.
func (s *Session) take(n int64) bool {
	if s.full {
		return false
	}
	s.taken += n
	if s.plain != nil && s.taken > freeRows+mostFor*s.plain.N {
		s.full = true
		s.problem(FormatError{Offset: s.plain.N, Want: fmt.Sprintf("rows that take at most %d bytes of memory for each byte of text", mostFor),
			Found: "more", Err: ErrTooLarge})
		return false
	}
	return true
}

// What rows take, in bytes, with what growing slices leave unused.
const (
	dispatchTakes = 320
	callTakes     = 160
	copyTakes     = 112
	counterTakes  = 56
	symbolTakes   = 200
)

// errFull ends the reading of a file whose rows take too much.
var errFull = errors.New("rows that take too much memory")
