package mcp

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

// A tool is declared as data: what it is called, what it takes, and how a call of it
// becomes a question to a page.
type tool struct {
	name, title, help string
	params            []param
	needs             []string   // of the parameters
	holds             load.Kinds // what files must hold, any one of it, for the tool to be of use
	ask               func(context.Context, *Server, arguments) (*question, error)

	// document, where set, answers calls for which own holds; after are the questions
	// that follow.
	document func(context.Context, *Server, arguments) (*view.Document, error)
	own      func(arguments) bool
	after    []string
}

// all are the parameters of the tool, with those that every tool has.
func (t *tool) all() []param { return slices.Concat(t.params, common) }

// add lets the server of the SDK have the tools.
func (s *Server) addTools(to *sdk.Server) {
	closed := false
	for i := range tools {
		t := &tools[i]
		to.AddTool(&sdk.Tool{Name: t.name, Title: t.title, Description: t.help, InputSchema: t.schema(),
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}},
			func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				return s.answer(ctx, t, req), nil
			})
	}
}
