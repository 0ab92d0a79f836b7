package web

import (
	"context"
	"fmt"
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
// than its window. Some are taken with -run TestBrowserPictures/FILES/PAGE, by the names below.
func TestBrowserPictures(t *testing.T) {
	firstTime(t)
	if os.Getenv("GPUPROF_SCREENSHOTS") == "" {
		t.Skip("GPUPROF_SCREENSHOTS is not set")
	}
	dir := corpustest.Dir(t) + "/corpus/"
	for _, of := range []struct {
		name  string
		files []string
		more  []shown
	}{
		{"ncu", []string{"ncu/bwcurless__FaSTED__Conventional_Layout.ncu-rep"}, []shown{{"0", "source&spot=1"}, {"0", "details&base=0:1"}}},
		{"ncu2", []string{"ncu/AveryClapp__ESMM-Research__profile~26b457a.ncu-rep"}, []shown{{"0", "compare&launch=1&base=0:0"}}},
		{"nsys", []string{"nsys/GindaChen__nsys-ai__tests_fixtures_mfu_2gpu_before.sqlite"}, []shown{{"0", "query&sql=SELECT+name,+type+FROM+sqlite_master"}}},
		{"torch", []string{"kineto/AMD-AGI__TraceLens__torch_compile_triton~trace.json.gz"}, nil},
		{"memory", []string{"torch-memory/Da1sypetals__SnapViewer~assets~memory.pickle"}, nil},
		{"sim", []string{"sim/accel-sim/gslog_h100_elementwise_gemv.log.gz"}, nil},
		{"rocm", []string{"amd/ROCm__rocmProfileData__matmul_result.rpd"}, nil},
		{"counters", []string{"amd/ROCm__rocprofiler-compute__vcopy_MI200_pmc_perf.csv"}, nil},
		{"nvtxt", []string{"nvtxt/ka-31089.nvtxt"}, nil},
		{"ranks", []string{"nsys/GindaChen__nsys-ai__tests_fixtures_mfu_2gpu_before.sqlite", "nsys/GindaChen__nsys-ai__tests_fixtures_h100_2gpu_1s.sqlite"}, []shown{{"0", "ranks"}}},
	} {
		t.Run(of.name, func(t *testing.T) {
			for i, f := range of.files {
				of.files[i] = dir + f
			}
			ctx, s := browser(t), start(t, of.files...)
			do(t, ctx, chromedp.Navigate(s.URL()))
			until(t, ctx, `document.querySelector('#page')`)
			pages := of.more
			if of.name != "ranks" { // the pages of its files have pictures
				pages = append(everyPage(t, s), pages...)
			}
			for _, p := range pages {
				name, more, _ := strings.Cut(p.page, "&")
				t.Run(strings.ReplaceAll(name, " ", "-")+" "+more, func(t *testing.T) { pictured(t, ctx, s, of.name, p) })
			}
		})
	}
}

// pictured keeps the pictures of a page.
func pictured(t *testing.T, ctx context.Context, s *Server, files string, p shown) {
	t.Helper()
	name, more, _ := strings.Cut(p.page, "&")
	key, _, _ := strings.Cut(more, "=")
	do(t, ctx, chromedp.Navigate(s.base()+"/#file="+p.file+"&page="+strings.ReplaceAll(p.page, " ", "+")))
	untilFor(t, ctx, slow, `(document.querySelector('#page[data-page="`+name+`"]') || document.querySelector('[role=alert]')) && !document.querySelector('.skel')`)
	for _, width := range []int64{400, 2560, 1440} {
		do(t, ctx, chromedp.EmulateViewport(width, 900))
		until(t, ctx, fmt.Sprintf(`document.documentElement.scrollWidth <= %d`, width))
		time.Sleep(500 * time.Millisecond) // what is drawn after a change of size
		shot(t, ctx, strings.ReplaceAll(strings.TrimSuffix(fmt.Sprintf("real-%s-%s-%s", files, name, key), "-"), " ", "-")+fmt.Sprintf("-%d-light", width))
	}
}
