package web

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// counterFile is a trace with samples of a metric of a GPU.
func counterFile(t *testing.T) string {
	t.Helper()
	name := smallTrace(t, "")
	c, err := sqlite.OpenConn(name, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	script := `CREATE TABLE TARGET_INFO_GPU_METRICS (sourceId INTEGER, typeId INTEGER, typeName TEXT, metricId INTEGER, metricName TEXT);
		INSERT INTO TARGET_INFO_GPU_METRICS VALUES (1, 2, 'GPU', 7, 'SMs Active');
		CREATE TABLE GPU_METRICS (rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, sourceId INTEGER, metricId INTEGER, value INTEGER);
		WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n+1 FROM r WHERE n < 499)
		INSERT INTO GPU_METRICS SELECT n, (SELECT MIN(start) FROM CUPTI_ACTIVITY_KIND_KERNEL) + n*1000, 2, 1, 7, n % 100 FROM r;`
	if err := sqlitex.ExecuteScript(c, script, nil); err != nil {
		t.Fatal(err)
	}
	return name
}

// state is a member of the address.
func state(name string) string {
	return `new URLSearchParams(location.hash.slice(1)).get('` + name + `')`
}

// pointer sends pointer events to the canvas of the timeline, at places from 0
// to 1 of its width and in pixels from above.
const pointer = `window.point = (kind, x, y, more) => { const c = document.querySelector('.tl-canvas'), b = c.getBoundingClientRect();
	c.setPointerCapture = () => {};
	c.dispatchEvent(new (kind === 'wheel' ? WheelEvent : PointerEvent)(kind, {clientX: b.x + x * b.width, clientY: b.y + y, bubbles: true, cancelable: true, button: 0, buttons: 1, pointerId: 1, ...more})); }`

// TestBrowserTimelineMouse drags, clicks, turns the wheel and hovers.
func TestBrowserTimelineMouse(t *testing.T) {
	ctx, s := browser(t), start(t, traceFile(t))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&filter=Stream&window=20000000-20020000"))
	until(t, ctx, drawn)
	run(t, ctx, pointer)

	run(t, ctx, `point('pointerdown', .25, 60); point('pointermove', .5, 60); point('pointerup', .5, 60)`)
	until(t, ctx, `/^\d+-\d+$/.test(`+state("select")+`) && document.querySelector('[aria-label="Sums of the selection"] tbody tr')`)
	if w := eval[float64](t, ctx, `(([a, b]) => b - a)(`+state("select")+`.split('-'))`); w < 4900 || w > 5100 {
		t.Errorf("a quarter of 20 us was chosen, found %g ns", w)
	}
	run(t, ctx, `point('wheel', .5, 60, {deltaY: -200, ctrlKey: true})`)
	until(t, ctx, `(([a, b]) => b - a < 15000 && a > 20000000 && b < 20020000)(`+state("window")+`.split('-'))`)
	run(t, ctx, `window.was = `+state("window")+`; point('wheel', .5, 60, {deltaX: 100})`)
	until(t, ctx, state("window")+` !== was`)
	run(t, ctx, `window.was = `+state("window")+`.split('-')[0]; point('pointerdown', .5, 60, {shiftKey: true}); point('pointermove', .25, 60, {shiftKey: true}); point('pointerup', .25, 60, {shiftKey: true})`)
	until(t, ctx, state("window")+`.split('-')[0] > +was`)

	// What lies under the pointer is told, and chosen with a click.
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&filter=Stream&window=20000000-20020000"))
	until(t, ctx, drawn)
	run(t, ctx, pointer+`; window.hit = 0; const seek = () => { const x = (hit += 0.003) % 1; point('pointermove', x, 34 + 19 * (Math.floor(hit) % 3) + 44, {buttons: 0});
		setTimeout(() => /kernel|memcpy/.test(document.querySelector('[role=tooltip]')?.innerText) || hit > 9 ? window.found = hit % 1 : seek(), 10) }; seek()`)
	until(t, ctx, `window.found`)
	until(t, ctx, `/kernel|memcpy/.test(document.querySelector('[role=tooltip]')?.innerText)`)
	shot(t, ctx, "timeline-hover")
	run(t, ctx, `const y = 34 + 19 * (Math.floor(hit) % 3) + 44; point('pointerdown', found, y); point('pointerup', found, y)`)
	until(t, ctx, state("slice")+` && document.querySelector('[aria-label="Chosen slice"] h2')`)
}

// TestBrowserTimelineOrder moves a track and finds the order again by the address.
func TestBrowserTimelineOrder(t *testing.T) {
	ctx, s := browser(t), start(t, traceFile(t), example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline"))
	until(t, ctx, drawn)
	const names = `[...document.querySelectorAll('.tl-name[aria-level="1"] > span:first-of-type')].map(e => e.innerText).join()`
	was := eval[string](t, ctx, names)
	roots := strings.Split(was, ",")
	if len(roots) < 3 {
		t.Fatalf("roots are %q", was)
	}
	run(t, ctx, `document.querySelector('[aria-label="Move down `+roots[0]+`"]').click()`)
	roots[0], roots[1] = roots[1], roots[0]
	until(t, ctx, names+` === '`+strings.Join(roots, ",")+`'`)
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(s.base()+"/"+eval[string](t, ctx, `location.hash`)))
	until(t, ctx, names+` === '`+strings.Join(roots, ",")+`'`)

	// By key, and by dragging one track on another.
	run(t, ctx, `const e = [...document.querySelectorAll('.tl-name')].find(e => e.innerText.includes('`+roots[1]+`')); e.focus(); e.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', altKey: true, bubbles: true}))`)
	until(t, ctx, names+` === '`+was+`'`)
	run(t, ctx, `const d = new DataTransfer(), of = n => [...document.querySelectorAll('.tl-name')].find(e => e.innerText.includes(n)), on = (e, kind) => e.dispatchEvent(new DragEvent(kind, {dataTransfer: d, bubbles: true, cancelable: true}));
		on(of('`+roots[0]+`'), 'dragstart'); on(of('`+roots[1]+`'), 'dragover'); on(of('`+roots[1]+`'), 'drop')`)
	until(t, ctx, names+` === '`+strings.Join(roots, ",")+`'`)

	// Another file has other times: what means one file only leaves the address.
	do(t, ctx, chromedp.KeyEvent("w"))
	until(t, ctx, state("window"))
	run(t, ctx, `document.querySelector('#file').click(); setTimeout(() => document.querySelector('#choice1').click(), 300)`)
	until(t, ctx, state("file")+` === '1' && !`+state("window")+` && !`+state("order")+``)
}

// TestBrowserTimelineLinks follows rows of reports to the timeline.
func TestBrowserTimelineLinks(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	for _, c := range []struct{ table, finds string }{
		{"cuda_gpu_kern_sum", "kernel_"}, {"cuda_api_sum", "cudaLaunchKernel"}, {"nvtx_sum", "step/layer_"}, {"cuda_gpu_mem_time_sum", "[CUDA memcpy"},
	} {
		do(t, ctx, chromedp.Navigate(s.base()+"/#page=stats&ask="+c.table))
		row := fmt.Sprintf(`[...document.querySelectorAll('#page figure.grid')].map(f => f.querySelector('td a.go')).find(b => b?.innerText.includes('%s'))`, c.finds)
		until(t, ctx, row)
		run(t, ctx, `window.text = (`+row+`).innerText; (`+row+`).click()`)
		until(t, ctx, drawn)
		until(t, ctx, `(d => d && d.innerText.includes(text))(document.querySelector('[aria-label="Chosen slice"]'))`)
	}
	// A row with a time: its stretch is chosen.
	run(t, ctx, `fetch('/api/timeline/0/tracks', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.first = d.first)`)
	until(t, ctx, `window.first`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&range="+eval[string](t, ctx, `(+first + 5000) + ',' + (+first + 7000)`)))
	until(t, ctx, state("select")+` === '5000-7000' && !`+state("range"))
}

// TestBrowserTimelineCounter shows the samples of a metric, on a narrow window too.
func TestBrowserTimelineCounter(t *testing.T) {
	ctx, s := browser(t), start(t, counterFile(t))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&filter=SMs"))
	until(t, ctx, `document.querySelector('.tl-name small')?.innerText === '99'`)
	run(t, ctx, pointer+`; const seek = k => { point('pointermove', (k % 100) / 100, 50, {buttons: 0});
		setTimeout(() => /SMs Active[^]*Value\s+[\d.]+/.test(document.querySelector('[role=tooltip]')?.innerText) || k > 300 ? window.found = k : seek(k + 1), 20) }; seek(1)`)
	until(t, ctx, `window.found < 300`)
	shot(t, ctx, "timeline-counter")
	do(t, ctx, chromedp.EmulateViewport(400, 800), chromedp.Navigate(s.base()+"/#page=timeline"))
	until(t, ctx, drawn)
	until(t, ctx, `document.documentElement.scrollWidth <= 400`)
	shot(t, ctx, "timeline-400")
}

// TestBrowserTimelineAMD shows a session of CodeXL: host threads with calls and
// markers, queues with kernels and copies.
func TestBrowserTimelineAMD(t *testing.T) {
	ctx, s := browser(t), start(t, filepath.Join("..", "format", "amd", "testdata", "vectors", "234-sections-all.atp"))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline"))
	until(t, ctx, drawn)
	shot(t, ctx, "timeline-amd")
	text := eval[string](t, ctx, `document.querySelector('.tl-names').innerText`)
	if strings.Contains(text, "CUDA") {
		t.Errorf("tracks of an AMD session are called %q", text)
	}
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&find=clEnqueueNDRange"))
	until(t, ctx, `document.querySelector('[aria-label="Chosen slice"] li')?.innerText.startsWith('Caused kern')`)
}
