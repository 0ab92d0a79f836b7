package terminal

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress draws a bar on stderr once work has taken a second, and only on a
// terminal.
type progress struct {
	w     *os.File // nil: never draw
	start time.Time
	bar   *progressbar.ProgressBar
}

func newProgress(stderr io.Writer) *progress {
	p := &progress{start: time.Now()}
	if f, ok := stderr.(*os.File); ok && IsTerminal(f) {
		p.w = f
	}
	return p
}

// step shows how much of the work is done. Where it is not known how much there
// is, of is -1 and what is counted are rows.
func (p *progress) step(done, of int) {
	if p.w == nil || time.Since(p.start) < time.Second {
		return
	}
	if p.bar == nil {
		what := ""
		if of < 0 {
			what = "rows"
		}
		p.bar = progressbar.NewOptions(of, progressbar.OptionSetWriter(p.w), progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionShowCount(), progressbar.OptionSetDescription(what))
	}
	p.bar.ChangeMax(of)
	_ = p.bar.Set(done) // a bar that cannot be drawn is no reason to stop
}

// done removes the bar.
func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}
