package mcp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/loopback"
)

// TestTypeScript lets a client by the official TypeScript SDK ask, over both
// transports. GPUPROF_MCP_SDK names a folder into which npm has installed
// @modelcontextprotocol/sdk; .ci/mcp makes one.
func TestTypeScript(t *testing.T) {
	modules := os.Getenv("GPUPROF_MCP_SDK")
	node, err := exec.LookPath("node")
	if modules == "" || err != nil {
		t.Skip("GPUPROF_MCP_SDK names no folder with the TypeScript SDK, or there is no node")
	}
	script, err := os.ReadFile(filepath.Join("testdata", "typescript", "client.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	client := filepath.Join(modules, "gpuprof-client.mjs") // where node finds the modules
	if err := os.WriteFile(client, script, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(client)
	run := func(args ...string) {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), node, append([]string{client}, args...)...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "conforms") {
			t.Errorf("%v: %s", err, out)
		}
	}
	dir := profiles(t)
	t.Run("stdio", func(t *testing.T) {
		program := filepath.Join(t.TempDir(), "gpuprof")
		if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../cmd/gpuprof").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		run("stdio", program, "mcp", "--root", dir)
	})
	t.Run("http", func(t *testing.T) {
		l, err := loopback.Listen(t.Context(), "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- server(t, dir).ServeHTTP(ctx, l, "0123456789abcdef") }()
		run("http", Endpoint(l), "0123456789abcdef")
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
