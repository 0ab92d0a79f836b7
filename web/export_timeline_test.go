package web

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/timeline"
)

// TestSaveTimeline shows that each window of each level has the slices that the
// index has there, and that the bytes are bounded. GPUPROF_BENCH_TRACE names
// another trace than a small one.
func TestSaveTimeline(t *testing.T) {
	x := benchIndex(t)
	s, err := saveTimeline(t.Context(), x, savedBytes)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := base64.StdEncoding.DecodeString(s.Data)
	if err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d slices: %d levels, complete: %v, %d bytes, %d unpacked", x.Len(), len(s.Levels), s.Complete, len(packed), len(data))
	if len(packed) > savedBytes {
		t.Errorf("%d bytes, more than %d", len(packed), savedBytes)
	}
	for k, level := range s.Levels {
		if len(level) != 2<<k {
			t.Fatalf("level %d has %d windows, expected %d", k, len(level)-1, 2<<k-1)
		}
		for i := range len(level) - 1 {
			w := data[level[i]:level[i+1]]
			view := w[4 : 4+binary.LittleEndian.Uint32(w)]
			samples := w[8+len(view):]
			if !json.Valid(samples) || int(binary.LittleEndian.Uint32(w[4+len(view):])) != len(samples) {
				t.Fatalf("level %d, window %d: counters %.100q", k, i, samples)
			}
			t0, t1 := int64(binary.LittleEndian.Uint64(view[8:])), int64(binary.LittleEndian.Uint64(view[16:]))
			want := 0
			for _, derived := range []bool{false, true} {
				a, err := x.Aggregate(t.Context(), tracks(x, derived), t0, t1)
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range a {
					want += v.Count
				}
			}
			if got := wireSlices(t, view); got != want {
				t.Errorf("level %d, window %d: %d slices, expected %d", k, i, got, want)
			}
			if k > 4 {
				break // of the finer levels the first
			}
		}
	}
}

// TestSavedTimelineRoom shows that levels go on as far as the room that is asked for, and no
// farther, and that the whole file is there however little that is.
func TestSavedTimelineRoom(t *testing.T) {
	x := benchIndex(t)
	levels := 0
	for _, most := range []int64{1, 16 << 10, 1 << 20, 4 << 20, 16 << 20} {
		s, err := saveTimeline(t.Context(), x, most)
		if err != nil {
			t.Fatal(err)
		}
		packed := int64(base64.StdEncoding.DecodedLen(len(s.Data)))
		t.Logf("%d bytes: %d taken, %d levels, complete: %v, merged below %d ns", most, packed, len(s.Levels), s.Complete, s.Finest)
		if len(s.Levels) < max(1, levels) || len(s.Levels) > 1 && packed > most+64 { // 64: what ends the stream
			t.Errorf("%d bytes: %d taken, %d levels after %d", most, packed, len(s.Levels), levels)
		}
		levels = len(s.Levels)
	}
}

// tracks are those that are derived from others, or those that are not.
func tracks(x *timeline.Index, derived bool) (out []int) {
	for k := range x.Tracks {
		if x.Tracks[k].Derived == derived {
			out = append(out, k)
		}
	}
	return out
}

// TestBrowserSavedTimeline opens an exported timeline without a server, looks
// closer, and chooses a slice.
func TestBrowserSavedTimeline(t *testing.T) {
	ctx := browser(t)
	html := exported(t, counterFile(t))
	name := filepath.Join(t.TempDir(), "trace.html")
	if err := os.WriteFile(name, html, 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Navigate("file://"+name))
	until(t, ctx, `[...document.querySelectorAll('nav a')].some(a => a.innerText === 'Timeline' && (a.click(), true))`)
	until(t, ctx, drawn)
	until(t, ctx, `document.querySelector('.tl-state .alert')?.innerText.includes('Saved:')`)
	shot(t, ctx, "timeline-saved")
	// The search works on what the page holds.
	do(t, ctx, chromedp.Navigate("file://"+name+"#page=timeline&q=kernel_"))
	until(t, ctx, `/ of \d+/.test(document.querySelector('.tl-tools .nx')?.innerText)`)
	do(t, ctx, chromedp.KeyEvent("n"))
	until(t, ctx, `document.querySelector('[aria-label="Chosen slice"] h2')?.innerText.includes('kernel_')`)
	do(t, ctx, chromedp.Navigate("file://"+name+"#page=timeline&filter=Stream&window=100000-140000"))
	until(t, ctx, drawn)
	run(t, ctx, pointer+`; const c = document.querySelector('.tl-canvas'); let hit = 0; const seek = () => { const x = (hit += 0.01) % 1, y = 34 + 18 * (Math.floor(hit) % 12) + 44; point('pointerdown', x, y); point('pointerup', x, y);
		setTimeout(() => /kernel|memcpy/.test(document.querySelector('[aria-label="Chosen slice"] h2')?.innerText) || hit > 12 ? window.found = hit : seek(), 10) }; seek()`)
	until(t, ctx, `window.found && /kernel|memcpy/.test(document.querySelector('[aria-label="Chosen slice"] h2')?.innerText)`)
	shot(t, ctx, "timeline-saved-slice")
}
