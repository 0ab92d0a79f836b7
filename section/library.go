package section

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/prototext"
)

// stock holds the sections that come with gpuprof, written for it.
//
//go:embed stock/*.section
var stock embed.FS

// StockSource is what people read as the source of the sections that come with gpuprof.
const StockSource = "gpuprof"

// A Library is the set of sections found on a search path.
type Library struct {
	Sections []Found // by order, then title
	Failed   []error // files that cannot be used: file, line and column stand in the error
}

// A Found is a section with where it comes from.
type Found struct {
	*Definition
	Source   string    // file
	Folder   int       // position on the search path; the stock sections stand last
	Warnings []Warning // what was passed over in the file
	Shadows  []string  // files further on with the same identifier
	stock    bool
	extends  prototext.Pos // where the file names the section that this one extends
}

// Stock reports whether the section comes with gpuprof.
func (f Found) Stock() bool { return f.stock }

// A Folder is a place on the search path. Files end in ".section"; those of a
// subfolder count only where Recursive is set.
type Folder struct {
	Path      string
	Recursive bool
}

// maxFiles bounds how many files of a folder are looked at.
const maxFiles = 10_000

// Load reads the sections of all folders, the nearest first, and then those that
// come with gpuprof. Of several sections with one identifier the nearest is
// taken. A file that cannot be used does not keep the others from being used.
func Load(folders []Folder) *Library {
	l := &Library{}
	index := map[string]int{}
	for i, f := range folders {
		names, err := f.files()
		if err != nil {
			l.Failed = append(l.Failed, err)
		}
		for _, name := range names {
			l.add(index, i, name, false, func() ([]byte, error) { return readFile(name) })
		}
	}
	names, _ := fs.Glob(stock, "stock/*.section") // the pattern is sound
	for _, name := range names {
		l.add(index, len(folders), name, true, func() ([]byte, error) { return stock.ReadFile(name) })
	}
	l.dropCycles(index)
	slices.SortStableFunc(l.Sections, func(a, b Found) int {
		if c := compare(a.Order.Or(0), b.Order.Or(0)); c != 0 {
			return c
		}
		return strings.Compare(a.DisplayName, b.DisplayName)
	})
	return l
}

func (l *Library) add(index map[string]int, folder int, name string, stock bool, read func() ([]byte, error)) {
	b, err := read()
	if err != nil {
		l.Failed = append(l.Failed, err)
		return
	}
	m, err := prototext.Parse(name, string(b))
	if err != nil {
		l.Failed = append(l.Failed, err)
		return
	}
	def, warnings, err := define(name, m)
	if err != nil {
		l.Failed = append(l.Failed, err)
		return
	}
	if k, taken := index[def.Identifier]; taken {
		l.Sections[k].Shadows = append(l.Sections[k].Shadows, name)
		return
	}
	index[def.Identifier] = len(l.Sections)
	l.Sections = append(l.Sections, Found{Definition: def, Source: name, Folder: folder, Warnings: warnings, stock: stock, extends: posOf(m, "Extends")})
}

// readFile reads a section file; a file too large to be one is refused unread.
func readFile(name string) ([]byte, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if st.Size() > 64<<20 {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("larger than any section file (64 MB)")}
	}
	return os.ReadFile(name)
}

// files lists the section files of a folder in the order of their names.
func (f Folder) files() ([]string, error) {
	var names []string
	err := filepath.WalkDir(f.Path, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != f.Path && !f.Recursive:
			return filepath.SkipDir
		case !d.IsDir() && path.Ext(d.Name()) == ".section":
			names = append(names, p)
		}
		if len(names) > maxFiles {
			return &fs.PathError{Op: "read", Path: f.Path, Err: errors.New("more than 10000 section files")}
		}
		return nil
	})
	return names, err
}

// Sets lists the sets that sections belong to, with the sections of each.
func (l *Library) Sets() map[string][]Found {
	sets := map[string][]Found{}
	for _, s := range l.Sections {
		for _, set := range s.Sets {
			sets[set.Identifier] = append(sets[set.Identifier], s)
		}
	}
	return sets
}

// MetricNames lists the metrics that a definition asks for, on the target:
// what a collector must be told. Names keep their prefixes (regex:, group:,
// breakdown:).
func MetricNames(def *Definition, t Target) []string {
	s := resolve(def, t, func(string, int) string { return "" })
	if s == nil {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	add := func(ms []Metric) {
		for _, m := range ms {
			if m.Name != "" && !seen[m.Name] {
				seen[m.Name] = true
				names = append(names, m.Name)
			}
		}
	}
	add(s.All)
	for _, b := range s.Bodies {
		for _, it := range b.Items {
			add(it.Metrics)
			for _, r := range it.Roofs {
				for _, p := range r.Parts {
					add(p.Metrics)
				}
			}
		}
	}
	return names
}
