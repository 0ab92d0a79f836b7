package web

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// largest is the largest report at hand.
func largest(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(corpustest.Dir(t), "corpus", "ncu", "*.ncu-rep"))
	if err != nil || len(names) == 0 {
		t.Skip("no reports", err)
	}
	size := func(n string) int64 {
		st, err := os.Stat(n)
		if err != nil {
			t.Fatal(err)
		}
		return st.Size()
	}
	return slices.MaxFunc(names, func(a, b string) int { return int(size(a) - size(b)) })
}

// repeated is a report whose blocks are those of another, again and again until
// it has so many bytes: so many more launches.
func repeated(t *testing.T, name string, size int) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ncurep.OpenBytes(b, name)
	if err != nil || len(f.Blocks) == 0 {
		t.Fatal(err)
	}
	from := f.Blocks[0].Offset
	out := slices.Concat(b, bytes.Repeat(b[from:], max(0, size-len(b))/len(b[from:])))
	many := filepath.Join(t.TempDir(), "many.ncu-rep")
	if err := os.WriteFile(many, out, 0o600); err != nil {
		t.Fatal(err)
	}
	return many
}

// TestFirstPaint logs how long a large report and, where GPUPROF_BENCH_TRACE names
// one, a timeline take to appear: from the start of the navigation to the first
// paint with content, and to the first table or drawing. Each page is loaded
// anew after it was shown once, so that the model is there. The report is the
// largest at hand, repeated to so many million bytes as GPUPROF_PAINT_MB says.
func TestFirstPaint(t *testing.T) {
	name := largest(t)
	if v := os.Getenv("GPUPROF_PAINT_MB"); v != "" {
		mb, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		name = repeated(t, name, mb*1e6)
	}
	names := []string{name}
	shown := []string{"0 overview", "0 details", "0 source", "0 raw"}
	if trace := os.Getenv("GPUPROF_BENCH_TRACE"); trace != "" {
		names = append(names, trace)
		shown = append(shown, "1 stats", "1 timeline")
	}
	ctx, s := browser(t), start(t, names...)
	do(t, ctx, chromedp.Navigate(s.URL()))
	known := map[string]bool{"timeline": true, "overview": true}
	for _, p := range s.listings() {
		known[p.Name] = true
	}
	for _, p := range shown {
		file, page, _ := strings.Cut(p, " ")
		if !known[page] {
			continue
		}
		for _, again := range []bool{false, true} {
			paint(t, ctx, s, file, page, again)
		}
	}
}

// slow is how long a page of a very large file may take to appear.
const slow = 40 * time.Second

func paint(t *testing.T, ctx context.Context, s *Server, file, page string, tell bool) {
	t.Helper()
	there := `document.querySelector('#page[data-page=` + page + `] td')`
	if page == "timeline" {
		there = `document.querySelector('.tl-canvas')?.dataset.drawn`
	}
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(fmt.Sprintf("%s/#file=%s&page=%s", s.base(), file, page)))
	run(t, ctx, `const look = () => `+there+` ? requestAnimationFrame(() => window.shown = performance.now()) : setTimeout(look, 5); look()`)
	untilFor(t, ctx, slow, `window.shown && performance.getEntriesByName('first-contentful-paint').length`)
	if !tell {
		return
	}
	times := eval[[]float64](t, ctx, `[performance.getEntriesByName('first-contentful-paint')[0].startTime, shown,
		performance.getEntriesByType('resource').filter(r => /\/api\/(page|timeline)\//.test(r.name)).reduce((m, r) => Math.max(m, r.decodedBodySize), 0),
		performance.getEntriesByType('resource').filter(r => /\/api\/(page|timeline)\//.test(r.name)).reduce((m, r) => Math.max(m, r.responseEnd), 0)]`)
	o, err := s.lookup(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s of %d bytes: first paint %.0f ms, answer there %.0f ms, first table %.0f ms, answer of %.0f bytes", page, o.Size, times[0], times[3], times[1], times[2])
}
