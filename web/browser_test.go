package web

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// firstTime leaves out tests that look at every page where the suite runs a second time,
// without real profiles: they have none anyhow.
func firstTime(t *testing.T) {
	t.Helper()
	if os.Getenv("GPUPROF_NO_CORPUS") != "" {
		t.Skip("GPUPROF_NO_CORPUS is set: the suite has looked at every page once")
	}
}

// browser starts chromium, or skips; with GPUPROF_REQUIRE_BROWSER it must be there.
func browser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("GPUPROF_REQUIRE_BROWSER") != "" {
			t.Fatal(err)
		}
		t.Skip("no chromium")
	}
	a, stop := chromedp.NewExecAllocator(context.Background(), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true))
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(a)
	t.Cleanup(cancel)
	ctx, late := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(late)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900)); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// until waits for an expression to hold in the page.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	untilFor(t, ctx, patience10(), expression)
}

// patience10 is how long a page may take; GPUPROF_UNTIL gives another time.
func patience10() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("GPUPROF_UNTIL")); err == nil {
		return d
	}
	return 25 * time.Second
}

func untilFor(t *testing.T, ctx context.Context, most time.Duration, expression string) {
	t.Helper()
	var ok bool
	var err error
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if ok, err = chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")")); ok {
			return
		}
	}
	text, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("location.hash + document.activeElement.tagName + JSON.stringify(window.differ ?? window.missing ?? '').slice(0, 900) + document.body.innerText.replace(/\\s+/g, ' ').slice(0, 300)"))
	t.Fatalf("never true: %s (%v)\n%s", expression, err, text)
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// shot keeps a picture in the folder GPUPROF_SCREENSHOTS, if there is one; of one
// whose name ends in -light also the dark one.
func shot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	dir := os.Getenv("GPUPROF_SCREENSHOTS")
	if dir == "" {
		return
	}
	keep := func(name string) {
		png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
		}
		if err != nil {
			t.Error(err)
		}
	}
	keep(name)
	if page, ok := strings.CutSuffix(name, "-light"); ok {
		run(t, ctx, `window.was = document.documentElement.dataset.theme; document.documentElement.dataset.theme = 'dark'; document.documentElement.dataset.dark = ''; dispatchEvent(new Event('theme'))`)
		time.Sleep(200 * time.Millisecond) // colours pass over into others
		keep(page + "-dark")
		run(t, ctx, `document.documentElement.dataset.theme = was; delete document.documentElement.dataset.dark; dispatchEvent(new Event('theme'))`)
	}
}

// TestBrowserPages opens each page and compares every number of its tables with
// the document that the command writes.
func TestBrowserPages(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	for _, p := range []string{"overview", "details", "source", "compare", "raw", "session", "info", "occupancy", "sections", "sets", "rules"} {
		for _, theme := range []string{"light", "dark"} {
			do(t, ctx, chromedp.Navigate(s.base()+"/#page="+p+"&theme="+theme))
			until(t, ctx, fmt.Sprintf(`document.querySelector('#page[data-page=%s] :is(table, dl, .state)') && !document.querySelector('.skel')`, p))
			shot(t, ctx, p+"-"+theme)
		}
	}
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=raw"))
	until(t, ctx, `document.querySelector('#page[data-page=raw] td')`)
	until(t, ctx, `(window.want = window.want || fetch('/api/page/raw?file=0&format=json', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.doc = d), window.doc)`)
	// The launch that takes most time is shown first.
	until(t, ctx, `(() => { const rows = [...document.querySelectorAll('#page tbody tr[aria-rowindex]')].slice(0, 40), t = doc.sections[0].tables.find(t => t.id === 'metrics');
		window.differ = rows.flatMap((r, i) => r.dataset.metric !== t.rows[i][0] || (typeof t.rows[i][2] === 'number' && !r.cells[1].dataset.raw.startsWith(String(t.rows[i][2]))) ? [[r.dataset.metric, r.cells[1].dataset.raw, t.rows[i]]] : []);
		return rows.length > 20 && !differ.length; })()`)
}

func TestBrowserState(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad <img src=x onerror=alert(1)>.ncu-rep")
	if err := os.WriteFile(bad, []byte("<script>window.bad=1</script>"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, s := browser(t), start(t, example, example, bad)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview]') && !location.hash.includes('token')`)

	do(t, ctx, chromedp.KeyEvent("5")) // the fifth page
	until(t, ctx, `document.querySelector('#page[data-page=raw]') && location.hash.includes('page=raw')`)
	do(t, ctx, chromedp.KeyEvent("?"))
	until(t, ctx, `document.querySelector('dialog[open]')`)
	do(t, ctx, chromedp.KeyEvent("\u001b"))
	until(t, ctx, `!document.querySelector('dialog[open]')`)
	do(t, ctx, chromedp.KeyEvent("/"))
	// A synthetic key types its character even where the page has taken the key.
	until(t, ctx, `document.activeElement.type === 'search' && document.activeElement.select() === undefined`)
	do(t, ctx, chromedp.KeyEvent("duration"))
	until(t, ctx, `location.hash.includes('filter=duration') && /^\d of \d+/.test(document.querySelector('.hd .sec').innerText)`)

	// The address alone brings the same back, and back and forward work.
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(s.base()+"/#page=raw&filter=duration"))
	until(t, ctx, `/^\d of \d+/.test(document.querySelector('.hd .sec')?.innerText) && document.querySelector('input[type=search]').value === 'duration'`)
	until(t, ctx, `document.querySelector('#page[data-page=raw]')`)
	do(t, ctx, chromedp.KeyEvent("2"))
	until(t, ctx, `document.querySelector('#page[data-page=details]')`)
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`(history.back(), true)`)); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, `document.querySelector('#page[data-page=raw]')`)

	// A baseline is a choice of the address too; the same file has no difference.
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details&base=1"))
	until(t, ctx, `document.querySelector('#page[data-page=details]') && document.querySelector('.bk') && !document.querySelector('.delta.worse, .delta.better')`)

	// A file that cannot be read says why, and its name and content stay text.
	do(t, ctx, chromedp.Navigate(s.base()+"/#file=2"))
	until(t, ctx, `document.querySelector('[role=alert]')?.innerText.includes('expected a profile') && !document.querySelector('img') && !window.bad`)

	// A file that is dropped is opened.
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`(fetch('/api/page/raw?file=0&format=csv', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(() => {
		const d = new DataTransfer(); d.items.add(new File(['no profile'], 'dropped.txt'));
		dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true})); }), true)`)); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, `document.querySelector('#file')?.title === 'dropped.txt' && document.querySelector('[role=alert]')`)
}

// TestBrowserExport opens an exported file without any server.
func TestBrowserExport(t *testing.T) {
	ctx := browser(t)
	html := exported(t, example)
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, html, 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Navigate("file://"+name))
	until(t, ctx, `document.querySelector('#page[data-page=overview] table') && document.querySelector('.saved')`)
	do(t, ctx, chromedp.KeyEvent("2"))
	until(t, ctx, `document.querySelector('#page[data-page=details] table')`)
	do(t, ctx, chromedp.KeyEvent("3"))
	until(t, ctx, `document.querySelectorAll('#page[data-page=source] .pane').length === 2`)
	until(t, ctx, `document.fonts.check('13px Inter')`)
	do(t, ctx, chromedp.EmulateViewport(400, 800))
	until(t, ctx, `document.documentElement.scrollWidth <= 400`)
	shot(t, ctx, "export-400")
}
