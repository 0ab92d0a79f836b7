package web

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"testing"
)

// What a browser may load, in bytes, as it is sent compressed.
const (
	mostFirst = 110_000 // with any page as the first
	mostAll   = 250_000 // all pages, with the editor of SQL
	mostFonts = 45_000  // beside these
)

var (
	importedNow   = regexp.MustCompile(`(?:from|import)\s*"\./([\w-]+\.js)"`)
	importedLater = regexp.MustCompile(`import\("\./([\w-]+\.js)"\)`)
)

// imports are the files that a part of the bundle names in one way of importing.
func imports(t *testing.T, name string, how *regexp.Regexp) (names []string) {
	t.Helper()
	b, err := dist.ReadFile("dist/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range how.FindAllSubmatch(b, -1) {
		if n := string(m[1]); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// loaded are the files that come with a part of the bundle, itself among them.
func loaded(t *testing.T, have []string, name string) []string {
	t.Helper()
	if slices.Contains(have, name) {
		return have
	}
	have = append(have, name)
	for _, n := range imports(t, name, importedNow) {
		have = loaded(t, have, n)
	}
	return have
}

// sent is the compressed size of files.
func sent(t *testing.T, names ...string) (n int) {
	t.Helper()
	for _, name := range names {
		b, err := dist.ReadFile("dist/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		z.Write(b)
		z.Close()
		n += packed.Len()
	}
	return n
}

// TestAssets bounds what a browser loads: with each page as the first that is opened,
// with all of them, and the fonts apart. whole.js is for exported files alone.
func TestAssets(t *testing.T) {
	check := func(what string, bytes, most int) {
		t.Helper()
		t.Logf("%s: %d bytes", what, bytes)
		if bytes > most {
			t.Errorf("%s: %d bytes, more than %d", what, bytes, most)
		}
	}
	shell := loaded(t, []string{"index.html"}, "app.js")
	shell = append(shell, "style.css")
	check("the shell", sent(t, shell...), mostFirst)
	pages := imports(t, "app.js", importedLater)
	if len(pages) < 4 {
		t.Errorf("app.js loads %d pages when they are asked for: %q", len(pages), pages)
	}
	for _, p := range pages {
		check(p, sent(t, loaded(t, slices.Clone(shell), p)...), mostFirst)
	}
	all, err := fs.Glob(dist, "dist/*.js")
	if err != nil {
		t.Fatal(err)
	}
	every := []string{"index.html", "style.css"}
	for _, name := range all {
		if path.Base(name) != "whole.js" {
			every = append(every, path.Base(name))
		}
	}
	check("all", sent(t, every...), mostAll)
	check("fonts", sent(t, "inter.woff2", "mono.woff2"), mostFonts)
}
