package web

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/section"
)

// TestQueries keeps queries from one server to the next, whatever their ports,
// and refuses what is too large, has no name, or comes from elsewhere.
func TestQueries(t *testing.T) {
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	if base, err := os.UserConfigDir(); err != nil || base != config {
		t.Skip("the folder of the configuration cannot be set here")
	}
	s := start(t)
	for _, c := range []struct {
		name, method, path, body string
		change                   func(*http.Request)
		want                     int
	}{
		{name: "none", method: "GET", path: "/api/queries", want: 200},
		{name: "one", method: "PUT", path: "/api/queries?name=mine", body: "SELECT 1", want: 200},
		{name: "another", method: "PUT", path: "/api/queries?name=b%3Cb%3E", body: "SELECT '</script>'", want: 200},
		{name: "without a name", method: "PUT", path: "/api/queries?name=+", body: "SELECT 1", want: 400},
		{name: "long name", method: "PUT", path: "/api/queries?name=" + strings.Repeat("x", 201), body: "SELECT 1", want: 400},
		{name: "too large", method: "PUT", path: "/api/queries?name=large", body: strings.Repeat("x", maxQuery+1), want: 413},
		{name: "without a token", method: "PUT", path: "/api/queries?name=x", body: "x", change: func(r *http.Request) { r.Header.Del("Authorization") }, want: 401},
		{name: "foreign", method: "DELETE", path: "/api/queries?name=mine", change: func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, want: 403},
		{name: "post", method: "POST", path: "/api/queries?name=x", body: "x", want: 405},
	} {
		if got, body := ask(t, s, c.method, c.path, strings.NewReader(c.body), c.change); got != c.want {
			t.Errorf("%s: status %d, want %d: %.200s", c.name, got, c.want, body)
		}
	}
	other := start(t)
	got := answer[map[string]string](t, other, "GET", "/api/queries")
	if len(got) != 2 || got["mine"] != "SELECT 1" || got["b<b>"] != "SELECT '</script>'" {
		t.Errorf("another server finds %v", got)
	}
	if got := answer[map[string]string](t, other, "DELETE", "/api/queries?name=mine"); len(got) != 1 {
		t.Errorf("after one was forgotten: %v", got)
	}

	// A file that is none of ours is left as it is.
	file := filepath.Join(config, "gpuprof", "queries.json")
	if err := os.WriteFile(file, []byte("not JSON"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, body := ask(t, s, "PUT", "/api/queries?name=x", strings.NewReader("x"), nil); status != 500 || !strings.Contains(body, "queries.json") {
		t.Errorf("a broken file: status %d, %.200s", status, body)
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "not JSON" {
		t.Errorf("the broken file was written over: %q, %v", b, err)
	}
}

// TestMetricFacts asks what names mean: with a formula from the suffix, from a
// section of gpuprof's own, and for a name that follows no grammar.
func TestMetricFacts(t *testing.T) {
	s := start(t, example)
	for name, want := range map[string]section.MetricFacts{
		"sm__throughput.avg.pct_of_peak_sustained_elapsed": {Unit: "%", Type: "throughput",
			Formula: "100 × sm__throughput.avg.per_cycle_elapsed ÷ sm__throughput.avg.peak_sustained"},
		"dram__bytes_read.sum.per_second": {Unit: "byte/s", Type: "counter", Formula: "dram__bytes_read.sum ÷ seconds of the measurement"},
		"<script>":                        {Type: "other"},
	} {
		for _, file := range []string{"0", "7"} {
			status, body := ask(t, s, "GET", "/api/metric?file="+file+"&name="+strings.ReplaceAll(strings.ReplaceAll(name, "<", "%3C"), ">", "%3E"), nil, nil)
			var got section.MetricFacts
			if err := json.Unmarshal([]byte(body), &got); status != 200 || err != nil {
				t.Fatal(status, body)
			}
			if got.Name != name || got.Unit != want.Unit || got.Type != want.Type || got.Formula != want.Formula || got.Description == "" && want.Formula != "" {
				t.Errorf("%s: %+v", name, got)
			}
			if strings.Contains(body, "<script") {
				t.Errorf("markup stands in the answer: %s", body)
			}
		}
	}
}
