package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// notesEnd is what the file of notes has behind the name of the timeline that it
// stands beside: no ending that a folder of profiles is searched for.
const notesEnd = ".notes"

// The bounds of the notes of a timeline.
const (
	maxNotesFile = 1 << 20 // bytes
	mostNotes    = 10_000
)

// A note is a flag on a timeline.
type note struct {
	At   int64  `json:"at"` // ns since the timeline begins
	Text string `json:"text"`
}

// notesOf is the file of a timeline's notes; "" for a dropped file, which ends
// with the server.
func (s *Server) notesOf(o *openFile) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.uploads != "" && strings.HasPrefix(o.path, s.uploads+string(filepath.Separator)) {
		return ""
	}
	return filepath.Clean(o.path) + notesEnd
}

// readNotes reads a file of notes. No file is no note. A link is not followed: who
// made the folder shall not choose what is read and written by it.
func readNotes(name string) ([]note, error) {
	st, err := os.Lstat(name)
	switch {
	case name == "" || errors.Is(err, fs.ErrNotExist):
		return []note{}, nil
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s: found %v, expected a plain file of notes", filepath.Base(name), st.Mode().Type())
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out, err := parseNotes(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return out, nil
}

func parseNotes(r io.Reader) ([]note, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxNotesFile+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxNotesFile {
		return nil, fmt.Errorf("notes have at most %d bytes", maxNotesFile)
	}
	out := []note{}
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, fmt.Errorf(`%w; expected notes: [{"at": nanoseconds since the beginning, "text": "…"}]`, err)
	}
	if out == nil || len(out) > mostNotes {
		return nil, fmt.Errorf("expected a list of at most %d notes", mostNotes)
	}
	return out, nil
}

// keepNotes writes the notes, or removes the file of none. One that holds
// something else stays as it is.
func keepNotes(name string, notes []note) error {
	if _, err := readNotes(name); err != nil {
		return err
	}
	if len(notes) == 0 {
		if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	b, err := json.MarshalIndent(notes, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(name, append(b, '\n'))
}

// notes answers GET with the notes of a timeline and the name of the file that
// keeps them; PUT takes their whole list.
func (s *Server) notes(w http.ResponseWriter, r *http.Request) {
	o, err := s.lookup(r.PathValue("file"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	name := s.notesOf(o)
	s.noting.Lock()
	defer s.noting.Unlock()
	var all []note
	if r.Method == http.MethodPut {
		if all, err = parseNotes(r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if name == "" {
			http.Error(w, o.Name+" was dropped here: its notes stay in the address", http.StatusConflict)
			return
		}
		err = keepNotes(name, all)
	} else {
		all, err = readNotes(name)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	kept := ""
	if name != "" {
		kept = filepath.Base(name)
	}
	writeJSON(w, struct {
		File  string `json:"file"`
		Notes []note `json:"notes"`
	}{kept, all})
}

// savedNotes are those of timelines, by the number of their file, for an exported
// file. Notes that cannot be read are none: the viewer tells of them.
func (s *Server) savedNotes(files []*openFile) map[string][]note {
	out := map[string][]note{}
	for _, o := range files {
		if o.file.Trace == nil {
			continue
		}
		if all, err := readNotes(s.notesOf(o)); err == nil && len(all) > 0 {
			out[o.ID] = all
		}
	}
	return out
}
