package ranks

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/steps"
)

// extensions are those of the reports that a folder or a tar is searched for.
var extensions = append(load.Endings(load.Timeline), ".gpr")

func isReport(name string) bool { return load.EndsIn(name, extensions) }

// mostInTar is how large a compressed member of a tar may be, for it is read into
// memory.
const mostInTar = 4 << 30

// An input is a report, or a file of partials, that can be read.
type input struct {
	name string
	// read hands over the bytes.
	read func(ctx context.Context, use func(in io.ReaderAt, size int64) error) error
	path string // of a file; "" of a member of a tar
	// found says that nobody named it: it was met in a folder or a tar, where other
	// files lie, too.
	found bool

	options load.Options
}

// inputsOf finds the inputs of a request.
func inputsOf(q *page.Request) ([]input, error) {
	out, err := expand(q.Args)
	for i := range out {
		out[i].options.MaxUnpacked = q.MaxUnpacked
	}
	return out, err
}

// expand finds the inputs that operands name: files, patterns, folders, tars.
func expand(args []string) (out []input, err error) {
	for _, a := range args {
		st, err := os.Stat(a)
		switch {
		case err != nil && strings.ContainsAny(a, "*?["):
			names, bad := filepath.Glob(a)
			if bad != nil || len(names) == 0 {
				return nil, page.Usagef("%s: expected a pattern that matches a file, found none", a)
			}
			more, err := expand(names)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		case err != nil:
			return nil, err
		case st.IsDir():
			n := len(out)
			err := filepath.WalkDir(a, func(p string, d fs.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() && isReport(p) {
					out = append(out, input{name: p, path: p, found: true})
				}
				return err
			})
			if err != nil {
				return nil, err
			}
			if len(out) == n {
				return nil, page.Usagef("%s: expected a folder with reports (%s), found none", a, strings.Join(extensions, ", "))
			}
		case isTar(a):
			more, err := members(a)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		default:
			out = append(out, file(a))
		}
	}
	return out, nil
}

func file(path string) input { return input{name: path, path: path} }

func isTar(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".tar") || strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")
}

// members lists the reports of a tar. Those of a plain one are read where they
// lie, those of a compressed one are held in memory.
func members(path string) (out []input, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var stream io.Reader = f
	packed := !strings.HasSuffix(strings.ToLower(path), ".tar")
	if packed {
		if stream, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	t := tar.NewReader(stream)
	for {
		h, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if h.Typeflag != tar.TypeReg || !isReport(h.Name) {
			continue
		}
		in := input{name: h.Name, found: true}
		if packed {
			var b bytes.Buffer
			if n, err := io.Copy(&b, io.LimitReader(t, mostInTar+1)); err != nil || n > mostInTar {
				return nil, fmt.Errorf("%s: %s: expected at most %d bytes, found more or a broken one: %v", path, h.Name, int64(mostInTar), err)
			}
			in.read = func(_ context.Context, use func(io.ReaderAt, int64) error) error {
				return use(bytes.NewReader(b.Bytes()), int64(b.Len()))
			}
		} else {
			at, err := f.Seek(0, io.SeekCurrent)
			if err != nil {
				return nil, err
			}
			size := h.Size
			in.read = func(_ context.Context, use func(io.ReaderAt, int64) error) error {
				f, err := os.Open(path)
				if err != nil {
					return err
				}
				defer f.Close()
				return use(io.NewSectionReader(f, at, size), size)
			}
		}
		out = append(out, in)
	}
	if len(out) == 0 {
		return nil, page.Usagef("%s: expected a tar with reports (%s), found none", path, strings.Join(extensions, ", "))
	}
	return out, nil
}

// A mapped is what came of an input.
type mapped struct {
	input
	set      *ranks.Set
	partials []*ranks.Partial // once decoded
	err      error            // the whole of it could not be read
	bad      []string

	skipped bool // it is no report
}

// decoded takes the partials out of the set, whose bytes then are no more needed.
func (m mapped) decoded() mapped {
	if m.set == nil {
		return m
	}
	list, bad := m.set.Partials()
	for _, e := range bad {
		m.bad = append(m.bad, fmt.Sprintf("%s: %v", m.name, e))
	}
	m.partials, m.set = list, nil
	return m
}

// mapAll has do read all inputs, several at a time. What is broken is in the
// result, the rest is done.
func mapAll(ctx context.Context, q *page.Request, inputs []input, do func(context.Context, input) mapped) ([]mapped, error) {
	out := make([]mapped, len(inputs))
	next, done := make(chan int), 0
	var mu sync.Mutex
	var all sync.WaitGroup // panics are those of an input: the others go on
	for range min(runtime.GOMAXPROCS(0), len(inputs)) {
		all.Go(func() {
			for i := range next {
				if fault := carry.Catch(func() { out[i] = do(ctx, inputs[i]) }); fault != nil {
					out[i] = mapped{input: inputs[i], set: &ranks.Set{}, err: page.Internal(q.Page.Name, []string{inputs[i].name}, fault)}
				}
				mu.Lock()
				done++
				q.Progress(done, len(inputs))
				mu.Unlock()
			}
		})
	}
	for i := range inputs {
		next <- i
	}
	close(next)
	all.Wait()
	return out, ctx.Err()
}

func mapOne(ctx context.Context, in input, o *steps.Options) mapped {
	m := mapped{input: in, set: &ranks.Set{}}
	if err := ctx.Err(); err != nil {
		m.err = err
		return m
	}
	if strings.HasSuffix(strings.ToLower(in.name), ".gpr") {
		m.err = in.bytes(ctx, func(r io.ReaderAt, size int64) error {
			s, err := ranks.ReadSet(io.NewSectionReader(r, 0, size), in.name)
			var broken *ranks.FormatError
			if errors.As(err, &broken) && s.Len() > 0 {
				m.bad, err = append(m.bad, err.Error()), nil
			}
			m.set = s
			return err
		})
		return m
	}
	m.err = in.open(ctx, func(f *load.File) error {
		if f.Trace == nil {
			return fmt.Errorf("%s: expected a timeline, found %s", f.Name, f.Kind())
		}
		list, err := ranks.Map(ctx, f.Trace, o)
		if err != nil {
			return err
		}
		for _, p := range f.Trace.Problems() {
			m.bad = append(m.bad, p.Error())
		}
		return m.set.Add(list...)
	})
	if in.found && errors.Is(m.err, load.ErrUnknown) && !strings.HasSuffix(strings.ToLower(in.name), ".nsys-rep") {
		m.err, m.skipped = nil, true // such as settings in JSON
	}
	return m
}

// bytes hands over the bytes of an input.
func (in *input) bytes(ctx context.Context, use func(io.ReaderAt, int64) error) error {
	if in.read != nil {
		return in.read(ctx, use)
	}
	f, err := os.Open(in.path)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	return use(f, st.Size())
}

// open opens an input as a profile.
func (in *input) open(ctx context.Context, use func(*load.File) error) error {
	if in.read == nil {
		f, err := in.options.Open(ctx, in.path)
		if err != nil {
			return err
		}
		defer f.Close()
		return use(f)
	}
	return in.read(ctx, func(r io.ReaderAt, size int64) error {
		f, err := in.options.OpenReader(ctx, r, size, in.name)
		if err != nil {
			return err
		}
		defer f.Close()
		return use(f)
	})
}
