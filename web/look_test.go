package web

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestLook is for eyes: pictures of the addresses in GPUPROF_LOOK, of the files in GPUPROF_LOOK_FILES.
func TestLook(t *testing.T) {
	if os.Getenv("GPUPROF_LOOK") == "" {
		t.Skip()
	}
	ctx, s := browser(t), start(t, strings.Fields(os.Getenv("GPUPROF_LOOK_FILES"))...)
	do(t, ctx, chromedp.Navigate(s.URL()))
	time.Sleep(time.Second)
	for _, one := range strings.Fields(os.Getenv("GPUPROF_LOOK")) {
		name, rest, _ := strings.Cut(one, "|")
		size, at, _ := strings.Cut(rest, "|")
		w := map[string]int64{"400": 400, "1440": 1440, "2560": 2560, "1024": 1024}[size]
		do(t, ctx, chromedp.EmulateViewport(w, 900), chromedp.Navigate(s.base()+"/#"+at))
		time.Sleep(2500 * time.Millisecond)
		shot(t, ctx, name)
		if e := eval[string](t, ctx, `[...document.querySelectorAll('[role=alert]')].map(e => e.innerText).join('|')`); e != "" {
			t.Log(name, e)
		}
		if n := eval[int](t, ctx, `document.documentElement.scrollWidth`); int64(n) > w {
			t.Log(name, "too wide", n)
		}
	}
}
