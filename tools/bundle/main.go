// Command bundle makes the viewer's assets of its TypeScript:
//
//	bundle FROM TO
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/evanw/esbuild/pkg/api"
)

// modules are the libraries by the names under which they are imported: files below vendor.
var modules = map[string]string{
	"preact": "preact/preact.mjs", "preact/hooks": "preact/hooks.mjs", "preact/jsx-runtime": "preact/jsxRuntime.mjs",
	"@leeoniya/ufuzzy":  "ufuzzy/uFuzzy.mjs",
	"@codemirror/state": "codemirror/state.js", "@codemirror/view": "codemirror/view.js", "@codemirror/commands": "codemirror/commands.js",
	"@codemirror/language": "codemirror/language.js", "@codemirror/autocomplete": "codemirror/autocomplete.js",
	"@lezer/common": "codemirror/lezer-common.js", "@lezer/highlight": "codemirror/lezer-highlight.js",
	"@codemirror/streamparser": "codemirror/streamparser.js", "style-mod": "codemirror/style-mod.js", "w3c-keyname": "codemirror/w3c-keyname.js", "crelt": "codemirror/crelt.js",
	"@marijn/find-cluster-break": "codemirror/find-cluster-break.js",
}

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
	alias := map[string]string{}
	for name, file := range modules {
		alias[name] = filepath.Join(from, "vendor", filepath.FromSlash(file))
	}
	old, err := filepath.Glob(filepath.Join(to, "*-*.js")) // parts of former bundles, which have hashes in their names
	if err != nil {
		return err
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			return err
		}
	}
	options := api.BuildOptions{
		AbsWorkingDir: from,
		Outdir:        to, Bundle: true, Write: true, Format: api.FormatESModule, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		JSX: api.JSXAutomatic, JSXImportSource: "preact", Alias: alias,
		Loader: map[string]api.Loader{".woff2": api.LoaderFile}, AssetNames: "[name]", ChunkNames: "[name]-[hash]",
		LogLevel: api.LogLevelWarning,
	}
	// A server sends pages in parts, when they are asked for; an exported file has them in one, without the
	// editor of SQL, which it cannot use; what reads the timeline of an exported file is in that alone.
	served, whole := options, options
	served.EntryPoints, served.Splitting = []string{"app.tsx", "style.css"}, true
	whole.EntryPointsAdvanced = []api.EntryPoint{{InputPath: "app.tsx", OutputPath: "whole"}}
	served.Plugins = []api.Plugin{without(map[string]string{"./saved": "export class SavedSource {}"})}
	whole.Plugins = []api.Plugin{without(map[string]string{"./sql": "export const SQL = () => null"})}
	for _, o := range []api.BuildOptions{served, whole} {
		if r := api.Build(o); len(r.Errors) > 0 {
			return fmt.Errorf("%d errors", len(r.Errors))
		}
	}
	page, err := os.ReadFile(filepath.Join(from, "index.html"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "index.html"), page, 0o644)
}

// without puts other texts in the place of modules.
func without(modules map[string]string) api.Plugin {
	return api.Plugin{Name: "without", Setup: func(b api.PluginBuild) {
		for name, text := range modules {
			b.OnResolve(api.OnResolveOptions{Filter: "^" + regexp.QuoteMeta(name) + "$"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				return api.OnResolveResult{Path: a.Path, Namespace: "without"}, nil
			})
			b.OnLoad(api.OnLoadOptions{Filter: "^" + regexp.QuoteMeta(name) + "$", Namespace: "without"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
				return api.OnLoadResult{Contents: &text}, nil
			})
		}
	}}
}
