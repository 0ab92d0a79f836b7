package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestBrowserBranches: the instruction that loops has an arrow in the margin, Enter follows it, and
// the card of an instruction says where it leads and what is special about it.
func TestBrowserBranches(t *testing.T) {
	ctx, s := browser(t), start(t, corpustest.Dir(t)+"/corpus/ncu/bwcurless__FaSTED__Conventional_Layout.ncu-rep")
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=source&ask=sass&launch=0"))
	until(t, ctx, `document.querySelector('[data-grid="sass.0"] .br path')`)
	run(t, ctx, `window.doc = null; fetch('/api/page/source?file=0&print-source=sass&launch-skip=0&launch-count=1', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.doc = d)`)
	until(t, ctx, `window.doc`)
	// As the document has it: a row that leads somewhere, and the row of that address.
	run(t, ctx, `window.t = doc.sections[0].tables[0]; window.col = n => t.columns.findIndex(c => c.role === n);
		window.from = t.rows.findIndex(r => r[col('target')]); window.to = t.rows.findIndex(r => r[col('address')] === Number(t.rows[from][col('target')].split(' ')[0]))`)
	until(t, ctx, `from >= 0 && to >= 0`)
	run(t, ctx, `document.querySelector('[data-grid="sass.0"]').scrollTop = Math.max(0, from - 5) * 21`)
	until(t, ctx, `document.querySelector('tr[data-row="' + from + '"] .br path[data-to="' + to + '"]')`)
	run(t, ctx, `document.querySelector('tr[data-row="' + from + '"]').click()`)
	until(t, ctx, `document.querySelector('tr[data-row="' + from + '"][aria-current=true] .br path.on')`)
	run(t, ctx, `(() => { const c = document.querySelector('tr[data-row="' + from + '"] td.code'), b = c.getBoundingClientRect();
		c.dispatchEvent(new MouseEvent('mousemove', {bubbles: true, clientX: b.left + 5, clientY: b.top + 5})); })()`)
	until(t, ctx, `document.querySelector('.tip')?.innerText.includes('Leads to') && document.querySelector('.tip').innerText.includes('Live registers')`)
	shot(t, ctx, "source-branches-light")
	run(t, ctx, `(() => { const g = document.querySelector('[data-grid="sass.0"]'); g.focus(); g.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true})); })()`)
	until(t, ctx, `document.querySelector('tr[data-row="' + to + '"][aria-current=true]')`)
}
