// Package house holds the tests that keep the rooms of the house apart.
package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/gpuprof/gpuprof/"

// floors gives each room its floor: a package imports its own floor and those
// below. docs/architecture.md draws the house.
var floors = []struct {
	room  string
	floor int
}{
	{"cmd", 8},
	{"web", 7}, {"mcp", 7}, {"terminal", 7},
	{"page/catalogue", 6},
	{"page", 4},   // the contract; the topics below it are on the floor above
	{"script", 4}, // Python scripts print: no page, but beside the contract
	{"load", 3},
	{"timeline", 2}, {"flame", 2}, {"section", 2}, {"rule", 2}, {"stats", 2}, {"lifetime", 2}, {"occupancy", 2}, {"export", 2},
	{"source", 2}, {"query", 2}, {"dataset", 2}, {"annotate", 2}, {"compare", 2}, {"steps", 2}, {"ranks", 2}, {"fleet", 2}, {"memory", 2}, {"torch", 2}, {"scrub", 2}, {"cut", 2},
	{"format", 1}, {"profile", 1}, {"trace", 1}, {"view", 1},
	{"internal/spelling", 0},
	{"internal/carry", 0},
	{"internal/loopback", 0},
	{"internal/atomicfile", 0}, // the ground: what stands on the standard library alone
	{"internal", 8},
}

// topics is the floor of the packages of pages by topic, none of which imports
// another.
const topics = 5

func floorOf(t *testing.T, pkg string) (room string, floor int) {
	t.Helper()
	room, below, _ := strings.Cut(pkg, "/")
	if topic, _, _ := strings.Cut(below, "/"); room == "page" && topic != "" && topic != "catalogue" && filepath.Ext(topic) != ".go" {
		return "page/" + topic, topics
	}
	for _, f := range floors {
		if f.room == pkg || strings.HasPrefix(pkg, f.room+"/") && strings.Contains(f.room, "/") {
			return f.room, f.floor
		}
		if f.room == room {
			return room, f.floor
		}
	}
	t.Errorf("package %s is in no room of the house", pkg)
	return room, 0
}

// formatOf is the name of the format that a path under format/ belongs to.
func formatOf(p string) string {
	parts := strings.SplitN(p, "/", 3)
	return parts[min(1, len(parts)-1)]
}

// sources calls f with every Go file of the module.
func sources(t *testing.T, f func(name string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, p)
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "testdata" || name == "tools" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if filepath.Ext(p) == ".go" {
			f(filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImportsRunDown(t *testing.T) {
	sources(t, func(name string) {
		if strings.HasSuffix(name, "_test.go") || !strings.Contains(name, "/") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", name), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		room, floor := floorOf(t, name)
		for _, im := range file.Imports {
			path, _ := strconv.Unquote(im.Path.Value)
			to, ours := strings.CutPrefix(path, module)
			if !ours {
				continue
			}
			toRoom, toFloor := floorOf(t, to)
			own := toRoom == "format" && (formatOf(name) == formatOf(to) || strings.HasPrefix(to, "format/internal/"))
			switch {
			case floor == topics && toFloor == topics && room != toRoom:
				t.Errorf("%s imports %s: topics do not know each other; what two need belongs to the engine below", name, to)
			case toFloor > floor:
				t.Errorf("%s imports %s, which is on a floor above", name, to)
			case room == "format" && !own && toFloor > 0:
				t.Errorf("%s imports %s: a format package stands alone", name, to)
			}
		}
	})
}

func TestFilesAreSmall(t *testing.T) {
	const limit = 40_000
	sources(t, func(name string) {
		fi, err := os.Stat(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if fi.Size() > limit {
			t.Errorf("%s has %d bytes, more than %d: it holds more than one thing", name, fi.Size(), limit)
		}
	})
}

// TestPagesDoNotLookAtTheForm: what a page shows does not hang on the form in which it
// is written. page.Request.Whole tells how much of it is wanted.
func TestPagesDoNotLookAtTheForm(t *testing.T) {
	writers := map[string]bool{"page/compare/check.go": true} // writes its answer to files of several forms
	sources(t, func(name string) {
		topic, below, _ := strings.Cut(strings.TrimPrefix(name, "page/"), "/")
		if !strings.HasPrefix(name, "page/") || below == "" || topic == "catalogue" || strings.HasSuffix(name, "_test.go") || writers[name] {
			return
		}
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, form := range []string{"view.FormatText", "view.FormatJSON", "view.FormatCSV", "view.FormatMarkdown"} {
				if strings.Contains(line, form) {
					t.Errorf("%s:%d looks at %s: say it by a layout, an audience or the page's row", name, i+1, form)
				}
			}
		}
	})
}
