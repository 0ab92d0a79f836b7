package launch

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

// A rawDocument is what programs read of `raw --format json`.
type rawDocument struct {
	Schema   string
	Sections []struct {
		Properties map[string]any
		Tables     []struct {
			ID      string
			Columns []struct{ Name string }
			Rows    [][]any
		}
	}
}

// A dump is what a second decoder, written independently, found in a report.
type dump struct {
	Results []struct {
		Kernel    string
		Metrics   map[string]any
		Instances map[string]struct {
			N           int
			First, Last []any
		}
	}
}

// TestRawJSONDump compares every metric with the second decoder's dump, which
// keeps the last of several entries of one name where we keep the one with
// instances, else the first: such names are compared by their instances alone.
func TestRawJSONDump(t *testing.T) {
	for _, o := range corpustest.Files(t, "oracle/ncu/*.json.gz") {
		report := strings.TrimSuffix(filepath.Base(o), ".json.gz")
		t.Run(report, func(t *testing.T) {
			var want dump
			if err := json.Unmarshal([]byte(corpustest.Gunzip(t, o)), &want); err != nil {
				t.Fatal(err)
			}
			text, _ := pagetest.Render(t, Raw, filepath.Join(corpustest.Dir(t), "corpus", "ncu", report), view.FormatJSON, nil)
			var got rawDocument
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Sections) != len(want.Results) {
				t.Fatalf("%d sections, want %d", len(got.Sections), len(want.Results))
			}
			repeats := report == "bwcurless__FaSTED__Mode4.ncu-rep" // application replay
			for i, w := range want.Results {
				if k := got.Sections[i].Properties["function"]; k != w.Kernel {
					t.Errorf("launch %d is %v, want %s", i, k, w.Kernel)
				}
				compareMetrics(t, i, got.Sections[i].Tables[len(got.Sections[i].Tables)-1].Rows, w.Metrics, repeats)
				for _, r := range got.Sections[i].Tables[len(got.Sections[i].Tables)-1].Rows {
					in, ok := w.Instances[r[0].(string)]
					list, _ := r[3].([]any)
					if !ok || repeats {
						continue
					}
					if len(list) != in.N || in.N > 0 && (fmt.Sprint(list[0]) != plain(in.First) || fmt.Sprint(list[in.N-1]) != plain(in.Last)) {
						t.Errorf("launch %d: instances of %v differ: %d, want %d, first %v want %v", i, r[0], len(list), in.N, list[0], plain(in.First))
					}
				}
			}
		})
	}
}

func compareMetrics(t *testing.T, launch int, rows [][]any, want map[string]any, repeats bool) {
	t.Helper()
	if len(rows) != len(want) {
		t.Errorf("launch %d: %d metrics, want %d", launch, len(rows), len(want))
	}
	for _, r := range rows {
		name := r[0].(string)
		w, ok := want[name]
		if !ok {
			t.Errorf("launch %d: %s is not in the dump", launch, name)
			continue
		}
		if f, isNumber := w.(float64); isNumber && math.IsNaN(f) {
			w = "nan"
		}
		if !repeats && !sameValue(r[2], w) {
			t.Errorf("launch %d: %s = %v, want %v", launch, name, r[2], w)
		}
	}
}

// sameValue treats a missing value and the dump's null or empty alike.
func sameValue(got, want any) bool {
	switch w := want.(type) {
	case nil:
		return got == nil
	case string:
		if strings.EqualFold(w, "nan") {
			return got == "nan"
		}
		return got == w
	}
	return got == want
}

// plain prints a pair of the dump as fmt prints a pair of ours.
func plain(pair []any) string { return strings.ReplaceAll(fmt.Sprint(pair), "NaN", "nan") }
