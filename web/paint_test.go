package web

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestFirstPaint logs how long the largest report takes to appear: from the
// start of the navigation to the first paint with content, and to the first table.
func TestFirstPaint(t *testing.T) {
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
	name := slices.MaxFunc(names, func(a, b string) int { return int(size(a) - size(b)) })
	ctx, s := browser(t), start(t, name)
	do(t, ctx, chromedp.Navigate(s.URL()))
	for _, p := range []string{"details", "source", "raw"} {
		do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(s.base()+"/#page="+p))
		run(t, ctx, `const look = () => document.querySelector('#page[data-page=`+p+`] td') ? requestAnimationFrame(() => window.shown = performance.now()) : setTimeout(look, 5); look()`)
		until(t, ctx, `window.shown && performance.getEntriesByName('first-contentful-paint').length`)
		times, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](`[performance.getEntriesByName('first-contentful-paint')[0].startTime, shown,
			performance.getEntriesByType('resource').filter(r => r.name.includes('/api/page/')).reduce((m, r) => Math.max(m, r.decodedBodySize), 0)]`))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s of %d bytes: first paint %.0f ms, first table %.0f ms, document of %.0f bytes", p, size(name), times[0], times[1], times[2])
	}
}
