package web

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// adding is a rule that adds a metric and says something.
const adding = `import NvRules


def get_identifier():
    return "Adding"


def get_name():
    return "Adds a metric"


def get_description():
    return "Adds a metric"


def apply(handle):
    context = NvRules.get_context(handle)
    action = context.range_by_idx(0).action_by_idx(0)
    action.add_metric("rule__added").set_double(NvRules.IMetric.ValueKind_DOUBLE, 1.5)
    context.frontend().message("added by a rule")
`

// TestRequestsApart: what a rule adds is seen by the request that applies it, and
// by no other of the same file, before, after or beside it.
func TestRequestsApart(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "Adding.py"), []byte(adding), 0o600); err != nil {
		t.Fatal(err)
	}
	section := "Identifier: \"Mine\"\nDisplayName: \"Mine\"\nHeader { Metrics { Label: \"By the rule\" Name: \"rule__added\" } }\n"
	if err := os.WriteFile(filepath.Join(dir, "mine.section"), []byte(section), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startWith(t, Options{Sections: []string{dir}}, example)
	get := func(path string) string {
		status, body := ask(t, s, "GET", path, nil, nil)
		if status != 200 {
			t.Errorf("%s: status %d, %.200s", path, status, body)
		}
		return body
	}
	plain := map[string]string{}
	for _, p := range []string{"raw", "details", "summary", "source"} {
		plain[p] = get("/api/page/" + p + "?file=0&format=json")
	}
	apart := func(when string) {
		for p, want := range plain {
			if got := get("/api/page/" + p + "?file=0&format=json"); got != want {
				t.Errorf("%s: the page %s of the same file has changed; it shows the added metric: %t, the rule's message: %t",
					when, p, strings.Contains(got, "rule__added"), strings.Contains(got, "added by a rule"))
			}
		}
	}
	ruled := func() {
		got := get("/api/page/details?file=0&apply-rules=yes&rule=" + url.QueryEscape("regex:^Adding$"))
		for _, want := range []string{"added by a rule", "1.5"} {
			if !strings.Contains(got, want) {
				t.Errorf("details with the rule do not show %q", want)
			}
		}
	}
	ruled()
	apart("after")
	var beside sync.WaitGroup
	for i := range 3 {
		beside.Go(ruled)
		beside.Go(func() { apart(fmt.Sprint("beside ", i)) })
	}
	beside.Wait()
}
