package web

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/examples"
	"github.com/gpuprof/gpuprof/section"
)

// oddSection has a table and a chart of four rollups that its author gave one name, and a chart
// of shares of which one is negative.
const oddSection = `Identifier: "Odd"
DisplayName: "Odd"
Order: 1
Header {
  Metrics { Label: "Throughput" Name: "dram__throughput.avg.pct_of_peak_sustained_elapsed" }
  Metrics { Label: "Throughput" Name: "dram__throughput.max.pct_of_peak_sustained_elapsed" }
  Metrics { Label: "Throughput" Name: "dram__throughput.min.pct_of_peak_sustained_elapsed" }
  Metrics { Label: "Throughput" Name: "dram__throughput.sum.pct_of_peak_sustained_elapsed" }
}
Body {
  DisplayName: "Charts"
  Items {
    BarChart {
      Label: "Rollups"
      Metrics { Label: "Throughput" Name: "dram__throughput.avg.pct_of_peak_sustained_elapsed" }
      Metrics { Label: "Throughput" Name: "dram__throughput.max.pct_of_peak_sustained_elapsed" }
      Metrics { Label: "Throughput" Name: "dram__throughput.min.pct_of_peak_sustained_elapsed" }
      Metrics { Label: "Throughput" Name: "dram__throughput.sum.pct_of_peak_sustained_elapsed" }
    }
  }
  Items {
    BarChart {
      Label: "Shares"
      Metrics { Label: "Gained" Name: "smsp__gained.pct" }
      Metrics { Label: "Lost" Name: "smsp__lost.pct" }
    }
  }
  Items {
    BarChart {
      Label: "Standing"
      Direction: Vertical
      Metrics { Label: "Gained" Name: "smsp__gained.pct" }
      Metrics { Label: "Lost" Name: "smsp__lost.pct" }
    }
  }
}
`

// oddReport is a report of one launch with oddSection and its values.
func oddReport(t *testing.T) string {
	t.Helper()
	odd, warnings, err := section.ParseFile("odd.section", oddSection)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	r := examples.Items(odd)
	for name, v := range map[string]float64{
		"dram__throughput.avg.pct_of_peak_sustained_elapsed": 40, "dram__throughput.max.pct_of_peak_sustained_elapsed": 55,
		"dram__throughput.min.pct_of_peak_sustained_elapsed": 25, "dram__throughput.sum.pct_of_peak_sustained_elapsed": 70,
		"smsp__gained.pct": 60, "smsp__lost.pct": -30,
	} {
		r.Results[0].Metrics = append(r.Results[0].Metrics, ncurep.MetricData{Name: name, Value: ncurep.DoubleValue(v)})
	}
	name := filepath.Join(t.TempDir(), "odd.ncu-rep")
	if err := r.WriteFile(name); err != nil {
		t.Fatal(err)
	}
	return name
}

const odd = `const part = document.querySelector('[data-section=Odd]'), figure = name => [...part.querySelectorAll('figure.chart')].find(f => f.querySelector('figcaption').innerText.startsWith(name)),
	names = all => [...all].map(e => e.innerText.trim());`

// TestBrowserRollups shows four rollups that their section calls the same: each row and each bar has
// a name of its own, which says what rolls it up.
func TestBrowserRollups(t *testing.T) {
	ctx, s := browser(t), start(t, oddReport(t))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview] td')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details"))
	until(t, ctx, `document.querySelector('[data-section=Odd] figure.chart')`)
	const want = `.map(n => n.replace('Throughput · ', '')).join() === 'average,largest,least,sum'`
	shot(t, ctx, "odd-light")
	for what, rows := range map[string]string{
		"the table":       `names([...part.querySelectorAll('tr')].filter(r => /^Throughput/.test(r.innerText)).slice(0, 4).map(r => r.cells[0]))`,
		"the bars":        `names(figure('Rollups').querySelectorAll('.l'))`,
		"what bars carry": `(figure('Rollups').closest('div').querySelector('details').open = true, names([...figure('Rollups').closest('div').querySelectorAll('details tr')].filter(r => /^Throughput/.test(r.innerText)).map(r => r.cells[0])))`,
	} {
		t.Run(what, func(t *testing.T) { until(t, ctx, `(() => {`+odd+` return `+rows+want+`})()`) })
	}
}

// TestBrowserNegativeShare shows a chart with a share below zero: its bar runs from the line at zero
// to the left, as long as the share is, and its number has its sign.
func TestBrowserNegativeShare(t *testing.T) {
	ctx, s := browser(t), start(t, oddReport(t))
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview] td')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=details"))
	until(t, ctx, `document.querySelector('[data-section=Odd] figure.chart')`)
	const bars = `const [up, down] = [...figure('Shares').querySelectorAll('[role=listitem]')], box = e => e.querySelector('.trk i').getBoundingClientRect();`
	for what, holds := range map[string]string{
		"from zero to the left":    `Math.abs(box(down).right - box(up).left) < 2 && box(down).left < box(up).left`,
		"as long as it is":         `Math.abs(box(up).width / box(down).width - 2) < 0.1`,
		"with its sign":            `/^[-−]30/.test(down.querySelector('b').innerText)`,
		"the line at zero":         `figure('Shares').querySelectorAll('.trk s').length === 2`,
		"lying where others stand": `figure('Standing').querySelector('.trk s') && !figure('Standing').querySelector('.upright')`,
	} {
		t.Run(what, func(t *testing.T) { until(t, ctx, `(() => {`+odd+bars+` return `+holds+`})()`) })
	}
}

// TestBrowserOccupancyNoRoom asks for a block that no multiprocessor has room for: it is said, not reckoned with.
func TestBrowserOccupancyNoRoom(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview] td')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=occupancy&ask=device%3Dsm_90%26block%3D1024%26registers%3D255%26sweep%3Dtrue"))
	until(t, ctx, `document.querySelector('#page[data-page=occupancy] h1')?.innerText.includes('not one block has room')`)
	until(t, ctx, `!document.querySelector('#page').innerText.includes('NaN') && document.querySelector('[aria-label="Registers"]').value === '255'`)
	shot(t, ctx, "occupancy-noroom-light")
}
