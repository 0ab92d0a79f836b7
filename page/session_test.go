package page

import (
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/view"
)

func TestSessionOracle(t *testing.T) {
	eachOracle(t, "session.txt", func(t *testing.T, report, want string) {
		got, _ := render(t, "session", report, view.FormatText, options("compat", "2024.1"))
		// On one report the vendor's tool dies at its end and says so on stdout.
		want = strings.TrimSuffix(want, "free(): invalid next size (fast)\n")
		sameLines(t, got, want)
	})
}
