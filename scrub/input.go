package scrub

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/format/kineto"
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/format/nsysdb"
	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/format/rocm"
)

// ErrUnsupported is wrapped by the errors about files that cannot be scrubbed.
var ErrUnsupported = errors.New("cannot be scrubbed")

// A Target takes a scrubbed file.
type Target interface {
	io.Writer
	io.WriterAt
}

// An Input is an opened file.
type Input struct {
	Name   string
	Format string // as users call it
	// Notes tell what a user should know of how the file is written.
	Notes []string
	// Progress, if set, is told how many of the bytes to be read have been read.
	Progress func(done, of int)

	size  int64
	in    *source
	close func() error
	walk  walker
}

// A walker goes over the texts of a file and writes it with what edit returns; out
// is nil where nothing is to be written.
type walker func(ctx context.Context, out Target, edit func(Text) []byte) error

// Close closes the file.
func (in *Input) Close() error { return in.close() }

// Open opens a file and finds out its format by its beginning.
func Open(name string) (*Input, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a regular file: %w", name, ErrUnsupported)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	in := &Input{Name: name, size: st.Size(), close: f.Close}
	in.in = &source{f: f, of: in}
	if err := in.sniff(); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// A source tells how far reading is.
type source struct {
	f    *os.File
	of   *Input
	read atomic.Int64
	told atomic.Int64
}

func (s *source) ReadAt(b []byte, at int64) (int, error) {
	n, err := s.f.ReadAt(b, at)
	const step = 8 << 20
	if done := s.read.Add(int64(n)); s.of.Progress != nil && s.of.size > step {
		if told := s.told.Load(); done-told > step && s.told.CompareAndSwap(told, done) {
			s.of.Progress(int(min(done, 2*s.of.size)>>10), int(2*s.of.size>>10)) // it is read twice
		}
	}
	return n, err
}

const gzipMagic = "\x1f\x8b"

func (in *Input) sniff() error {
	head := make([]byte, 4096)
	n, err := in.in.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return err
	}
	head = head[:n]
	switch {
	case ncurep.Sniff(head):
		return in.openNcu()
	case bytes.HasPrefix(head, []byte(nsysdb.Magic)):
		return in.openSQLite()
	case bytes.HasPrefix(head, []byte(nsysrep.Magic)):
		return in.openNsysRep()
	case bytes.HasPrefix(head, []byte(gzipMagic)):
		return in.openGzip()
	}
	if rocm.Sniff(head, in.Name) == rocm.KindPerfetto {
		return in.openPerfetto()
	}
	return in.openText(head, in.Name)
}

const ncuFormat = "Nsight Compute report"

func (in *Input) openNcu() error {
	in.Format = ncuFormat
	f, err := ncurep.Open(in.in, in.size, in.Name)
	if err != nil {
		return err
	}
	if p := f.Problems(); p != nil {
		return fmt.Errorf("%s: a damaged report is not rewritten: %w", in.Name, p)
	}
	in.walk = func(_ context.Context, out Target, edit func(Text) []byte) error {
		e := f.Edit()
		e.Texts(func(t ncurep.Text) []byte {
			return edit(Text{Place: t.Place, Bytes: t.Bytes, Fixed: t.Fixed, Blob: t.Blob, Kind: ncuKind(t.Place)})
		})
		if out == nil {
			_, err := e.WriteTo(io.Discard)
			return err
		}
		return e.WriteSameTo(out)
	}
	return nil
}

// ncuKind tells what the fields hold that are taken out by wish.
func ncuKind(place string) Kind {
	switch place {
	case "source.Files.Files.Text", "source.PTX", "source.SASS":
		return Source
	case "source.Files.Files.Path":
		return Path
	case "source.Cubin":
		return Cubin
	case "result.FunctionName", "result.MangledName", "result.DemangledName", "source.Functions.Functions.MangledName":
		return Name
	}
	return None
}

func (in *Input) openNsysRep() error {
	in.Format = "Nsight Systems report"
	f, err := nsysrep.Open(in.in, in.size, in.Name)
	if err != nil {
		return err
	}
	in.walk = func(_ context.Context, out Target, edit func(Text) []byte) error {
		var w io.Writer = io.Discard
		if out != nil {
			w = out
		}
		return f.Rewrite(w, func(t nsysrep.Text) []byte {
			return edit(Text{Place: t.Place, Bytes: t.Bytes, Fixed: t.Fixed, Blob: t.Blob})
		})
	}
	return nil
}

func (in *Input) openPerfetto() error {
	in.Format = "Perfetto trace"
	in.walk = func(ctx context.Context, out Target, edit func(Text) []byte) error {
		return in.through(ctx, out, func(w io.Writer, r io.Reader) error {
			return rocm.RewritePerfetto(w, r, func(place string, b []byte, fixed, blob bool) []byte {
				return edit(Text{Place: place, Bytes: b, Fixed: fixed, Blob: blob})
			})
		})
	}
	return nil
}

// openGzip opens what a packed file holds; it is packed again when written.
func (in *Input) openGzip() error {
	z, err := gzip.NewReader(io.NewSectionReader(in.in, 0, in.size))
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	head := make([]byte, 4096)
	n, err := io.ReadFull(z, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	head = head[:n]
	if bytes.HasPrefix(head, []byte(nsysdb.Magic)) {
		return in.openPackedSQLite()
	}
	name := strings.TrimSuffix(in.Name, filepath.Ext(in.Name))
	if rocm.Sniff(head, name) == rocm.KindPerfetto {
		return in.openPerfetto()
	}
	return in.openText(head, name)
}

// stream is how a text is copied with its texts edited.
type stream func(w io.Writer, r io.Reader, edit func(place string, b []byte) []byte) error

// textExtensions are those of texts that lie beside profiles: tables, what profilers
// print, their settings.
var textExtensions = []string{".csv", ".txt", ".log", ".out", ".err", ".yaml", ".yml"}

// openText finds out which text a file is.
func (in *Input) openText(head []byte, name string) error {
	var s stream
	ext := strings.ToLower(filepath.Ext(name))
	body := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.IndexByte(head, 0) >= 0:
	case len(body) > 0 && (body[0] == '{' || body[0] == '[') && bytes.Contains(head, []byte("rocprofiler-sdk")):
		in.Format, s = "rocprofv3 JSON file", rocm.RewriteJSON
	case len(body) > 0 && (body[0] == '{' || body[0] == '['):
		in.Format, s = "Chrome trace", kineto.RewriteTexts
	case ext == ".atp", ext == ".occupancy", ext == ".csv" && bytes.Contains(head, []byte("ExecutionOrder")):
		in.Format = "AMD CodeXL file"
		s = func(w io.Writer, r io.Reader, edit func(string, []byte) []byte) error {
			return amd.RewriteTexts(w, r, ext != ".atp", edit)
		}
	case ext == ".nvtxt":
		in.Format, s = "NVTXT annotation file", nvtxt.RewriteTexts
	case slices.Contains(textExtensions, ext):
		in.Format = "text"
		s = func(w io.Writer, r io.Reader, edit func(string, []byte) []byte) error {
			return rocm.RewriteText(w, r, ext == ".csv", edit)
		}
	}
	if s == nil {
		return fmt.Errorf("%s: expected a report of Nsight Compute or Nsight Systems, SQLite, a Chrome or Perfetto trace, .atp, .csv, .occupancy, .nvtxt, .txt, .log or .yaml: %w", in.Name, ErrUnsupported)
	}
	in.walk = func(ctx context.Context, out Target, edit func(Text) []byte) error {
		return in.stream(ctx, out, s, edit)
	}
	return nil
}

// stream copies a text, packed as it is.
func (in *Input) stream(ctx context.Context, out Target, s stream, edit func(Text) []byte) (err error) {
	return in.through(ctx, out, func(w io.Writer, r io.Reader) error {
		return s(w, r, func(place string, b []byte) []byte { return edit(Text{Place: place, Bytes: b}) })
	})
}

// through copies a file by a function, which gets it unpacked; it is packed again.
func (in *Input) through(ctx context.Context, out Target, copy func(w io.Writer, r io.Reader) error) (err error) {
	var r io.Reader = &canceled{ctx, io.NewSectionReader(in.in, 0, in.size)}
	var w io.Writer = io.Discard
	if out != nil {
		w = out
	}
	head := make([]byte, len(gzipMagic))
	if n, _ := in.in.ReadAt(head, 0); string(head[:n]) == gzipMagic {
		if r, err = gzip.NewReader(r); err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
		r = &limited{r: r, left: 1<<20 + 1100*in.size, name: in.Name}
		z := gzip.NewWriter(w)
		defer func() {
			if e := z.Close(); err == nil {
				err = e
			}
		}()
		w = z
		if out == nil {
			w = io.Discard
		}
	}
	err = copy(w, r)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	return nil
}

// canceled reads until its context ends.
type canceled struct {
	ctx context.Context
	r   io.Reader
}

func (c *canceled) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}

// limited refuses what unpacks to more than its packing can be meant for.
type limited struct {
	r    io.Reader
	left int64
	name string
}

func (l *limited) Read(b []byte) (int, error) {
	n, err := l.r.Read(b)
	if l.left -= int64(n); l.left < 0 {
		return 0, fmt.Errorf("it unpacks to more than 1100 times its size: %w", ErrUnsupported)
	}
	return n, err
}

// Cannot says what of the things that are taken out by wish cannot be told apart from
// the rest in a file of this format. Names of kernels can, if [Options.Names] has them.
func (in *Input) Cannot(d Drop) (out []string) {
	if in.Format == ncuFormat {
		return nil
	}
	if d.Sources {
		out = append(out, "sources")
	}
	if d.Cubins {
		out = append(out, "cubins")
	}
	if d.Paths {
		out = append(out, "paths")
	}
	return out
}
