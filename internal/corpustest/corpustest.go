// Package corpustest finds the folder of real profiles and vendor outputs that
// tests compare with. The folder lies beside the project's checkout and is not
// part of it; where it is absent the tests that need it skip.
package corpustest

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder that holds corpus/ and oracle/: the environment
// variable GPUPROF_SHARED if set, else a folder "shared" beside one of the
// parents of the working directory. It skips the test when there is none, or when
// GPUPROF_NO_CORPUS is 1: so the suite runs as it does for who has the checkout
// alone.
func Dir(tb testing.TB) string {
	tb.Helper()
	if os.Getenv("GPUPROF_NO_CORPUS") == "1" {
		tb.Skip("GPUPROF_NO_CORPUS is 1")
	}
	if dir := os.Getenv("GPUPROF_SHARED"); dir != "" {
		return dir
	}
	wd, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for d := wd; ; d = filepath.Dir(d) {
		s := filepath.Join(d, "shared")
		if fi, err := os.Stat(filepath.Join(s, "corpus")); err == nil && fi.IsDir() {
			return s
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	tb.Skip("no folder of real profiles beside the checkout (GPUPROF_SHARED names one)")
	return ""
}

// Files returns the files under Dir that match a glob such as
// "corpus/ncu/*.ncu-rep"; it fails the test when nothing matches.
func Files(tb testing.TB, pattern string) []string {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(Dir(tb), filepath.FromSlash(pattern)))
	if err != nil {
		tb.Fatal(err)
	}
	if len(names) == 0 {
		tb.Fatalf("nothing matches %s", pattern)
	}
	return names
}
