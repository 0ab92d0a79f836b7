package web

import (
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserSummary compares the page with the document, sorts it, filters it,
// and goes from a row to the details of its launch.
func TestBrowserSummary(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=summary] td')`)
	want(t, ctx, "/api/page/summary?file=0")
	run(t, ctx, `[...document.querySelectorAll('[data-section=launches] th button')].find(b => b.title === 'duration').click()`)
	run(t, ctx, `[...document.querySelectorAll('[data-section=launches] th button')].find(b => b.title === 'duration').click()`)
	until(t, ctx, `document.querySelector('[data-section=launches] tbody').innerText.trim().startsWith('2') && location.hash.includes('sort.')`)
	run(t, ctx, `document.querySelector('[data-section=launches] button.link').click()`)
	until(t, ctx, `document.querySelector('#page[data-page=details] h2')?.innerText.startsWith('block_sum') && location.hash.includes('launch=2')`)
	do(t, ctx, chromedp.KeyEvent("["))
	until(t, ctx, `document.querySelector('#page[data-page=details] h2')?.innerText.startsWith('transpose_tiled')`)
	run(t, ctx, `history.go(-2)`)
	until(t, ctx, `document.querySelector('#page[data-page=summary] td')`)
	run(t, ctx, `document.querySelector('[data-section=findings] button.link').click()`)
	until(t, ctx, `document.querySelector('#page[data-page=details] h2')?.innerText.startsWith('transpose_naive')
		&& document.querySelector('.flag') && document.querySelector('aside.message.optimization')?.dataset.at === 'ExampleUncoalescedStores'`)
	run(t, ctx, `document.querySelector('.flag').click()`)
	until(t, ctx, `document.activeElement.classList.contains('message')`)
}

// TestBrowserBaselines takes two launches of the file itself as baselines of the
// third: 46405 ns beside 210521 ns and 98084 ns, on Details and in its charts, on
// Summary and on Source.
func TestBrowserBaselines(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details&launch=0"))
	until(t, ctx, `document.querySelector('#page[data-page=details] td') && document.querySelector('#baseline-launch')`)
	run(t, ctx, `document.querySelector('#baseline-launch').click()`)
	until(t, ctx, `location.hash.includes('base=0%3A0') && document.querySelectorAll('.chip').length === 1`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details&launch=2&base=0:0,0:1"))
	until(t, ctx, `(() => { const row = [...document.querySelectorAll('#page section tr[aria-rowindex]')].find(r => r.cells[0].innerText === 'Duration'),
		d = [...row?.querySelectorAll('small') ?? []].map(e => e.innerText.trim());
		return d.length === 2 && d[0] === '① -164.1 us (-78.0%)' && d[1] === '② -51.68 us (-52.7%)'; })()`)
	until(t, ctx, `document.querySelectorAll('figure.chart rect.base').length >= 4`)
	shot(t, ctx, "baselines-light")
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details&launch=2&base=0:0,0:1&least=60"))
	until(t, ctx, `(() => { const row = [...document.querySelectorAll('#page section tr[aria-rowindex]')].find(r => r.cells[0].innerText === 'Duration');
		return row?.querySelectorAll('small').length === 1; })()`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=summary&base=0:1"))
	until(t, ctx, `(() => { const d = [...document.querySelectorAll('[data-section=launches] tbody tr[aria-rowindex]')].map(r => r.querySelector('small')?.innerText.trim());
		return d.length === 3 && d[0] === '+112.4 us (+114.6%)' && d[1] === undefined && d[2] === '-51.68 us (-52.7%)'; })()`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=source&ask=cuda&launch=1&base=0:0"))
	until(t, ctx, `document.querySelector('#page[data-page=source] td')`)
	run(t, ctx, `document.querySelector('.chip button').click()`)
	until(t, ctx, `!location.hash.includes('base=') && !document.querySelector('.chip')`)
}

// TestBrowserLines links lines with their instructions, both ways, finds text,
// and chooses columns.
func TestBrowserLines(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=source"))
	until(t, ctx, `document.querySelectorAll('#page[data-page=source] .pane td').length > 20 && document.querySelectorAll('.pane').length === 2`)
	lit := func(pane string, n string) string {
		return `document.querySelectorAll('[data-grid="` + pane + `"] tr.lit').length === ` + n
	}
	run(t, ctx, `[...document.querySelectorAll('[data-grid="cuda.0"] tr')].find(r => r.innerText.includes('out[x * n + y]')).click()`)
	until(t, ctx, lit("cuda.0", "1")+" && "+lit("sass.0", "2")+` && location.hash.includes('line=')`)
	run(t, ctx, `document.querySelector('[data-grid="sass.0"] tbody tr[aria-rowindex]').click()`)
	until(t, ctx, lit("sass.0", "1")+` && document.querySelector('[data-grid="cuda.0"] tr.lit').innerText.includes('blockIdx.x')`)
	shot(t, ctx, "source-both-light")
	run(t, ctx, `document.querySelector('.columns label input').click()`)
	until(t, ctx, `location.hash.includes('cols=') && !document.querySelector('[data-grid="sass.0"] th button[title=smsp__pcsamp_sample_count]')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=source&ask=cuda&seek=blockIdx"))
	until(t, ctx, lit("cuda.0", "2"))
}

// TestBrowserFlame draws the ranges of a timeline: the boxes of the picture are
// the rows of the command; a click zooms, Shift and a click show the sandwich.
func TestBrowserFlame(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=flame"))
	until(t, ctx, `document.querySelector('#page[data-page=flame] svg.flame rect')`)
	run(t, ctx, `window.doc = null; fetch('/api/page/flame?file=0&pixels=1000&format=json', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.doc = d)`)
	until(t, ctx, `window.doc && doc.sections[0].charts[0].rows.length === document.querySelectorAll('svg.flame rect').length && doc.sections[0].charts[0].rows.length > 5`)
	shot(t, ctx, "flame-light")
	click := func(shift string) {
		run(t, ctx, `document.querySelector('svg.flame g').dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: `+shift+`}))`)
	}
	click("false")
	until(t, ctx, `location.hash.includes('window') && document.querySelector('.bar')?.innerText.includes('All of it')`)
	click("true")
	until(t, ctx, `location.hash.includes('sandwich') && document.querySelectorAll('svg.flame').length === 2 && document.querySelector('[data-grid=functions] td')`)
	run(t, ctx, `history.back()`)
	until(t, ctx, `document.querySelectorAll('svg.flame').length === 1`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=flame&ask=order%3Dtime&theme=dark"))
	until(t, ctx, `document.querySelector('#page[data-page=flame] svg.flame rect')`)
	shot(t, ctx, "flame-time-dark")
}

// TestBrowserApply applies rules from the page of rules: the results stand on
// Details as long as they are asked for.
func TestBrowserApply(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=rules"))
	until(t, ctx, `document.querySelector('#page[data-page=rules] button.link')`)
	run(t, ctx, `[...document.querySelectorAll('#page button.link')].find(b => b.innerText === 'SpeedOfLightBottleneck').click()`)
	until(t, ctx, `document.querySelector('#page[data-page=details] aside[data-at=SpeedOfLightBottleneck]') && document.querySelector('#apply').value === 'SpeedOfLightBottleneck'`)
	shot(t, ctx, "details-rules-light")
	run(t, ctx, `const e = document.querySelector('#apply'); e.value = ''; e.dispatchEvent(new Event('change', {bubbles: true}))`)
	until(t, ctx, `document.querySelector('#page[data-page=details] aside[data-at=ExampleUncoalescedStores]') && !document.querySelector('aside[data-at=SpeedOfLightBottleneck]')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=sets"))
	until(t, ctx, `document.querySelector('#page[data-page=sets] button.link')`)
	run(t, ctx, `[...document.querySelectorAll('#page button.link')].find(b => b.innerText === 'basic').click()`)
	until(t, ctx, `document.querySelector('#page[data-page=details] [data-section=LaunchStats]') && location.hash.includes('set=basic')`)
}

// TestBrowserCard points at a metric, with the mouse and with the keys.
func TestBrowserCard(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details"))
	until(t, ctx, `document.querySelector('#page[data-page=details] [data-section=SpeedOfLight] td')`)
	run(t, ctx, `[...document.querySelectorAll('[data-section=SpeedOfLight] td')].find(e => e.innerText === 'Memory Throughput').dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))`)
	until(t, ctx, `(() => { const c = document.querySelector('[role=tooltip]')?.innerText ?? '';
		return c.includes('gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed') && c.includes('Raw value') && c.includes('Description') && c.includes('Formula'); })()`)
	shot(t, ctx, "card-light")
	do(t, ctx, chromedp.KeyEvent("\u001b"))
	until(t, ctx, `!document.querySelector('[role=tooltip]')`)
	run(t, ctx, `document.querySelector('[data-section=SpeedOfLight] .shown .scroll').focus({preventScroll: true})`)
	run(t, ctx, `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true, cancelable: true}))`)
	until(t, ctx, `document.querySelector('[data-section=SpeedOfLight] tr[aria-current=true]') && document.querySelector('[role=tooltip]')`)
}

// TestBrowserMany shows 200000 rows: few are in the page, and the last is reached.
func TestBrowserMany(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=query&rows=0&sql="+url.QueryEscape("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i FROM n")))
	until(t, ctx, `document.querySelector('#page[data-page=query] .count')?.innerText === '200000 rows' && document.querySelectorAll('#page tr').length < 100`)
	run(t, ctx, `document.querySelector('#page .scroll').scrollTop = 1e9`)
	until(t, ctx, `[...document.querySelectorAll('#page td')].some(e => e.innerText === '200000')`)
	run(t, ctx, `[...document.querySelectorAll('#page th button')][0].click()`)
	run(t, ctx, `document.querySelector('#page .scroll').scrollTop = 0`)
	until(t, ctx, `document.querySelector('#page tbody td')?.innerText === '200000'`)
}

// TestBrowserReports chooses one report of Stats.
func TestBrowserReports(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=stats"))
	until(t, ctx, `document.querySelector('#page[data-page=stats] figure.chart') && document.querySelectorAll('#report option').length > 20`)
	run(t, ctx, `const e = document.querySelector('#report'); e.value = 'cuda_gpu_trace'; e.dispatchEvent(new Event('change', {bubbles: true}))`)
	until(t, ctx, `location.hash.includes('ask=cuda_gpu_trace') && document.querySelectorAll('#page section').length === 1`)
	want(t, ctx, "/api/page/stats?file=0&report=cuda_gpu_trace")
}
