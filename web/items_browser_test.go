package web

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserItems shows a section with every item of section files, each in the form
// that its definition asks for.
func TestBrowserItems(t *testing.T) {
	ctx, s := browser(t), start(t, filepath.Join("..", "examples", "items.ncu-rep"))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview] td')`)
	do(t, ctx, chromedp.EmulateViewport(1280, 2600))
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details"))
	until(t, ctx, `document.querySelector('[data-section=EveryItem] .upright')`)
	const part = `const part = document.querySelector('[data-section=EveryItem]'), figure = name => [...part.querySelectorAll('figure.chart')].find(f => f.querySelector('figcaption')?.innerText.startsWith(name));`
	for what, holds := range map[string]string{
		"bars side by side":        `[...figure('Upright').querySelectorAll('.upright [role=listitem]')].map(e => e.dataset.value).join() === '33.3,50,93.8'`,
		"the tallest bar":          `(i => i[0].clientHeight < i[1].clientHeight && i[1].clientHeight < i[2].clientHeight)(figure('Upright').querySelectorAll('.stand i'))`,
		"a container":              `figure('Upright').closest('.curves').contains(figure('Samples of Instructions')) && figure('Upright').getBoundingClientRect().top === figure('Samples of Instructions').getBoundingClientRect().top`,
		"bins":                     `[...figure('Samples of Instructions').querySelectorAll('[role=listitem]')].map(e => e.dataset.value).join() === '3,2,1,1'`,
		"ticks below bars":         `[...figure('Use').querySelectorAll('.ticks s')].map(e => e.innerText).join(' ').replaceAll('%', '') === '0 25 50 75 100'`,
		"ticks of a line":          `(t => ['0', '64', '128', '192', '256', '20', '40', '60', '80'].every(v => t.includes(v)))([...figure('Warps by Registers').querySelectorAll('text.ax')].map(e => e.textContent))`,
		"the place marked":         `figure('Warps by Registers').querySelector('line.guide, circle.pt')`,
		"a matrix":                 `[...figure('Traffic').querySelectorAll('tr')].map(r => [...r.cells].map(c => c.innerText).join('|')).join('/') === '|All|A Second/Read|67.11 Mbyte|684.20 Gbyte/s/Written|67.11 Mbyte|684.20 Gbyte/s'`,
		"columns filled in turn":   `[...figure('Launch').querySelectorAll('tr')].map(r => r.cells[0].innerText).join() === 'Blocks,Threads a Block'`,
		"a bar for each opcode":    `[...figure('Opcodes').querySelectorAll('.ops .l')].map(e => e.innerText).join() === 'LDG,STG,LDS,STS,IMAD,BAR,EXIT'`,
		"lanes of samples":         `part.querySelectorAll('.sps .sp').length === 2`,
		"the roofline, the memory": `part.querySelector('svg .roof') && part.querySelector('svg.memory')`,
		"the wall":                 `[...figure('Roofline').querySelectorAll('text.lb')].some(e => e.textContent === 'Wall')`,
		"links and places":         `['Logical NVLinks', 'NVLink Properties', 'NVLink Throughput', 'NUMA Affinity'].every(t => part.innerText.includes(t))`,
	} {
		t.Run(what, func(t *testing.T) { until(t, ctx, `(() => {`+part+` return `+holds+`})()`) })
	}
	shot(t, ctx, "items-light")
}
