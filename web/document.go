package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// maxFiles is how many files a page may be asked about at once.
const maxFiles = 100

// A listing is what a viewer is told of a page.
type listing struct {
	Name    string              `json:"name"`
	Title   string              `json:"title"`
	Short   string              `json:"short"`   // what it is for
	Kinds   []string            `json:"kinds"`   // of files that have the page, as openFile.Kinds has them; null: the page wants no file
	Options []string            `json:"options"` // that a request may set
	First   map[string][]string `json:"first"`   // values of options to ask with first
	Part    string              `json:"part"`    // option that names one of the reports of the page; "": it has none
	Console bool                `json:"console"` // it shows nothing until it is asked something
}

// listings are the pages that the viewer has: those that a face may
// show which names no files but opened ones.
func (s *Server) listings() []listing {
	out := []listing{}
	for _, p := range s.pages {
		if p.Remote() {
			out = append(out, listingOf(p))
		}
	}
	return out
}

func listingOf(p *page.Page) listing {
	l := listing{Name: p.Name, Title: p.Heading(), Short: p.Short, Options: []string{}, First: p.First, Console: p.Console}
	if p.Parts != nil {
		l.Part = p.Parts.Option
	}
	if p.Needs != load.Nothing {
		l.Kinds = p.Needs.Names()
	}
	for _, o := range p.Options {
		if o.Remote {
			l.Options = append(l.Options, o.Name)
		}
	}
	return l
}

// queryTime bounds what one request may compute; queryTimeout, in seconds, and queryAnswer what
// SQL may.
const (
	queryTime    = 60 * time.Second
	queryTimeout = "10"
	queryAnswer  = "64" // MiB
)

func (s *Server) listPages(w http.ResponseWriter, _ *http.Request) { writeJSON(w, s.listings()) }

// page answers with the Document of a page: with text for people, or, with
// format=json, csv or md, what the command writes.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	name, query := r.PathValue("name"), r.URL.Query()
	p := s.pages.Lookup(name)
	if p == nil || !p.Remote() && !(p.Sides && p.Output == page.Rendered) { // a page of sides takes two files, old and new
		http.Error(w, "there is no such page", http.StatusNotFound)
		return
	}
	q := page.Request{Page: p, Values: map[string][]string{}}
	for k, v := range query {
		o := p.Option(k)
		switch {
		case k == "file", k == "format":
		case o != nil && o.Remote:
			q.Values[k] = v
		default:
			http.Error(w, "the viewer does not take the option "+k, http.StatusBadRequest)
			return
		}
	}
	if n := len(query["file"]); n > maxFiles {
		http.Error(w, fmt.Sprintf("file: expected at most %d in a request, found %d", maxFiles, n), http.StatusBadRequest)
		return
	}
	var used []*openFile
	for _, id := range query["file"] {
		o, err := s.lookup(id)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		used = append(used, o)
	}
	if len(used) < p.MinArgs || p.MaxArgs >= 0 && len(used) > p.MaxArgs {
		http.Error(w, "the page wants "+p.Args, http.StatusBadRequest)
		return
	}
	s.addSections(p, &q)
	if p.Option("timeout") != nil {
		q.Values["timeout"], q.Values["max-answer"] = []string{queryTimeout}, []string{queryAnswer}
	}
	if p.Option("changes") != nil { // a copy of the file would cost more than time
		q.Values["changes"] = []string{"refuse"}
	}
	s.respond(w, r, q, used)
}

func (s *Server) respond(w http.ResponseWriter, r *http.Request, q page.Request, used []*openFile) {
	format := r.URL.Query().Get("format")
	ctx, cancel := context.WithTimeout(r.Context(), queryTime)
	defer cancel()
	types := map[string]string{"": "application/json", "json": "application/json",
		"csv": "text/csv; charset=utf-8", "md": "text/markdown; charset=utf-8"}
	if types[format] == "" {
		http.Error(w, "format is none of json, csv, md", http.StatusBadRequest)
		return
	}
	to := &response{cells: format == "", limit: maxAnswer}
	q.Forms = []string{cmp.Or(format, string(view.FormatJSON))}
	if err := s.run(ctx, q, used, to); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	if len(to.notes) > 0 {
		w.Header().Set("Gpuprof-Notes", to.notes.header())
	}
	w.Header().Set("Content-Type", types[format])
	w.Header().Set("Cache-Control", "no-store")
	w.Write(to.body.Bytes())
}

// A response gathers an answer whole before a byte is sent: a slow client holds
// no lock.
type response struct {
	body  bytes.Buffer
	notes notes
	cells bool // with the text that people read
	limit int  // bytes that it may have
}

// maxAnswer is what an answer of the server may have, in bytes. What is larger no
// browser shows, and a file of a stranger must not take all memory.
const maxAnswer = 256 << 20

// Write implements io.Writer, up to the limit.
func (r *response) Write(b []byte) (int, error) {
	if r.body.Len()+len(b) > r.limit {
		return 0, fmt.Errorf("the page has more than the %d MB that fit here: ask for less of it, or the command line", r.limit>>20)
	}
	return r.body.Write(b)
}

func (r *response) Note(text string)  { r.notes.add(text) }
func (r *response) Progress(int, int) {}

func (r *response) Put(_ context.Context, a *page.Answer) error {
	return a.Write(r, func(o *view.Options) { o.Cells = r.cells })
}

// notes are what a command would tell beside its output, such as what is wrong
// with a section file. They travel in a header, as the body is the document.
type notes []string

// The bounds of notes: what is more is not told.
const (
	maxNotes = 20
	maxNote  = 300 // runes
)

func (n *notes) add(s string) {
	if r := []rune(s); len(r) > maxNote {
		s = string(r[:maxNote]) + "…"
	}
	if len(*n) < maxNotes && !slices.Contains(*n, s) {
		*n = append(*n, s)
	}
}

// header is a JSON list, escaped so that a header can hold it.
func (n notes) header() string {
	b, _ := json.Marshal(n) // cannot fail for texts
	return url.QueryEscape(string(b))
}

// run answers a request about opened files. A page that opens its files itself,
// such as SQL, keeps nobody else waiting.
func (s *Server) run(ctx context.Context, q page.Request, used []*openFile, to page.Sink) error {
	byPath := map[string]*openFile{}
	for _, o := range used {
		q.Args = append(q.Args, o.path)
		byPath[o.path] = o
	}
	if q.Page.Unopened {
		if len(used) > 0 {
			select {
			case s.slots <- struct{}{}:
				defer func() { <-s.slots }()
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		_, err := page.Run(ctx, q, to)
		return err
	}
	// One order of locking, and each file once, so that no two pages wait for each other.
	used = slices.Clone(used)
	slices.SortFunc(used, func(a, b *openFile) int { return strings.Compare(a.ID, b.ID) })
	for _, o := range slices.Compact(used) {
		o.work.Lock()
		defer o.work.Unlock()
		o.turn(q.Page.Name)
	}
	opener := page.Runner{Open: func(_ context.Context, name string) (*load.File, func() error, error) {
		if o := byPath[name]; o != nil {
			return o.file, nil, nil
		}
		return nil, nil, fmt.Errorf("%s is not open", filepath.Base(name))
	}}
	_, err := opener.Run(ctx, q, to)
	return err
}
