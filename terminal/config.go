package terminal

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gpuprof/gpuprof/internal/spelling"
)

// configName is the file from which ncu reads flags.
const configName = "config.ncu-cfg"

// mostConfig bounds that file.
const mostConfig = 1 << 20

// configure sets flags that the command line leaves open to what the configuration file
// of ncu says in its part [Import]: lines "flag = value" below names of parts in
// brackets. It is looked for where ncu does: in the folder of --config-file-path, else
// in the present one.
func (n *ncuFlags) configure(fs *pflag.FlagSet) error {
	switch n.config {
	case "off":
		return nil
	case "on":
	default:
		return misuse("--config-file: %q is not one of on, off", n.config)
	}
	name := configName
	if n.configPath != "" {
		name = n.configPath
		if st, err := os.Stat(name); err == nil && st.IsDir() {
			name = filepath.Join(name, configName)
		}
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) && n.configPath == "" {
		return nil
	}
	if err != nil {
		return misuse("--config-file-path: %v", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostConfig))
	if err != nil {
		return misuse("--config-file-path: %v", err)
	}
	return setConfig(fs, name, string(b))
}

// setConfig sets the flags that the text of a configuration file names.
func setConfig(fs *pflag.FlagSet, file, text string) error {
	given := map[string]bool{}
	fs.Visit(func(f *pflag.Flag) { given[f.Name] = true })
	part, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
			continue
		case line[0] == '[':
			part = strings.ToLower(strings.Trim(line, "[]"))
			continue
		case part != "import":
			continue // about collecting
		}
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimLeft(strings.TrimSpace(key), "-"), strings.Trim(strings.TrimSpace(value), `"`)
		f := fs.Lookup(key)
		switch {
		case !ok:
			return misuse("%s:%d: expected FLAG = VALUE, found %q", file, number, line)
		case f == nil:
			var known []string
			fs.VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
			return misuse("%s:%d: %q is not a flag%s", file, number, key, spelling.Nearest(key, known))
		case given[key]:
			continue // the command line counts
		}
		if err := fs.Set(key, value); err != nil {
			return misuse("%s:%d: %s: %v", file, number, key, err)
		}
	}
	return nil
}
