package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestAssets: all that the browser loads is at most 200 KB, as it is sent
// compressed.
func TestAssets(t *testing.T) {
	var raw, packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	err := fs.WalkDir(dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := dist.ReadFile(name)
		raw.Write(b)
		z.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	z.Close()
	t.Logf("%d bytes, %d with gzip", raw.Len(), packed.Len())
	if packed.Len() > 200<<10 {
		t.Errorf("the assets take %d bytes with gzip, more than 200 KB", packed.Len())
	}
}

// TestBrowserFit shows every page of a report and a timeline in windows from
// that of a telephone to that of a screen at 125 %: none is wider than the window,
// and what can be clicked has a name.
func TestBrowserFit(t *testing.T) {
	ctx, s := browser(t), start(t, example, smallTrace(t, ""))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page')`)
	for _, p := range []string{"0 overview", "0 details", "0 source", "0 compare", "0 raw", "0 session", "0 info", "0 occupancy", "0 sections", "0 sets", "0 rules", "1 overview", "1 stats", "1 flame", "1 query", "1 timeline", "1 open"} {
		var file, name string
		fmt.Sscan(p, &file, &name)
		do(t, ctx, chromedp.Navigate(s.base()+"/#file="+file+"&page="+name))
		switch name {
		case "timeline":
			until(t, ctx, `document.querySelector('canvas')`)
		case "query":
			until(t, ctx, `document.querySelector('.ed')`)
		default:
			until(t, ctx, `document.querySelector('#page[data-page=`+name+`]')`)
		}
		for _, width := range []int64{400, 768, 1440, 2560} {
			do(t, ctx, chromedp.EmulateViewport(width, 800))
			until(t, ctx, fmt.Sprintf(`document.documentElement.scrollWidth <= %d`, width))
			if width == 400 {
				shot(t, ctx, name+"-400")
			}
		}
		until(t, ctx, `[...document.querySelectorAll('button, a[href], input, select, textarea')].every(e => e.textContent?.trim() || e.ariaLabel || e.title || e.labels?.length || e.placeholder)`)
	}
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
