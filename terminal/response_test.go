package terminal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestResponded puts words of files in place of @FILE where ncu does, and nowhere else.
func TestResponded(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "@" + path
	}
	words := put("words", "--page raw\r\n--kernel-name \"regex:a b\"\t'' @other\n")
	empty, open, large := put("empty", " \n"), put("open", "--page 'raw"), put("large", strings.Repeat("x", mostConfig+1))
	flags := []string{"--page", "raw", "--kernel-name", "regex:a b", "", "@other"}
	for _, c := range []struct{ args, want []string }{
		{[]string{"-i", "r", words}, slices.Concat([]string{"-i", "r"}, flags)}, {[]string{words}, flags},
		{[]string{"-i", "r", empty}, []string{"-i", "r"}}, {[]string{"details", words}, []string{"details", words}},
		{[]string{"-i", "r", "-o", words}, []string{"-i", "r", "-o", words}}, {[]string{"-i", "@absent"}, []string{"-i", "@absent"}},
		{[]string{"-i", "@" + dir}, []string{"-i", "@" + dir}}, {nil, nil},
	} {
		got, err := responded(c.args)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %q %v, want %q", c.args, got, err, c.want)
		}
	}
	for _, bad := range []string{open, large} {
		if _, err := responded([]string{"-i", bad}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
