package file

import (
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

func TestSessionOracle(t *testing.T) {
	pagetest.EachOracle(t, "session.txt", func(t *testing.T, report, want string) {
		got, _ := pagetest.Render(t, Session, report, view.FormatText, pagetest.Options("compat", "2024.1"))
		// On one report the vendor's tool dies at its end and says so on stdout.
		want = strings.TrimSuffix(want, "free(): invalid next size (fast)\n")
		pagetest.SameLines(t, got, want)
	})
}
