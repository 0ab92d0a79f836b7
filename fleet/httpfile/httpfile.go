// Package httpfile reads files of web servers, and of object stores by the addresses
// that they sign, as if they lay on a disk: a [File] is an [io.ReaderAt] that asks for
// ranges of bytes and keeps the last of them.
//
// It needs no library beside net/http, which the viewer links anyhow: ranges, checks
// that the file stayed the same, and proxies are HTTP (RFC 9110). Signing requests of
// S3, GCS and Azure is not: their tools sign addresses (aws s3 presign, gcloud storage
// sign-url), or mount buckets.
package httpfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	blockSize = 1 << 20
	blocks    = 32 // kept of a file
	tries     = 4
)

// ErrRanges is matched where a server sends whole files alone.
var ErrRanges = errors.New("the server sends no ranges of bytes")

// Is reports whether a name is an address that this package reads.
func Is(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// Name is an address for people: without what it may be signed with.
func Name(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		s, _, _ := strings.Cut(address, "?")
		return s
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// A File is one of a server. It may be read by several goroutines.
type File struct {
	ctx     context.Context
	client  *http.Client
	address string
	size    int64
	tag     string // ETag or date by which it is known to be the same; "": the server gives none
	wait    time.Duration

	mu   sync.Mutex
	kept map[int64]*block
	turn int64
}

type block struct {
	mu   sync.Mutex
	data []byte
	used int64
}

// Open asks for the size of a file. ctx ends its reads, too.
func Open(ctx context.Context, client *http.Client, address string) (*File, error) {
	f := &File{ctx: ctx, client: client, address: address, kept: map[int64]*block{}, wait: 500 * time.Millisecond}
	res, err := f.get(0, 1)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusPartialContent:
		_, total, ok := strings.Cut(res.Header.Get("Content-Range"), "/")
		if f.size, err = strconv.ParseInt(total, 10, 64); !ok || err != nil || f.size < 0 {
			return nil, fmt.Errorf("%s: expected a range with the size of the file, found %q", Name(address), res.Header.Get("Content-Range"))
		}
	case http.StatusRequestedRangeNotSatisfiable: // it is empty
	case http.StatusOK:
		return nil, fmt.Errorf("%s: %w", Name(address), ErrRanges)
	default:
		return nil, fmt.Errorf("%s: expected a file, found %s", Name(address), res.Status)
	}
	f.tag = same(res.Header)
	return f, nil
}

// same is what a file is known by.
func same(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return h.Get("Last-Modified")
}

// Size is that of the file in bytes.
func (f *File) Size() int64 { return f.size }

// get asks for a range, again where the server is busy or the network fails.
func (f *File) get(from, to int64) (res *http.Response, err error) {
	wait := f.wait
	for try := range tries {
		if try > 0 {
			select {
			case <-time.After(wait):
			case <-f.ctx.Done():
				return nil, f.ctx.Err()
			}
			wait *= 2
		}
		var req *http.Request
		if req, err = http.NewRequestWithContext(f.ctx, http.MethodGet, f.address, nil); err != nil {
			return nil, f.plain(err)
		}
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, to-1))
		req.Header.Set("Accept-Encoding", "identity")
		if res, err = f.client.Do(req); err != nil {
			err = f.plain(err)
			continue
		}
		if res.StatusCode < 500 && res.StatusCode != http.StatusTooManyRequests {
			return res, nil
		}
		res.Body.Close()
		err = fmt.Errorf("%s: expected a file, found %s", Name(f.address), res.Status)
	}
	return nil, err
}

// plain is an error of a request without the address, which may be signed.
func (f *File) plain(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	return fmt.Errorf("%s: %w", Name(f.address), err)
}

// ReadAt reads, and keeps blocks of what it read. It is an error if the file has
// changed since it was opened.
func (f *File) ReadAt(p []byte, at int64) (n int, err error) {
	if at < 0 {
		return 0, fmt.Errorf("%s: expected an offset in the file, found %d", Name(f.address), at)
	}
	for n < len(p) {
		if at >= f.size {
			return n, io.EOF
		}
		if whole := (int64(len(p)-n) / blockSize) * blockSize; whole > blocks/4*blockSize && at%blockSize == 0 { // past what is kept
			whole = min(whole, f.size-at)
			if err := f.fetch(p[n:n+int(whole)], at); err != nil {
				return n, err
			}
			n, at = n+int(whole), at+whole
			continue
		}
		data, err := f.block(at / blockSize)
		if err != nil {
			return n, err
		}
		k := copy(p[n:], data[at%blockSize:])
		n, at = n+k, at+int64(k)
	}
	return n, nil
}

// block returns a block, and forgets the one that was not asked for the longest.
func (f *File) block(number int64) ([]byte, error) {
	f.mu.Lock()
	b := f.kept[number]
	if b == nil {
		if len(f.kept) >= blocks {
			oldest, least := int64(0), int64(1)<<62
			for k, x := range f.kept {
				if x.used < least {
					oldest, least = k, x.used
				}
			}
			delete(f.kept, oldest)
		}
		b = &block{}
		f.kept[number] = b
	}
	f.turn++
	b.used = f.turn
	f.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.data != nil {
		return b.data, nil
	}
	from := number * blockSize
	data := make([]byte, min(blockSize, f.size-from))
	if err := f.fetch(data, from); err != nil {
		return nil, err
	}
	b.data = data
	return data, nil
}

// fetch reads a range, again from where a connection broke off.
func (f *File) fetch(p []byte, at int64) error {
	var last error
	for range tries {
		res, err := f.get(at, at+int64(len(p)))
		if err != nil {
			return err
		}
		switch {
		case res.StatusCode != http.StatusPartialContent:
			err = fmt.Errorf("%s: expected %d bytes at %d, found %s", Name(f.address), len(p), at, res.Status)
		case same(res.Header) != f.tag:
			err = fmt.Errorf("%s: it changed while it was read", Name(f.address))
		case !strings.HasPrefix(res.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-%d/", at, at+int64(len(p))-1)):
			err = fmt.Errorf("%s: expected bytes %d to %d, found %q", Name(f.address), at, at+int64(len(p))-1, res.Header.Get("Content-Range"))
		}
		if err != nil {
			res.Body.Close()
			return err
		}
		n, err := io.ReadFull(res.Body, p)
		res.Body.Close()
		if err == nil {
			return nil
		}
		last = f.plain(err)
		p, at = p[n:], at+int64(n)
	}
	return last
}

// Whole reads a file from its begin to its end, for servers without ranges.
func Whole(ctx context.Context, client *http.Client, address string, to io.Writer, most int64) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	f := &File{address: address}
	if err != nil {
		return f.plain(err)
	}
	res, err := client.Do(req)
	if err != nil {
		return f.plain(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: expected a file, found %s", Name(address), res.Status)
	}
	n, err := io.Copy(to, io.LimitReader(res.Body, most+1))
	switch {
	case err != nil:
		return f.plain(err)
	case n > most:
		return fmt.Errorf("%s: expected at most %d bytes, found more", Name(address), most)
	case res.ContentLength >= 0 && n != res.ContentLength:
		return fmt.Errorf("%s: expected %d bytes, found %d", Name(address), res.ContentLength, n)
	}
	return nil
}
