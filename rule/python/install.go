package python

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Install writes the modules of this package, with what pip needs, into a folder
// below cache and returns its path. The folder is named by its content, so that
// versions of gpuprof do not meet; one that is there already stays.
func Install(cache string) (string, error) {
	if cache == "" {
		return "", fmt.Errorf("there is no cache folder to put the modules in: set XDG_CACHE_HOME or HOME")
	}
	texts := map[string][]byte{}
	h := sha256.New()
	err := fs.WalkDir(modules, "modules", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := modules.ReadFile(name)
		rel, _ := filepath.Rel("modules", filepath.FromSlash(name))
		texts[rel] = text
		fmt.Fprintf(h, "%s %d\n", rel, len(text))
		h.Write(text)
		return err
	})
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "python-"+hex.EncodeToString(h.Sum(nil)[:6]))
	if complete(dir, texts) {
		return dir, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(cache, ".python-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(tmp, name), text, 0o644); err != nil {
			return "", err
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, dir); err != nil && !complete(dir, texts) {
		// A folder that something changed, or that another process just made.
		if e := os.RemoveAll(dir); e != nil {
			return "", e
		}
		if err := os.Rename(tmp, dir); err != nil {
			return "", err
		}
	}
	return dir, nil
}

func complete(dir string, texts map[string][]byte) bool {
	for name, text := range texts {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(b, text) {
			return false
		}
	}
	return true
}
