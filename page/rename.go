package page

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// mostRenames bounds the file of --rename-kernels-path.
const mostRenames = 16 << 20

// A renaming is an entry of that file. The vendor writes such lists; the words of the
// keys are as its guide has them, as far as we know.
type renaming struct {
	Original string `yaml:"Original"`
	Renamed  string `yaml:"Renamed"`
}

// rename calls kernels as the file of --rename-kernels-path says.
func rename(q *Request, launches []Launch) error {
	if to := q.Text("rename-kernels-export"); to != "" {
		if err := exportNames(q, launches, to); err != nil {
			return err
		}
	}
	name := q.Text("rename-kernels-path")
	if name == "" || q.Text("rename-kernels") == "off" {
		return nil
	}
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		name = filepath.Join(name, "ncu-kernel-renames.yaml")
	}
	f, err := os.Open(name)
	if err != nil {
		return Usagef("--rename-kernels-path: %v", err)
	}
	defer f.Close()
	var list []renaming
	d := yaml.NewDecoder(io.LimitReader(f, mostRenames))
	d.KnownFields(true)
	if err := d.Decode(&list); err != nil && err != io.EOF {
		return Usagef("--rename-kernels-path: %s: expected a list of entries with Original and Renamed: %v", name, err)
	}
	to := map[string]string{}
	for _, r := range list {
		to[r.Original] = r.Renamed
	}
	for i := range launches {
		l := &launches[i]
		for _, base := range []string{"demangled", "function", "mangled"} {
			if s := to[l.Action.NameAs(base)]; s != "" {
				l.renamed = s
				break
			}
		}
	}
	return nil
}

// exportNames writes the list of the kernels of launches, each by its own name.
func exportNames(q *Request, launches []Launch, to string) error {
	var list []renaming
	known := map[string]bool{}
	for _, l := range launches {
		if name := l.Action.FullName(); !known[name] {
			known[name] = true
			list = append(list, renaming{name, name})
		}
	}
	b, err := yaml.Marshal(list)
	if err != nil {
		return err
	}
	return q.Write(context.Background(), to, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}
