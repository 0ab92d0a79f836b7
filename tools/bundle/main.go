// Command bundle makes the viewer's assets of its TypeScript:
//
//	bundle FROM TO
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bundle FROM TO")
		os.Exit(2)
	}
	if err := bundle(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func bundle(from, to string) error {
	from, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	if to, err = filepath.Abs(to); err != nil {
		return err
	}
	vendor := func(name string) string { return filepath.Join(from, "vendor", "preact", name) }
	r := api.Build(api.BuildOptions{
		AbsWorkingDir: from,
		EntryPoints:   []string{"app.tsx", "style.css"},
		Outdir:        to, Bundle: true, Write: true, Format: api.FormatESModule, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		JSX: api.JSXAutomatic, JSXImportSource: "preact",
		Alias: map[string]string{
			"preact": vendor("preact.mjs"), "preact/hooks": vendor("hooks.mjs"), "preact/jsx-runtime": vendor("jsxRuntime.mjs"),
		},
		LogLevel: api.LogLevelWarning,
	})
	if len(r.Errors) > 0 {
		return fmt.Errorf("%d errors", len(r.Errors))
	}
	page, err := os.ReadFile(filepath.Join(from, "index.html"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "index.html"), page, 0o644)
}
