package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/format/benchjson"
	"github.com/gpuprof/gpuprof/format/rocm"
	"github.com/gpuprof/gpuprof/format/torchmem"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section/amdgpu"
	"github.com/gpuprof/gpuprof/trace"
)

// ErrUnknown is matched by the errors for files in a format that is not known,
// or known but not read.
var ErrUnknown = errors.New("format is not read")

// unknown is an error that is ErrUnknown without saying so twice.
type unknown string

func (u unknown) Error() string        { return string(u) }
func (u unknown) Is(target error) bool { return target == ErrUnknown }

// A File is an opened profile. Exactly one of its models is not nil, but for ROCm
// profiles, which may fill both, and AMD, which holds what such files have beyond
// the models.
type File struct {
	Name   string
	Format string // as users call it
	Size   int64  // bytes in the file system

	Report *Report       // kernel launches
	Trace  *trace.Trace  // timeline
	AMD    *AMD          // session file of AMD's profilers; its timeline is in Trace too
	ROCm   *rocm.Session // profile of ROCm; its timeline is in Trace, its dispatches in Report

	Programs   []*Program      // GPU programs of a binary
	Benchmarks *benchjson.File // results of a benchmark program
	Kept       []*compare.Run  // runs that gpuprof kept to compare with

	// Memory is a snapshot of PyTorch's allocator; its events are in Trace too.
	Memory *torchmem.Snapshot

	article  string         // of Format in sentences; "": a
	holds    Kinds          // beyond the models that are filled
	database bool           // of the tables of Trace
	rep      *nsysRepSource // that of a native report
	chrome   bool           // a Chrome trace
	in       io.ReaderAt
	opening  context.Context // ends the reading of formats that are read as a whole; nil when the file is open
	close    func() error
	problems []string
	notes    []string
	remark   string // what is worth saying about a file that is sound

	facts       []rocm.Fact      // of a profile of ROCm
	annotations []*annotate.File // laid on Trace, for they lie beside the file
	bare        *trace.Trace     // Trace without them
	laid        func(*trace.Trace) (*trace.Trace, error)

	maxUnpacked int64 // Options.MaxUnpacked
	outline     bool  // Options.Outline

	own *os.File // that OpenFile was given; nil: Name leads to the file
}

// A Report is a profile.Report together with what its file knows beyond the
// model.
type Report struct {
	*profile.Report
	ncu      *ncuReport
	names    []string
	sections amdgpu.Sections
}

// MetricNames are the names that metrics of launches may have; nil where that is
// not known before all were looked at.
func (r *Report) MetricNames() []string { return r.names }

// Options say how to open files; the zero value is good.
type Options struct {
	MaxUnpacked int64 // bytes that a compressed file may unpack to; 0: what its format allows for its size
	// Outline says that no more will be asked than how much of everything a file holds:
	// of a large one it may then be counted, and read only when more is asked.
	Outline bool
	// Alone leaves out annotation files (.nvtxt) that lie beside a report.
	Alone bool
}

// Open opens the file of a name, or reads standard input (-) or a pipe whole, up to
// MaxPipe bytes. The caller closes it.
func Open(ctx context.Context, name string) (*File, error) { return Options{}.Open(ctx, name) }

// Open opens the file of a name, or the folder that is one profile. The caller
// closes it.
func (o Options) Open(ctx context.Context, name string) (*File, error) {
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		return o.openFolder(ctx, name)
	}
	in, err := openInput(ctx, name)
	if err != nil {
		return nil, err
	}
	f, err := o.OpenReader(ctx, in, in.size, in.name)
	if err != nil {
		in.close()
		if e := in.changed(); e != nil {
			return nil, errors.Join(e, err)
		}
		return nil, err
	}
	f.close = in.close
	if in.stream {
		return f, nil
	}
	f.joinSession()
	if !o.Alone {
		if err := f.annotate(ctx); err != nil {
			f.Close()
			return nil, err
		}
	}
	return f, nil
}

// OpenReader opens a profile of the given size in bytes; name tells its
// extension and stands in messages.
func OpenReader(in io.ReaderAt, size int64, name string) (*File, error) {
	return Options{}.OpenReader(context.Background(), in, size, name)
}

// OpenReader is the function OpenReader with options.
func (o Options) OpenReader(ctx context.Context, in io.ReaderAt, size int64, name string) (*File, error) {
	return o.readInto(&File{Name: name, in: in}, ctx, size)
}

// OpenFile opens a regular file that the caller has opened, as one does that keeps
// to some folders: nothing that lies beside it is read into it. name is what
// messages call it. The File closes it, and so does an error.
func (o Options) OpenFile(ctx context.Context, own *os.File, name string) (*File, error) {
	in, err := openFile(ctx, own, name)
	if err != nil {
		return nil, err
	}
	f, err := o.readInto(&File{Name: name, in: in, own: own}, ctx, in.size)
	if err != nil {
		own.Close()
		return nil, err
	}
	f.close = in.close
	return f, nil
}

// Path is where the file lies: its name, unless it was opened by OpenFile. On
// systems that have such names it is that of the open file itself, so that it leads
// to no other.
func (f *File) Path() string {
	if f.own == nil {
		return f.Name
	}
	if path := fmt.Sprintf("/proc/self/fd/%d", f.own.Fd()); exists(path) {
		return path
	}
	return f.own.Name()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readInto reads what in f is opened but not read.
func (o Options) readInto(f *File, ctx context.Context, size int64) (*File, error) {
	in, name := f.in, f.Name
	head := make([]byte, min(size, headSize))
	if n, err := in.ReadAt(head, 0); n < len(head) {
		return nil, fmt.Errorf("%s: expected %d bytes, found %d: %w", name, len(head), n, err)
	}
	if size == 0 {
		return nil, unknown(name + ": expected a profile, found an empty file")
	}
	f.Size, f.opening, f.maxUnpacked, f.outline = size, ctx, o.MaxUnpacked, o.Outline
	defer func() { f.opening = nil }()
	row := sniff(head, name)
	switch {
	case row == nil && (bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))):
		return nil, unknown(name + ": expected a profile, found text in UTF-16, which no profiler writes: convert it to UTF-8")
	case row == nil && besideROCm(head, name) != "":
		return nil, unknown(fmt.Sprintf("%s: expected a profile, found %s", name, besideROCm(head, name)))
	case row == nil:
		return nil, unknown(fmt.Sprintf("%s: expected a profile, found %s", name, beginning(head)))
	case row.open == nil:
		return nil, unknown(fmt.Sprintf("%s: this seems to be a file of the kind %q, which gpuprof does not read yet", name, row.name))
	}
	f.Format, f.article, f.holds, f.database = row.name, row.article, row.holds, row.database
	if err := row.open(f); err != nil {
		return nil, err
	}
	return f, nil
}

// Kind is the format with its article, for sentences: "an AMD CodeXL trace (.atp)".
func (f *File) Kind() string { return withArticle(f.article, f.Format) }

// Remark is what is worth saying about a file in which nothing is wrong: that it
// holds no rows. "" for none.
func (f *File) Remark() string { return f.remark }

// LastRead is the offset of what was last read of the file; -1: not known.
func (f *File) LastRead() int64 {
	if in, ok := f.in.(*input); ok {
		return in.last.Load()
	}
	return -1
}

// Close releases the file.
func (f *File) Close() error {
	if f.close == nil {
		return nil
	}
	return f.close()
}

// Problems are the parts of the file that could not be read, a line each.
func (f *File) Problems() []string {
	out := append([]string(nil), f.problems...)
	if f.Report != nil {
		for _, p := range f.Report.Report.Problems {
			out = append(out, p.Text)
		}
	}
	return append(out, f.AMD.problems()...)
}
