package mcp

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// scheme begins the addresses of resources: gpuprof:///FILE is what a file is and
// which pages it has, gpuprof:///FILE?page=NAME one of these, as a brief answer.
const scheme = "gpuprof:///"

func address(file, page string) string {
	u := url.URL{Path: file}
	s := scheme + strings.TrimPrefix(u.EscapedPath(), "./")
	if page != "" {
		s += "?page=" + url.QueryEscape(page)
	}
	return s
}

// addResources lets the server of the SDK have the pages of files. The list has
// those of open files: a middleware makes it, so that it is never old.
func (s *Server) addResources(to *sdk.Server) {
	read := func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return s.resource(ctx, req.Params.URI)
	}
	to.AddResourceTemplate(&sdk.ResourceTemplate{Name: "file", Title: "A profile", MIMEType: "text/markdown", URITemplate: scheme + "{+file}",
		Description: "What a profile below the roots is, and which pages it has."}, read)
	to.AddResourceTemplate(&sdk.ResourceTemplate{Name: "page", Title: "A page of a profile", MIMEType: "text/markdown", URITemplate: scheme + "{+file}{?page,cursor}",
		Description: "A page of a profile in at most 8 KB; cursor continues."}, read)
	to.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			r, err := next(ctx, method, req)
			if list, ok := r.(*sdk.ListResourcesResult); ok && err == nil {
				list.Resources = s.resources()
			}
			return r, err
		}
	})
}

// resources are the open files and their pages.
func (s *Server) resources() []*sdk.Resource {
	s.mu.Lock()
	var names []string
	for _, o := range s.files {
		names = append(names, o.name)
	}
	s.mu.Unlock()
	slices.Sort(names)
	out := []*sdk.Resource{}
	for _, name := range names {
		out = append(out, &sdk.Resource{URI: address(name, ""), Name: name, MIMEType: "text/markdown", Description: "What the profile is and holds."})
		holds, err := s.holds(context.Background(), name)
		if err != nil {
			continue // it has gone
		}
		for _, p := range s.pages {
			if offered(p) && p.Needs&holds != 0 {
				out = append(out, &sdk.Resource{URI: address(name, p.Name), Name: name + ": " + p.Name, MIMEType: "text/markdown", Description: p.Short + "."})
			}
		}
	}
	return out
}

// offered reports whether a page can be a resource: it shows something of one file,
// unasked.
func offered(p *page.Page) bool {
	return p.Remote() && p.Needs != load.Nothing && p.MinArgs <= 1 && !p.Unopened && !p.Console
}

// resource reads one.
func (s *Server) resource(ctx context.Context, uri string) (*sdk.ReadResourceResult, error) {
	rest, ok := strings.CutPrefix(uri, scheme)
	u, err := url.Parse(rest)
	if !ok || err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	name := u.Query().Get("page")
	if name == "" {
		name = "info"
	}
	p := s.pages.Lookup(name)
	if p == nil || !offered(p) {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	to := &answer{brief: &view.Brief{Cursor: u.Query().Get("cursor")}, progress: func(int, int) {}}
	err = s.run(ctx, &tool{name: "resource"}, arguments{}, &question{page: p.Name, files: []string{u.Path}}, to)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, page.ErrUsage), errors.Is(err, page.ErrInput):
		return nil, sdk.ResourceNotFoundError(uri)
	case err != nil:
		return nil, err
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: to.body.String()}}}, nil
}
