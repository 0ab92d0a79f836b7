package web

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestBrowserFit shows every page of files of every kind in windows from
// that of a telephone to that of a screen at 125 %: none is wider than the window,
// and what can be clicked has a name.
func TestBrowserFit(t *testing.T) {
	firstTime(t)
	ctx, s := browser(t), start(t, everyKind(t)...)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	pages := everyPage(t, s)
	if len(pages) < 40 {
		t.Errorf("%d pages: %v", len(pages), pages)
	}
	for _, p := range pages {
		name, _, _ := strings.Cut(p.page, "&")
		run(t, ctx, `location.hash = '#file=`+p.file+`&page=`+strings.ReplaceAll(p.page, " ", "+")+`'`)
		until(t, ctx, `(document.querySelector('#page[data-page="`+name+`"]') || document.querySelector('[role=alert]')) && !document.querySelector('.skel')`)
		for _, width := range []int64{400, 768, 1440, 2560} {
			do(t, ctx, chromedp.EmulateViewport(width, 800))
			if !settles(ctx, fmt.Sprintf(`document.documentElement.scrollWidth <= %d`, width)) {
				t.Errorf("%s of %s scrolls sideways at %d", p.page, s.files[int(p.file[0]-'0')].Name, width)
			}
		}
		if !settles(ctx, `[...document.querySelectorAll('button, a[href], input, select, textarea')].every(e => e.textContent?.trim() || e.ariaLabel || e.title || e.labels?.length || e.placeholder)`) {
			t.Errorf("%s of %s: something that can be clicked has no name", p.page, s.files[int(p.file[0]-'0')].Name)
		}
	}
}

// settles reports whether an expression holds within two seconds.
func settles(ctx context.Context, expression string) bool {
	for range 40 {
		if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")")); ok && err == nil {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// TestBrowserAMD shows a file of AMD's counters and one of AMD's timelines: what
// stands on the pages is what the commands write.
func TestBrowserAMD(t *testing.T) {
	shared := corpustest.Dir(t)
	ctx, s := browser(t), start(t, shared+"/corpus/amd/ROCm__rocprofiler-compute__vcopy_MI200_pmc_perf.csv", shared+"/corpus/amd/ROCm__rocmProfileData__matmul_result.rpd")
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview] td')`)
	shot(t, ctx, "amd-overview-light")
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=raw"))
	until(t, ctx, `document.querySelector('#page[data-page=raw] td')`)
	want(t, ctx, "/api/page/raw?file=0&launch-skip=0&launch-count=1")
	do(t, ctx, chromedp.Navigate(s.base()+"/#file=1&page=summary")) // the name that it had
	until(t, ctx, `document.querySelector('#page[data-page=overview] td')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#file=1&page=stats&ask=cuda_gpu_kern_sum")) // it holds launches and a timeline
	until(t, ctx, `document.querySelector('#page[data-page=stats] td')`)
	want(t, ctx, "/api/page/stats?file=1&report=cuda_gpu_kern_sum")
	shot(t, ctx, "amd-stats-light")
}

// TestBrowserPagesAre compares the tables of pages of a report with the documents.
func TestBrowserPagesAre(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	for _, p := range [][2]string{{"session", "?file=0"}, {"info", "?file=0"}, {"sections", ""}, {"sets", ""}, {"rules", ""}} {
		do(t, ctx, chromedp.Navigate(s.base()+"/#page="+p[0]))
		until(t, ctx, `document.querySelector('#page[data-page=`+p[0]+`] td')`)
		want(t, ctx, "/api/page/"+p[0]+p[1])
	}
}

// TestBrowserPictures keeps a picture of every page of real files, in both themes, at the widths of
// a telephone, a laptop and a large screen, where GPUPROF_SCREENSHOTS names a folder. None is wider
// than its window.
func TestBrowserPictures(t *testing.T) {
	firstTime(t)
	if os.Getenv("GPUPROF_SCREENSHOTS") == "" {
		t.Skip("GPUPROF_SCREENSHOTS is not set")
	}
	dir := corpustest.Dir(t) + "/corpus/"
	ctx, s := browser(t), start(t, dir+"ncu/bwcurless__FaSTED__Conventional_Layout.ncu-rep", dir+"nsys/GindaChen__nsys-ai__tests_fixtures_mfu_2gpu_before.sqlite", dir+"ncu/AveryClapp__ESMM-Research__profile~26b457a.ncu-rep",
		dir+"kineto/JC-me-coding__dtu_mlops__trace.json", dir+"torch-memory/ZijianDu__Attention~memory.pickle", dir+"sim/synthetic-small.log.gz")
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	for _, at := range []string{"file=0&page=overview", "file=0&page=details", "file=0&page=source", "file=2&page=compare&launch=1&base=2:0", "file=0&page=raw", "file=0&page=session", "file=0&page=info", "file=0&page=occupancy",
		"file=1&page=overview", "file=1&page=timeline", "file=1&page=stats", "file=1&page=flame", "file=1&page=query&sql=SELECT+name+FROM+sqlite_master", "file=1&page=ranks", "file=3&page=ops", "file=4&page=memory", "file=5&page=lifetimes", "file=0&page=open"} {
		q, err := url.ParseQuery(at)
		if err != nil {
			t.Fatal(err)
		}
		name := q.Get("page")
		do(t, ctx, chromedp.Navigate(s.base()+"/#"+at))
		untilFor(t, ctx, slow, `document.querySelector('#page[data-page="`+name+`"]') && !document.querySelector('.skel')`)
		for _, width := range []int64{400, 1440, 2560} {
			do(t, ctx, chromedp.EmulateViewport(width, 900))
			until(t, ctx, fmt.Sprintf(`document.documentElement.scrollWidth <= %d`, width))
			time.Sleep(600 * time.Millisecond) // what is drawn after a change of size
			shot(t, ctx, fmt.Sprintf("real-%s%s-%d-light", name, q.Get("file"), width))
		}
	}
}
