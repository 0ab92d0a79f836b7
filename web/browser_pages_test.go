package web

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestBrowserSummary compares the page with the document, sorts it, filters it,
// and goes from a row to the details of its launch.
func TestBrowserSummary(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview] .kern td') && document.querySelector('.f .tt')`)
	// Every number of the launches that the command tells stands in the table.
	run(t, ctx, `window.doc = null; fetch('/api/page/summary?file=0', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.doc = d)`)
	until(t, ctx, `window.doc && (() => { const t = doc.sections.find(s => s.id === 'launches').tables[0], raw = new Set([...document.querySelectorAll('.kern [data-raw]')].map(e => e.dataset.raw.split(' ')[0]));
		return t.rows.every(r => t.columns.every((c, i) => !['duration', 'compute', 'memory', 'occupancy', 'registers'].includes(c.name) || r[i] === null || raw.has(String(r[i])))); })()`)
	sort := `[...document.querySelectorAll('.kern th button')].find(b => b.title.startsWith('duration')).click()`
	run(t, ctx, sort)
	until(t, ctx, `location.hash.includes('sort.')`)
	run(t, ctx, sort)
	until(t, ctx, `document.querySelector('.kern tbody').innerText.trim().startsWith('2')`)
	run(t, ctx, `document.querySelector('.kern a.go').click()`)
	until(t, ctx, `document.querySelector('#page[data-page=details] h1')?.innerText.startsWith('block_sum') && location.hash.includes('launch=2')`)
	do(t, ctx, chromedp.KeyEvent("["))
	until(t, ctx, `document.querySelector('#page[data-page=details] h1')?.innerText.startsWith('transpose_tiled')`)
	run(t, ctx, `history.go(-2)`)
	until(t, ctx, `document.querySelector('#page[data-page=overview] .f .tt')`)
	run(t, ctx, `document.querySelector('.f .tt').click()`)
	until(t, ctx, `document.querySelector('#page[data-page=details] h1')?.innerText.startsWith('transpose_naive')
		&& document.querySelector('.flag') && document.querySelector('aside.msg.optimization')?.dataset.at === 'ExampleUncoalescedStores'`)
	run(t, ctx, `document.activeElement.blur(); document.querySelector('.flag').click()`)
	until(t, ctx, `document.activeElement.classList.contains('msg')`)
}

// TestBrowserBaselines takes two launches of the file itself as baselines of the
// third: 46405 ns beside 210521 ns and 98084 ns, on Details and in its charts, on
// Summary and on Source.
func TestBrowserBaselines(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details&launch=0"))
	until(t, ctx, `document.querySelector('#page[data-page=details] td') && document.querySelector('#baseline')`)
	do(t, ctx, chromedp.KeyEvent("b"))
	until(t, ctx, `location.hash.includes('base=0%3A0') && document.querySelectorAll('.pill.base').length === 1`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details&launch=2&base=0:0,0:1"))
	until(t, ctx, `(() => { const row = [...document.querySelectorAll('#page tr[data-metric]')].find(r => r.cells[0].innerText === 'Duration'),
		d = [...row?.querySelectorAll('.delta') ?? []].map(e => e.textContent.trim());
		return d.length === 2 && d[0] === '−78.0%' && d[1] === '−52.7%' && row.querySelector('.delta.better'); })()`)
	until(t, ctx, `document.querySelectorAll('figure.chart .trk em').length >= 4`)
	// Names of metrics keep room beside two baselines.
	until(t, ctx, `[...document.querySelectorAll('.mt .ml')].every(e => e.clientWidth >= 100)`)
	shot(t, ctx, "baselines-light")
	// Compare says it in the words of diff; what differs by less than the noise has no verdict.
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=compare&launch=2&base=0:0"))
	until(t, ctx, `document.querySelector('#page[data-page=compare] h1')?.innerText.startsWith('block_sum takes 78.0 % less time than transpose_naive (210.5 → 46.41 us)') && document.querySelector('.cmp td.delta.better')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=compare&launch=2&base=0:0&least=400"))
	until(t, ctx, `document.querySelector('#page[data-page=compare] h1')?.innerText.includes('takes the same time as transpose_naive within 400 %') && !document.querySelector('.cmp td.delta.better')`)
	run(t, ctx, `window.wanted = null; fetch('/api/page/diff?file=0&file=0&pair=0:2&metrics=gpu__time_duration.sum', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.wanted = d)`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=compare&launch=2&base=0:0"))
	until(t, ctx, `(() => { if (!wanted) return false;
		const t = wanted.sections.find(s => s.id === 'metrics').tables[0], cell = n => t.rows[0][t.columns.findIndex(c => c.name === n)], row = document.querySelector('.cmp tr[data-metric="gpu__time_duration.sum"]');
		return row && row.innerText.includes(cell('difference')) && row.innerText.includes(cell('word')) && wanted.sections[0].messages.every(m => document.querySelector('[data-section=pair]').innerText.includes(m.text)); })()`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=source&ask=cuda&launch=1&base=0:0"))
	until(t, ctx, `document.querySelector('#page[data-page=source] td')`)
	run(t, ctx, `document.querySelector('.pill.base button').click()`)
	until(t, ctx, `!location.hash.includes('base=') && !document.querySelector('.pill.base')`)
}

// TestBrowserLines links lines with their instructions, both ways, finds text,
// and chooses columns.
func TestBrowserLines(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=source"))
	until(t, ctx, `document.querySelectorAll('#page[data-page=source] .pane td').length > 20 && document.querySelectorAll('.pane').length === 2 && document.querySelector('[data-grid="sass.0"] td')`)
	lit := func(pane string, n string) string {
		return `document.querySelectorAll('[data-grid="` + pane + `"] tr.lit').length === ` + n
	}
	run(t, ctx, `[...document.querySelectorAll('[data-grid="cuda.0"] tr')].find(r => r.innerText.includes('out[x * n + y]')).click()`)
	until(t, ctx, lit("cuda.0", "1")+" && "+lit("sass.0", "2")+` && location.hash.includes('line=')`)
	run(t, ctx, `document.querySelector('[data-grid="sass.0"] tbody tr[aria-rowindex]').click()`)
	until(t, ctx, lit("sass.0", "1")+` && document.querySelector('[data-grid="cuda.0"] tr.lit').innerText.includes('blockIdx.x')`)
	shot(t, ctx, "source-both-light")
	run(t, ctx, `[...document.querySelectorAll('.tb button')].find(b => b.innerText.includes('Columns')).click()`)
	until(t, ctx, `document.querySelector('.cols label input')`)
	run(t, ctx, `window.was = document.querySelectorAll('[data-grid="sass.0"] th').length; [...document.querySelectorAll('.cols label input')].find(e => !e.checked).click()`)
	until(t, ctx, `location.hash.includes('cols=') && document.querySelectorAll('[data-grid="sass.0"] th').length === was + 1`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=source&ask=cuda&seek=blockIdx"))
	until(t, ctx, `document.querySelectorAll('[data-grid="cuda.0"] tr.hit').length === 2`)
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
	until(t, ctx, `location.hash.includes('window') && document.querySelector('.bar2')?.innerText.includes('All of it')`)
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
	until(t, ctx, `document.querySelector('#page[data-page=rules] a.go')`)
	run(t, ctx, `[...document.querySelectorAll('#page a.go')].find(b => b.innerText === 'SpeedOfLightBottleneck').click()`)
	until(t, ctx, `document.querySelector('#page[data-page=details] aside[data-at=SpeedOfLightBottleneck]') && document.querySelector('#apply').value === 'SpeedOfLightBottleneck'`)
	shot(t, ctx, "details-rules-light")
	run(t, ctx, `const e = document.querySelector('#apply'); e.value = ''; e.dispatchEvent(new Event('change', {bubbles: true}))`)
	until(t, ctx, `document.querySelector('#page[data-page=details] aside[data-at=ExampleUncoalescedStores]') && !document.querySelector('aside[data-at=SpeedOfLightBottleneck]')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=sets"))
	until(t, ctx, `document.querySelector('#page[data-page=sets] a.go')`)
	run(t, ctx, `[...document.querySelectorAll('#page a.go')].find(b => b.innerText === 'basic').click()`)
	until(t, ctx, `document.querySelector('#page[data-page=details] [data-section=LaunchStats]') && location.hash.includes('set=basic')`)
}

// TestBrowserCard points at a metric, with the mouse and with the keys.
func TestBrowserCard(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details"))
	until(t, ctx, `document.querySelector('#page[data-page=details] [data-section=SpeedOfLight] td')`)
	run(t, ctx, `[...document.querySelectorAll('[data-section=SpeedOfLight] td')].find(e => e.innerText === 'Memory Throughput').parentElement.dispatchEvent(new MouseEvent('mouseenter', {bubbles: false}))`)
	until(t, ctx, `(() => { const c = document.querySelector('[role=tooltip]')?.innerText ?? '';
		return c.includes('gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed') && c.includes('Raw value') && c.includes('Description') && c.includes('Formula'); })()`)
	shot(t, ctx, "card-light")
	do(t, ctx, chromedp.KeyEvent("\u001b"))
	until(t, ctx, `!document.querySelector('[role=tooltip]')`)
	// What a pointer shows, focus shows.
	run(t, ctx, `const r = document.querySelector('[data-section=SpeedOfLight] tr[data-metric]'); r.focus({preventScroll: true}); r.dispatchEvent(new FocusEvent('focus'))`)
	until(t, ctx, `document.querySelector('[role=tooltip]')?.innerText.includes('Raw value')`)
}

// TestBrowserMany shows 200000 rows: few are in the page, and the last is reached.
func TestBrowserMany(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=query&rows=0&sql="+url.QueryEscape("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i FROM n")))
	until(t, ctx, `document.querySelector('#page[data-page=query] .rh .count')?.innerText.replace(/\D/g, '') === '200000' && document.querySelectorAll('#page tr').length < 100`)
	run(t, ctx, `document.querySelector('#page .scroll').scrollTop = 1e9`)
	until(t, ctx, `[...document.querySelectorAll('#page td')].some(e => e.dataset.raw?.startsWith('200000'))`)
	run(t, ctx, `[...document.querySelectorAll('#page th button')][0].click()`)
	run(t, ctx, `document.querySelector('#page .scroll').scrollTop = 0`)
	until(t, ctx, `document.querySelector('#page tbody td[data-raw]')?.dataset.raw.startsWith('200000')`)
}

// TestBrowserReports chooses one report of Stats.
func TestBrowserReports(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=stats"))
	until(t, ctx, `document.querySelectorAll('#reports a').length > 20`)
	run(t, ctx, `[...document.querySelectorAll('#reports a')].find(a => a.href.includes('ask=cuda_gpu_trace')).click()`)
	until(t, ctx, `location.hash.includes('ask=cuda_gpu_trace') && document.querySelector('[data-grid=cuda_gpu_trace] td')`)
	want(t, ctx, "/api/page/stats?file=0&report=cuda_gpu_trace")
}

// TestBrowserCompareCopy: against a copy of itself a file is the same measurement, as diff says.
func TestBrowserCompareCopy(t *testing.T) {
	b, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.ncu-rep")
	if err := os.WriteFile(copied, b, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, s := browser(t), start(t, example, copied)
	do(t, ctx, chromedp.Navigate(s.URL()+"&page=compare&base=1"))
	until(t, ctx, `document.querySelector('[data-section=diff] .say')?.innerText.startsWith('nothing differs')`)
}

// TestBrowserCompareFiles: against another file, Compare says what diff says, and launches are
// compared with those that diff matches, or with none.
func TestBrowserCompareFiles(t *testing.T) {
	dir := corpustest.Dir(t) + "/corpus/ncu/"
	ctx, s := browser(t), start(t, dir+"2388612861__GPU-DEMO__ncu_report.ncu-rep", dir+"2388612861__GPU-DEMO__ncu_report_optimized.ncu-rep")
	do(t, ctx, chromedp.Navigate(s.URL()+"&file=1&page=compare&base=0&launch=0"))
	until(t, ctx, `document.querySelector('[data-section=diff] [data-section=kernels] td') && document.querySelector('.ladder a')`)
	run(t, ctx, `window.wanted = null; fetch('/api/page/diff?file=0&file=1&by=launch', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.wanted = d)`)
	until(t, ctx, `wanted?.sections[0].messages.every(m => document.querySelector('[data-section=diff]').innerText.replace(/\s+/g, ' ').includes(m.text.replace(/\s+/g, ' ')))`)
	shot(t, ctx, "compare-files-light")
	do(t, ctx, chromedp.Navigate(s.base()+"/#file=1&page=compare&base=0&launch=1"))
	until(t, ctx, `document.body.innerText.includes('has no partner there') && document.querySelector('[data-section=diff] .say')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#file=1&page=details&base=0&launch=0"))
	until(t, ctx, `document.querySelector('#page[data-page=details] .bk')`)
}
