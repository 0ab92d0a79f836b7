package web

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// TestBrowserNewTab clicks links with Ctrl and with the middle button: a tab opens with what
// the link leads to, its state included, and this one stays as it is.
func TestBrowserNewTab(t *testing.T) {
	firstTime(t)
	trace := traceFile(t)
	ctx, s := browser(t), start(t, example, trace)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview]')`)
	for _, c := range []struct{ at, link, page, state string }{
		{"page=overview", `.f .t a, .f a`, "details", "at=ExampleUncoalescedStores"},
		{"page=overview", `nav a[href*="page=source"]`, "source", ""},
		{"page=overview", `.kern tbody a`, "details", "launch=0"},
		{"page=details&launch=1&filter=dram", `nav a[href*="page=raw"]`, "raw", "launch=1"},
		{"file=1&page=stats", `nav a[href*="page=flame"]`, "flame", "file=1"},
		{"file=1&page=overview", `.f a, .findings a`, "", "file=1"},
	} {
		for _, button := range []string{"ctrl", "middle"} {
			do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(s.base()+"/#"+c.at))
			until(t, ctx, `document.querySelector('`+c.link+`')?.getBoundingClientRect().height && !document.querySelector('.skel')`)
			before := eval[string](t, ctx, `location.hash`)
			known := tabs(t, ctx)
			at := eval[[]float64](t, ctx, `(() => { const e = document.querySelector('`+c.link+`'); e.scrollIntoView({block: 'center'});
				const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
			how := chromedp.ButtonModifiers(chromedp.ModifierCtrl)
			if button == "middle" {
				how = chromedp.ButtonMiddle
			}
			do(t, ctx, chromedp.MouseClickXY(at[0], at[1], how))
			var opened target.ID
			for end := time.Now().Add(5 * time.Second); opened == "" && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				for id := range tabs(t, ctx) {
					if !known[id] {
						opened = id
					}
				}
			}
			if opened == "" {
				t.Errorf("%s of %q at %s: no tab", button, c.link, c.at)
				continue
			}
			tab, done := chromedp.NewContext(ctx, chromedp.WithTargetID(opened))
			until(t, tab, `document.querySelector('#page`+pageAttribute(c.page)+`')`)
			if hash := eval[string](t, tab, `location.hash`); !strings.Contains(hash, c.state) || strings.Contains(hash, "token") {
				t.Errorf("%s of %q at %s: the tab has %s, expected %q in it", button, c.link, c.at, hash, c.state)
			}
			done()
			if after := eval[string](t, ctx, `location.hash`); after != before {
				t.Errorf("%s of %q at %s: this tab went to %s", button, c.link, c.at, after)
			}
		}
	}
}

func pageAttribute(page string) string {
	if page == "" {
		return ""
	}
	return "[data-page=" + page + "]"
}

// tabs are the pages that the browser has open.
func tabs(t *testing.T, ctx context.Context) map[target.ID]bool {
	t.Helper()
	all, err := chromedp.Targets(ctx)
	if err != nil {
		t.Fatal(err)
	}
	out := map[target.ID]bool{}
	for _, x := range all {
		if x.Type == "page" {
			out[x.TargetID] = true
		}
	}
	return out
}
