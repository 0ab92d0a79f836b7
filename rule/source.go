package rule

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"

	"github.com/gpuprof/gpuprof/rule/python"
)

//go:embed stock/*.py
var stock embed.FS

// A Source is where rule files come from.
type Source struct {
	folder string // on this machine; "" for the stock rules
	only   string // name of the one file to load; "" for all
}

// Stock are the rules of this project.
func Stock() Source { return Source{} }

// Folder are the rules in a folder, as --section-folder names it; those in
// folders below it are left out, as modules beside rules are.
func Folder(path string) Source { return Source{folder: path} }

// File is one rule; what lies beside it can be imported.
func File(path string) Source {
	return Source{folder: filepath.Dir(path), only: filepath.Base(path)}
}

// rulesDir is where programs see the folders of rules.
const rulesDir = "/rules"

// ruleFile is a file that may hold a rule.
type ruleFile struct {
	shown string // path for people
	guest string // path that the program opens it by
	text  string // content, if the program is not to open it
	stock bool
}

// files lists the files of a source and mounts what its rules may read at
// rulesDir/n: see readable.
func (s Source) files(n int, mapped bool) ([]ruleFile, []python.File, error) {
	if s.folder == "" {
		return stockFiles()
	}
	folder, err := filepath.Abs(s.folder)
	if err != nil {
		return nil, nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, nil, err
	}
	guest := filepath.ToSlash(folder)
	if mapped {
		guest = fmt.Sprintf("%s/%d", rulesDir, n)
	}
	var out []ruleFile
	for _, e := range entries {
		if e.IsDir() || !isRuleFile(e.Name()) || s.only != "" && s.only != e.Name() {
			continue
		}
		out = append(out, ruleFile{shown: filepath.Join(s.folder, e.Name()), guest: guest + "/" + e.Name()})
	}
	if s.only != "" && len(out) == 0 {
		return nil, nil, fmt.Errorf("%s: expected a Python file", filepath.Join(s.folder, s.only))
	}
	sort.Slice(out, func(i, k int) bool { return out[i].shown < out[k].shown })
	mounts, err := readable(folder, guest)
	return out, mounts, err
}

// mostBeside bounds the files that the rules of a folder may read, and
// deepestBeside how far packages may be nested in packages.
const (
	mostBeside    = 4096
	deepestBeside = 4
)

// readable lists what the rules of a folder may read of it: Python files and
// charts, and the Python files of packages, which are folders with an
// __init__.py. Links that lead out of the folder count as not there.
func readable(folder, guest string) ([]python.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []python.File
	var walk func(dir string, depth int) error
	walk = func(dir string, depth int) error {
		entries, err := fs.ReadDir(root.FS(), dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			st, err := root.Stat(name)
			if err != nil {
				continue // a link to elsewhere, or gone
			}
			switch ext := path.Ext(name); {
			case st.Mode().IsRegular() && (ext == ".py" || ext == ".chart" && depth == 0):
				out = append(out, python.File{Path: path.Join(guest, name), Host: filepath.Join(folder, filepath.FromSlash(name))})
			case e.IsDir() && depth < deepestBeside:
				if _, err := root.Stat(path.Join(name, "__init__.py")); err != nil {
					continue
				}
				if err := walk(name, depth+1); err != nil {
					return err
				}
			}
			if len(out) > mostBeside {
				return fmt.Errorf("%s: expected at most %d Python files beside rules, found more", folder, mostBeside)
			}
		}
		return nil
	}
	return out, walk(".", 0)
}

// StockSources are the stock rules by the path at which Python sees them.
func StockSources() (map[string]string, error) {
	out := map[string]string{}
	files, _, err := stockFiles()
	for _, f := range files {
		out[f.guest] = f.text
	}
	return out, err
}

func stockFiles() ([]ruleFile, []python.File, error) {
	entries, err := stock.ReadDir("stock")
	if err != nil {
		return nil, nil, err
	}
	var out []ruleFile
	for _, e := range entries {
		text, err := stock.ReadFile("stock/" + e.Name())
		if err != nil {
			return nil, nil, err
		}
		out = append(out, ruleFile{shown: "stock/" + e.Name(), guest: stockDir + "/" + e.Name(), text: string(text), stock: true})
	}
	return out, nil, nil
}

// stockDir is the folder that stock rules seem to be in.
const stockDir = "/stock"
