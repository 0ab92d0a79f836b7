package mcp

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/gpuprof/gpuprof/load"
)

// An openFile is a file that calls have read, kept for the next ones. While work is
// held one request reads it: files load parts of themselves on first use.
type openFile struct {
	name  string
	path  string
	stamp stamp
	work  sync.Mutex
	ready sync.Once
	file  *load.File
	err   error

	users int    // guarded by Server.mu
	used  uint64 // when it was used last, by the count of uses; guarded by Server.mu
}

// A stamp tells whether a file changed.
type stamp struct {
	at   time.Time
	size int64
}

// mostFiles is how many files are kept open.
const mostFiles = 16

// take returns the open file of what was found, for one request, which gives it
// back by release.
func (s *Server) take(ctx context.Context, f *found) (*openFile, error) {
	now := stamp{f.info.ModTime(), f.info.Size()}
	s.mu.Lock()
	i := slices.IndexFunc(s.files, func(o *openFile) bool { return o.path == f.path() })
	var o *openFile
	switch {
	case i >= 0 && s.files[i].stamp == now:
		o = s.files[i]
	case i >= 0: // it changed: who reads the old one keeps it
		s.drop(s.files[i])
		s.files = slices.Delete(s.files, i, i+1)
	}
	if o == nil {
		o = &openFile{name: f.name, path: f.path(), stamp: now}
		s.files = append(s.files, o)
	}
	o.users++
	s.uses++
	o.used = s.uses
	s.mu.Unlock()
	o.ready.Do(func() {
		in, err := f.open()
		if err == nil {
			o.file, err = load.Options{MaxUnpacked: s.maxUnpacked}.OpenFile(context.WithoutCancel(ctx), in, f.name)
		}
		o.err = err
	})
	if o.err != nil {
		s.release(o, true)
		return nil, o.err
	}
	return o, nil
}

// release gives a file back; broken ones are not kept.
func (s *Server) release(o *openFile, broken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o.users--
	i := slices.Index(s.files, o)
	if i >= 0 && broken {
		s.files = slices.Delete(s.files, i, i+1)
		i = -1
	}
	if i < 0 {
		s.drop(o)
	}
	for len(s.files) > mostFiles {
		oldest := slices.MinFunc(s.files, func(a, b *openFile) int { return int(a.used) - int(b.used) })
		s.files = slices.DeleteFunc(s.files, func(f *openFile) bool { return f == oldest })
		s.drop(oldest)
	}
}

// drop closes a file that is kept no more, once nobody reads it. s.mu is held.
func (s *Server) drop(o *openFile) {
	if o.users == 0 && o.file != nil {
		o.file.Close() // of a file that was read: there is nothing to lose
		o.file = nil
	}
}
