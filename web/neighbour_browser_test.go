package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserNeighbour lets a browser that uses the viewer visit a page of another
// server of this machine: that server is sent nothing, and its page can read
// nothing of the viewer.
func TestBrowserNeighbour(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	var mu sync.Mutex
	var sent []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		sent = append(sent, fmt.Sprint(r.Header["Cookie"], r.Header["Authorization"], r.Header["Referer"], r.URL))
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<body><script>
			const heard = [], tabs = new BroadcastChannel('gpuprof');
			tabs.onmessage = e => heard.push(e.data);
			tabs.postMessage('token?');
			fetch('%s/api/files', {credentials: 'include'}).then(r => r.text()).then(x => heard.push(x), () => 0)
				.finally(() => setTimeout(() => { window.report = JSON.stringify([heard, document.cookie, {...sessionStorage}, {...localStorage}]) }, 500))
		</script>`, s.base())
	}))
	defer other.Close()
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview]')`)
	do(t, ctx, chromedp.Navigate(other.URL))
	until(t, ctx, `window.report === '[[],"",{},{}]'`)
	mu.Lock()
	defer mu.Unlock()
	for _, got := range sent {
		if got != "[] [] [] /" && got != "[] [] ["+other.URL+"/] /favicon.ico" {
			t.Errorf("the other server was sent %s", got)
		}
	}
}

// TestBrowserDoor opens the viewer without the token: the page asks for the address
// and takes it. A tab beside one that has it needs none.
func TestBrowserDoor(t *testing.T) {
	ctx, s := browser(t), start(t, example)
	do(t, ctx, chromedp.Navigate(s.base()+"/"))
	until(t, ctx, `document.querySelector('#door input')`)
	run(t, ctx, fmt.Sprintf(`document.querySelector('#door input').value = %q; document.querySelector('#door button').click()`, s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=overview]') && document.cookie === ''`)
	tab, cancel := chromedp.NewContext(ctx)
	defer cancel()
	do(t, tab, chromedp.Navigate(s.base()+"/#page=raw"))
	until(t, tab, `document.querySelector('#page[data-page=raw]')`)
}
