package web

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserHeaderMenu does by keys and by the mouse what the menu of a column
// has: it sorts, filters by value, hides, pins, moves, shades and copies.
func TestBrowserHeaderMenu(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+`/#page=query&sql=`+"SELECT+value+AS+text%2C+id%2C+(id%257)*1000000+AS+big+FROM+StringIds+ORDER+BY+id+LIMIT+40"))
	const grid = `document.querySelector('#page figure.grid')`
	until(t, ctx, grid+`?.querySelectorAll('tbody td').length > 9`)
	heads := func() string {
		return eval[string](t, ctx, `[...`+grid+`.querySelectorAll('th .t')].map(e => e.innerText).join()`)
	}
	if got := heads(); got != "text,id,big" {
		t.Fatalf("columns %s", got)
	}
	open := func(column string) {
		t.Helper()
		run(t, ctx, `[...`+grid+`.querySelectorAll('th')].find(h => h.innerText.trim() === '`+column+`').querySelector('button').focus();
			document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true, cancelable: true}))`)
		until(t, ctx, `document.querySelector('.pop[aria-label="Column `+column+`"]')?.contains(document.activeElement)`)
	}
	choose := func(column, item string) {
		t.Helper()
		open(column)
		run(t, ctx, `[...document.querySelectorAll('.pop button')].find(b => b.innerText.trim().startsWith('`+item+`')).click()`)
		until(t, ctx, `!document.querySelector('.pop')`)
	}
	ids := grid + `.querySelectorAll('td[data-c="1"]')`
	choose("id", "Sort, largest first")
	until(t, ctx, `(() => { const v = [...`+ids+`].map(e => parseFloat(e.dataset.raw)); return v.length > 3 && v.every((x, i) => !i || v[i - 1] >= x); })()`)
	until(t, ctx, `document.activeElement.closest('th')?.innerText.trim() === 'id'`)
	rows := eval[int](t, ctx, ids+`.length`)
	third := strconv.Itoa(int(eval[float64](t, ctx, `parseFloat([...`+ids+`].at(-3).dataset.raw)`))) // the third from below
	open("id")
	run(t, ctx, `(() => { const i = document.querySelector('.pop input'); i.value = '<= `+third+`'; i.dispatchEvent(new Event('input', {bubbles: true})); })()`)
	until(t, ctx, `document.querySelector('.pop input').value === '<= `+third+`'`)
	run(t, ctx, `document.querySelector('.pop form').requestSubmit()`)
	until(t, ctx, `[...`+ids+`].every(e => parseFloat(e.dataset.raw) <= `+third+`) && `+ids+`.length === 3 && location.hash.includes('only.')`)
	choose("id", "Clear the filters")
	until(t, ctx, ids+`.length === `+strconv.Itoa(rows))
	choose("big", "Pin")
	until(t, ctx, `getComputedStyle(`+grid+`.querySelector('td')).position === 'sticky'`)
	if got := heads(); got != "big,text,id" {
		t.Errorf("pinned: %s", got)
	}
	choose("id", "Move to the left")
	until(t, ctx, `[...`+grid+`.querySelectorAll('th .t')].map(e => e.innerText).join() === 'big,id,text'`)
	choose("big", "Heat")
	until(t, ctx, grid+`.querySelector('td.h5') && `+grid+`.querySelector('td.h1')`)
	run(t, ctx, `window.copied = ''; navigator.clipboard.writeText = async x => { copied = x }`)
	choose("id", "Copy the column")
	until(t, ctx, `copied.split('\n')[0] === 'id' && copied.split('\n').length === `+strconv.Itoa(rows+1))
	// A text of the column as its filter, by the arrow keys and Enter, with nothing else of the mouse.
	open("text")
	first := eval[string](t, ctx, `document.querySelector('.pop .mi .ell').innerText`)
	run(t, ctx, `document.querySelector('.pop .mi .ell').parentElement.focus()`)
	do(t, ctx, chromedp.KeyEvent("\r"))
	until(t, ctx, `!document.querySelector('.pop') && `+ids+`.length === 1`)
	if got := eval[string](t, ctx, grid+`.querySelector('td[data-c="0"]').innerText`); got != first {
		t.Errorf("filtered by %q: %q", first, got)
	}
	do(t, ctx, chromedp.Reload())
	until(t, ctx, grid+` && `+ids+`.length === 1 && `+grid+`.querySelector('th').innerText.trim() === 'big'`)
	choose("id", "Hide")
	if got := heads(); got != "big,text" {
		t.Errorf("hidden: %s", got)
	}
	// Right click opens it, Escape closes it and gives the focus back.
	run(t, ctx, `[...`+grid+`.querySelectorAll('th')].find(h => h.innerText.trim() === 'text').dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))`)
	until(t, ctx, `document.querySelector('.pop[aria-label="Column text"]')?.contains(document.activeElement)`)
	do(t, ctx, chromedp.KeyEvent("\x1b"))
	until(t, ctx, `!document.querySelector('.pop')`)
	script := axe(t)
	run(t, ctx, script)
	for _, theme := range []string{"light", "dark"} {
		run(t, ctx, `location.hash = location.hash.replace(/&theme=.*/, '') + '&theme=`+theme+`'`)
		until(t, ctx, `document.documentElement.dataset.theme === '`+theme+`'`)
		open("text")
		for _, v := range violations(t, ctx) {
			t.Errorf("menu, %s: %s", theme, v)
		}
		do(t, ctx, chromedp.KeyEvent("\x1b"))
		until(t, ctx, `!document.querySelector('.pop')`)
	}
}
