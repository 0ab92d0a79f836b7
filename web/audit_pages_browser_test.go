package web

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/examples"
)

// TestBrowserSandwichSelf: the cards of the boxes of a sandwich say of the function in the middle
// the total and the events that its row says, and callers, which are drawn for its time, have no time of their own.
func TestBrowserSandwichSelf(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=flame&ask=order%3Dsandwich"))
	until(t, ctx, `document.querySelectorAll('svg.flame').length === 2 && document.querySelector('[data-grid=functions] td')`)
	card := func(chart string) map[string]string {
		t.Helper()
		run(t, ctx, `document.querySelector('[data-chart="flame-`+chart+`"] svg.flame g').dispatchEvent(new MouseEvent('mouseenter'))`)
		until(t, ctx, `document.querySelector('[role=tooltip] dl')`)
		found := eval[map[string]string](t, ctx, `Object.fromEntries([['name', document.querySelector('[role=tooltip] b').innerText], ...[...document.querySelectorAll('[role=tooltip] dt')].map(e => [e.innerText, e.nextSibling.innerText])])`)
		do(t, ctx, chromedp.KeyEvent("\u001b"))
		until(t, ctx, `!document.querySelector('[role=tooltip]')`)
		return found
	}
	callees, callers := card("callees"), card("callers")
	if self, ok := callers["Self"]; ok {
		t.Errorf("the callers have a self time: %q", self)
	}
	if callees["name"] != callers["name"] || callees["Total"] != callers["Total"] {
		t.Errorf("the middle is %v below and %v above", callees, callers)
	}
	run(t, ctx, `window.doc = null; fetch('/api/page/flame?file=0&order=sandwich&pixels=1000&format=json', {headers: {Authorization: 'Bearer ' + sessionStorage.token}}).then(r => r.json()).then(d => window.doc = d)`)
	until(t, ctx, `doc`)
	// What the cards say in short is of the row: within itself the function has further boxes, with their own self times.
	if differ := eval[string](t, ctx, `(() => { const s = doc.sections[0], at = (t, n) => t.columns.findIndex(c => c.name === n), table = s.tables.find(t => t.id === 'functions');
		return JSON.stringify(['callees', 'callers'].map(id => s.charts.find(c => c.id === id)).filter(c => { const box = c.rows[0], row = table.rows.find(r => r[at(table, 'frame')] === box[at(c, 'frame')]);
			return !['total', 'count'].every(n => row[at(table, n)] === box[at(c, n)]) || c.id === 'callees' && box[at(c, 'self')] > row[at(table, 'self')]; })); })()`); differ != "[]" {
		t.Errorf("boxes in the middle that differ from their row of the table: %s", differ)
	}
	if callees["Events"] != callers["Events"] {
		t.Errorf("the middle is %v below and %v above", callees, callers)
	}
}

// TestBrowserCardInside: a card stands within the window, wherever what it tells of stands, and goes
// with it.
func TestBrowserCardInside(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	for _, width := range []int64{400, 1280} {
		do(t, ctx, chromedp.EmulateViewport(width, 500), chromedp.Navigate(s.base()+"/#page=details"))
		until(t, ctx, `document.querySelector('#page[data-page=details] tr[data-metric]')`)
		for _, at := range []string{"0", "-1"} { // the highest row in view, and the lowest
			run(t, ctx, `window.row = [...document.querySelectorAll('#page tr[data-metric]')].filter(r => (b => b.top > 0 && b.bottom < innerHeight)(r.getBoundingClientRect())).at(`+at+`)`)
			run(t, ctx, `setTimeout(() => row.dispatchEvent(new MouseEvent('mouseenter')), 200)`)
			until(t, ctx, `document.querySelector('[role=tooltip] b')?.innerText === row.dataset.metric && document.querySelector('[role=tooltip]').innerText.includes('Description')`)
			until(t, ctx, `(r => r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight)(document.querySelector('[role=tooltip]').getBoundingClientRect())`)
		}
		run(t, ctx, `location.hash = '#page=session'`)
		until(t, ctx, `document.querySelector('#page[data-page=session]') && !document.querySelector('[role=tooltip]')`)
	}
}

// TestBrowserFindingOnce: a rule whose result stands twice in a report is one finding, with the time
// that it could save counted once.
func TestBrowserFindingOnce(t *testing.T) {
	saved := func(doubled bool) (n int, save string) {
		r := examples.Transpose()
		for i := range r.Results {
			if doubled {
				r.Results[i].Rules = append(r.Results[i].Rules, r.Results[i].Rules...)
			}
		}
		name := filepath.Join(t.TempDir(), "report.ncu-rep")
		if err := r.WriteFile(name); err != nil {
			t.Fatal(err)
		}
		ctx, s := browser(t), start(t, name)
		do(t, ctx, chromedp.Navigate(s.URL()))
		until(t, ctx, `document.querySelector('#page[data-page=overview] .f .sv b')`)
		n, save = eval[int](t, ctx, `document.querySelectorAll('#page .f').length`), eval[string](t, ctx, `document.querySelector('.f .sv').innerText`)
		do(t, ctx, chromedp.Navigate(s.base()+"/#page=details"))
		until(t, ctx, `document.querySelector('#page[data-page=details] aside[data-at=ExampleUncoalescedStores]')`)
		if told := eval[int](t, ctx, `document.querySelectorAll('aside[data-at=ExampleUncoalescedStores]').length`); told != 1 {
			t.Errorf("doubled %v: Details says it %d times", doubled, told)
		}
		return n, save
	}
	n, save := saved(false)
	if m, more := saved(true); m != n || more != save {
		t.Errorf("%d findings that save %s, expected %d and %s", m, more, n, save)
	}
}

// asCommand finds options and commands of the command line.
var asCommand = regexp.MustCompile(`(?:^|[\s(])--[a-z][a-z-]+|\bgpuprof (?:details|stats|open|export|query|diff|source|flame|raw|info|convert) `)

// TestBrowserNoCommandWords: pages speak of what is on the screen, not of the command line.
func TestBrowserNoCommandWords(t *testing.T) {
	firstTime(t)
	ctx, s := browser(t), start(t, everyKind(t)...)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	for _, p := range everyPage(t, s) {
		words(t, ctx, p)
	}
}

func words(t *testing.T, ctx context.Context, p shown) {
	t.Helper()
	name, _, _ := strings.Cut(p.page, "&")
	run(t, ctx, `location.hash = '#file=`+p.file+`&page=`+strings.ReplaceAll(p.page, " ", "+")+`'`)
	until(t, ctx, `(document.querySelector('#page[data-page="`+name+`"]') || document.querySelector('[role=alert]')) && !document.querySelector('.skel')`)
	// Tables are what files hold: only what the viewer says itself is judged.
	text := eval[string](t, ctx, `(() => { const c = document.querySelector('#page')?.cloneNode(true); c?.querySelectorAll('table, code, pre, dd, svg').forEach(e => e.remove()); return c?.textContent ?? ''; })()`)
	if found := asCommand.FindString(text); found != "" {
		t.Errorf("%s of file %s speaks of %q", p.page, p.file, found)
	}
}
