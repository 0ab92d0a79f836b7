package simlog

import (
	"bufio"
	"bytes"

	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
	"github.com/gpuprof/gpuprof/format/internal/packed"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// ErrUnrecognized is wrapped by the error that [Open] returns for a file that is
// none of the formats of this package.
var ErrUnrecognized = errors.New("not a simulator's access log")

// Open opens an input by its content: a log or generic CSV (plain, gzip or zstd),
// a generic Parquet file, or a folder of SCALE-Sim traces. The name "-" is
// standard input.
func Open(ctx context.Context, name string, opts Options) (Source, error) {
	if name == "-" {
		return NewSource(ctx, name, os.Stdin, opts)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	var src Source
	switch {
	case fi.IsDir():
		f.Close()
		return OpenScaleSim(ctx, os.DirFS(name), name)
	case isParquet(f):
		src, err = NewParquetReader(ctx, name, f, fi.Size())
	default:
		src, err = NewSource(ctx, name, f, opts)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &closing{Source: src, c: f}, nil
}

func isParquet(r io.ReaderAt) bool {
	var magic [4]byte
	n, _ := r.ReadAt(magic[:], 0)
	return n == 4 && string(magic[:]) == "PAR1"
}

// closing closes a file with its source.
type closing struct {
	Source
	c io.Closer
}

func (s *closing) Close() error { return errors.Join(s.Source.Close(), s.c.Close()) }

// sniffLen is how much of an input is looked at to tell its format.
const sniffLen = 64 << 10

// NewSource reads a stream whose format it tells by its beginning: gzip and zstd
// are undone, then it is a generic access log if its first line that is no # line
// names the columns of one, and a simulator's log otherwise.
//
// A simulator's log may begin with anything, even with 64 KB of options, so text
// without any familiar line is taken for one too: its [Tally] will say that there
// was no access. Only binary data is refused.
func NewSource(ctx context.Context, name string, r io.Reader, opts Options) (Source, error) {
	plain, closer, err := decompress(name, r, opts.MaxUnpacked)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewReaderSize(plain, sniffLen)
	head, err := buf.Peek(sniffLen)
	if err != nil && len(head) == 0 && err != io.EOF {
		return nil, &FormatError{File: name, Want: "data", Found: err.Error(), Err: err}
	}
	var src Source
	switch {
	case bytes.IndexByte(head[:min(len(head), 512)], 0) >= 0:
		return nil, &FormatError{File: name, Offset: int64(bytes.IndexByte(head, 0)), Want: "text", Found: "a zero byte", Err: ErrUnrecognized}
	case looksLikeTable(head):
		src = NewTableReader(ctx, buf)
	default:
		src = NewReader(ctx, buf, opts)
	}
	if closer != nil {
		src = &closing{Source: src, c: closer}
	}
	return src, nil
}

// decompress undoes gzip and zstd.
func decompress(name string, r io.Reader, most int64) (io.Reader, io.Closer, error) {
	buf := bufio.NewReaderSize(r, chunkSize)
	count := &packed.Counter{R: buf}
	limited := func(plain io.Reader) io.Reader {
		if most > 0 {
			return packed.NewReader(name, plain, count, most)
		}
		return packed.NewLogReader(name, plain, count)
	}
	magic, _ := buf.Peek(4)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(count)
		if err != nil {
			return nil, nil, &FormatError{File: name, Want: "a gzip header", Found: err.Error(), Err: cursor.ErrCorrupt}
		}
		return limited(z), z, nil
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(count, zstd.WithDecoderMaxMemory(256<<20), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, nil, &FormatError{File: name, Want: "a zstd frame", Found: err.Error(), Err: cursor.ErrCorrupt}
		}
		c := z.IOReadCloser()
		return limited(c), c, nil
	}
	return buf, nil, nil
}

// looksLikeTable tells whether the first line that is no # line names columns.
func looksLikeTable(head []byte) bool {
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte{'\n'})
		head = rest
		if len(bytes.TrimSpace(line)) == 0 || line[0] == '#' {
			continue
		}
		if len(line) > 4096 {
			return false
		}
		// Two of the names are enough: what is missing is the reader's to say.
		n := 0
		for f := range strings.SplitSeq(strings.TrimPrefix(string(line), "\ufeff"), ",") {
			for _, c := range Columns {
				if strings.EqualFold(strings.Trim(f, " \r\""), c.Name) {
					n++
				}
			}
		}
		return n >= 2
	}
	return false
}
