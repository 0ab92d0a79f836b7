package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/examples"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
)

// hostile is markup that runs a script wherever it is taken for markup.
const hostile = `</script><img src=x onerror="window.bad=1"><script>window.bad=1</script>`

// hostileReport is a report whose kernel names, NVTX texts and rule messages are markup.
func hostileReport(t *testing.T) string {
	t.Helper()
	r := examples.Transpose()
	h := &r.Results[0].ResultHeader
	h.FunctionName, h.DemangledName = "kernel"+hostile, "demangled"+hostile
	for _, rule := range r.Results[0].Rules {
		rule.DisplayName = "rule" + hostile
		for _, i := range rule.Body.Items {
			if i.Message != nil {
				i.Message.Name, i.Message.Text = ncurep.Some("title"+hostile), "message"+hostile
			}
		}
	}
	name := filepath.Join(t.TempDir(), "report.ncu-rep")
	if err := r.WriteFile(name); err != nil {
		t.Fatal(err)
	}
	return name
}

// smallTrace is a generated trace; all its names end in suffix.
func smallTrace(t *testing.T, suffix string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace.sqlite")
	if err := nsysgen.Write(name, nsysgen.Size{Kernels: 200, Ranges: 70, Copies: 10, Threads: 2, Devices: 1, Names: 5, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	c, err := sqlite.OpenConn(name, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := sqlitex.Execute(c, "UPDATE StringIds SET value = value || ?", &sqlitex.ExecOptions{Args: []any{suffix}}); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestHostileServer shows that texts leave the server as JSON alone, in which no
// markup stands, and never as a type that a browser would show as a page.
func TestHostileServer(t *testing.T) {
	s := start(t, hostileReport(t), smallTrace(t, hostile))
	for path, want := range map[string]string{
		"/api/page/details?file=0&print-details=all": "demangled", "/api/page/source?file=0": "demangled", "/api/page/raw?file=0": "demangled",
		"/api/page/stats?file=1": "kernel_", "/api/page/query?file=1&sql=" + url.QueryEscape("SELECT value FROM StringIds"): "step/layer_",
		"/api/timeline/1/aggregate": "kernel_",
	} {
		kind := ""
		status, body := ask(t, s, "GET", path, nil, nil)
		if r, err := get(s, path); err == nil {
			kind = r
		}
		if status != 200 || !json.Valid([]byte(body)) || !strings.Contains(body, want) || !strings.Contains(body, "onerror") {
			t.Errorf("%s: status %d, %.300s", path, status, body)
		}
		if strings.Contains(body, "<img") || strings.Contains(body, "<script") || kind != "application/json nosniff" {
			t.Errorf("%s: markup stands in the answer, or its type %q may be taken for a page", path, kind)
		}
	}
}

// TestHostileBrowser opens each page of files whose texts are markup.
func TestHostileBrowser(t *testing.T) {
	ctx, s := browser(t), start(t, hostileReport(t), smallTrace(t, hostile))
	do(t, ctx, chromedp.Navigate(s.URL()))
	for _, at := range []string{"file=0&page=overview", "file=0&page=details", "file=0&page=source", "file=0&page=raw", "file=1&page=stats&ask=cuda_gpu_trace", "file=1&page=overview", "file=1&page=flame",
		"file=1&page=query&sql=" + url.QueryEscape("SELECT value FROM StringIds")} {
		do(t, ctx, chromedp.Navigate(s.base()+"/#"+at))
		_, name, _ := strings.Cut(at, "page=")
		name, _, _ = strings.Cut(name, "&")
		until(t, ctx, `document.querySelector('#page[data-page=`+name+`]')`)
		if at != "file=1&page=overview" && name != "flame" { // they show no name, or cut them off
			until(t, ctx, `document.body.textContent.includes('<img src=x') || [...document.querySelectorAll('#page [title]')].some(e => e.title.includes('<img src=x'))`)
		}
		until(t, ctx, inert+` && document.querySelectorAll('script').length === 1`)
	}
}

// TestBrowserShowsControls: characters that turn a text round, or are not seen, are
// shown as escapes wherever the viewer shows a name.
func TestBrowserShowsControls(t *testing.T) {
	const turned = "_\u202egpj\u2066\u200f\u0085\x1b[31m"
	r := examples.Transpose()
	h := &r.Results[0].ResultHeader
	h.FunctionName, h.DemangledName = "kernel"+turned, "demangled"+turned
	report := filepath.Join(t.TempDir(), "a\u202egpj.ncu-rep")
	if err := r.WriteFile(report); err != nil {
		t.Skip("no file of that name can be made here")
	}
	ctx, s := browser(t), start(t, report, smallTrace(t, turned))
	do(t, ctx, chromedp.Navigate(s.URL()))
	const none = `!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText + document.title + ` +
		`[...document.querySelectorAll('[title],[aria-label]')].map(e => e.title + e.getAttribute('aria-label')).join())`
	for at, has := range map[string]string{"file=0&page=overview": "demangled", "file=0&page=details": "demangled", "file=1&page=stats": "kernel_",
		"file=1&page=query&sql=" + url.QueryEscape("SELECT value FROM StringIds"): "step/layer_"} {
		do(t, ctx, chromedp.Navigate(s.base()+"/#"+at))
		_, name, _ := strings.Cut(at, "page=")
		name, _, _ = strings.Cut(name, "&")
		until(t, ctx, `document.querySelector('#page[data-page=`+name+`]')?.innerText.includes('`+has+`')`)
		until(t, ctx, `document.querySelector('#page').innerText.includes('\\u202egpj') && `+none)
	}
	do(t, ctx, chromedp.Navigate(s.base()+"/#file=1&page=timeline&find=kernel_"))
	until(t, ctx, drawn)
	until(t, ctx, `document.body.innerText.includes('\\u202egpj') && `+none)
}

// inert holds while no markup of a file is part of the page.
const inert = `!window.bad && !document.querySelector('img')`

// TestHostileTimeline looks at names that are markup where the timeline shows
// them: tracks, the list of what was found, the chosen slice, sums; in the viewer,
// in an exported page, and in the list of recent files.
func TestHostileTimeline(t *testing.T) {
	file := smallTrace(t, hostile)
	c, err := sqlite.OpenConn(file, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	script := `UPDATE NVTX_EVENTS SET domainId = 5; INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid, domainId) SELECT MIN(start), 75, '` + hostile + `', globalTid, 5 FROM NVTX_EVENTS GROUP BY globalTid >> 24;`
	if err := errors.Join(sqlitex.ExecuteScript(c, script, nil), c.Close()); err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(t.TempDir(), `<img src=x onerror="window.bad=1">.ncu-rep`)
	if data, err := os.ReadFile(example); err != nil || os.WriteFile(odd, data, 0o600) != nil {
		t.Skip("no file of that name can be made here")
	}
	list := filepath.Join(t.TempDir(), "recent.json")
	if err := (recent{list}).add([]string{odd}); err != nil {
		t.Fatal(err)
	}
	ctx, s := browser(t), startWith(t, Options{Recent: list}, file)
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('nav a')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&find=kernel_"))
	until(t, ctx, drawn)
	until(t, ctx, `[...document.querySelectorAll('.tl-name')].some(e => e.innerText.includes('<img src=x'))`)
	until(t, ctx, `document.querySelector('[aria-label="Chosen slice"]')?.innerText.includes('<img src=x')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=timeline&select=0-99999999"))
	until(t, ctx, `[...document.querySelectorAll('[aria-label="Sums of the selection"] button')].some(e => e.title.includes('<img src=x')) && `+inert)
	do(t, ctx, chromedp.Navigate(s.base()+"/#page=open"))
	until(t, ctx, `document.querySelector('#page[data-page=open]')?.innerText.includes('<img src=x') && `+inert)

	html := exported(t, file)
	name := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(name, html, 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Navigate("file://"+name+"#page=timeline"))
	until(t, ctx, drawn)
	until(t, ctx, `[...document.querySelectorAll('.tl-name')].some(e => e.innerText.includes('<img src=x')) && `+inert)
}

// TestSymlink shows that an operand may be a link, as for every command, while
// nothing that a request says is followed as a name.
func TestSymlink(t *testing.T) {
	dir := t.TempDir()
	link, secret := filepath.Join(dir, "link.ncu-rep"), filepath.Join(dir, "secret.ncu-rep")
	data, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "target.ncu-rep")
	for _, name := range []string{target, secret} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	s := start(t, link)
	if status, body := ask(t, s, "GET", "/api/page/details?file=0", nil, nil); status != 200 {
		t.Fatalf("a link as operand: status %d, %.200s", status, body)
	}
	for _, name := range []string{secret, link, "secret.ncu-rep", "../secret.ncu-rep", "file://" + secret, "0/../" + secret, "0\x00"} {
		e := url.QueryEscape(name)
		for _, path := range []string{"/api/page/details?file=" + e, "/api/timeline/" + url.PathEscape(name) + "/tracks", "/api/page/" + url.PathEscape(name), "/" + url.PathEscape(name)} {
			if status, body := ask(t, s, "GET", path, nil, nil); status < 400 || strings.Contains(body, "transpose_naive") {
				t.Errorf("%s: status %d, %.200s", path, status, body)
			}
		}
	}
	// A dropped file with the name of a link gets a folder of its own.
	if status, body := ask(t, s, "POST", "/api/upload?name="+url.QueryEscape(link), bytes.NewReader([]byte("changed")), nil); status != 200 {
		t.Error(status, body)
	}
	if now, err := os.ReadFile(target); err != nil || !bytes.Equal(now, data) {
		t.Error("an upload was written through a link")
	}
}

// TestLongSQL shows that statements that never end, also more of them than are
// run at once, keep no other page waiting.
func TestLongSQL(t *testing.T) {
	s := start(t, smallTrace(t, ""), example)
	const endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT COUNT(*) FROM r"
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, maxSlots+1)
	for range cap(done) {
		go func() {
			r, err := http.NewRequestWithContext(ctx, "GET", s.base()+"/api/page/query?file=0&sql="+url.QueryEscape(endless), nil)
			if err == nil {
				r.Header.Set("Authorization", "Bearer "+s.token)
				_, err = http.DefaultClient.Do(r)
			}
			done <- err
		}()
	}
	for end := time.Now().Add(5 * time.Second); len(s.slots) < maxSlots && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	if len(s.slots) != maxSlots {
		t.Fatalf("%d statements run, want %d", len(s.slots), maxSlots)
	}
	for _, path := range []string{"/api/page/stats?file=0", "/api/page/details?file=1", "/api/files", "/api/timeline/0/tracks"} {
		if status, body := ask(t, s, "GET", path, nil, nil); status != 200 {
			t.Errorf("%s: status %d, %.200s", path, status, body)
		}
	}
	if len(done) > 0 {
		t.Error("a statement ended before the pages did: nothing is shown")
	}
	cancel() // clients that leave end their statements
	for range cap(done) {
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("endless statement: %v, want that it was cancelled", err)
		}
	}
	for end := time.Now().Add(5 * time.Second); len(s.slots) > 0 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	if len(s.slots) > 0 {
		t.Errorf("%d statements still run", len(s.slots))
	}
}

// TestFewLongStatements runs twelve statements that never end, and expects a short
// one beside them to be answered before they are stopped.
func TestFewLongStatements(t *testing.T) {
	s := start(t, smallTrace(t, ""))
	const endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT COUNT(*) FROM r"
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for range 12 {
		go func() {
			if r, err := http.NewRequestWithContext(ctx, "GET", s.base()+"/api/page/query?file=0&sql="+url.QueryEscape(endless), nil); err == nil {
				r.Header.Set("Authorization", "Bearer "+s.token)
				http.DefaultClient.Do(r)
			}
		}()
	}
	for len(s.slots) < 12 {
		time.Sleep(5 * time.Millisecond)
	}
	if status, body := ask(t, s, "GET", "/api/page/query?file=0&sql=SELECT+42", nil, nil); status != 200 || !strings.Contains(body, "42") {
		t.Errorf("%d %s", status, body)
	}
	if len(s.slots) < 12 {
		t.Error("a statement ended before: nothing is shown")
	}
}

// TestLargeAnswers asks for more than an answer may hold: one value, many, and one
// that is made on the way.
func TestLargeAnswers(t *testing.T) {
	s := start(t, smallTrace(t, ""))
	for _, sql := range []string{
		"SELECT zeroblob(1000000000)",
		"SELECT length(hex(zeroblob(400000000)))",
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT hex(zeroblob(100000)) FROM r",
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r LIMIT 100000000) SELECT group_concat(n) FROM r",
	} {
		status, body := ask(t, s, "GET", "/api/page/query?file=0&limit=0&sql="+url.QueryEscape(sql), nil, nil)
		if status != 422 || !strings.Contains(body, "64 MiB") && !strings.Contains(body, "took longer") {
			t.Errorf("%s: %d %.100s", sql, status, body)
		}
	}
}

// get returns the type of an answer and whether browsers may guess another.
func get(s *Server, path string) (string, error) {
	r, err := http.NewRequest("GET", s.base()+path, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	res.Body.Close()
	return res.Header.Get("Content-Type") + " " + res.Header.Get("X-Content-Type-Options"), nil
}
