package web

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

type toldNotes struct {
	File  string
	Notes []note
}

// TestNotes keeps notes beside their timeline, from one server to the next, and
// leaves alone what is no file of notes.
func TestNotes(t *testing.T) {
	trace := traceFile(t)
	kept := trace + ".notes"
	s := start(t, trace)
	put := func(body string, want int) {
		t.Helper()
		if got, said := ask(t, s, "PUT", "/api/notes/0", strings.NewReader(body), nil); got != want {
			t.Errorf("%.80s: status %d, want %d: %.200s", body, got, want, said)
		}
	}
	if got := answer[toldNotes](t, s, "GET", "/api/notes/0"); got.File != "a.sqlite.notes" || len(got.Notes) != 0 {
		t.Errorf("before the first: %+v", got)
	}
	put(`[{"at": 5, "text": "here \u001b[31m"}, {"at": 9007199254740993, "text": "late"}]`, 200)
	if got := answer[toldNotes](t, start(t, trace), "GET", "/api/notes/0"); len(got.Notes) != 2 || got.Notes[1] != (note{9007199254740993, "late"}) {
		t.Errorf("another server finds %+v", got)
	}
	for _, bad := range []string{"", "null", "{}", `[{"at": "x"}]`, "[" + strings.Repeat(`{},`, mostNotes) + "{}]", `["` + strings.Repeat("x", maxNotesFile) + `"]`} {
		put(bad, 400)
	}
	if got, _ := ask(t, s, "PUT", "/api/notes/0", strings.NewReader("[]"), func(r *http.Request) { r.Header.Del("Authorization") }); got != 401 {
		t.Errorf("without a token: status %d", got)
	}
	put("[]", 200)
	if _, err := os.Stat(kept); !os.IsNotExist(err) {
		t.Errorf("without notes their file stays: %v", err)
	}

	if err := os.WriteFile(kept, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(`[{"at": 1, "text": "x"}]`, 409)
	if b, _ := os.ReadFile(kept); string(b) != "mine" {
		t.Errorf("a file of someone's was written over: %q", b)
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Remove(kept); err != nil || os.Symlink(elsewhere, kept) != nil {
		t.Skip("no links here")
	}
	put(`[{"at": 1, "text": "x"}]`, 409)
	if _, err := os.Stat(elsewhere); !os.IsNotExist(err) {
		t.Error("a link was followed")
	}
}

// A dropped file ends with the server: its notes stay in the address.
func TestNotesOfDropped(t *testing.T) {
	s := start(t)
	b, err := os.ReadFile(traceFile(t))
	if err != nil {
		t.Fatal(err)
	}
	if got, said := ask(t, s, "POST", "/api/upload?name=a.sqlite", bytes.NewReader(b), nil); got != 200 {
		t.Fatalf("status %d: %.200s", got, said)
	}
	if got := answer[toldNotes](t, s, "GET", "/api/notes/0"); got.File != "" {
		t.Errorf("kept in %q", got.File)
	}
	if got, said := ask(t, s, "PUT", "/api/notes/0", strings.NewReader("[]"), nil); got != 409 || !strings.Contains(said, "address") {
		t.Errorf("status %d: %s", got, said)
	}
}

// TestBrowserNotes sets a note, finds it in the file, in a new tab without it in the
// address, and in an exported page; removing it removes the file.
func TestBrowserNotes(t *testing.T) {
	trace := traceFile(t)
	kept := trace + ".notes"
	ctx, s := browser(t), start(t, trace)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline"))
	until(t, ctx, drawn)
	do(t, ctx, chromedp.KeyEvent("c"))
	until(t, ctx, `document.activeElement.getAttribute('aria-label') === 'Note'`)
	do(t, ctx, chromedp.KeyEvent("warm | up\r"))
	row := `[...document.querySelectorAll('.tl-drawer, section')].some(e => e.innerText.includes('warm | up'))`
	until(t, ctx, row)
	until(t, ctx, `location.hash.includes('notes=')`)
	if notes, err := readNotes(kept); err != nil || len(notes) != 1 || notes[0].Text != "warm | up" {
		t.Errorf("the file has %v, %v", notes, err)
	}
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(s.base()+"/#page=timeline"))
	until(t, ctx, drawn)
	run(t, ctx, `document.getElementById('tab-notes').click()`)
	until(t, ctx, row)

	html := filepath.Join(t.TempDir(), "x.html")
	var page bytes.Buffer
	if err := Export(context.Background(), &page, []string{trace}, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(html, page.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Navigate("file://"+html+"#page=timeline"))
	until(t, ctx, drawn)
	run(t, ctx, `document.getElementById('tab-notes').click()`)
	until(t, ctx, row)

	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline"))
	until(t, ctx, drawn)
	run(t, ctx, `document.getElementById('tab-notes').click()`)
	until(t, ctx, row)
	run(t, ctx, `[...document.querySelectorAll('button')].find(b => b.innerText.trim() === 'Remove').click()`)
	until(t, ctx, `!(`+row+`)`)
	until(t, ctx, `document.body.innerText.includes('a.sqlite.notes')`)
	if _, err := os.Stat(kept); !os.IsNotExist(err) {
		t.Errorf("the file stays: %v", err)
	}
}
