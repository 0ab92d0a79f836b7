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
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/stats"
)

// The bounds of saved queries.
const (
	maxQuery   = 64 << 10 // bytes of one
	maxQueries = 1000
)

// queriesFile is where saved queries are kept: in the user's configuration, so
// that they are found again whatever the port of the server.
func queriesFile() (string, error) {
	base, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "gpuprof", "queries.json"), nil
}

// readQueries reads the saved queries: SQL by name. No file is no query.
func readQueries(name string) (map[string]string, error) {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, err
	}
	q := map[string]string{}
	if err := json.Unmarshal(b, &q); err != nil {
		return nil, fmt.Errorf("%s: %w; expected an object of names and SQL", name, err)
	}
	return q, nil
}

// savedQueries answers GET with the saved queries; PUT adds one, its name in the
// query and its SQL in the body, and DELETE removes one.
func (s *Server) savedQueries(w http.ResponseWriter, r *http.Request) {
	s.queries.Lock()
	defer s.queries.Unlock()
	file, err := queriesFile()
	var all map[string]string
	if err == nil {
		all, err = readQueries(file)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	name := strings.TrimSpace(r.URL.Query().Get("name"))
	switch r.Method {
	case http.MethodGet:
		writeJSON(w, all)
		return
	case http.MethodPut:
		sql, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxQuery))
		switch {
		case err != nil:
			http.Error(w, fmt.Sprintf("a saved query has at most %d bytes", maxQuery), http.StatusRequestEntityTooLarge)
			return
		case name == "" || len(name) > 200:
			http.Error(w, "a saved query has a name of 1 to 200 bytes", http.StatusBadRequest)
			return
		case all[name] == "" && len(all) >= maxQueries:
			http.Error(w, fmt.Sprintf("there are %d saved queries; forget one", len(all)), http.StatusInsufficientStorage)
			return
		}
		all[name] = string(sql)
	case http.MethodDelete:
		delete(all, name)
	}
	b, _ := json.MarshalIndent(all, "", " ") // cannot fail for texts
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
		err = atomicfile.WriteBytes(file, append(b, '\n'))
		if err == nil {
			writeJSON(w, all)
			return
		}
	}
	http.Error(w, "the query could not be saved in "+file, http.StatusInternalServerError)
}

// metric answers with what is known of a metric by its name.
func (s *Server) metric(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	o, err := s.lookup(r.URL.Query().Get("file"))
	if err != nil {
		writeJSON(w, section.FactsOf(name, nil))
		return
	}
	o.work.Lock()
	defer o.work.Unlock()
	var carried []*section.Definition
	if f := o.file; f != nil && f.Report != nil {
		if as := f.Report.Actions(); len(as) > 0 {
			carried, _ = f.Report.Sections(as[0]) // what can be read of them
		}
	}
	writeJSON(w, section.FactsOf(name, carried))
}

// listReports lists the reports of the page of stats, by name.
func listReports(w http.ResponseWriter, _ *http.Request) {
	type named struct {
		Name  string `json:"name"`
		Title string `json:"title"`
		Rule  bool   `json:"rule"`
	}
	var out []named
	for _, r := range stats.Reports() {
		out = append(out, named{r.Name, r.Title, r.Rule})
	}
	writeJSON(w, out)
}
