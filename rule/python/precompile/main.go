// Command precompile writes dist/code.zip: the modules of package python and the
// stock rules, compiled by the Python that gpuprof carries. Run it in the folder
// rule after a change to either:
//
//	go run ./python/precompile
package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/rule/python"
)

// script prints each of its arguments, compiled, as .pyc files have it: by hash,
// and not to be checked against the source.
const script = `
import base64, importlib._bootstrap_external as b, sys
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as f:
        code = compile(f.read(), path, "exec", dont_inherit=True)
    print(base64.b64encode(b._code_to_hash_pyc(code, bytes(8), False)).decode())
`

const output = "python/dist/code.zip"

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "precompile:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	sources, err := python.Modules()
	if err != nil {
		return err
	}
	p := python.Program{Main: "gpuprof_script", Args: []string{"/compile.py"}, Files: []python.File{{Path: "/compile.py", Text: []byte(script)}}}
	stock, err := rule.StockSources()
	if err != nil {
		return err
	}
	for path, text := range stock {
		sources[path] = []byte(text)
		p.Files = append(p.Files, python.File{Path: path, Text: []byte(text)})
	}
	paths := slices.Sorted(maps.Keys(sources))
	p.Args = append(p.Args, paths...)
	e, err := python.NewEngine(ctx, python.CacheDir(), python.Limits{})
	if err != nil {
		return err
	}
	defer e.Close()
	proc, err := e.Start(ctx, p)
	if err != nil {
		return err
	}
	var out strings.Builder
	if err := proc.Serve(ctx, nil, python.Output{Print: func(_ string, b []byte) error { out.Write(b); return nil }}); err != nil {
		return fmt.Errorf("%w\n%s", err, out.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != len(paths) {
		return fmt.Errorf("%d files compiled, expected %d", len(lines), len(paths))
	}
	return write(paths, lines, sources)
}

func write(paths, lines []string, sources map[string][]byte) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, path := range paths {
		code, err := base64.StdEncoding.DecodeString(lines[i])
		if err != nil {
			return err
		}
		w, err := z.Create(python.CodeName(path, sources[path]))
		if err != nil {
			return err
		}
		if _, err := w.Write(code); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(output, b.Bytes(), 0o644)
}
