package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/timeline"
	"github.com/gpuprof/gpuprof/view"
)

// An exported page may have savedFree bytes, and savedFor times those of its file.
// In place of a longer one stands why: no browser would show it.
const (
	savedFree = 32 << 20
	savedFor  = 10
)

// Export writes one HTML file that shows the pages of files without a server:
// the assets and the Documents, each as the viewer would get it. Pages that
// answer questions, such as SQL, are left out. Of Options it heeds MaxUnpacked
// and TimelineBytes. An error of w is a *WriteError.
func Export(ctx context.Context, w io.Writer, names []string, o Options) error {
	s := newServer()
	s.options = o
	defer s.close()
	for _, n := range names {
		if f := s.open(ctx, n); f.Error != "" {
			return errors.New(f.Error)
		}
	}
	return s.export(ctx, w, s.files)
}

// export is Export of files that are open.
func (s *Server) export(ctx context.Context, w io.Writer, files []*openFile) error {
	before, behind, err := around()
	if err != nil {
		return err
	}
	out := &bundle{w: w}
	out.write(before)
	// Documents repeat themselves: packed they have a tenth of their size.
	text := base64.NewEncoder(base64.StdEncoding, out)
	packed := gzip.NewWriter(text)
	b := &bundle{w: packed}
	b.write([]byte(`{"files":`))
	b.json(files)
	listings := []listing{}
	for _, p := range s.saveable() {
		listings = append(listings, listingOf(p))
	}
	b.write([]byte(`,"pages":`))
	b.json(listings)
	b.write([]byte(`,"directions":`))
	b.json(compare.Directions())
	b.write([]byte(`,"documents":{`))
	err = s.saveDocuments(ctx, b, files)
	b.write([]byte(`},"timelines":{`))
	err = cmp.Or(err, s.saveTimelines(ctx, b, files))
	b.write([]byte(`},"notes":`))
	b.json(s.savedNotes(files))
	b.write([]byte("}"))
	if err := cmp.Or(err, b.err); err != nil {
		return err
	}
	packed.Close() // what goes wrong from here on, out tells
	text.Close()
	out.write(behind)
	return out.err
}

// saveable are the pages that an exported file has.
func (s *Server) saveable() (out []*page.Page) {
	for _, p := range s.pages {
		if p.Remote() && p.Needs != load.Nothing && !p.Console {
			out = append(out, p)
		}
	}
	return out
}

func (s *Server) saveDocuments(ctx context.Context, b *bundle, files []*openFile) error {
	first := true
	for _, o := range files {
		for _, p := range s.saveable() {
			if p.Needs&o.file.Holds() == 0 {
				continue
			}
			for _, v := range savedViews(p) {
				to := &response{cells: true, limit: int(savedFree + savedFor*o.Size)}
				err := s.run(ctx, page.Request{Page: p, Values: v.values, Forms: []string{string(view.FormatJSON)}}, []*openFile{o}, to)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				b.key(v.key+" "+o.ID, &first)
				b.document(to, err)
			}
		}
	}
	return s.saveComparisons(ctx, b, files, &first)
}

// An exported file has the comparisons of any two of so many reports of launches, and of any
// two of so many launches.
const (
	mostCompared = 4
	mostPaired   = 4
)

// saveComparisons saves what each report says against each other one, and what each launch does.
func (s *Server) saveComparisons(ctx context.Context, b *bundle, files []*openFile, first *bool) error {
	var reports []*openFile
	launches := 0
	for _, o := range files {
		if o.file.Report != nil {
			reports = append(reports, o)
			launches += len(o.file.Report.Actions())
		}
	}
	if s.pages.Lookup("diff") == nil || len(reports) > mostCompared {
		return nil
	}
	for _, old := range reports {
		for _, new := range reports {
			if old != new {
				if err := s.saveComparison(ctx, b, old, new, "", map[string][]string{"by": {"launch"}}, first); err != nil {
					return err
				}
			}
			if launches > mostPaired {
				continue
			}
			for i := range old.file.Report.Actions() {
				for k := range new.file.Report.Actions() {
					pair := fmt.Sprintf("%d:%d", i, k)
					if old == new && i == k {
						continue
					}
					if err := s.saveComparison(ctx, b, old, new, " "+pair, map[string][]string{"pair": {pair}, "metrics": {pairedMetrics}}, first); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// pairedMetrics are those that the viewer compares of two launches: not the attributes of
// the device. web/ui/base.ts asks for the same.
const pairedMetrics = "regex:^([^d]|d[^e]|derived)"

func (s *Server) saveComparison(ctx context.Context, b *bundle, old, new *openFile, key string, values map[string][]string, first *bool) error {
	to := &response{cells: true, limit: int(savedFree + savedFor*new.Size)}
	err := s.run(ctx, page.Request{Page: s.pages.Lookup("diff"), Values: values, Forms: []string{string(view.FormatJSON)}}, []*openFile{old, new}, to)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.key("diff"+key+" "+old.ID+","+new.ID, first)
	b.document(to, err)
	return nil
}

// document writes an answer, or why there is none, which the page then shows.
func (b *bundle) document(r *response, err error) {
	if err != nil {
		b.json(err.Error())
	} else {
		b.write(r.body.Bytes())
	}
}

func (s *Server) saveTimelines(ctx context.Context, b *bundle, files []*openFile) error {
	first := true
	for _, o := range files {
		if o.file.Trace == nil {
			continue
		}
		o.work.Lock() // the file may be one that a server shows
		x, err := timeline.Build(ctx, o.file.Trace)
		o.work.Unlock()
		if err != nil {
			return err
		}
		saved, err := saveTimeline(ctx, x, cmp.Or(s.options.TimelineBytes, savedBytes))
		if err != nil {
			return err
		}
		b.key(o.ID, &first)
		b.json(saved)
	}
	return nil
}

// A bundle writes the data of an exported file, one part after the other, so that no
// two of them are in memory.
type bundle struct {
	w   io.Writer
	err error
}

// A WriteError is one of writing an exported file, not of those that it shows.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the writer.
func (e *WriteError) Unwrap() error { return e.Err }

// Write implements io.Writer.
func (b *bundle) Write(p []byte) (int, error) {
	if b.write(p); b.err != nil {
		return 0, b.err
	}
	return len(p), nil
}

func (b *bundle) write(parts ...[]byte) {
	for _, p := range parts {
		if b.err != nil {
			return
		}
		if _, err := b.w.Write(p); err != nil {
			b.err = err
			if e := (*WriteError)(nil); !errors.As(err, &e) {
				b.err = &WriteError{err}
			}
		}
	}
}

// json writes a value. It escapes <, > and &, as documents do, so that no text ends
// the element.
func (b *bundle) json(v any) {
	data, err := json.Marshal(v)
	b.err = cmp.Or(b.err, err)
	b.write(data)
}

// key begins a member of an object.
func (b *bundle) key(name string, first *bool) {
	if !*first {
		b.write([]byte(","))
	}
	*first = false
	b.json(name)
	b.write([]byte(":"))
}

// A savedView is a form in which a page is saved.
type savedView struct {
	key    string
	values map[string][]string
}

// savedViews are those of a page: as it is asked first, and the code by lines too, which stands
// beside the instructions.
func savedViews(p *page.Page) []savedView {
	out := []savedView{{p.Name, p.First}}
	if p.Option("print-source") != nil {
		out = append(out, savedView{p.Name + " cuda", map[string][]string{"print-source": {"cuda"}}})
	}
	return out
}

// exportTime bounds how long a report is written for a browser.
const exportTime = 5 * time.Minute

// saveReport answers with the file that Export writes, of one open file.
func (s *Server) saveReport(w http.ResponseWriter, r *http.Request) {
	o, err := s.lookup(r.URL.Query().Get("file"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), exportTime)
	defer cancel()
	var html bytes.Buffer // an answer is whole before a byte of it is sent
	if err := s.export(ctx, &html, []*openFile{o}); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	// It is saved, never shown: as a page of this server it would run its scripts here.
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", "attachment")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(html.Bytes())
}

// around are the parts of the page before and behind the data, with the assets.
func around() (before, behind []byte, err error) {
	part := map[string][]byte{}
	for _, n := range []string{"index.html", "style.css", "whole.js", "inter.woff2", "mono.woff2"} {
		if part[n], err = dist.ReadFile("dist/" + n); err != nil {
			return nil, nil, err
		}
	}
	css := part["style.css"]
	for _, font := range []string{"inter.woff2", "mono.woff2"} {
		css = bytes.ReplaceAll(css, []byte("./"+font), []byte("data:font/woff2;base64,"+base64.StdEncoding.EncodeToString(part[font])))
	}
	const style, script = `<link rel="stylesheet" href="style.css">`, `<script type="module" src="app.js"></script>`
	head, rest, ok := bytes.Cut(part["index.html"], []byte(style))
	middle, tail, also := bytes.Cut(rest, []byte(script))
	if !ok || !also {
		return nil, nil, fmt.Errorf("index.html: expected %s and then %s", style, script)
	}
	js := bytes.ReplaceAll(part["whole.js"], []byte("</script"), []byte(`<\/script`))
	before = bytes.Join([][]byte{head, []byte(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; font-src data:; img-src data: blob:"><style>`),
		css, []byte("</style>"), middle, []byte(`<script type="application/gzip" id="saved">`)}, nil)
	return before, bytes.Join([][]byte{[]byte(`</script><script type="module">`), js, []byte("</script>"), tail}, nil), nil
}
