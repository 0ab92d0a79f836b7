package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// maxRecent is how many files are remembered, and maxRecentSize how long the
// list of them may be.
const (
	maxRecent     = 20
	maxRecentSize = 256 << 10
)

// recent is the list of the files that the user named on command lines, in a
// file of the user's configuration: {"files": [path, ...]}, the latest first.
// Pages name its members by a hash of the path. So a request can open what the
// user has opened before, and nothing else.
type recent struct{ path string } // of the list; "": nothing is remembered

type recentList struct {
	Files []string `json:"files"`
}

func (l recent) read() ([]string, error) {
	if l.path == "" {
		return nil, nil
	}
	f, err := os.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxRecentSize))
	if err != nil {
		return nil, err
	}
	var v recentList
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, fmt.Errorf("%s: expected a list of recent files: %w", l.path, err)
	}
	return v.Files[:min(len(v.Files), maxRecent)], nil
}

// add puts files at the beginning. A list that cannot be read is made anew.
func (l recent) add(names []string) error {
	if l.path == "" || len(names) == 0 {
		return nil
	}
	var v recentList
	for _, n := range names {
		if a, err := filepath.Abs(n); err == nil {
			v.Files = append(v.Files, a)
		}
	}
	old, _ := l.read()
	for _, n := range old {
		if !slices.Contains(v.Files, n) {
			v.Files = append(v.Files, n)
		}
	}
	v.Files = v.Files[:min(len(v.Files), maxRecent)]
	return l.write(v)
}

func (l recent) write(v recentList) error {
	b, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	return atomicfile.WriteBytes(l.path, append(b, '\n'))
}

// keyOf is recentID of the file of a name; "" if there is none.
func keyOf(name string) string {
	full, err := filepath.Abs(name)
	if err != nil {
		return ""
	}
	return recentID(full)
}

func recentID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}

// A recentFile is a member of the list as pages get it.
type recentFile struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Folder string `json:"folder"`
	Gone   bool   `json:"gone"`
	Size   int64  `json:"size"`
	// When it was written; the zero time if it is gone.
	Changed time.Time `json:"changed"`
}

func (s *Server) recentRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/recent", s.listRecent)
	mux.HandleFunc("POST /api/recent/{id}", s.openRecent)
	mux.HandleFunc("DELETE /api/recent", func(w http.ResponseWriter, _ *http.Request) {
		if s.recent.path != "" {
			if err := s.recent.write(recentList{Files: []string{}}); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		writeJSON(w, []recentFile{})
	})
}

// listRecent lists the recent files that are not open.
func (s *Server) listRecent(w http.ResponseWriter, _ *http.Request) {
	names, err := s.recent.read()
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	out := []recentFile{}
	for _, n := range names {
		if s.opened(n) == nil {
			r := recentFile{ID: recentID(n), Name: filepath.Base(n), Folder: filepath.Dir(n)}
			if st, err := os.Stat(n); err == nil {
				r.Size, r.Changed = st.Size(), st.ModTime()
			} else {
				r.Gone = true
			}
			out = append(out, r)
		}
	}
	writeJSON(w, out)
}

// openRecent opens a file of the list, or tells of it where it is open.
func (s *Server) openRecent(w http.ResponseWriter, r *http.Request) {
	names, err := s.recent.read()
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	for _, n := range names {
		if recentID(n) != r.PathValue("id") {
			continue
		}
		o := s.opened(n)
		if o == nil {
			o = s.open(s.life, n)
		}
		s.mu.RLock()
		defer s.mu.RUnlock()
		writeJSON(w, o)
		return
	}
	http.Error(w, "that file is not among the recent ones", http.StatusNotFound)
}

// opened is the open file of an absolute path, or nil.
func (s *Server) opened(path string) *openFile {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, o := range s.files {
		if a, err := filepath.Abs(o.path); err == nil && a == path {
			return o
		}
	}
	return nil
}
