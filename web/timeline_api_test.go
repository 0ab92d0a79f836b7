package web

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/timeline"
)

func TestTimelineHandler(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.sqlite")
	size := nsysgen.Size{Kernels: 20_000, Ranges: 700, Copies: 500, Threads: 4, Devices: 2, Names: 20, Seed: 1}
	if err := nsysgen.Write(path, size); err != nil {
		t.Fatal(err)
	}
	f, err := load.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := timeline.Build(context.Background(), f.Trace)
	if err != nil {
		t.Fatal(err)
	}
	h := timelineHandler(x)
	get := func(url string, code int) []byte {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
		if w.Code != code {
			t.Fatalf("%s: %d %s", url, w.Code, w.Body)
		}
		return w.Body.Bytes()
	}
	var tracks struct {
		Slices int
		Tracks []struct {
			Kind   string
			Slices int
		}
	}
	if err := json.Unmarshal(get("/tracks", 200), &tracks); err != nil {
		t.Fatal(err)
	}
	derived := 0
	for k, v := range x.Tracks {
		if v.Derived {
			derived += tracks.Tracks[k].Slices
		}
	}
	if tracks.Slices != 2*(20_000+500)+700+derived || derived < 700 {
		t.Errorf("%d slices, of these %d of the critical path and of ranges on streams", tracks.Slices, derived)
	}
	var names []timelineName
	if err := json.Unmarshal(get("/aggregate", 200), &names); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, v := range names {
		n += v.Count
	}
	if n != tracks.Slices-derived {
		t.Errorf("aggregates have %d slices of %d", n, tracks.Slices)
	}
	b := get("/view?pixels=800", 200)
	if got := wireSlices(t, b); got != tracks.Slices || len(b) > 150_000 {
		t.Errorf("view shows %d slices of %d in %d bytes", got, tracks.Slices, len(b))
	}
	var found struct {
		Total int
		Next  *timeline.Slice
	}
	if err := json.Unmarshal(get("/search?q=cudaLaunch", 200), &found); err != nil || found.Total != 20_000 || found.Next == nil || len(found.Next.Work) != 1 {
		t.Errorf("search found %+v, %v", found, err)
	}
	for _, bad := range []string{"/search?q=(", "/view?tracks=-1", "/view?t0=x", "/slice?id=99999999", "/counter?track=0", "/aggregate?tracks=1,x"} {
		get(bad, 400)
	}
}

// TestIndexProgress asks for a timeline whose index cannot be made yet: the
// answer says so at once, and the index is made although nobody waits for it.
func TestIndexProgress(t *testing.T) {
	s := start(t, smallTrace(t, ""))
	o, err := s.lookup("0")
	if err != nil {
		t.Fatal(err)
	}
	o.work.Lock() // as a page of the file does that takes long
	status, body := ask(t, s, "GET", "/api/timeline/0/tracks", nil, nil)
	o.work.Unlock()
	var v struct{ Progress *float64 }
	if err := json.Unmarshal([]byte(body), &v); status != 202 || err != nil || v.Progress == nil || *v.Progress < 0 || *v.Progress > 1 {
		t.Errorf("status %d, %s", status, body)
	}
	select {
	case <-s.indexOf(o).done:
	case <-time.After(20 * time.Second):
		t.Fatal("the index is not made")
	}
	if status, body := ask(t, s, "GET", "/api/timeline/0/tracks", nil, nil); status != 200 {
		t.Errorf("status %d, %.200s", status, body)
	}
}

// wireSlices adds up the slices of an answer, as a page reads it.
func wireSlices(t *testing.T, b []byte) int {
	t.Helper()
	le := binary.LittleEndian
	if string(b[:4]) != "GTL1" || le.Uint32(b[32:]) != 0 {
		t.Fatalf("head % x", b[:40])
	}
	n, at := 0, 40
	for range le.Uint32(b[24:]) {
		items := int(le.Uint32(b[at+8:]))
		at += 12
		for range items {
			if b[at+7]&1 != 0 {
				n++
			} else {
				n += int(le.Uint32(b[at+8:]))
			}
			at += 12
		}
	}
	for range le.Uint32(b[28:]) {
		at += 4 + int(le.Uint32(b[at:]))
	}
	if at != len(b) {
		t.Errorf("answer has %d bytes, its parts %d", len(b), at)
	}
	return n
}
