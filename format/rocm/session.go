package rocm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"

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
	KindCSV   Kind = "rocprof CSV"
	KindText  Kind = "rocprof v2 text"
	KindJSON  Kind = "rocprofv3 JSON"
	KindRocpd Kind = "rocpd database"
	KindRPD   Kind = "RPD database"
)

// A Session is the content of a file.
type Session struct {
	Name       string
	Kind       Kind
	Agents     []Agent
	Dispatches []Dispatch
	Calls      []Call
	Copies     []Copy
	Counters   []Counter
	Totals     []Total // of a _stats.csv, which has nothing else
	Problems   []*FormatError

	more  int             // problems that are not listed
	plain *packed.Counter // of what is read, unpacked
	taken int64           // bytes of memory that rows take
	full  bool
}

// An Agent is a CPU or a GPU.
type Agent struct {
	ID      uint64 // as dispatches and copies name it
	Index   int    // among the agents of its type; -1 where not told
	GPU     bool
	Name    string // architecture, such as gfx942
	Product string
	CUs     uint32
}

// A Dispatch is one run of a kernel. Times are in ns.
type Dispatch struct {
	ID          uint64
	Kernel      string
	Agent       uint64
	Queue       uint64
	Stream      uint64
	PID, TID    uint64
	Correlation uint64
	Start, End  uint64    // 0 where not told
	Grid        [3]uint64 // in work-items
	Group       [3]uint64
	LDS         int64 // bytes; -1 where not told, as are the others
	Scratch     int64 // bytes of a work-item
	VGPRs       int64
	AGPRs       int64
	SGPRs       int64
}

// A Call is a call of an API, or a marker of the application.
type Call struct {
	Domain      string // HIP_RUNTIME_API, HSA_CORE_API, MARKER_CORE_API, …; "" where not told
	Name        string
	Args        string
	PID, TID    uint64
	Correlation uint64
	Start, End  uint64
}

// A Copy is a copy between memories, or a fill.
type Copy struct {
	Direction   string // MEMORY_COPY_HOST_TO_DEVICE, CopyHostToDevice, …
	From, To    uint64 // agents
	Bytes       int64  // -1 where not told
	Correlation uint64
	Start, End  uint64
}

// A Counter is a value of a performance counter for one dispatch.
type Counter struct {
	Dispatch uint64 // ID of the dispatch
	Name     string
	Value    float64
}

// A Total is a line of a statistics file; times are in ns.
type Total struct {
	Name  string
	Calls uint64
	Sum   uint64
}

const maxProblems = 1000

func (s *Session) problem(e FormatError) {
	if len(s.Problems) >= maxProblems && e.Err != ErrTooLarge { // which is told whatever comes before it
		s.more++
		return
	}
	e.File = s.Name
	s.Problems = append(s.Problems, &e)
}

func (s *Session) finish() {
	if s.more > 0 {
		s.Problems = append(s.Problems, &FormatError{File: s.Name, Want: "a sound file", Found: fmt.Sprintf("%d problems more than the %d listed", s.more, maxProblems), Err: cursor.ErrCorrupt})
		s.more = 0
	}
	s.plain, s.taken, s.full = nil, 0, false // of no use any more
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
	s := &Session{Name: name}
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
	s.plain = &packed.Counter{R: r}
	switch {
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		err = s.readSQLite(ctx, s.plain, size)
	case bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\xef\xbb\xbf"), []byte("{")):
		err = s.readJSON(ctx, s.plain)
	case isText(head):
		err = s.readText(ctx, s.plain)
	default:
		err = s.readCSV(ctx, s.plain)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
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
