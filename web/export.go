package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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
// answer questions, such as SQL, are left out. Of Options it heeds MaxUnpacked. An
// error of w is a *WriteError.
func Export(ctx context.Context, w io.Writer, names []string, o Options) error {
	s := newServer()
	s.options = o
	defer s.close()
	for _, n := range names {
		if f := s.open(ctx, n); f.Error != "" {
			return errors.New(f.Error)
		}
	}
	before, behind, err := around()
	if err != nil {
		return err
	}
	b := &bundle{w: w}
	b.write(before, []byte(`{"files":`))
	b.json(s.files)
	listings := []listing{}
	for _, p := range s.saveable() {
		listings = append(listings, listingOf(p))
	}
	b.write([]byte(`,"pages":`))
	b.json(listings)
	b.write([]byte(`,"documents":{`))
	err = s.saveDocuments(ctx, b)
	b.write([]byte(`},"timelines":{`))
	err = cmp.Or(err, s.saveTimelines(ctx, b))
	b.write([]byte("}}"), behind)
	return cmp.Or(err, b.err)
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

func (s *Server) saveDocuments(ctx context.Context, b *bundle) error {
	first := true
	for _, o := range s.files {
		for _, p := range s.saveable() {
			if p.Needs&o.file.Holds() == 0 {
				continue
			}
			to := &response{cells: true, limit: int(savedFree + savedFor*o.Size)}
			err := s.run(ctx, page.Request{Page: p, Values: p.First, Forms: []string{string(view.FormatJSON)}}, []*openFile{o}, to)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			b.key(p.Name+" "+o.ID, &first)
			if err != nil { // the page then shows why
				b.json(err.Error())
			} else {
				b.write(to.body.Bytes())
			}
		}
	}
	return nil
}

func (s *Server) saveTimelines(ctx context.Context, b *bundle) error {
	first := true
	for _, o := range s.files {
		if o.file.Trace == nil {
			continue
		}
		x, err := timeline.Build(ctx, o.file.Trace)
		if err != nil {
			return err
		}
		saved, err := saveTimeline(ctx, x)
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

func (b *bundle) write(parts ...[]byte) {
	for _, p := range parts {
		if b.err != nil {
			return
		}
		if _, err := b.w.Write(p); err != nil {
			b.err = &WriteError{err}
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

// around are the parts of the page before and behind the data, with the assets.
func around() (before, behind []byte, err error) {
	var parts [3][]byte
	for i, n := range []string{"index.html", "style.css", "app.js"} {
		b, err := dist.ReadFile("dist/" + n)
		if err != nil {
			return nil, nil, err
		}
		parts[i] = b
	}
	const style, script = `<link rel="stylesheet" href="style.css">`, `<script type="module" src="app.js"></script>`
	head, rest, ok := bytes.Cut(parts[0], []byte(style))
	middle, tail, also := bytes.Cut(rest, []byte(script))
	if !ok || !also {
		return nil, nil, fmt.Errorf("index.html: expected %s and then %s", style, script)
	}
	js := bytes.ReplaceAll(parts[2], []byte("</script"), []byte(`<\/script`))
	before = bytes.Join([][]byte{head, []byte(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"><style>`),
		parts[1], []byte("</style>"), middle, []byte(`<script type="application/json" id="saved">`)}, nil)
	return before, bytes.Join([][]byte{[]byte(`</script><script type="module">`), js, []byte("</script>"), tail}, nil), nil
}
