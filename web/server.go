package web

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
)

//go:embed dist
var dist embed.FS

// A Server shows files in a browser. Make one with [Listen].
type Server struct {
	token, host, port string
	listener          net.Listener
	uploads           string // folder of dropped files; "" until there is one

	mu    sync.RWMutex // guards files; held to write only while one is added
	files []*openFile

	queries sync.Mutex // guards the file of saved queries

	slots chan struct{} // holds one for each page that reads its files anew, such as SQL
}

// maxSlots is how many pages that read their files anew are made at once; others wait.
const maxSlots = 4

func newServer() *Server { return &Server{slots: make(chan struct{}, maxSlots)} }

// An openFile is a file of the session. Its ID, not its path, names it in
// requests: no request names a path.
type openFile struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Format   string   `json:"format"`
	Size     int64    `json:"size"`
	Kind     string   `json:"kind"`  // "report", "trace", or "" for others
	Error    string   `json:"error"` // why it cannot be shown
	Log      bool     `json:"log"`   // of a simulator: there are lifetimes
	Notes    bool     `json:"notes"` // text annotations: they have messages of their own
	Problems []string `json:"problems"`

	path     string
	file     *load.File
	work     sync.Mutex   // file loads parts of itself on first use: one page of it at a time
	timeline http.Handler // once asked for; guarded by work
}

// Listen takes an address, which must be a loopback one, and opens the files.
// A file that cannot be opened is shown with its error.
func Listen(ctx context.Context, addr string, names []string) (*Server, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", addr, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("address %q: expected a loopback address such as 127.0.0.1:0", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	bound := l.Addr().(*net.TCPAddr)
	s := newServer()
	s.listener, s.token, s.host, s.port = l, newToken(), bound.IP.String(), strconv.Itoa(bound.Port)
	for _, n := range names {
		s.open(ctx, n)
	}
	return s, nil
}

// URL is the address to open; the token stands in its fragment, which browsers
// send to nobody.
func (s *Server) URL() string {
	return "http://" + net.JoinHostPort(s.host, s.port) + "/#token=" + s.token
}

func (s *Server) open(ctx context.Context, name string) *openFile {
	o := &openFile{Name: filepath.Base(name), path: name}
	f, err := load.Open(ctx, name)
	if err != nil {
		o.Error = err.Error()
	} else {
		o.file, o.Format, o.Size, o.Problems = f, f.Format, f.Size, f.Problems()
		o.Notes = f.Format == "NVTXT annotation file"
		o.Log = strings.HasPrefix(f.Format, "log of a GPU simulator")
		switch {
		case f.Report != nil:
			o.Kind = "report"
		case f.Trace != nil:
			o.Kind = "trace"
		}
	}
	s.mu.Lock()
	o.ID = strconv.Itoa(len(s.files))
	s.files = append(s.files, o)
	s.mu.Unlock()
	return o
}

// lookup returns the opened file of an ID.
func (s *Server) lookup(id string) (*openFile, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(s.files) {
		return nil, fmt.Errorf("file %q is not open", id)
	}
	if o := s.files[i]; o.Error != "" {
		return nil, errors.New(o.Error)
	}
	return s.files[i], nil
}

// Serve answers requests until the context ends, then lets those that run finish
// for a moment.
func (s *Server) Serve(ctx context.Context) error {
	srv := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 60 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	stopped := context.AfterFunc(ctx, func() {
		t, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if srv.Shutdown(t) != nil {
			srv.Close()
		}
	})
	defer stopped()
	err := srv.Serve(s.listener)
	s.close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (s *Server) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.files {
		if o.file != nil {
			o.work.Lock()
			o.file.Close()
			o.work.Unlock()
		}
	}
	if s.uploads != "" {
		os.RemoveAll(s.uploads)
	}
}

// Handler answers all requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	static, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is embedded
	}
	mux.Handle("GET /", http.FileServerFS(static))
	mux.HandleFunc("GET /api/files", s.listFiles)
	mux.HandleFunc("GET /api/pages", s.listPages)
	mux.HandleFunc("GET /api/recipes", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, page.Recipes()) })
	mux.HandleFunc("GET /api/page/{name}", s.page)
	mux.HandleFunc("GET /api/metric", s.metric)
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		mux.HandleFunc(method+" /api/queries", s.savedQueries)
	}
	mux.HandleFunc("POST /api/upload", s.upload)
	s.timelineRoutes(mux)
	return s.guard(mux)
}

func (s *Server) listFiles(w http.ResponseWriter, _ *http.Request) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	writeJSON(w, s.files)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v) // fails only when the client has gone
}
