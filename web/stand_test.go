package web

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/loopback"
)

// runOne starts a server that ends when stop is called.
func runOne(t *testing.T, o Options, names ...string) (s *Server, stop func()) {
	t.Helper()
	s, err := ListenWith(context.Background(), "127.0.0.1:0", names, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx) }()
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			end()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(stop)
	return s, stop
}

// private fails where others may read a file.
func private(t *testing.T, name string) {
	t.Helper()
	st, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0 {
		t.Errorf("%s can be read by others: %v", name, st.Mode())
	}
}

// TestStandPage: the page leads to the server that began last, is the user's alone,
// and keeps no token of a server that has ended.
func TestStandPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(dir, 0o755); err != nil { // as another program may have made it
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, standPage), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	text := func() string {
		private(t, dir)
		private(t, filepath.Join(dir, standPage))
		b, err := os.ReadFile(filepath.Join(dir, standPage))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	first, stopFirst := runOne(t, Options{State: dir}, example)
	if !strings.Contains(text(), first.origin()+"/#") || !strings.Contains(text(), "token="+first.token) {
		t.Errorf("the page does not lead to the viewer:\n%s", text())
	}
	second, stopSecond := runOne(t, Options{State: dir}, example)
	if second.token == first.token {
		t.Error("two servers have one token")
	}
	stopFirst()
	if !strings.Contains(text(), second.origin()) {
		t.Errorf("a viewer that ends takes away the page of another:\n%s", text())
	}
	stopSecond()
	if !strings.Contains(text(), "No viewer runs") || regexp.MustCompile(`[0-9a-f]{32}`).MatchString(text()) {
		t.Errorf("after the end:\n%s", text())
	}
	if got := direct(second, "GET", "/api/link", false); got.Code != http.StatusUnauthorized {
		t.Errorf("who has no token is told the link: %d", got.Code)
	}
	if got := direct(second, "GET", "/api/link", true).Body.String(); !strings.Contains(got, "file://"+filepath.ToSlash(dir)) {
		t.Error(got)
	}
}

// TestKeepAddress: the address is kept where that is asked for, and made anew where
// others may have read it.
func TestKeepAddress(t *testing.T) {
	dir := t.TempDir()
	o := Options{State: dir, KeepAddress: true}
	a, stop := runOne(t, o, example)
	private(t, filepath.Join(dir, standFile))
	if _, err := ListenWith(t.Context(), "127.0.0.1:0", nil, o); err == nil || !strings.Contains(err.Error(), a.port) {
		t.Errorf("the port is taken: %v", err)
	}
	stop()
	b, stop := runOne(t, o, example)
	if a.URL() != b.URL() {
		t.Errorf("%s, then %s", a.URL(), b.URL())
	}
	stop()
	if c, stop := runOne(t, Options{State: dir}, example); c.token == a.token {
		t.Error("the token is kept though nobody asks for it")
	} else {
		stop()
	}
	for _, spoil := range []func(name string) error{
		func(n string) error { return os.Chmod(n, 0o644) },
		func(n string) error { return os.WriteFile(n, []byte(`{"port":80,"token":""}`), 0o600) },
		func(n string) error {
			return os.WriteFile(n, []byte(`{"port":99999,"token":"`+loopback.NewToken()+`"}`), 0o600)
		},
		func(n string) error { return os.WriteFile(n, []byte("no JSON"), 0o600) },
	} {
		if err := spoil(filepath.Join(dir, standFile)); err != nil {
			t.Fatal(err)
		}
		d, stop := runOne(t, o, example)
		if d.token == a.token || len(d.token) != 32 {
			t.Errorf("token %q after another may have read %q", d.token, a.token)
		}
		private(t, filepath.Join(dir, standFile))
		a = d
		stop()
	}
	if _, err := ListenWith(t.Context(), "127.0.0.1:0", nil, Options{KeepAddress: true}); err == nil {
		t.Error("kept nowhere")
	}
}

// TestBrowserRestart opens a link that was copied from a viewer which has ended: it shows
// the same launch of the same file, though that has another number now. A tab that
// stayed open goes on where the address is kept.
func TestBrowserRestart(t *testing.T) {
	ctx := browser(t)
	dir, recent := t.TempDir(), filepath.Join(t.TempDir(), "recent.json")
	o := Options{State: dir, Recent: recent}
	trace := smallTrace(t, "")
	s, stop := runOne(t, o, trace, example)
	do(t, ctx, chromedp.Navigate(s.URL()+"&file=1&page=raw"))
	until(t, ctx, `document.querySelector('#page[data-page=raw] td')`)
	run(t, ctx, `navigator.clipboard.writeText = async x => { window.copied = x }; document.querySelector('[aria-label="Copy link"]').click()`)
	until(t, ctx, `window.copied`)
	link, err := chromedp.Run(ctx, chromedp.Evaluate[string](`window.copied`))
	if err != nil || strings.Contains(link, s.token) || !strings.HasPrefix(link, "file://") {
		t.Fatalf("%v, %s", err, link)
	}
	stop()
	do(t, ctx, chromedp.Navigate(link))
	until(t, ctx, `document.body.innerText.includes('No viewer runs')`)
	name, _ := url.PathUnescape(strings.TrimPrefix(link[:strings.Index(link, "#")], "file://"))
	private(t, name)
	s, stop = runOne(t, o, example) // the report is number 0 now
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	until(t, ctx, `document.querySelector('#page[data-page=raw] td') && location.origin === '`+s.origin()+`' && !location.hash.includes('token') && !location.hash.includes('keys') && location.hash.includes('file=0')`)
	stop()
	_, stop = runOne(t, o, trace) // of the report this one knows that it was open before
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	until(t, ctx, `document.querySelector('#page[data-page=raw] td') && location.hash.includes('file=1')`)
	stop()

	o.KeepAddress = true
	s, stop = runOne(t, o, example)
	do(t, ctx, chromedp.Navigate(s.URL()+"&page=raw"))
	until(t, ctx, `document.querySelector('#page[data-page=raw] td')`)
	stop()
	runOne(t, o, example)
	do(t, ctx, chromedp.Reload())
	until(t, ctx, `document.querySelector('#page[data-page=raw] td')`)
}
