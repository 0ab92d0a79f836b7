package web

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
)

// An openFile is a file of the session. Its ID, not its path, names it in
// requests: no request names a path. Once it is ready only what work guards
// changes; a file that is read anew is another openFile of the same ID.
type openFile struct {
	ID       string   `json:"id"`
	Key      string   `json:"key"` // the same whenever the file is opened
	Name     string   `json:"name"`
	Format   string   `json:"format"`
	Size     int64    `json:"size"`
	Kinds    []string `json:"kinds"`   // what it holds, as load.Kinds names it
	Error    string   `json:"error"`   // why it cannot be shown
	Version  int      `json:"version"` // how often it was read anew
	Loading  bool     `json:"loading"`
	Problems []string `json:"problems"`

	path  string
	stamp stamp // of the file when it was read
	file  *load.File
	ready chan struct{} // closed when the file is opened, or cannot be
	work  sync.Mutex    // file loads parts of itself on first use: one page of it at a time

	page string // that was made last; guarded by work

	indexing sync.Mutex
	index    *index // of the timeline, once asked for; guarded by indexing
}

// A stamp tells whether a file changed.
type stamp struct {
	at   time.Time
	size int64
}

func stampOf(path string) (stamp, error) {
	st, err := os.Stat(path)
	if err != nil {
		return stamp{}, err
	}
	return stamp{st.ModTime(), st.Size()}, nil
}

// open adds a file and reads it.
func (s *Server) open(ctx context.Context, name string) *openFile {
	o := s.announce(name)
	s.read(ctx, o)
	return o
}

// announce adds a file that is yet to be read.
func (s *Server) announce(name string) *openFile {
	o := &openFile{Name: filepath.Base(name), Key: keyOf(name), Loading: true, path: name, ready: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	o.ID = strconv.Itoa(len(s.files))
	s.files = append(s.files, o)
	s.changes++
	return o
}

// read opens a file that was announced, or takes the place of one.
func (s *Server) read(ctx context.Context, o *openFile) {
	at, _ := stampOf(o.path) // what is wrong with it, opening tells
	var f *load.File
	var err error
	if fault := carry.Catch(func() { f, err = load.Options{MaxUnpacked: s.options.MaxUnpacked}.Open(ctx, o.path) }); fault != nil {
		err = page.Internal("open", []string{o.Name}, fault)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o.stamp, o.Loading = at, false
	if err != nil {
		o.Error = err.Error()
	} else {
		o.file, o.Format, o.Size, o.Problems = f, f.Format, f.Size, f.Problems()
		o.Kinds = f.Holds().Names()
	}
	s.changes++
	close(o.ready)
}

// reread reads a file anew. The one before stays as it is for the pages that are
// being made of it, and its descriptor is closed when the last of them let go.
func (s *Server) reread(ctx context.Context, old *openFile) {
	o := &openFile{ID: old.ID, Key: old.Key, Name: old.Name, Version: old.Version + 1, path: old.path, ready: make(chan struct{})}
	s.read(ctx, o)
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.files {
		if s.files[i] == old {
			s.files[i] = o
		}
	}
	s.changes++ // now, as pages that ask before get the old one
	old.forget()
}

// lookup returns the opened file of an ID, once it is read.
func (s *Server) lookup(id string) (*openFile, error) {
	s.mu.RLock()
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(s.files) {
		s.mu.RUnlock()
		return nil, fmt.Errorf("file %q is not open", id)
	}
	o := s.files[i]
	s.mu.RUnlock()
	select {
	case <-o.ready:
	case <-s.life.Done():
		return nil, errors.New("the viewer ends")
	}
	if o.Error != "" {
		return nil, errors.New(o.Error)
	}
	return o, nil
}

// largeTrace is the size in bytes above which a timeline keeps the tables of one
// page only, so that memory does not grow with each page that is looked at.
const largeTrace = 256 << 20

// turn makes ready for a page; work is held.
func (o *openFile) turn(page string) {
	if o.page != page && o.file.Trace != nil && o.Size > largeTrace {
		for _, t := range o.file.Trace.Tables() {
			o.file.Trace.Forget(t.Name)
		}
	}
	o.page = page
}
