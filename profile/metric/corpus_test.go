package metric_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// An oracleMetric is what Nsight Compute 2024.1.1 says of one metric.
type oracleMetric struct {
	Kind      int
	Unit      string
	D         jsonFloat
	U         *uint64
	S         *string
	NI        int  `json:"ni"`
	Type      int  `json:"mt"`
	Submetric *int `json:"ms"`
	Rollup    *int `json:"ro"`
}

type oracleAction struct {
	Name    string
	Metrics map[string]oracleMetric
}

// cc returns the compute capability times ten, 0 if the action does not say.
func (a oracleAction) cc() int {
	major, ok := a.Metrics["device__attribute_compute_capability_major"]
	if !ok {
		return 0
	}
	return int(major.D)*10 + int(a.Metrics["device__attribute_compute_capability_minor"].D)
}

// jsonFloat is a float64 that reads NaN, which is no JSON but what the oracles
// hold.
type jsonFloat float64

// oracleReports returns the folders of the oracle's reports.
func oracleReports(t testing.TB) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(corpustest.Dir(t), "oracle", "ncu-pages", "*", "ncu_report.json.gz"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no oracle reports: %v", err)
	}
	for i := range dirs {
		dirs[i] = filepath.Dir(dirs[i])
	}
	return dirs
}

// readGzip returns the text of a file, "" if there is none.
func readGzip(t testing.TB, name string) string {
	t.Helper()
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (f *jsonFloat) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*f = jsonFloat(v)
	return err
}

// oracleActions reads what the vendor's Python module says of a report.
func oracleActions(t testing.TB, dir string) []oracleAction {
	t.Helper()
	text := readGzip(t, filepath.Join(dir, "ncu_report.json.gz"))
	for _, bad := range []string{"NaN", "Infinity", "-Infinity"} {
		text = strings.ReplaceAll(text, ": "+bad, `: "`+bad+`"`)
	}
	var actions []oracleAction
	if err := json.Unmarshal([]byte(text), &actions); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return actions
}

// A fact is a row of the table of what Nsight Compute 2024.1.1 reports.
type fact struct{ name, unit, typ, submetric, rollup string }

func facts(t testing.TB) []fact {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "formats", "ncu-metric-facts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var all []fact
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")[1:] {
		f := strings.Split(line, "\t")
		all = append(all, fact{f[0], f[1], f[2], f[3], f[4]})
	}
	return all
}
