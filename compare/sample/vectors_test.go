package sample

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// readTSV reads a table of testdata. The vectors were made by scipy 1.10 and
// R 4.2 (wilcox.test, exactRankTests, coin, p.adjust), those of gates by two
// independent programs.
func readTSV(t *testing.T, name string) []map[string]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	head := strings.Split(lines[0], "\t")
	var out []map[string]string
	for _, l := range lines[1:] {
		row := map[string]string{}
		for i, c := range strings.Split(l, "\t") {
			row[head[i]] = c
		}
		out = append(out, row)
	}
	return out
}

func floats(t *testing.T, s string) []float64 {
	t.Helper()
	var out []float64
	for _, f := range strings.Fields(s) {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// near compares with the cell of a row; an empty cell means no value.
func near(t *testing.T, row map[string]string, id, column string, got float64, ok bool, absolute, relative float64) {
	t.Helper()
	cell := row[column]
	if cell == "" {
		if ok {
			t.Errorf("%s %s: %v where there is no value", id, column, got)
		}
		return
	}
	want, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatalf("%s %s: %v", id, column, err)
	}
	if !ok || !(got == want || math.Abs(got-want) <= absolute+relative*math.Abs(want)) {
		t.Errorf("%s %s: %v (%v), want %v", id, column, got, ok, want)
	}
}

func TestSamples(t *testing.T) {
	rows := readTSV(t, "samples.tsv")
	if len(rows) < 100 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		id := r["id"] + " " + r["kind"]
		old, new := floats(t, r["old"]), floats(t, r["new"])
		w := MannWhitney(old, new)
		near(t, r, id, "U", w.U, true, 0, 0)
		near(t, r, id, "p_two_sided", w.Either, w.Exact, 1e-12, 0)
		near(t, r, id, "p_more", w.More, w.Exact, 1e-12, 0)
		near(t, r, id, "p_less", w.Less, w.Exact, 1e-12, 0)
		near(t, r, id, "p_min_two_sided", rankLeastP(len(old), len(new), Either), true, 1e-12, 0)
		near(t, r, id, "p_min_one_sided", rankLeastP(len(old), len(new), More), true, 1e-12, 0)
		near(t, r, id, "median_old", Median(old), true, 0, 1e-12)
		near(t, r, id, "median_new", Median(new), true, 0, 1e-12)
		for _, level := range []string{"90", "95"} {
			a, _ := strconv.ParseFloat(level, 64)
			e := Ratio(old, new, a/100)
			near(t, r, id, "ratio", e.Value, e.OK, 0, 1e-12)
			near(t, r, id, "lo"+level, e.Low, e.Interval.OK, 0, 1e-12)
			near(t, r, id, "hi"+level, e.High, e.Interval.OK, 0, 1e-12)
			near(t, r, id, "level"+level, e.Level, e.Interval.OK, 1e-12, 0)
		}
	}
}

func TestGates(t *testing.T) {
	gates := map[string][]map[string]string{}
	for _, r := range readTSV(t, "gates.tsv") {
		gates[r["gate"]] = append(gates[r["gate"]], r)
	}
	if len(gates) < 40 {
		t.Fatalf("%d gates", len(gates))
	}
	for name, rows := range gates {
		n, m := len(floats(t, rows[0]["old"])), len(floats(t, rows[0]["new"]))
		f := NewFamily(n, m)
		for _, r := range rows {
			f.AddRatio(floats(t, r["old"]), floats(t, r["new"]))
		}
		stat := f.T()
		more, _ := f.P(More)
		less, _ := f.P(Less)
		either, _ := f.P(Either)
		for i, r := range rows {
			id := name + "/" + r["kernel"]
			near(t, r, id, "s0", f.floor(""), true, 1e-9, 0)
			near(t, r, id, "t", stat[i], true, 1e-9, 0)
			near(t, r, id, "p_more", more[i], true, 1e-12, 0)
			near(t, r, id, "p_less", less[i], true, 1e-12, 0)
			near(t, r, id, "p_two_sided", either[i], true, 1e-12, 0)
			near(t, r, id, "p_min_one_sided", leastP(n, m, More), true, 1e-12, 0)
			near(t, r, id, "p_min_two_sided", leastP(n, m, Either), true, 1e-12, 0)
			e := Ratio(floats(t, r["old"]), floats(t, r["new"]), Level)
			near(t, r, id, "ratio", e.Value, e.OK, 0, 1e-12)
			near(t, r, id, "lo90", e.Low, e.Interval.OK, 0, 1e-12)
			near(t, r, id, "hi90", e.High, e.Interval.OK, 0, 1e-12)
			rules := Rules{Alpha: 0.05, Threshold: 0.02} // the p rule alone, as the vectors
			if v := rules.Judge(n, m, e, more[i], less[i]); v.String() != r["verdict"] {
				t.Errorf("%s: %v, want %s", id, v, r["verdict"])
			}
		}
	}
}

func TestAdjust(t *testing.T) {
	for _, r := range readTSV(t, "adjust.tsv") {
		p := floats(t, r["p"])
		for name, got := range map[string][]float64{"BH": BenjaminiHochberg(p), "holm": holm(p)} {
			for i, want := range floats(t, r[name]) {
				if math.Abs(got[i]-want) > 1e-12 {
					t.Errorf("%s %s %d: %v, want %v", r["id"], name, i, got[i], want)
				}
			}
		}
	}
}

// holm adjusts p values of a list so that with the given chance no false one is
// at or below the bound. A NaN stays and counts nothing.
func holm(p []float64) []float64 {
	order := ascending(p)
	out := nans(len(p))
	most := 0.0
	for i, k := range order {
		most = max(most, min(1, p[k]*float64(len(order)-i)))
		out[k] = most
	}
	return out
}

// rankLeastP is the least p of the rank test, of which the extremes mirror each
// other whatever the sizes.
func rankLeastP(n, m int, side Side) float64 {
	if n < 1 || m < 1 {
		return 1
	}
	p := chance(n+m, n)
	if side == Either {
		p *= 2
	}
	return min(p, 1)
}
