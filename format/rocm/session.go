package rocm

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
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

	more int // problems that are not listed
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
	if len(s.Problems) >= maxProblems {
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
}

// maxUnpacked bounds what a compressed file may unpack to.
const maxUnpacked = 8 << 30

// Open reads a file of the given size in bytes, whichever of the formats it is;
// name stands in messages.
func Open(ctx context.Context, in io.ReaderAt, size int64, name string) (*Session, error) {
	head := make([]byte, min(size, 1<<16))
	if n, err := in.ReadAt(head, 0); n < len(head) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		b, err := unpack(in, size)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
			return nil, &FormatError{File: name, Want: "a profile", Found: "gzip within gzip", Err: ErrUnknown}
		}
		return Open(ctx, bytes.NewReader(b), int64(len(b)), name)
	}
	s := &Session{Name: name}
	defer s.finish()
	r := io.NewSectionReader(in, 0, size)
	var err error
	switch {
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		err = s.readSQLite(ctx, r, size)
	case bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\xef\xbb\xbf"), []byte("{")):
		err = s.readJSON(ctx, r)
	case isText(head):
		err = s.readText(ctx, r)
	default:
		err = s.readCSV(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func unpack(in io.ReaderAt, size int64) ([]byte, error) {
	z, err := gzip.NewReader(io.NewSectionReader(in, 0, size))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	n, err := io.Copy(&b, io.LimitReader(z, maxUnpacked+1))
	if err != nil {
		return nil, err
	}
	if n > maxUnpacked {
		return nil, fmt.Errorf("more than %d bytes when unpacked", int64(maxUnpacked))
	}
	return b.Bytes(), nil
}
