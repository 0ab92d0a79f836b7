package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/catalogue"
	"github.com/gpuprof/gpuprof/view"
)

// A shown page is one that the viewer has.
type shown struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Kinds   []string `json:"kinds"` // of files that have the page, as openFile.Kinds has them; null: the page wants no file
	options []string
}

// anyFile stands for every kind of file.
const anyFile = "any"

// pages are those that the viewer shows, and the options that a request may set:
// none that names a file, a folder or a program.
var pages = []shown{
	{"summary", "Summary", []string{"report"}, append(filters, "sort", "apply-rules", "rule")},
	{"details", "Details", []string{"report"}, append(filters, "print-details", "print-summary", "print-rule-details", "section", "set", "apply-rules", "rule")},
	{"source", "Source", []string{"report"}, append(filters, "print-source", "metrics", "sort", "limit")},
	{"raw", "Metrics", []string{"report"}, append(filters, "metrics")},
	{"stats", "Stats", []string{"trace"}, []string{"report", "filter-time", "filter-nvtx"}},
	{"analyze", "Analysis", []string{"trace"}, []string{"report", "rule", "filter-time", "filter-nvtx"}},
	{"flame", "Flame", []string{"trace"}, []string{"by", "order", "name", "thread", "pixels", "window", "filter-time"}},
	{"query", "SQL", []string{"trace"}, []string{"recipe", "limit", "sql"}},
	{"session", "Session", []string{"report", "trace"}, []string{"all-attributes"}},
	{"nvtxt check", "Annotations", []string{"notes"}, []string{"dialect"}},
	{"nvtxt info", "Annotation Files", []string{"notes"}, []string{"dialect"}},
	{"info", "About", []string{anyFile}, nil},
	{"lifetimes", "Lifetimes", []string{"log"}, []string{"end", "within"}},
	{"occupancy", "Occupancy", nil, []string{"device", "vgprs", "sgprs", "agprs", "lds", "workgroup", "registers", "shared", "block", "sweep"}},
	{"sections", "Sections", nil, nil},
	{"sets", "Sets", nil, nil},
	{"rules", "Rules", nil, nil},
}

var filters = slices.Clip([]string{"kernel-name", "kernel-id", "launch-skip", "launch-count", "nvtx-include", "nvtx-exclude",
	"print-units", "print-kernel-base"})

// queryTime bounds what one request may compute; queryTimeout, in seconds, what
// SQL may.
const (
	queryTime    = 60 * time.Second
	queryTimeout = "10"
)

// fits reports whether a file has the page.
func (p *shown) fits(o *openFile) bool {
	return slices.ContainsFunc(p.Kinds, func(k string) bool { return k == anyFile || slices.Contains(o.Kinds, k) })
}

func (s *Server) listPages(w http.ResponseWriter, _ *http.Request) { writeJSON(w, pages) }

// page answers with the Document of a page: with text for people, or, with
// format=json, csv or md, what the command writes.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	name, query := r.PathValue("name"), r.URL.Query()
	i := slices.IndexFunc(pages, func(p shown) bool { return p.Name == name })
	if i < 0 || catalogue.Lookup(name) == nil {
		http.Error(w, "there is no such page", http.StatusNotFound)
		return
	}
	q := &page.Request{Format: view.FormatJSON, Values: map[string][]string{}}
	for k, v := range query {
		switch {
		case k == "file", k == "format":
		case k == "sql" && name == "query":
		case slices.Contains(pages[i].options, k):
			q.Values[k] = v
		default:
			http.Error(w, "the viewer does not take the option "+k, http.StatusBadRequest)
			return
		}
	}
	p := catalogue.Lookup(name)
	var used []*openFile
	for _, id := range query["file"] {
		o, err := s.lookup(id)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		q.Args = append(q.Args, o.path)
		if p.Load {
			q.Files = append(q.Files, o.file)
			used = append(used, o)
		}
	}
	if len(q.Args) < p.MinArgs || p.MaxArgs >= 0 && len(q.Args) > p.MaxArgs {
		http.Error(w, "the page wants "+p.Args, http.StatusBadRequest)
		return
	}
	s.addSections(p, q)
	if name == "query" {
		q.Values["timeout"] = []string{queryTimeout}
	}
	if sql := query.Get("sql"); sql != "" {
		q.Args = append(q.Args, sql)
	}
	s.render(w, r, p, q, used)
}

func (s *Server) render(w http.ResponseWriter, r *http.Request, p *page.Page, q *page.Request, used []*openFile) {
	format := r.URL.Query().Get("format")
	ctx, cancel := context.WithTimeout(r.Context(), queryTime)
	defer cancel()
	f := view.FormatJSON
	types := map[string]string{"": "application/json", "json": "application/json",
		"csv": "text/csv; charset=utf-8", "md": "text/markdown; charset=utf-8"}
	if types[format] == "" {
		http.Error(w, "format is none of json, csv, md", http.StatusBadRequest)
		return
	}
	if format != "" {
		f = view.Format(format)
	}
	q.Format = f
	var told notes
	q.Note = told.add
	b, err := s.build(ctx, p, q, used, format == "")
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	if len(told) > 0 {
		w.Header().Set("Gpuprof-Notes", told.header())
	}
	w.Header().Set("Content-Type", types[format])
	w.Header().Set("Cache-Control", "no-store")
	w.Write(b)
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

// build renders a page whole before a byte is sent: a slow client holds no lock.
// Used are the opened files that the page reads; a page that opens its files
// itself, such as SQL, has none and keeps nobody else waiting.
func (s *Server) build(ctx context.Context, p *page.Page, q *page.Request, used []*openFile, cells bool) ([]byte, error) {
	if len(used) == 0 && len(q.Args) > 0 {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	// One order of locking, and each file once, so that no two pages wait for each other.
	used = slices.Clone(used)
	slices.SortFunc(used, func(a, b *openFile) int { return strings.Compare(a.ID, b.ID) })
	for _, o := range slices.Compact(used) {
		o.work.Lock()
		defer o.work.Unlock()
		o.turn(p.Name)
	}
	if q.Given("apply-rules") || q.Given("rule") { // what is applied is for this page alone
		defer dropResults(used)
	}
	doc, err := p.Do(ctx, q)
	if err != nil {
		return nil, err
	}
	o := q.ViewOptions()
	o.Cells = cells
	var b bytes.Buffer
	err = view.Render(&b, doc, q.Format, o)
	return b.Bytes(), err
}

// dropResults takes back the results of rules that were applied.
func dropResults(used []*openFile) {
	for _, o := range used {
		if o.file.Report != nil {
			for _, a := range o.file.Report.Actions() {
				a.DropAddedRuleResults()
			}
		}
	}
}
