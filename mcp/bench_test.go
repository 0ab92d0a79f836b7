package mcp

import (
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/catalogue"
)

// BenchmarkFirstAnswer is the time from nothing to the first answer about a report of
// 3 MB, and, beside it, what the page alone takes.
func BenchmarkFirstAnswer(b *testing.B) {
	dir := filepath.Join(corpustest.Dir(b), "corpus", "ncu")
	const name = "bwd29__self-join-MiSTIC__profile.ncu-rep"
	b.Run("agent", func(b *testing.B) {
		for b.Loop() {
			s := server(b, dir)
			c := connect(b, s)
			if text, failed := call(b, c, "open", args{"files": []string{name}}); failed {
				b.Fatal(text)
			}
			c.Close()
		}
	})
	b.Run("page", func(b *testing.B) {
		for b.Loop() {
			if _, err := page.Run(b.Context(), page.Request{Page: catalogue.Pages().Lookup("info"), Args: []string{filepath.Join(dir, name)}, Forms: []string{"json"}}, &discard{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
