package web

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// axe is the source of axe-core: of the file that GPUPROF_AXE names, else as npm fetches it; without
// either the test is skipped.
func axe(t *testing.T) string {
	t.Helper()
	name := os.Getenv("GPUPROF_AXE")
	if name == "" {
		npm, err := exec.LookPath("npm")
		if err != nil {
			t.Skip("axe-core: GPUPROF_AXE is not set and npm is not installed")
		}
		dir := t.TempDir()
		if out, err := exec.Command(npm, "install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "axe-core@4.14.1").CombinedOutput(); err != nil {
			t.Skipf("axe-core could not be fetched: %s", out)
		}
		name = filepath.Join(dir, "node_modules", "axe-core", "axe.min.js")
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestBrowserAxe lets axe-core look at every page, in both themes, wide and narrow.
func TestBrowserAxe(t *testing.T) {
	script := axe(t)
	ctx, s := browser(t), start(t, example, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	run(t, ctx, script)
	for _, at := range []string{"file=0&page=overview", "file=0&page=details&base=0:1", "file=0&page=source", "file=0&page=compare&launch=0&base=0:1", "file=0&page=raw", "file=0&page=session", "file=0&page=info",
		"file=0&page=occupancy", "file=0&page=sections", "file=0&page=rules", "file=1&page=overview", "file=1&page=timeline", "file=1&page=stats", "file=1&page=flame", "file=1&page=query&sql=SELECT+1", "file=1&page=open"} {
		_, name, _ := strings.Cut(at, "page=")
		name, _, _ = strings.Cut(name, "&")
		for _, width := range []int64{1440, 400} {
			do(t, ctx, chromedp.EmulateViewport(width, 900))
			for _, theme := range []string{"light", "dark"} {
				run(t, ctx, `location.hash = '#`+at+`&theme=`+theme+`'`)
				until(t, ctx, `document.querySelector('#page[data-page="`+name+`"]') && document.documentElement.dataset.theme === '`+theme+`' && !document.querySelector('.skel')`)
				for _, v := range violations(t, ctx) {
					t.Errorf("%s at %d, %s: %s", at, width, theme, v)
				}
			}
		}
	}
}

// violations are what axe-core finds wrong with the page in view.
func violations(t *testing.T, ctx context.Context) []string {
	t.Helper()
	run(t, ctx, `window.found = null; setTimeout(() => axe.run(document, {resultTypes: ['violations'], rules: {region: {enabled: false}}}).then(r => window.found = r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 2).map(n => n.html.slice(0, 130) + ' ' + (n.any[0]?.message ?? '').slice(0, 160)).join(' | ')), e => window.found = [String(e)]), 250)`)
	until(t, ctx, `window.found`)
	return eval[[]string](t, ctx, `window.found`)
}

// TestBrowserAxeEvery lets axe-core look at every page of files of every kind: wide in the colours
// that a system forces, narrow in the dark theme.
func TestBrowserAxeEvery(t *testing.T) {
	firstTime(t)
	script := axe(t)
	for _, mode := range []struct {
		name          string
		width         int64
		forced, theme string
	}{{"forced", 1440, "active", "light"}, {"narrow", 400, "none", "dark"}} {
		t.Run(mode.name, func(t *testing.T) {
			ctx, s := browser(t), start(t, everyKind(t)...)
			do(t, ctx, chromedp.Navigate(s.URL()))
			until(t, ctx, `document.querySelector('#page')`)
			run(t, ctx, script)
			do(t, ctx, chromedp.EmulateViewport(mode.width, 900), chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
				_, err := cdp.Call(ctx, to, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: mode.forced}}})
				return err
			}))
			until(t, ctx, `matchMedia('(forced-colors: `+mode.forced+`)').matches`)
			for _, p := range everyPage(t, s) {
				name, _, _ := strings.Cut(p.page, "&")
				run(t, ctx, `location.hash = '#file=`+p.file+`&page=`+strings.ReplaceAll(p.page, " ", "+")+`&theme=`+mode.theme+`'`)
				until(t, ctx, `document.querySelector('#page[data-page="`+name+`"]') && document.documentElement.dataset.theme === '`+mode.theme+`' && !document.querySelector('.skel')`)
				for _, v := range violations(t, ctx) {
					t.Errorf("%s of file %s at %d, %s, forced colours %s: %s", p.page, p.file, mode.width, mode.theme, mode.forced, v)
				}
			}
		})
	}
}
