package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/timeline"
	"github.com/gpuprof/gpuprof/view"
)

// Export returns one HTML file that shows the pages of files without a server:
// the assets and the Documents, each as the viewer would get it. Pages that
// answer questions, such as SQL, are left out.
func Export(ctx context.Context, names []string) ([]byte, error) {
	s := newServer()
	defer s.close()
	for _, n := range names {
		if o := s.open(ctx, n); o.Error != "" {
			return nil, fmt.Errorf("%s", o.Error)
		}
	}
	return s.export(ctx, s.files)
}

// export is Export of files that are open.
func (s *Server) export(ctx context.Context, files []*openFile) ([]byte, error) {
	type bundle struct {
		Files     []*openFile                `json:"files"`
		Pages     []listing                  `json:"pages"`
		Documents map[string]json.RawMessage `json:"documents"`
		Timelines map[string]*savedTimeline  `json:"timelines"`
	}
	b := bundle{Documents: map[string]json.RawMessage{}, Timelines: map[string]*savedTimeline{}}
	var pages []*page.Page
	for _, p := range s.pages {
		if p.Remote() && p.Needs != load.Nothing && !p.Console {
			pages = append(pages, p)
			b.Pages = append(b.Pages, listingOf(p))
		}
	}
	for _, o := range files {
		for _, p := range pages {
			if p.Needs&o.file.Holds() == 0 {
				continue
			}
			for key, values := range savedViews(p) {
				doc, err := s.saved(ctx, p, o, values)
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if err != nil { // the page then shows why
					doc, _ = json.Marshal(err.Error()) // cannot fail for a string
				}
				b.Documents[key+" "+o.ID] = doc
			}
		}
		if o.file.Trace != nil {
			o.work.Lock()
			x, err := timeline.Build(ctx, o.file.Trace)
			o.work.Unlock()
			if err != nil {
				return nil, err
			}
			if b.Timelines[o.ID], err = saveTimeline(ctx, x); err != nil {
				return nil, err
			}
		}
	}
	b.Files = files
	data, err := json.Marshal(b) // escapes <, > and &, so no text ends the element
	if err != nil {
		return nil, err
	}
	return inline(data)
}

// savedViews are the forms in which a page is saved: as it is asked first, and the code by
// lines too, which stands beside the instructions.
func savedViews(p *page.Page) map[string]map[string][]string {
	out := map[string]map[string][]string{p.Name: p.First}
	if p.Option("print-source") != nil {
		out[p.Name+" cuda"] = map[string][]string{"print-source": {"cuda"}}
	}
	return out
}

// saved is the document of a page as the viewer asks for it.
func (s *Server) saved(ctx context.Context, p *page.Page, o *openFile, values map[string][]string) ([]byte, error) {
	to := &response{cells: true}
	err := s.run(ctx, page.Request{Page: p, Values: values, Forms: []string{string(view.FormatJSON)}}, []*openFile{o}, to)
	return to.body.Bytes(), err
}

// saveReport answers with the file that Export writes, of one open file.
func (s *Server) saveReport(w http.ResponseWriter, r *http.Request) {
	o, err := s.lookup(r.URL.Query().Get("file"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), exportTime)
	defer cancel()
	html, err := s.export(ctx, []*openFile{o})
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	// It is saved, never shown: as a page of this server it would run its scripts here.
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", "attachment")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(html)
}

// exportTime bounds how long a report is written for a browser.
const exportTime = 5 * time.Minute

// inline puts the assets and the data into the page.
func inline(data []byte) ([]byte, error) {
	part := map[string][]byte{}
	for _, n := range []string{"index.html", "style.css", "whole.js", "inter.woff2", "mono.woff2"} {
		b, err := dist.ReadFile("dist/" + n)
		if err != nil {
			return nil, err
		}
		part[n] = b
	}
	html, css := part["index.html"], part["style.css"]
	for _, font := range []string{"inter.woff2", "mono.woff2"} {
		css = bytes.ReplaceAll(css, []byte("./"+font), []byte("data:font/woff2;base64,"+base64.StdEncoding.EncodeToString(part[font])))
	}
	js := bytes.ReplaceAll(part["whole.js"], []byte("</script"), []byte(`<\/script`))
	for _, r := range []struct {
		old string
		new [][]byte
	}{
		{`<link rel="stylesheet" href="style.css">`, [][]byte{
			[]byte(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; font-src data:; img-src data: blob:"><style>`), css, []byte("</style>")}},
		{`<script type="module" src="app.js"></script>`, [][]byte{
			[]byte(`<script type="application/json" id="saved">`), data, []byte(`</script><script type="module">`), js, []byte("</script>")}},
	} {
		if !bytes.Contains(html, []byte(r.old)) {
			return nil, fmt.Errorf("index.html: expected %s", r.old)
		}
		html = bytes.Replace(html, []byte(r.old), bytes.Join(r.new, nil), 1)
	}
	return html, nil
}
