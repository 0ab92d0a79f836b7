package web

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
)

// traceFile writes a small trace.
func traceFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.sqlite")
	if err := nsysgen.Write(path, nsysgen.Size{Kernels: 20_000, Ranges: 700, Copies: 500, Threads: 4, Devices: 2, Names: 20, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	return path
}

// eval is what an expression of the page is.
func eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// drawn holds once slices came and the canvas has more colours than its ground.
const drawn = `(() => { const c = document.querySelector('.tl-canvas'); if (!c?.dataset.drawn) return false;
	const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, seen = new Set();
	for (let i = 0; i < d.length; i += 4 * 7) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
	return seen.size > 8; })()`

func TestBrowserTimeline(t *testing.T) {
	ctx, s := browser(t), start(t, traceFile(t))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline"))
	until(t, ctx, drawn)

	_, body := ask(t, s, "GET", "/api/timeline/0/tracks", nil, nil)
	var tracks struct {
		Slices int
		Tracks []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(body), &tracks); err != nil {
		t.Fatal(err)
	}
	rows := `document.querySelectorAll('.tl-name:not(.pinned)').length`
	// All but groups of one: they need no row of their own.
	if n := eval[int](t, ctx, rows); n > len(tracks.Tracks) || n < len(tracks.Tracks)-8 || n < 10 {
		t.Errorf("the page shows %d tracks of %d", n, len(tracks.Tracks))
	}
	if label := eval[string](t, ctx, `document.querySelector('.tl-canvas').getAttribute('aria-label')`); !strings.Contains(label, strconv.Itoa(tracks.Slices)+" slices") {
		t.Errorf("summary %q, the index has %d slices", label, tracks.Slices)
	}
	for _, theme := range []string{"light", "dark"} {
		do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&theme="+theme))
		until(t, ctx, drawn)
		shot(t, ctx, "timeline-"+theme)
	}

	// Keys move the window, the address follows, and alone brings it back.
	do(t, ctx, chromedp.KeyEvent("w"), chromedp.KeyEvent("w"), chromedp.KeyEvent("d"))
	// The address follows when the window rests: nothing changes for a while.
	until(t, ctx, `(() => { const now = location.hash + document.querySelector('.tl-tools .tm').innerText, at = performance.now();
		if (now !== window.before) { window.before = now; window.since = at; }
		return /window=\d+-\d+/.test(now) && at - since > 600; })()`)
	window := eval[string](t, ctx, `(new URLSearchParams(location.hash.slice(1))).get('window')`)
	shown := eval[string](t, ctx, `document.querySelector('.tl-tools .tm').innerText`)
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(s.base()+"/#page=timeline&window="+window))
	until(t, ctx, drawn)
	if again := eval[string](t, ctx, `document.querySelector('.tl-tools .tm').innerText`); again != shown {
		t.Errorf("the address brings %q, it was %q", again, shown)
	}
	do(t, ctx, chromedp.KeyEvent("0"))
	until(t, ctx, `document.querySelector('.tl-tools .tm').innerText.startsWith('0 ns')`)

	// A closed group hides its members; a filter leaves what fits.
	do(t, ctx, chromedp.Click(`.tl-name[aria-level="1"] button[aria-label^="Close"]`))
	until(t, ctx, rows+` < `+eval[string](t, ctx, `String(`+rows+`)`)+` || location.hash.includes('shut=')`)
	if n := eval[int](t, ctx, rows); n >= len(tracks.Tracks) {
		t.Errorf("a closed process still shows %d tracks", n)
	}
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&filter=Stream"))
	until(t, ctx, `[...document.querySelectorAll('.tl-name')].every(e => /Stream|Context|GPU/.test(e.title))`)

	// A pinned stream stays above.
	do(t, ctx, chromedp.Click(`.tl-name button[aria-label^="Pin Stream"]`))
	until(t, ctx, `document.querySelectorAll('.tl-name.pinned').length === 1 && location.hash.includes('pins=')`)
}

func TestBrowserTimelineSlices(t *testing.T) {
	ctx, s := browser(t), start(t, traceFile(t))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline"))
	until(t, ctx, drawn)

	// A search goes to the first launch, whose details lead to its kernel.
	do(t, ctx, chromedp.KeyEvent("/"))
	until(t, ctx, `document.activeElement.getAttribute('aria-label') === 'Search slices' && document.activeElement.select() === undefined`)
	do(t, ctx, chromedp.KeyEvent("cudaLaunch\r"))
	until(t, ctx, state("slice")+` && document.querySelector('[aria-label="Chosen slice"] h2')`)
	run(t, ctx, `document.getElementById('tab-search').click()`)
	until(t, ctx, `document.querySelector('[aria-label="Results of the search"] b')?.innerText.replace(/\s/g, '').startsWith('20000slices')`)
	run(t, ctx, `document.getElementById('tab-slice').click()`)
	until(t, ctx, `document.querySelector('[aria-label="Chosen slice"] li')?.innerText.startsWith('Caused')`)
	until(t, ctx, drawn)
	shot(t, ctx, "timeline-slice")
	call := eval[string](t, ctx, `document.querySelector('[aria-label="Chosen slice"] h2').innerText`)
	do(t, ctx, chromedp.Click(`[aria-label="Chosen slice"] li button`))
	until(t, ctx, `document.querySelector('[aria-label="Chosen slice"] li')?.innerText.startsWith('Called by ') && document.querySelector('[aria-label="Chosen slice"] h2').innerText !== '`+call+`'`)

	// Next and previous slice of the row.
	slice := `new URLSearchParams(location.hash.slice(1)).get('slice')`
	first := eval[string](t, ctx, slice)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	do(t, ctx, chromedp.KeyEvent("."))
	until(t, ctx, slice+` === '`+first+`' ? false : document.querySelector('[aria-label="Chosen slice"] h2')`)
	do(t, ctx, chromedp.KeyEvent(","))
	until(t, ctx, slice+` === '`+first+`'`)

	// What a selection shows is what the server adds up.
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&select=0-999999999999"))
	until(t, ctx, `document.querySelector('[aria-label="Sums of the selection"] tbody tr')`)
	shot(t, ctx, "timeline-selection")
	_, body := ask(t, s, "GET", "/api/timeline/0/aggregate", nil, nil)
	var sums []timelineName
	if err := json.Unmarshal([]byte(body), &sums); err != nil {
		t.Fatal(err)
	}
	if n := eval[int](t, ctx, `[...document.querySelectorAll('[aria-label="Sums of the selection"] tbody tr')].reduce((n, r) => n + +r.cells[1].dataset.raw, 0)`); n != total(sums[:min(len(sums), 200)]) { // the page lists the first 200 names
		t.Errorf("the selection counts %d slices, the server %d", n, total(sums))
	}
	do(t, ctx, chromedp.KeyEvent("f"))
	until(t, ctx, `location.hash.includes('window=0-')`)
}

func total(names []timelineName) (n int) {
	for _, v := range names {
		n += v.Count
	}
	return n
}
