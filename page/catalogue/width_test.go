package catalogue

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// terminalSink is a terminal of a width.
type terminalSink struct {
	width int
	text  bytes.Buffer
}

func (s *terminalSink) Note(string)       {}
func (s *terminalSink) Progress(int, int) {}
func (s *terminalSink) Put(_ context.Context, a *page.Answer) error {
	return a.Write(&s.text, func(o *view.Options) { o.Fit, o.Width, o.Charts = s.width, s.width, true })
}

// TestNoLineIsWider: on a terminal no page of launches has a line that is wider, for any
// report.
func TestNoLineIsWider(t *testing.T) {
	files := append(corpustest.Files(t, "corpus/ncu/*.ncu-rep"), filepath.Join("..", "..", "examples", "transpose.ncu-rep"), filepath.Join("..", "..", "examples", "items.ncu-rep"))
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			for _, p := range Pages() {
				if p.Needs&load.Launches == 0 && p.Needs != load.Profile || p.Output != page.Rendered || p.MinArgs != 1 || p.MaxArgs != -1 || p.Stream != nil {
					continue
				}
				values := map[string][]string{}
				for name, value := range map[string]string{"launch-count": "2", "print-details": "all", "print-rule-details": "true", "apply-rules": "no"} {
					if p.Option(name) != nil {
						values[name] = []string{value}
					}
				}
				for _, width := range []int{80, 200} {
					to := &terminalSink{width: width}
					if _, err := page.Run(t.Context(), page.Request{Page: p, Args: []string{file}, Values: values}, to); err != nil {
						t.Logf("%s: %v", p.Name, err)
						continue
					}
					for line := range strings.Lines(to.text.String()) {
						if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
							t.Errorf("%s: %d characters at a width of %d: %.120q", p.Name, n, width, line)
							break
						}
					}
				}
			}
		})
	}
}
