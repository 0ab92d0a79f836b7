package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

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
	for _, n := range names {
		o := s.open(ctx, n)
		if o.Error != "" {
			return nil, fmt.Errorf("%s", o.Error)
		}
		for _, p := range pages {
			if p.Needs&o.file.Holds() == 0 {
				continue
			}
			doc, err := s.saved(ctx, p, o)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil { // the page then shows why
				doc, _ = json.Marshal(err.Error()) // cannot fail for a string
			}
			b.Documents[p.Name+" "+o.ID] = doc
		}
		if o.file.Trace != nil {
			x, err := timeline.Build(ctx, o.file.Trace)
			if err != nil {
				return nil, err
			}
			if b.Timelines[o.ID], err = saveTimeline(ctx, x); err != nil {
				return nil, err
			}
		}
	}
	b.Files = s.files
	data, err := json.Marshal(b) // escapes <, > and &, so no text ends the element
	if err != nil {
		return nil, err
	}
	return inline(data)
}

// saved is the document of a page as the viewer first asks for it.
func (s *Server) saved(ctx context.Context, p *page.Page, o *openFile) ([]byte, error) {
	to := &response{cells: true}
	err := s.run(ctx, page.Request{Page: p, Values: p.First, Forms: []string{string(view.FormatJSON)}}, []*openFile{o}, to)
	return to.body.Bytes(), err
}

// inline puts the assets and the data into the page.
func inline(data []byte) ([]byte, error) {
	var parts [3][]byte
	for i, n := range []string{"index.html", "style.css", "app.js"} {
		b, err := dist.ReadFile("dist/" + n)
		if err != nil {
			return nil, err
		}
		parts[i] = b
	}
	html, css := parts[0], parts[1]
	js := bytes.ReplaceAll(parts[2], []byte("</script"), []byte(`<\/script`))
	for _, r := range []struct {
		old string
		new [][]byte
	}{
		{`<link rel="stylesheet" href="style.css">`, [][]byte{
			[]byte(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"><style>`), css, []byte("</style>")}},
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
