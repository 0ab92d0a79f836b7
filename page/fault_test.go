package page

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/view"
)

// heard is a sink that keeps what it is told.
type heard struct{ notes, text strings.Builder }

func (h *heard) Note(text string)  { h.notes.WriteString(text + "\n") }
func (h *heard) Progress(int, int) {}
func (h *heard) Put(_ context.Context, a *Answer) error {
	return a.Write(&h.text, nil)
}

// reports copies an example to names.
func reports(t *testing.T, names ...string) (paths []string) {
	t.Helper()
	whole, err := os.ReadFile("../examples/transpose.ncu-rep")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// brittle shows the names of files, and panics at those that begin with "evil": in
// its own goroutine, in another, or with an error out of another.
func brittle(_ context.Context, q *Request) (*view.Document, error) {
	d := &view.Document{}
	for _, f := range q.Files {
		var none []int
		switch name := filepath.Base(f.Name); {
		case strings.HasPrefix(name, "evil-error"):
			return nil, carry.Catch(func() { _ = none[7] })
		case strings.HasPrefix(name, "evil-other"):
			var g carry.Group
			g.Go(func() { _ = none[7] })
			g.Wait()
		case strings.HasPrefix(name, "evil"):
			_ = none[7]
		}
		d.Sections = append(d.Sections, view.Section{Title: filepath.Base(f.Name)})
	}
	return d, nil
}

func brittlePage() *Page {
	return &Page{Name: "brittle", Args: "FILE...", MinArgs: 1, MaxArgs: -1, Build: brittle}
}

func TestInternalError(t *testing.T) {
	for _, c := range []struct {
		names        []string
		status       Status
		text, blamed string
		failed       bool
	}{
		{[]string{"a", "b"}, Fine, "a b", "", false},
		{[]string{"evil"}, Fine, "", "evil", true},
		{[]string{"a", "evil", "b"}, Broken, "a b", "evil", false},
		{[]string{"a", "evil-other", "b"}, Broken, "a b", "evil-other", false},
		{[]string{"evil-error", "b"}, Broken, "b", "evil-error", false},
		{[]string{"evil1", "evil2"}, Fine, "", "evil1", true},
	} {
		var h heard
		status, err := Run(t.Context(), Request{Page: brittlePage(), Args: reports(t, c.names...)}, &h)
		said := h.notes.String()
		e, ok := internal(err)
		if ok {
			said += e.Error()
		}
		if ok != c.failed || err != nil && !ok || status != c.status {
			t.Errorf("%v: status %d, error %v", c.names, status, err)
		}
		if got := strings.Join(strings.Fields(h.text.String()), " "); got != c.text {
			t.Errorf("%v: shows %q, expected %q", c.names, got, c.text)
		}
		if c.blamed != "" && (!strings.Contains(said, "internal error in page brittle of file ") || !strings.Contains(said, c.blamed) || !strings.Contains(said, "please report")) ||
			c.blamed == "" && said != "" || strings.Contains(said, "goroutine") {
			t.Errorf("%v: says %q", c.names, said)
		}
	}
}

// What a lazily made table or a stream does is caught too.
func TestInternalErrorWhileWriting(t *testing.T) {
	lazy := brittlePage()
	lazy.Build = func(context.Context, *Request) (*view.Document, error) {
		more := func(func(view.Section) bool) { panic("late") }
		return &view.Document{More: more}, nil
	}
	stream := brittlePage()
	stream.Streams = func(*Request) bool { return true }
	stream.Stream = func(context.Context, *Request, io.Writer) error { panic("late") }
	for _, p := range []*Page{lazy, stream} {
		var h heard
		_, err := Run(t.Context(), Request{Page: p, Args: reports(t, "a")}, &h)
		if e, ok := internal(err); !ok || !strings.Contains(string(e.Stack), "late") || strings.Contains(e.Error(), "late") || e.Offset < 0 {
			t.Errorf("error %v", err)
		}
	}
}

func TestOverwrites(t *testing.T) {
	names := reports(t, "a", "b")
	link := filepath.Join(filepath.Dir(names[0]), "link")
	if err := os.Symlink("b", link); err != nil {
		t.Skip(err)
	}
	for _, out := range []string{names[0], names[1], link, filepath.Dir(link) + "/./a"} {
		var h heard
		_, err := Run(t.Context(), Request{Page: brittlePage(), Args: names, Outputs: []string{out}}, &h)
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "is the input") {
			t.Errorf("%s: error %v", out, err)
		}
	}
	for _, out := range []string{"", "-", "@cat", os.DevNull, names[0] + ".new"} {
		if err := Overwrites(out, names); err != nil {
			t.Error(err)
		}
	}
}
