package source

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
)

// maxSourceFile bounds the size in bytes of a source file that is read.
const maxSourceFile = 16 << 20

// NoText stands for a line whose file is not at hand.
const NoText = "<Unable to open source file>"

// Files finds the text of source lines: in the report, else in what
// --resolve-source-file names. A path that a report records is never opened by
// itself: the user says where to look.
type Files struct {
	resolve []string
	lines   map[fileOf][]string // nil: not found
}

// fileOf is a file as one program knows it.
type fileOf struct {
	code *profile.Code
	path string
}

// NewFiles looks for text in the files and folders of resolve.
func NewFiles(resolve []string) *Files {
	return &Files{resolve: resolve, lines: map[fileOf][]string{}}
}

// Line returns the text of a line, or why there is none.
func (f *Files) Line(c *profile.Code, path string, n int) (text, lost string) {
	key := fileOf{c, path}
	lines, ok := f.lines[key]
	if !ok {
		lines = f.find(c, path)
		f.lines[key] = lines
	}
	switch {
	case lines == nil:
		return "", NoText
	case n < 1 || n > len(lines):
		return "", "<Line is not in the source file>"
	}
	return lines[n-1], ""
}

func (f *Files) find(c *profile.Code, path string) []string {
	for i := range c.Files {
		if c.Files[i].Path == path {
			return splitLines(c.Files[i].Text)
		}
	}
	for _, r := range f.resolve {
		if text, ok := readSource(r, path); ok {
			return splitLines(text)
		}
	}
	return nil
}

func splitLines(s string) []string {
	return strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
}

// readSource reads the recorded path from where: a file of the same name, or a
// folder that holds the path from some element on.
func readSource(where, path string) (text string, ok bool) {
	st, err := os.Stat(where)
	if err != nil {
		return "", false
	}
	path = strings.ReplaceAll(path, `\`, "/")
	parts := strings.Split(path, "/")
	if !st.IsDir() {
		if filepath.Base(where) != parts[len(parts)-1] {
			return "", false
		}
		return readRegular(where)
	}
	for i := range parts {
		rest := filepath.Join(parts[i:]...)
		if rest == "" || !filepath.IsLocal(rest) {
			continue
		}
		if text, ok := readRegular(filepath.Join(where, rest)); ok {
			return text, true
		}
	}
	return "", false
}

func readRegular(name string) (text string, ok bool) {
	st, err := os.Stat(name)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxSourceFile {
		return "", false
	}
	b, err := os.ReadFile(name)
	return string(b), err == nil
}
