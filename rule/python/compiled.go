package python

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"io"
	"io/fs"
	"path"
	"strings"
)

// dist/code.zip holds the modules of this package and the stock rules, compiled
// for the Python of dist: compiling them at each start would take a quarter of
// its time. Command precompile writes it. An entry is named by what it was
// compiled from, so that a source that changed is compiled by Python rather than
// found in an old form.
//
//go:embed dist/code.zip
var compiledCode []byte

// CodeName is the name of the entry for a source that Python sees at path.
func CodeName(path string, source []byte) string {
	h := sha256.New()
	h.Write(interpreter[max(0, len(interpreter)-64):]) // compiled code is for one Python alone
	h.Write([]byte(path))
	h.Write([]byte{0})
	h.Write(source)
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// codes are the entries by name.
type codes map[string]*zip.File

func openCodes() (codes, error) {
	z, err := zip.NewReader(bytes.NewReader(compiledCode), int64(len(compiledCode)))
	if err != nil {
		return nil, err
	}
	c := codes{}
	for _, f := range z.File {
		c[f.Name] = f
	}
	return c, nil
}

// pyc returns the compiled form of a source as a .pyc file has it, or nil.
func (c codes) pyc(path string, source []byte) []byte {
	f := c[CodeName(path, source)]
	if f == nil || f.UncompressedSize64 > 1<<20 {
		return nil
	}
	r, err := f.Open()
	if err != nil {
		return nil
	}
	defer r.Close()
	b := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil
	}
	return b
}

// pycHeader is the length of the head of a .pyc file: before what package marshal
// of Python reads.
const pycHeader = 16

// Code returns the code object of a source that programs see at path, in the form
// of Python's marshal; nil if it is not known. It is for programs of e alone.
func (e *Engine) Code(path string, source []byte) []byte {
	if b := e.codes.pyc(path, source); len(b) > pycHeader {
		return b[pycHeader:]
	}
	return nil
}

// Modules are the modules of this package, by the path at which programs see them.
func Modules() (map[string][]byte, error) {
	out := map[string][]byte{}
	names, err := fs.Glob(modules, "modules/*.py")
	for _, n := range names {
		b, e := fs.ReadFile(modules, n)
		if e != nil {
			return nil, e
		}
		out[modulesDir+"/"+path.Base(n)] = b
	}
	return out, err
}

// moduleTree is the folder of the modules, with their compiled form where Python
// looks for it.
type moduleTree struct {
	fs.FS
	codes codes
}

const pycSuffix = ".cpython-311.pyc"

// Open implements fs.FS.
func (m moduleTree) Open(name string) (fs.File, error) {
	base, ok := strings.CutPrefix(name, "__pycache__/")
	if !ok || !strings.HasSuffix(base, pycSuffix) {
		return m.FS.Open(name)
	}
	base = strings.TrimSuffix(base, pycSuffix) + ".py"
	source, err := fs.ReadFile(m.FS, base)
	if err != nil {
		return nil, err
	}
	b := m.codes.pyc(modulesDir+"/"+base, source)
	if b == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &textFile{Reader: bytes.NewReader(b), info: info{name: path.Base(name), size: int64(len(b)), mode: 0o444}}, nil
}
