package corpustest

import (
	"compress/gzip"
	"io"
	"os"
	"testing"
)

// Gunzip returns what a gzip file holds.
func Gunzip(tb testing.TB, name string) string {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}
