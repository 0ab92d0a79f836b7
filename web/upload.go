package web

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

// maxUpload is what a dropped file may have at most, in bytes. Larger ones are named on the command line,
// where they need not be copied.
const maxUpload = 1 << 30

// upload takes a dropped file: the body, with its name in the query. Only the
// last part of the name is kept, and each file gets a folder of its own.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	name := filepath.Base(filepath.Clean("/" + r.URL.Query().Get("name")))
	if name == "/" || name == "." {
		http.Error(w, "name is missing", http.StatusBadRequest)
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
		dir, err := os.MkdirTemp("", "gpuprof-")
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
