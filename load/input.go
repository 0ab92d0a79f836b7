package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// MaxPipe is how much is read of an input that has no size and no places, such as
// standard input: more must be in a file.
const MaxPipe = 1 << 30

// stdin is what messages call standard input.
const stdin = "standard input"

// An input is what a name leads to.
type input struct {
	io.ReaderAt
	size   int64
	name   string // for messages
	stream bool   // it was read whole; there are no files beside it
	close  func() error
	last   atomic.Int64
}

// ReadAt reads, and remembers where: an internal error tells it.
func (in *input) ReadAt(b []byte, at int64) (int, error) {
	in.last.Store(at)
	return in.ReaderAt.ReadAt(b, at)
}

// openInput opens a file, or reads standard input (-) or a pipe to its end. What
// can be neither is told by what it is.
func openInput(ctx context.Context, name string) (*input, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if name == "-" {
		return openFile(ctx, os.Stdin, stdin)
	}
	st, err := os.Stat(name)
	if err == nil {
		err = unfit(name, st)
	}
	if err != nil {
		return nil, missing(name, err)
	}
	if st.Mode()&fs.ModeNamedPipe == 0 {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		return openFile(ctx, f, name)
	}
	// Opening waits until there is a writer, which may be never.
	f, err := wait(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		return nil, err
	}
	return openFile(ctx, f, name)
}

// unfit says why what is no regular file and no pipe cannot be read.
func unfit(name string, st fs.FileInfo) error {
	what := ""
	switch m := st.Mode(); {
	case m.IsRegular(), m&fs.ModeNamedPipe != 0:
		return nil
	case m.IsDir():
		what = "a folder"
	case m&fs.ModeSocket != 0:
		what = "a socket"
	case m&fs.ModeCharDevice != 0:
		what = "a device for characters, such as a terminal"
	case m&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = "something else: " + m.Type().String()
	}
	return unknown(fmt.Sprintf("%s: expected a file, found %s", name, what))
}

// openFile takes over an open file: it closes it if there is an error.
func openFile(ctx context.Context, f *os.File, name string) (in *input, err error) {
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := unfit(name, st); err != nil {
		return nil, err
	}
	if st.Mode().IsRegular() {
		return &input{ReaderAt: f, size: st.Size(), name: name, close: f.Close}, nil
	}
	b, err := wait(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(f, maxPipe+1)) })
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case int64(len(b)) > maxPipe:
		return nil, fmt.Errorf("%s: found more than %d bytes, expected at most as many of what is no file: write it into one", name, maxPipe)
	case len(b) == 0:
		return nil, unknown(name + ": expected a profile, found the end of the input at once")
	}
	return &input{ReaderAt: bytes.NewReader(b), size: int64(len(b)), name: name, stream: true, close: f.Close}, nil
}

var maxPipe int64 = MaxPipe // tests set it lower

// wait waits for f, but no longer than for the end of the context. What f waits
// for may never come; it is then left waiting.
func wait[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// changed tells of a file whose size is no longer that which it had when it was
// opened; nil if it has it, or if there is no telling.
func (in *input) changed() error {
	f, ok := in.ReaderAt.(*os.File)
	if !ok {
		return nil
	}
	st, err := f.Stat()
	if err != nil || st.Size() == in.size {
		return nil
	}
	return fmt.Errorf("%s: %w: it had %d bytes when it was opened and has %d now", in.name, errChanged, in.size, st.Size())
}

var errChanged = errors.New("the file changes while it is read")
