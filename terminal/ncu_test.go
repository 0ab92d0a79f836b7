package terminal

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestReportName(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("RUN", "seven")
	if err := os.WriteFile("a0.ncu-rep", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{"a": "a.ncu-rep", "a.ncu-rep": "a.ncu-rep", "a%i": "a1.ncu-rep", "%q{RUN}-100%%": "seven-100%.ncu-rep", "x%i": "x0.ncu-rep"} {
		if got, err := reportName(in); err != nil || got != want {
			t.Errorf("%s: %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"%q", "%q{", "%z"} {
		if got, err := reportName(in); err == nil {
			t.Errorf("%s: %q", in, got)
		}
	}
}

func TestConfig(t *testing.T) {
	flags := func() *pflag.FlagSet {
		fs := pflag.NewFlagSet("x", pflag.ContinueOnError)
		fs.String("page", "details", "")
		fs.Bool("csv", false, "")
		return fs
	}
	fs := flags()
	if err := fs.Parse([]string{"--page", "source"}); err != nil {
		t.Fatal(err)
	}
	if err := setConfig(fs, "c", "# of ours\n[Launch]\nnowhere = 1\n[Import]\npage = raw\n--csv = \"true\"\n"); err != nil {
		t.Fatal(err)
	}
	if got := fs.Lookup("page").Value.String() + fs.Lookup("csv").Value.String(); got != "sourcetrue" {
		t.Error(got)
	}
	for text, want := range map[string]string{"[Import]\npge = raw": `c:2: "pge" is not a flag; did you mean page?`, "[import]\n\npage": "c:3: expected FLAG = VALUE", "[Import]\ncsv = 7": "c:2: csv: "} {
		if err := setConfig(flags(), "c", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
