package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gpuprof/gpuprof/internal/loopback"
	"github.com/gpuprof/gpuprof/mcp"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/terminal"
)

// tokenVariable holds a token of the user's own, for clients whose configuration is
// written once.
const tokenVariable = "GPUPROF_MCP_TOKEN"

// agentCommand is the command that answers agents.
func agentCommand(a *terminal.App) *cobra.Command {
	c := &cobra.Command{
		GroupID: page.GroupTool,
		Use:     "mcp [options]", Short: "Let agents ask, over the Model Context Protocol",
		Long: `Let agents ask, over the Model Context Protocol.

A client starts it and speaks on its standard input and output; with --http it
answers programs of this user on this machine, with the token that it prints. It
reads profiles below the roots only and writes nothing. docs/agents has ready
configurations and what to teach a model.

The token is a new one each time, or that of ` + tokenVariable + `.`,
		Example:               "  gpuprof mcp --root ~/profiles\n  gpuprof mcp --root . --http 127.0.0.1:7878",
		DisableFlagsInUseLine: true,
	}
	o := mcp.Options{Version: version(), Pages: a.Pages}
	c.Flags().StringArrayVar(&o.Roots, "root", nil, "let profiles below the folder `DIR` be read; repeat for more (default: the current folder)")
	a.UnpackFlag(c.Flags())
	addr := c.Flags().String("http", "", "listen on this loopback `ADDRESS`, such as 127.0.0.1:7878; port 0 takes a free one")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return page.Usagef("mcp: operand %q; folders are given by --root", args[0])
		}
		o.MaxUnpacked = int64(a.MaxUnpacked)
		s, err := mcp.New(o)
		if err != nil {
			return page.Usagef("mcp: %v", err)
		}
		defer s.Close()
		if *addr != "" {
			return serveAgents(c.Context(), a, s, *addr)
		}
		in, ok := c.InOrStdin().(io.ReadCloser)
		if !ok {
			in = io.NopCloser(c.InOrStdin())
		}
		if terminal.IsTerminal(a.Stdout) {
			fmt.Fprintln(a.Stderr, "gpuprof: mcp speaks JSON-RPC with the client that starts it; Ctrl-C ends it")
		}
		return s.Serve(c.Context(), in, nopCloser{a.Stdout})
	}
	return c
}

// nopCloser is a writer that its user does not close.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// serveAgents answers agents over HTTP.
func serveAgents(ctx context.Context, a *terminal.App, s *mcp.Server, addr string) error {
	l, err := loopback.Listen(ctx, addr)
	if err != nil {
		if errors.Is(err, loopback.ErrPort) {
			return err
		}
		return page.Usagef("mcp: %v", err)
	}
	token := os.Getenv(tokenVariable)
	switch {
	case token == "":
		token = loopback.NewToken()
		fmt.Fprintf(a.Stdout, "%s\nAuthorization: Bearer %s\n", mcp.Endpoint(l), token)
	case len(token) < 16:
		l.Close()
		return page.Usagef("mcp: %s: expected 16 characters or more, found %d", tokenVariable, len(token))
	default:
		fmt.Fprintln(a.Stdout, mcp.Endpoint(l))
	}
	fmt.Fprintln(a.Stderr, "gpuprof: Ctrl-C ends the server")
	return s.ServeHTTP(ctx, l, token)
}
