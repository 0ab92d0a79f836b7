package web

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/examples"
)

// run evaluates statements in the page.
func run(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("(() => {"+script+"; return true })()")); err != nil {
		t.Fatal(err)
	}
}

// want compares the tables of the page with the document that the server gives.
func want(t *testing.T, ctx context.Context, path string) {
	t.Helper()
	run(t, ctx, `window.doc = null; fetch('`+path+`', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.doc = d)`)
	until(t, ctx, `window.doc && (() => {
		const ts = doc.sections.flatMap(s => s.tables), page = document.querySelector('#page'), raw = new Set([...page.querySelectorAll('[data-raw]')].map(e => e.dataset.raw.split(' ')[0])), text = page.textContent.replace(/\s+/g, ' ');
		const spread = new Set(['minimum', 'median', 'maximum']), missing = [];
		for (const t of ts) t.rows.slice(0, 40).forEach((r, k) => t.labels.forEach((l, c) => {
			if (l === null || t.columns[c].type === 'list' || spread.has(t.columns[c].role)) return;
			if (typeof r[c] === 'number' ? !raw.has(String(r[c])) && !text.includes(t.text[k][c]) : typeof r[c] === 'string' && r[c] && !['kernel', 'function'].includes(t.columns[c].role) && t.columns[c].name !== 'style' && !text.includes(t.text[k][c].replace(/\s+/g, ' '))) missing.push([t.id, k, c, r[c]]);
		}));
		window.missing = JSON.stringify(missing.slice(0, 4));
		return ts.length > 0 && !missing.length; })()`)
}

// TestBrowserTrace compares Stats and SQL with the documents, and shows Analysis.
func TestBrowserTrace(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a[aria-current=page]')?.textContent === 'Overview' && document.querySelector('#page[data-page=overview] h1')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=stats"))
	for _, report := range []string{"cuda_gpu_kern_sum", "cuda_api_sum", "nvtx_sum", "cuda_gpu_mem_size_sum"} {
		do(t, ctx, chromedp.Navigate(s.base()+"/#page=stats&ask="+report))
		until(t, ctx, `document.querySelector('#page[data-page=stats] [data-grid=`+report+`] td')`)
		want(t, ctx, "/api/page/stats?file=0&report="+report)
	}
	shot(t, ctx, "stats-light")
	// What was a page of checks is the Overview, and a group of Stats.
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=analyze"))
	until(t, ctx, `document.querySelector('#page[data-page=overview]')`)
	// Where no name tells its kind, the sentence gives the largest kernel its own share, not that of all.
	until(t, ctx, `(([, share, name] = []) => [...document.querySelectorAll('#page tbody tr')].some(r => r.innerText.includes(name) && r.innerText.replace(/\s/g, '').includes(share + '%')))(document.querySelector('#page h1').innerText.match(/; ([\d.]+)\s%\sof the kernel time is (kernel_\d)/) ?? undefined)`)
	shot(t, ctx, "overview-timeline-light")
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=stats"))
	run(t, ctx, `window.analysis = null; fetch('/api/page/analyze?file=0', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.analysis = d)`)
	until(t, ctx, `window.analysis?.sections.length > 0 && analysis.sections.every(s => [...document.querySelectorAll('#reports a')].some(a => a.title === s.title))`)
}

// TestBrowserSQL picks an example, saves it, runs it, and finds it again.
func TestBrowserSQL(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=query"))
	until(t, ctx, `document.querySelector('.cm-content') && [...document.querySelectorAll('.tn span')].some(e => e.innerText === 'CUPTI_ACTIVITY_KIND_KERNEL')`)
	side := func(name string) {
		run(t, ctx, `[...document.querySelectorAll('.sq .outline .seg button')].find(b => b.innerText === '`+name+`').click()`)
	}
	const text = `document.querySelector('.cm-content').innerText`
	side("Recipes")
	until(t, ctx, `document.querySelectorAll('#recipes button').length > 10`)
	run(t, ctx, `document.querySelector('[data-recipe=api_to_kernel]').click()`)
	until(t, ctx, text+`.includes('CUPTI_ACTIVITY_KIND_KERNEL')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=query&sql="+url.QueryEscape("SELECT COUNT(*) AS n FROM CUPTI_ACTIVITY_KIND_KERNEL")))
	until(t, ctx, `document.querySelector('#page[data-page=query] td')?.innerText === '200' && `+text+`.startsWith('SELECT COUNT')`)
	run(t, ctx, `[...document.querySelectorAll('.tabs button')].find(b => b.innerText.includes('Save')).click()`)
	until(t, ctx, `document.querySelector('#query-name')`)
	run(t, ctx, `document.querySelector('#query-name').value = 'mine'; document.querySelector('#query-name').form.requestSubmit()`)
	until(t, ctx, `!document.querySelector('#query-name')`)
	want(t, ctx, "/api/page/query?file=0&sql="+url.QueryEscape("SELECT COUNT(*) AS n FROM CUPTI_ACTIVITY_KIND_KERNEL"))
	shot(t, ctx, "query-light")
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(s.base()+"/#page=query"))
	until(t, ctx, `document.querySelector('.cm-content')`)
	side("Saved")
	until(t, ctx, `document.querySelector('[data-query=mine]')`)
	run(t, ctx, `document.querySelector('[data-query=mine]').click()`)
	until(t, ctx, text+`.startsWith('SELECT COUNT(*) AS n')`)
	// Colours of words, and what is offered: the columns of a table by the name that stands for it.
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=query&sql="+url.QueryEscape("/* two\nlines */ SELECT 'a', 1 FROM StringIds AS w WHERE w.")))
	until(t, ctx, text+`.endsWith('w.') && new Set([...document.querySelectorAll('.cm-line span[class]')].map(e => e.className)).size === 4`)
	run(t, ctx, `document.querySelector('.cm-content').focus(); getSelection().selectAllChildren(document.querySelector('.cm-content')); getSelection().collapseToEnd(); document.execCommand('insertText', false, 'v')`)
	until(t, ctx, `[...document.querySelectorAll('.cm-tooltip-autocomplete li')].map(e => e.innerText.trim()).join().startsWith('value')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=query&sql="+url.QueryEscape("DELETE FROM StringIds")))
	until(t, ctx, `document.querySelector('[role=alert]')`)
}

// TestBrowserButtons clicks the buttons that save tables and charts.
func TestBrowserButtons(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""), example)
	do(t, ctx, chromedp.Navigate(s.URL()), chromedp.Navigate(s.base()+"/#page=stats"))
	until(t, ctx, `document.querySelector('#page figure.grid td')`)
	// A saved file is a click on a link: note its name and content.
	run(t, ctx, `window.got = {}; const blobs = {}, made = URL.createObjectURL;
		URL.createObjectURL = b => { const u = made(b); blobs[u] = b; return u };
		HTMLAnchorElement.prototype.click = function() { const n = this.download.split('.').pop(); blobs[this.href] ? blobs[this.href].text().then(x => got[n] = x) : got[n] = this.href };
		window.press = (where, what) => [...document.querySelector(where).querySelectorAll('.tools button')].find(b => b.title === what).click();
		for (const w of ['Save as CSV', 'Save as JSON', 'Save as Markdown']) press('#page figure.grid', w)`)
	until(t, ctx, `got.csv && got.json && got.md`)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`location.hash = '#page=details&file=1'`))
	until(t, ctx, `document.querySelector('#page[data-page=details] figure.chart .trk')`)
	run(t, ctx, `for (const w of ['Save as SVG', 'Save as PNG']) press('#page figure.chart', w)`)
	until(t, ctx, `got.csv && got.json && got.md && got.svg && got.png`)
	until(t, ctx, `(() => { const t = JSON.parse(got.json), lines = got.csv.trimEnd().split('\n');
		return t.rows.length > 0 && lines.length === t.rows.length + 1 && lines[0] === t.columns.map(c => '"' + c.name + '"').join(',')
			&& got.md.split('\n').length === t.rows.length + 3; })()`)
	until(t, ctx, `new DOMParser().parseFromString(got.svg, 'image/svg+xml').documentElement.tagName === 'svg' && got.png.startsWith('data:image/png;base64,') && got.png.length > 1000`)
}

// TestBrowserBaseline compares two launches of two files: 210521 ns and 98084 ns.
func TestBrowserBaseline(t *testing.T) {
	r := examples.Transpose()
	var names []string
	for i, n := range []string{"naive.ncu-rep", "tiled.ncu-rep"} {
		one := *r
		one.Results = r.Results[i : i+1]
		names = append(names, filepath.Join(t.TempDir(), n))
		if err := one.WriteFile(names[i]); err != nil {
			t.Fatal(err)
		}
	}
	ctx, s := browser(t), start(t, names...)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page td')`)
	for base, want := range map[string]string{"file=0&base=1": ".delta.worse|+114.6%|98084", "file=1&base=0": ".delta.better|−53.4%|210521"} {
		do(t, ctx, chromedp.Navigate(s.base()+"/#page=details&"+base))
		until(t, ctx, `(() => { const row = [...document.querySelectorAll('#page tr[data-metric]')].find(r => r.cells[0].innerText === 'Duration'),
			[kind, text, title] = '`+want+`'.split('|'), d = row?.querySelector(kind);
			return d && d.textContent.trim() === text && d.title.includes(title); })()`)
	}
}

// TestBrowserSpots walks over the hot spots of Source: 300, 40, 5 samples, and round to the last.
func TestBrowserSpots(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()), chromedp.Navigate(s.base()+"/#page=source"))
	until(t, ctx, `document.querySelector('#page[data-page=source] [data-view=sass] td') && document.body.innerText.includes('of 5')`)
	do(t, ctx, chromedp.Sleep(time.Second)) // keys are heard after the page is drawn
	for _, step := range []struct{ key, samples string }{{"n", "300"}, {"n", "40"}, {"n", "5"}, {"p", "40"}, {"p", "300"}, {"p", "1"}} {
		do(t, ctx, chromedp.KeyEvent(step.key))
		until(t, ctx, `document.querySelector('[data-view=sass] tr[aria-current=true]')?.cells[0].dataset.raw === '`+step.samples+`'`)
	}
}

// TestBrowserLifetimes opens a simulator's log.
func TestBrowserLifetimes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.log")
	const log = `GPGPU-Sim: Configuration options:
-gpgpu_clock_domains 1000.0:1132.0:1132.0:850.0 # Clock Domain Frequencies in MhZ
-gpgpu_n_clusters                     132 # number of processing clusters
Processing kernel traces/kernel-7.traceg
-kernel name = _ZN2at6native5gemmxEPfi
-kernel id = 7
-grid dim = (4,2,1)
-block dim = (128,1,1)
GPGPU-Sim Cycle 100: Load instr from L2 cache at partition 1 addr 1000 status 2
GPGPU-Sim Cycle 300: Load instr from L2 cache at partition 1 addr 1000 status 0
gpu_sim_cycle = 1100
gpu_tot_sim_cycle = 1100
`
	if err := os.WriteFile(name, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, s := browser(t), start(t, name)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `[...document.querySelectorAll('nav a')].some(a => a.innerText === 'Lifetimes' && (a.click(), true))`)
	until(t, ctx, `document.querySelector('#page[data-page=lifetimes] td') && document.querySelector('#page').innerText.includes('gemmx')`)
	shot(t, ctx, "lifetimes-light")
}
