package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// callTime bounds a call.
const callTime = 60 * time.Second

// A question is a call of a tool as a page understands it.
type question struct {
	page   string
	files  []string // operands
	before int      // of them are the old side of two
	paths  bool     // the page opens them itself: it gets paths that lead there
	values map[string][]string
	narrow string
	next   []string // of the answer; nil: what the files hold says it
}

// answer answers a call.
func (s *Server) answer(ctx context.Context, t *tool, req *sdk.CallToolRequest) *sdk.CallToolResult {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	text, err := s.call(ctx, t, req)
	if err != nil {
		return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: failure(ctx, err)}}}
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

func (s *Server) call(ctx context.Context, t *tool, req *sdk.CallToolRequest) (string, error) {
	args, err := t.parse(req.Params.Arguments)
	if err != nil {
		return "", err
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	to := &answer{brief: args.brief(), progress: progressOf(ctx, req)}
	if t.document != nil && t.own(args) {
		return to.whole(ctx, s, t, args)
	}
	q, err := t.ask(ctx, s, args)
	if err != nil {
		return "", err
	}
	if err := s.run(ctx, t, args, q, to); err != nil {
		return "", err
	}
	return to.body.String(), nil
}

// failure is an error as agents read it: what it quotes of a file stays a quotation.
func failure(ctx context.Context, err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		err = fmt.Errorf("the call took longer than %v: ask for less", callTime)
	case errors.Is(err, context.Canceled):
		err = errors.New("cancelled")
	}
	d := &view.Document{Title: "error", Sections: []view.Section{{ID: "error", Items: []view.Item{{Message: &view.Message{Type: view.Error, Text: err.Error()}}}}}}
	var b bytes.Buffer
	view.Render(&b, d, view.FormatMarkdown, view.Options{Brief: &view.Brief{Budget: 4 << 10}}) // a buffer takes all
	return b.String()
}

// run lets a page answer.
func (s *Server) run(ctx context.Context, t *tool, args arguments, q *question, to *answer) error {
	p := s.pages.Lookup(q.page)
	if p == nil {
		return page.Usagef("there is no page %q", q.page)
	}
	r := page.Request{Page: p, Before: q.before, Values: map[string][]string{}, Forms: []string{string(view.FormatMarkdown)}}
	for _, prm := range t.params {
		if v := args[prm.name]; prm.option != "" && len(v) > 0 && p.Option(prm.option) != nil {
			r.Values[prm.option] = v
		}
	}
	for k, v := range q.values {
		r.Values[k] = v
	}
	if n := args.text("launch"); n != "" && p.Option("launch-skip-before-match") != nil {
		r.Values["launch-skip-before-match"], r.Values["launch-count"] = []string{n}, []string{"1"}
	}
	held, done, err := s.hold(ctx, p, q, &r)
	if err != nil {
		return err
	}
	defer done()
	if to.brief.Narrow = q.narrow; q.next != nil {
		to.brief.Next = q.next
	} else {
		to.brief.Next = nextOf(t.name, held)
	}
	runner := page.Runner{Open: func(ctx context.Context, name string) (*load.File, func() error, error) {
		for _, f := range held {
			if f.Name == name && !p.Unopened {
				return f, nil, nil
			}
		}
		return s.fresh(ctx, name)
	}}
	_, err = runner.Run(ctx, r, to)
	return err
}

// hold opens the files of a question, each once and in one order, so that no two
// calls wait for each other. Pages that open their files themselves get one of their
// own.
func (s *Server) hold(ctx context.Context, p *page.Page, q *question, r *page.Request) (held []*load.File, done func(), err error) {
	var taken []*openFile
	done = func() {
		for _, o := range taken {
			o.work.Unlock()
			s.release(o, false)
		}
	}
	byPath := map[string]*found{}
	for _, name := range q.files {
		f, err := s.find(name)
		if err != nil {
			return nil, nil, err
		}
		byPath[f.path()] = f
		if q.paths {
			r.Args = append(r.Args, f.path())
		} else {
			r.Args = append(r.Args, f.name)
		}
	}
	if p.Unopened {
		return nil, func() {}, nil
	}
	paths := make([]string, 0, len(byPath))
	for path := range byPath {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		o, err := s.take(ctx, byPath[path])
		if err != nil {
			done()
			return nil, nil, page.Unread(err)
		}
		o.work.Lock()
		taken = append(taken, o)
		held = append(held, o.file)
	}
	return held, done, nil
}

// fresh opens a file for one request alone.
func (s *Server) fresh(ctx context.Context, name string) (*load.File, func() error, error) {
	f, err := s.find(name)
	if err != nil {
		return nil, nil, err
	}
	in, err := f.open()
	if err != nil {
		return nil, nil, err
	}
	file, err := load.Options{MaxUnpacked: s.maxUnpacked}.OpenFile(ctx, in, f.name)
	if err != nil {
		return nil, nil, err
	}
	return file, file.Close, nil
}

// An answer takes what a page answers.
type answer struct {
	brief    *view.Brief
	body     bytes.Buffer
	progress func(done, of int)

	mu    sync.Mutex
	notes []string
}

// Note implements page.Sink.
func (a *answer) Note(text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.notes = append(a.notes, text)
}

// Progress implements page.Sink.
func (a *answer) Progress(done, of int) { a.progress(done, of) }

// Put implements page.Sink.
func (a *answer) Put(_ context.Context, from *page.Answer) error {
	a.brief.Notes = func() []string {
		a.mu.Lock()
		defer a.mu.Unlock()
		return slices.Clone(a.notes)
	}
	err := from.Write(&a.body, func(o *view.Options) { o.Brief = a.brief })
	if errors.Is(err, view.ErrCursor) {
		return page.Usagef("cursor: %v", err)
	}
	return err
}

// whole answers with a document that the tool makes itself.
func (a *answer) whole(ctx context.Context, s *Server, t *tool, args arguments) (string, error) {
	d, err := t.document(ctx, s, args)
	if err != nil {
		return "", err
	}
	a.brief.Next, a.brief.Narrow = t.after, "open with one of the files; budget"
	err = view.Render(&a.body, d, view.FormatMarkdown, view.Options{Brief: a.brief})
	return a.body.String(), err
}

// progressEvery is how often a client is told how far a call is.
const progressEvery = 250 * time.Millisecond

// progressOf tells the client how far long work is, if it asked to be told.
func progressOf(ctx context.Context, req *sdk.CallToolRequest) func(done, of int) {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return func(int, int) {}
	}
	var mu sync.Mutex
	last := time.Now()
	return func(done, of int) {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(last) < progressEvery {
			return
		}
		last = time.Now()
		n := &sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(done)}
		if of > 0 {
			n.Total = float64(of)
		}
		_ = req.Session.NotifyProgress(ctx, n) // a client that does not hear of it loses nothing
	}
}

// nextOf are the tools that files are good for, but for the one that was asked.
func nextOf(asked string, files []*load.File) []string {
	var holds load.Kinds
	for _, f := range files {
		holds |= f.Holds()
	}
	var out []string
	for _, t := range tools {
		switch {
		case t.name == asked, t.name == "open", t.name == "compare" && len(files) < 2, t.holds&holds == 0:
		default:
			out = append(out, t.name)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return []string{strings.Join(out, ", ")}
}
