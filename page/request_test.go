package page_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// outputs is a sink that keeps what goes to each output; one of them is full.
type outputs map[string]string

var errFull = errors.New("no space left")

func (outputs) Note(string)       {}
func (outputs) Progress(int, int) {}

func (o outputs) Put(_ context.Context, a *page.Answer) error {
	var b bytes.Buffer
	to := io.Writer(&b)
	if a.Output == "full" {
		to = full{}
	}
	err := a.Write(to, nil)
	o[a.Output] += b.String()
	return err
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestFurtherOutputs: a page has several outputs of several kinds in one request,
// and an error says whether it is one of the output or of what was read.
func TestFurtherOutputs(t *testing.T) {
	broken := errors.New("broken input")
	p := &page.Page{
		Name: "probe", MaxArgs: -1, Unopened: true,
		Build: func(ctx context.Context, q *page.Request) (*view.Document, error) {
			for _, name := range q.Args {
				err := q.Write(ctx, name, func(w io.Writer) error {
					if name == "broken" {
						return broken
					}
					_, err := fmt.Fprintf(w, "for %s\n", name)
					return err
				})
				if err != nil {
					return nil, err
				}
			}
			return &view.Document{Title: "probe"}, nil
		},
	}
	to := outputs{}
	q := page.Request{Page: p, Args: []string{"junit.xml", "a.sarif", "-"}, Forms: []string{"md"}, Outputs: []string{"probe.md"}}
	if _, err := page.Run(t.Context(), q, to); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"junit.xml": "for junit.xml\n", "a.sarif": "for a.sarif\n", "": "for -\n"} {
		if to[name] != want {
			t.Errorf("output %q is %q, want %q", name, to[name], want)
		}
	}
	if to["probe.md"] == "" || len(to) != 4 {
		t.Errorf("outputs are %q, want the document beside the three", to)
	}
	for name, kind := range map[string]error{"full": page.ErrOutput, "broken": page.ErrInput} {
		if _, err := page.Run(t.Context(), page.Request{Page: p, Args: []string{name}}, to); !errors.Is(err, kind) {
			t.Errorf("%s: error %v, want one that matches %v", name, err, kind)
		}
	}
	if _, err := p.Do(t.Context(), &page.Request{Args: []string{"x"}}); !errors.Is(err, page.ErrOutput) {
		t.Errorf("without a run: error %v, want one that matches %v", err, page.ErrOutput)
	}
}
