package web

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// TestBrowserFrames zooms into a timeline and moves along it, 120 steps of the wheel, and logs what a
// frame takes: processor time of the page's thread, which other work on the machine does not
// change. GPUPROF_BENCH_TRACE names a timeline that is larger than the made one.
func TestBrowserFrames(t *testing.T) {
	firstTime(t)
	name := os.Getenv("GPUPROF_BENCH_TRACE")
	if name == "" {
		name = traceFile(t)
	}
	ctx, s := browser(t), start(t, name)
	spent := func(metric string) (v float64) {
		do(t, ctx, chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
			got, err := cdp.Call(ctx, to, performance.GetMetrics, cdp.Empty{})
			if err != nil {
				return err
			}
			for _, m := range got.Metrics {
				if m.Name == metric {
					v = m.Value
				}
			}
			return nil
		}))
		return v
	}
	do(t, ctx, chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
		return err
	}), chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline"))
	untilFor(t, ctx, slow, drawn)
	for i, width := range []int64{1440, 1440, 2560} {
		do(t, ctx, chromedp.EmulateViewport(width, 900))
		run(t, ctx, pointer)
		until(t, ctx, drawn)
		before, scripted, laid := spent("TaskDuration"), spent("ScriptDuration"), spent("LayoutDuration")+spent("RecalcStyleDuration")
		run(t, ctx, `window.steps = 0; (async () => { for (let i = 0; i < 120; i++) {
			if (i % 40 < 20) point('wheel', .4, 60, {deltaY: i % 80 < 40 ? -60 : 60, ctrlKey: true}); else point('wheel', .5, 60, {deltaX: i % 80 < 40 ? 50 : -50});
			await new Promise(requestAnimationFrame); steps++; } window.walked = String(steps); })()`)
		untilFor(t, ctx, slow, `window.walked === '120'`)
		per := 1000 * (spent("TaskDuration") - before) / 120
		script, layout := 1000*(spent("ScriptDuration")-scripted)/120, 1000*(spent("LayoutDuration")+spent("RecalcStyleDuration")-laid)/120
		if i == 0 { // the browser compiles what runs often
			run(t, ctx, `window.walked = ''`)
			continue
		}
		t.Logf("%d pixels: %.1f ms of processor time a frame, %.1f of it scripts, %.1f layout; 60 frames a second leave 16.7", width, per, script, layout)
		run(t, ctx, `window.walked = ''`)
	}
}
