package web

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestBrowserReal shows the details of a real report: the drawing of the memory
// chart and the memory tables have the values of the document, samples are drawn
// for each metric that has any, and the roofline's point says where it stands.
func TestBrowserReal(t *testing.T) {
	name := filepath.Join(corpustest.Dir(t), "corpus/ncu/bwcurless__FaSTED__Conventional_Layout.ncu-rep")
	ctx, s := browser(t), start(t, name)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview] td')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details&launch=2&base=0:0"))
	until(t, ctx, `document.querySelector('#page[data-page=details] svg.memory')`)
	run(t, ctx, `window.doc = null; fetch('/api/page/details?file=0&print-details=all&launch-skip=2&launch-count=1', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.doc = d);
		window.table = (part, title) => { let found; const look = s => { if (s.id === part) found = s.tables.find(t => t.title === title) ?? s.charts.find(c => c.kind === title) ?? found; s.sections?.forEach(look) }; doc.sections.forEach(look); return found };
		window.value = (t, metric) => { const i = t.rows.findIndex(r => r[0] === metric); return [t.rows[i][3], t.text[i][3] + ' ' + t.text[i][2]] }`)
	until(t, ctx, `window.doc`)
	until(t, ctx, `(() => { const t = table('MemoryWorkloadAnalysis_Chart', 'Memory Chart'), seen = document.querySelector('svg.memory').textContent;
		return seen.includes('642 GB') && seen.includes('49.9 %') && ['dram__bytes_read.sum', 'lts__t_sector_hit_rate.pct'].every(m => value(t, m)); })()`)
	until(t, ctx, `document.querySelectorAll('[data-section=PmSampling] svg path.area').length === table('PmSampling', 'timeline').rows.filter(r => r[4]?.length > 1).length`)
	until(t, ctx, `(() => { const t = table('MemoryWorkloadAnalysis_Tables', 'L2 Cache'), f = [...document.querySelectorAll('figure.grid')].find(f => f.querySelector('figcaption b')?.innerText === 'L2 Cache, by kind');
		const row = [...f.querySelectorAll('tr')].find(r => r.cells[0].innerText === 'from L1'), column = [...f.querySelectorAll('th')].findIndex(h => h.innerText.trim() === 'requests');
		return row.cells[column].dataset.raw === value(t, 'lts__t_requests_srcunit_tex.sum')[0] + ' '; })()`)
	run(t, ctx, `const c = document.querySelector('[data-section=SpeedOfLight] circle.pt'); c.focus(); c.dispatchEvent(new FocusEvent('focus'))`)
	until(t, ctx, `(() => { const r = table('SpeedOfLight_RooflineChart', 'roofline').rows.find(r => r[0] === 'Single Precision Achieved Value'), c = document.querySelector('[role=tooltip]')?.innerText ?? '';
		return c.includes(r[0]) && c.includes(r[2].toPrecision(5)) && c.includes(r[4].toPrecision(5)) && c.includes('% of this roof'); })()`)
	shot(t, ctx, "roofline-light")
	run(t, ctx, `document.querySelector('svg.memory').scrollIntoView()`)
	shot(t, ctx, "memory-light")
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=source&launch=2"))
	until(t, ctx, `document.querySelectorAll('#page[data-page=source] .pane').length === 2 && document.querySelector('.mini i')`)
	run(t, ctx, `document.querySelector('.mini i').click()`)
	until(t, ctx, `location.hash.includes('spot=') && document.querySelector('tr[aria-current=true]')`)
}
