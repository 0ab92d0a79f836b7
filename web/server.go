package web

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/internal/loopback"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/catalogue"
	"github.com/gpuprof/gpuprof/query"
)

//go:embed dist
var dist embed.FS

// A Server shows files in a browser. Make one with [Listen].
type Server struct {
	token, host, port string
	listener          net.Listener
	options           Options
	recent            recent
	stand             stand
	life              context.Context // ends with the server
	end               context.CancelFunc
	tasks             sync.WaitGroup // what works for no single request
	uploads           string         // folder of dropped files; "" until there is one
	uploading         io.Closer      // says that the folder is in use
	maxUpload         int64          // bytes of one

	mu      sync.RWMutex // guards files and changes
	files   []*openFile
	changes int // counts what pages should ask for again

	queries sync.Mutex // guards the file of saved queries
	noting  sync.Mutex // guards the files of notes

	once  once
	entry string // folder of the file that leads a browser here; "" for none

	pages page.Pages // those of the catalogue, or others

	slots chan struct{} // holds one for each page that reads its files anew, such as SQL
}

// Options are what the user may ask of a server.
type Options struct {
	Sections      []string   // folders of section files and rules, the first the nearest
	SectionsBelow []string   // the same, with the folders below them
	Pages         page.Pages // nil: those of the catalogue
	OtherUsers    bool       // requests of other users of this machine are answered too
	MaxUnpacked   int64      // load.Options.MaxUnpacked of files
	TimelineBytes int64      // that a timeline may take in an exported file, compressed; 0: 4 MB
	Recent        string     // file that remembers which files were opened; "": nothing is remembered
	State         string     // folder of what outlives the server, such as [StateFolder]; "": nothing does
	KeepAddress   bool       // port and token are those of the run before, and of the next
}

// maxSlots is how many pages that read their files anew are made at once; others wait.
// They share the processors, so that a few that never end keep no other waiting
// until they are stopped.
const maxSlots = 24

func newServer() *Server {
	s := &Server{pages: catalogue.Pages(), slots: make(chan struct{}, maxSlots), maxUpload: maxUpload}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// Listen takes an address, which must be a loopback one, and opens the files.
// A file that cannot be opened is shown with its error.
func Listen(ctx context.Context, addr string, names []string) (*Server, error) {
	return ListenWith(ctx, addr, names, Options{})
}

// ListenWith is Listen with options.
func ListenWith(ctx context.Context, addr string, names []string, options Options) (*Server, error) {
	kept := stand{options.State}
	l, token, err := kept.listen(ctx, addr, options.KeepAddress)
	if err != nil {
		return nil, err
	}
	bound := l.Addr().(*net.TCPAddr)
	s := newServer()
	s.listener, s.token, s.host, s.port = l, token, bound.IP.String(), strconv.Itoa(bound.Port)
	s.options, s.recent, s.stand = options, recent{options.Recent}, kept
	if kept.folder != "" {
		if err := kept.lead(s.origin(), token); err != nil { // a convenience, too
			s.stand = stand{}
		}
	}
	if options.Pages != nil {
		s.pages = options.Pages
	}
	var files []*openFile
	for _, n := range names {
		files = append(files, s.announce(n))
	}
	s.tasks.Go(func() { // pages wait for the files that they show
		for _, o := range files {
			s.read(s.life, o)
		}
		s.recent.add(readable(files)) // a convenience: where it cannot be written nothing is lost
	})
	return s, nil
}

// ErrPort is matched by the errors for ports that cannot be had.
var ErrPort = loopback.ErrPort

// readable are the names of the files that could be opened.
func readable(files []*openFile) (names []string) {
	for _, o := range files {
		if o.Error == "" {
			names = append(names, o.path)
		}
	}
	return names
}

// URL is the address to open; the token stands in its fragment, which browsers
// send to nobody.
func (s *Server) URL() string {
	return s.origin() + "/#token=" + s.token
}

func (s *Server) origin() string { return "http://" + net.JoinHostPort(s.host, s.port) }

// Serve answers requests until the context ends, then lets those that run finish
// for a moment.
func (s *Server) Serve(ctx context.Context) error {
	srv := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 60 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	if !s.options.OtherUsers {
		loopback.WatchPeers(srv)
	}
	s.tasks.Go(func() { s.watch(s.life) })
	down := make(chan struct{})
	stopped := context.AfterFunc(ctx, func() {
		defer close(down)
		s.end() // what works for nobody any more
		t, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		if srv.Shutdown(t) != nil {
			srv.Close()
		}
	})
	err := srv.Serve(s.listener)
	if !stopped() { // answers are still being sent
		<-down
	}
	s.close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// grace is how long requests that run may take to end when the server does.
const grace = 3 * time.Second

func (s *Server) close() {
	s.end()
	s.tasks.Wait()
	if s.stand.folder != "" {
		s.stand.leave(s.token)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.files {
		if o.file != nil {
			o.work.Lock()
			o.file.Close()
			o.work.Unlock()
		}
	}
	for _, dir := range []string{s.uploads, s.entry} {
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	if s.uploading != nil {
		s.uploading.Close()
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
	mux.HandleFunc("GET /api/link", s.tellLink)
	mux.HandleFunc("GET /api/pages", s.listPages)
	mux.HandleFunc("GET /api/directions", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, compare.Directions()) })
	mux.HandleFunc("GET /api/recipes", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, query.Recipes()) })
	mux.HandleFunc("GET /api/page/{name}", s.page)
	mux.HandleFunc("GET /api/metric", s.metric)
	mux.HandleFunc("GET /api/reports", listReports)
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		mux.HandleFunc(method+" /api/queries", s.savedQueries)
	}
	for _, method := range []string{"GET", "PUT"} {
		mux.HandleFunc(method+" /api/notes/{file}", s.notes)
	}
	mux.HandleFunc("POST /api/upload", s.upload)
	mux.HandleFunc("POST /api/once", s.sell)
	mux.HandleFunc("GET /once/{word}", s.redeem(mux))
	mux.HandleFunc("GET /api/changes", s.countChanges)
	mux.HandleFunc("GET /api/export", s.saveReport)
	s.recentRoutes(mux)
	s.timelineRoutes(mux)
	return s.guard(mux)
}

func (s *Server) listFiles(w http.ResponseWriter, _ *http.Request) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	writeJSON(w, append([]*openFile{}, s.files...)) // a list, where there is none too
}

// countChanges answers with a number that is another when a file, a section or
// a rule is.
func (s *Server) countChanges(w http.ResponseWriter, _ *http.Request) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	w.Header().Set("Cache-Control", "no-store")
	writeJSON(w, map[string]int{"changes": s.changes})
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v) // fails only when the client has gone
}
