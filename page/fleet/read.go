package fleet

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/fleet/httpfile"
	"github.com/gpuprof/gpuprof/load"
)

// each does something with each input of a shard. An input that cannot be read is a
// problem; members of compressed tars are inputs, unpacked one after the other. What
// do wraps in a partError ends the shard.
func each(ctx context.Context, s *fleet.Shard, do func(in *fleet.Input) (problems []string, err error)) (problems []string, err error) {
	one := func(in *fleet.Input) error {
		list, err := do(in)
		problems = append(problems, list...)
		var fatal partError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &fatal):
			return fatal.error
		case err != nil && !foreign(in, err):
			problems = append(problems, named(in, err))
		}
		return nil
	}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if !isArchive(in) {
			err = one(in)
		} else if broken := unpack(ctx, in, func(member *fleet.Input) error {
			err = one(member)
			return err
		}); err == nil && broken != nil {
			problems, err = append(problems, named(in, broken)), ctx.Err()
		}
		if err != nil {
			return nil, err
		}
	}
	return problems, nil
}

// A partError is one of writing the part.
type partError struct{ error }

// archives are names of compressed tars.
var archives = []string{".tar.gz", ".tgz", ".tar.zst", ".tzst"}

func isArchive(in *fleet.Input) bool {
	return in.To == 0 && slices.ContainsFunc(archives, func(e string) bool { return strings.HasSuffix(strings.ToLower(in.Name), e) })
}

// unpack writes each profile of a compressed tar to a file, one after the other.
func unpack(ctx context.Context, in *fleet.Input, do func(*fleet.Input) error) error {
	at, size, done, err := bytesOf(ctx, in)
	if err != nil {
		return err
	}
	defer done()
	var from io.Reader
	if packed := io.NewSectionReader(at, 0, size); strings.HasSuffix(strings.ToLower(in.Name), "gz") {
		from, err = gzip.NewReader(packed)
	} else {
		var z *zstd.Decoder
		if z, err = zstd.NewReader(packed, zstd.WithDecoderConcurrency(1)); err == nil {
			defer z.Close()
			from = z
		}
	}
	if err != nil {
		return err
	}
	from = &bounded{from, max(freeUnpacked, mostRatio*size)}
	dir, err := os.MkdirTemp("", "gpuprof-fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	found := 0
	for t := tar.NewReader(from); ; {
		h, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg || h.Size == 0 || !isProfile(h.Name) {
			continue
		}
		found++
		path := filepath.Join(dir, filepath.Base(filepath.FromSlash(h.Name)))
		if err := write(path, t); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
		err = do(&fleet.Input{Name: in.Name + "/" + h.Name, Path: path, Size: h.Size, Met: true, Group: in.Group})
		os.Remove(path)
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
	}
	if found == 0 {
		return fmt.Errorf("expected a tar with %s, found none", strings.Join(measurements, ", "))
	}
	return nil
}

// A compressed tar may unpack to so many bytes, or to so many times its size: profiles
// pack by a factor of 10 to 30.
const (
	freeUnpacked = 64 << 20
	mostRatio    = 50
)

// bounded is a reader of what an archive unpacks to, which ends with an error where that
// is too much.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("expected an archive that unpacks to at most %d times its size, found one that unpacks to more: unpack it first", mostRatio)
	}
	return n, err
}

// isProfile reports whether a name is that of what any work takes.
func isProfile(name string) bool {
	return slices.ContainsFunc(measurements, func(e string) bool { return strings.HasSuffix(strings.ToLower(name), e) })
}

func write(path string, from io.Reader) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// mostWhole bounds files of servers that send no ranges.
const mostWhole = 64 << 30

// bytesOf opens the bytes of an input.
func bytesOf(ctx context.Context, in *fleet.Input) (at io.ReaderAt, size int64, done func(), err error) {
	var file *os.File
	done = func() { file.Close() }
	if !httpfile.Is(in.Path) {
		file, err = os.Open(in.Path)
	} else {
		var f *httpfile.File
		if f, err = httpfile.Open(ctx, http.DefaultClient, in.Path); err == nil {
			at, size, done = f, f.Size(), func() {}
		} else if errors.Is(err, httpfile.ErrRanges) {
			if file, err = os.CreateTemp("", "gpuprof-fleet-*"); err == nil {
				done = func() { file.Close(); os.Remove(file.Name()) }
				if err = httpfile.Whole(ctx, http.DefaultClient, in.Path, file, mostWhole); err != nil {
					done()
				}
			}
		}
	}
	if err != nil {
		return nil, 0, nil, err
	}
	if file != nil {
		st, err := file.Stat()
		if err != nil {
			done()
			return nil, 0, nil, err
		}
		at, size = file, st.Size()
	}
	if in.To > 0 {
		if in.From < 0 || in.To < in.From || in.To > size {
			done()
			return nil, 0, nil, fmt.Errorf("expected %d bytes, found %d: the file is shorter than it was", in.To, size)
		}
		at, size = io.NewSectionReader(at, in.From, in.To-in.From), in.To-in.From
	}
	return at, size, done, nil
}

// isFile reports whether an input is a file of this machine by itself.
func isFile(in *fleet.Input) bool { return in.To == 0 && !httpfile.Is(in.Path) }

// open opens an input as a profile.
func open(ctx context.Context, in *fleet.Input) (*load.File, func(), error) {
	if isFile(in) {
		f, err := load.Open(ctx, in.Path)
		if err != nil {
			return nil, nil, err
		}
		return f, func() { f.Close() }, nil
	}
	at, size, done, err := bytesOf(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	f, err := load.Options{}.OpenReader(ctx, at, size, in.Name)
	if err != nil {
		done()
		return nil, nil, err
	}
	return f, func() { f.Close(); done() }, nil
}

// damage is what could not be read of an input; as an error where a report has no
// launch left. What of a timeline cannot be read is known when it was read.
func damage(in *fleet.Input, f *load.File) (problems []string, err error) {
	for _, text := range f.Problems() {
		problems = append(problems, named(in, errors.New(text)))
	}
	if f.Report != nil && len(problems) > 0 && len(f.Report.Actions()) == 0 {
		return problems, errors.New("expected kernel launches, found none that can be read")
	}
	if f.Trace != nil {
		for _, p := range f.Trace.Problems() {
			problems = append(problems, named(in, p))
		}
	}
	return problems, nil
}

// asFile is the path of an input as a file of this machine, which done removes if it
// was made for it.
func asFile(ctx context.Context, in *fleet.Input) (path string, done func(), err error) {
	if isFile(in) {
		return in.Path, func() {}, nil
	}
	at, size, closed, err := bytesOf(ctx, in)
	if err != nil {
		return "", nil, err
	}
	defer closed()
	dir, err := os.MkdirTemp("", "gpuprof-fleet-")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, filepath.Base(filepath.FromSlash(in.Name)))
	if err := write(path, io.NewSectionReader(at, 0, size)); err != nil {
		os.RemoveAll(dir)
		return "", nil, err
	}
	return path, func() { os.RemoveAll(dir) }, nil
}

// encoded writes a list as lines of JSON.
func encoded[T any](enc interface{ Encode(any) error }, list []T) error {
	for i := range list {
		if err := enc.Encode(&list[i]); err != nil {
			return partError{err}
		}
	}
	return nil
}
