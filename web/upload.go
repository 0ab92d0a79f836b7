package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/view/visible"
)

// maxUpload is what a dropped file may have at most, in bytes. Larger ones are named on the command line,
// where they need not be copied.
const maxUpload = 1 << 30

// maxName is how long the name of one may be, in bytes: as long as most systems
// take, with room for what we set before and behind names.
const maxName = 200

// Dropped files are kept in a folder of this name in that for temporary files.
// While its server lives it holds the lock in it; the next server that needs a
// folder removes those of the dead.
const (
	uploadFolder = "gpuprof-upload-"
	uploadLock   = ".lock"
)

// sweepUploads removes the folders of servers that did not end as they should.
func sweepUploads(tmp string) {
	left, err := filepath.Glob(filepath.Join(tmp, uploadFolder+"*"))
	if err != nil {
		return
	}
	for _, dir := range left {
		if st, err := os.Lstat(dir); err == nil && st.IsDir() && atomicfile.Abandoned(filepath.Join(dir, uploadLock)) {
			os.RemoveAll(dir) // one of another user stays
		}
	}
}

// upload takes a dropped file: the body, with its name in the query. Only the
// last part of the name is kept, and each file gets a folder of its own.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	name := filepath.Base(filepath.Clean("/" + r.URL.Query().Get("name")))
	switch {
	case name == "/" || name == ".":
		http.Error(w, "name is missing", http.StatusBadRequest)
		return
	case len(name) > maxName || strings.ContainsFunc(name, visible.Dangerous) || !utf8.ValidString(name):
		http.Error(w, fmt.Sprintf("name: expected at most %d bytes of text without control characters, found %d bytes", maxName, len(name)), http.StatusBadRequest)
		return
	}
	if r.ContentLength > s.maxUpload {
		http.Error(w, "file is larger than 1 GiB: name it on the command line", http.StatusRequestEntityTooLarge)
		return
	}
	path, err := s.store(name, http.MaxBytesReader(w, r.Body, s.maxUpload))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		http.Error(w, "file is larger than 1 GiB: name it on the command line", http.StatusRequestEntityTooLarge)
	case err != nil:
		http.Error(w, "the file could not be received", http.StatusInternalServerError)
	default:
		writeJSON(w, s.open(r.Context(), path))
	}
}

func (s *Server) store(name string, body io.Reader) (string, error) {
	s.mu.Lock()
	if s.uploads == "" {
		sweepUploads(os.TempDir())
		dir, err := os.MkdirTemp("", uploadFolder)
		if err == nil {
			s.uploading, err = atomicfile.Hold(filepath.Join(dir, uploadLock))
		}
		if err != nil {
			s.mu.Unlock()
			return "", err
		}
		s.uploads = dir
	}
	s.mu.Unlock()
	dir, err := os.MkdirTemp(s.uploads, "")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, body)
	if err = errors.Join(err, f.Close()); err != nil {
		os.RemoveAll(dir)
	}
	return path, err
}
