package web

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestBrowserNoFiles opens the viewer without files: it shows the start page, and a file that is
// dropped anywhere on the window opens.
func TestBrowserNoFiles(t *testing.T) {
	ctx, s := browser(t), start(t)
	if _, body := ask(t, s, "GET", "/api/files", nil, nil); strings.TrimSpace(body) != "[]" {
		t.Errorf("no files are listed as %s, expected an empty list", body)
	}
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=open] h1')`)
	shot(t, ctx, "start-light")
	report, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	run(t, ctx, `window.bytes = []`)
	const part = 1 << 15
	for i := 0; i < len(report); i += part {
		run(t, ctx, `bytes.push(...Uint8Array.from(atob('`+base64.StdEncoding.EncodeToString(report[i:min(len(report), i+part)])+`'), c => c.charCodeAt(0)))`)
	}
	run(t, ctx, `const d = new DataTransfer(); d.items.add(new File([new Uint8Array(bytes)], 'dropped.ncu-rep'));
		document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true}))`)
	until(t, ctx, `document.querySelector('#page[data-page=overview] h1')?.innerText.includes('transpose_naive')`)
}

// TestBrowserNoMatch searches the timeline for what is not there, and by an expression that is
// none: it is said, and the timeline goes on. The next match is another slice each time.
func TestBrowserNoMatch(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&q=nothing_is_called_so"))
	until(t, ctx, drawn)
	until(t, ctx, `document.querySelector('.tl-tools .nx')?.innerText === 'none'`)
	do(t, ctx, chromedp.KeyEvent("n"))
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&q=%5B"))
	until(t, ctx, `document.querySelector('.tl-state [role=alert]')`)
	run(t, ctx, `window.was = document.querySelector('.tl-canvas')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&q=kernel_"))
	until(t, ctx, `/ of \d+/.test(document.querySelector('.tl-tools .nx')?.innerText)`)
	before := eval[int](t, ctx, `+document.querySelector('.tl-canvas').dataset.drawn`)
	do(t, ctx, chromedp.KeyEvent("w"))
	until(t, ctx, drawn+` && document.querySelector('.tl-canvas') === was && +document.querySelector('.tl-canvas').dataset.drawn > `+strconv.Itoa(before))
	seen := map[string]bool{}
	for range 4 {
		do(t, ctx, chromedp.KeyEvent("n"))
		last := ""
		for k := range seen {
			last += k + ","
		}
		until(t, ctx, state("slice")+` && !'`+last+`'.split(',').includes(`+state("slice")+`)`)
		seen[eval[string](t, ctx, state("slice"))] = true
	}
	if len(seen) != 4 {
		t.Errorf("four times the next match are %d slices", len(seen))
	}
}

// TestBrowserOperationNames follows a row whose name has a comma and signs of expressions: exactly
// that range is found.
func TestBrowserOperationNames(t *testing.T) {
	file := smallTrace(t, "")
	c, err := sqlite.OpenConn(file, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	const name = "aten::x, op_id = 7 (a+b)"
	if err := errors.Join(sqlitex.ExecuteScript(c, `INSERT INTO NVTX_EVENTS (start, "end", eventType, text, globalTid) SELECT MIN(start) + 5, MIN(start) + 900000000, 59, '`+name+`', globalTid FROM NVTX_EVENTS;`, nil), c.Close()); err != nil {
		t.Fatal(err)
	}
	ctx, s := browser(t), start(t, file)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=stats&ask=nvtx_sum"))
	row := `[...document.querySelectorAll('[data-grid=nvtx_sum] a.go')].find(a => a.innerText.includes('aten::x'))`
	until(t, ctx, row)
	run(t, ctx, row+`.click()`)
	until(t, ctx, `document.querySelector('[aria-label="Chosen slice"] h2')?.innerText.includes('`+name+`')`)
	// And a bar is called by the name of its row, not by what sort of range it is.
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=stats&ask=cuda_api_sum"))
	until(t, ctx, `document.querySelector('[data-grid=cuda_api_sum] td')`)
	if eval[bool](t, ctx, `[...document.querySelectorAll('.pb .l')].some(e => e.innerText === 'PushPop')`) {
		t.Error("a bar is labelled by the sort of its range")
	}
}

// TestBrowserBack: SQL and its text go back together.
func TestBrowserBack(t *testing.T) {
	ctx, s := browser(t), start(t, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=query&sql=SELECT+1+AS+one"))
	until(t, ctx, `document.querySelector('.rs td')?.innerText === '1' && document.querySelector('.cm-content')?.innerText === 'SELECT 1 AS one'`)
	run(t, ctx, `location.hash = '#page=query&sql=SELECT+2+AS+two'`)
	until(t, ctx, `document.querySelector('.rs td')?.innerText === '2' && document.querySelector('.cm-content')?.innerText === 'SELECT 2 AS two'`)
	run(t, ctx, `history.back()`)
	until(t, ctx, `document.querySelector('.rs td')?.innerText === '1' && document.querySelector('.cm-content')?.innerText === 'SELECT 1 AS one'`)
}

// TestBrowserOccupancyOfLaunch: the calculator begins with the launch that is in view.
func TestBrowserOccupancyOfLaunch(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details&launch=2"))
	until(t, ctx, `document.querySelector('#page[data-page=details] [data-metric=launch__block_size]')`)
	block := eval[string](t, ctx, `document.querySelector('[data-metric=launch__block_size] .v').dataset.raw.trim()`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=occupancy&launch=2"))
	until(t, ctx, `document.querySelector('#page[data-page=occupancy] h1 code') && document.querySelector('[aria-label="Block size"]').value === '`+block+`'`)
}

// TestBrowserNinetySeconds: from opening a report never seen, at most four keys or clicks to the
// kernel, the reason, the line and the milliseconds.
func TestBrowserNinetySeconds(t *testing.T) {
	for _, name := range []string{"bwcurless__FaSTED__Conventional_Layout.ncu-rep", "armleth__cuda-mlp-inference__report_v4_8_per_thread.ncu-rep", "bwcurless__FaSTED__Pipeline_Depth_1.ncu-rep"} {
		t.Run(name, func(t *testing.T) {
			ctx, s := browser(t), start(t, filepath.Join(corpustest.Dir(t), "corpus/ncu", name))
			do(t, ctx, chromedp.Navigate(s.URL()))
			until(t, ctx, `document.querySelector('#page[data-page=overview] h1 code')?.innerText.length > 2`) // the kernel
			until(t, ctx, `document.querySelector('.f .tt')?.innerText.length > 2 && document.querySelector('.f p')`)
			until(t, ctx, `/\d/.test(document.querySelector('.f .sv b').innerText) && /s$/.test(document.querySelector('.f .sv .u').innerText)`) // the time
			until(t, ctx, `/:\d+$|^0x/.test(document.querySelector('.ln .loc')?.innerText)`)
			run(t, ctx, `document.querySelector('.ln').click()`) // one click: the line
			until(t, ctx, `document.querySelector('#page[data-page=source] .dock .dl')?.innerText.length > 0 && document.querySelector('tr.lit, tr[aria-current=true]')`)
		})
	}
}
