package web

import (
	"context"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/catalogue"
	"github.com/gpuprof/gpuprof/view"
)

// probe is a page that nothing but its row declares.
var probe = &page.Page{
	Name: "probe", Short: "Say how much there is", Group: page.GroupTool,
	Args: "FILE...", MinArgs: 1, MaxArgs: -1, Needs: load.Launches,
	Options: []page.Option{{Name: "of", Kind: page.Choice, Values: []string{"this", "that"}, Default: "this", Remote: true}, {Name: "path", Kind: page.Text}},
	Build: func(_ context.Context, q *page.Request) (*view.Document, error) {
		s := view.Section{ID: "probe", Title: "Probe of " + q.Text("of")}
		s.AddMessage(&view.Message{Type: view.OK, Text: "There is a file."})
		return &view.Document{Title: "probe", Sections: []view.Section{s}}, nil
	},
}

// TestNewPageIsShown: a page is in the viewer by its row, with the options that the
// row lets it set, and so is one that once was missing.
func TestNewPageIsShown(t *testing.T) {
	s := startWith(t, Options{Pages: append(catalogue.Pages(), probe)}, example)
	get := func(path string, want int) string {
		status, body := ask(t, s, "GET", path, nil, nil)
		if status != want {
			t.Errorf("%s: status %d, want %d: %.200s", path, status, want, body)
		}
		return body
	}
	all := get("/api/pages", 200)
	for _, want := range []string{`{"name":"probe","title":"Probe","short":"`, `"kinds":["launches"],"options":["of"]`, `"name":"advice"`} {
		if !strings.Contains(all, want) {
			t.Errorf("the list of pages lacks %s: %s", want, all)
		}
	}
	if body := get("/api/page/probe?file=0&of=that", 200); !strings.Contains(body, "Probe of that") {
		t.Error(body)
	}
	get("/api/page/probe?file=0&path=x", 400)
	get("/api/page/probe", 400)
	get("/api/page/advice?file=0&apply-rules=no", 200)
	get("/api/page/convert?file=0", 404)
}
