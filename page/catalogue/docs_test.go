package catalogue

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

var update = flag.Bool("update", false, "write the list of pages into docs/json.md")

// The marks around the list of pages.
const (
	listBegins = "<!-- The list of pages, by go test ./page/catalogue -update -->\n"
	listEnds   = "<!-- End of the list -->\n"
)

// TestDocs keeps the list of pages in docs/json.md that of the catalogue.
func TestDocs(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "json.md")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), listBegins)
	got, after, ok2 := strings.Cut(rest, listEnds)
	if !ok || !ok2 {
		t.Fatalf("%s: expected the marks of the list of pages", name)
	}
	want := Pages().Markdown()
	switch {
	case got == want:
	case *update:
		if err := atomicfile.WriteBytes(name, []byte(before+listBegins+want+listEnds+after)); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s: the list of pages is old: go test ./page/catalogue -update", name)
	}
}
