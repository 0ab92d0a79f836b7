package source

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// A made is what JSON says of a document.
type made struct {
	Sections []struct {
		Tables []struct {
			ID, Title string
			Columns   []struct{ Name, Role string }
			Rows      [][]any
		}
	}
}

func madeOf(t *testing.T, p *page.Page, file string, options ...string) (m made) {
	t.Helper()
	out, _ := pagetest.Render(t, p, file, view.FormatJSON, pagetest.Options(options...))
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// column is the number of a column of a table; -1: none.
func column(m made, s, t int, name string) int {
	for i, c := range m.Sections[s].Tables[t].Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// The samples and executions of hot lines are those of the page source, largest first.
func TestHotLines(t *testing.T) {
	files := []string{filepath.Join("..", "..", "examples", "transpose.ncu-rep")}
	t.Run("real", func(t *testing.T) {
		files = append(files, corpustest.Files(t, "corpus/ncu/bwcurless__FaSTED__Mode4.ncu-rep")...)
	})
	for _, file := range files {
		all, hot := madeOf(t, Page, file, "print-source", "cuda"), madeOf(t, Hot, file, "top", "100000")
		for s := range all.Sections {
			want := map[string]float64{}
			for k, table := range all.Sections[s].Tables {
				samples := column(all, s, k, "smsp__pcsamp_sample_count")
				if !strings.HasPrefix(table.ID, "cuda") || samples < 0 {
					continue
				}
				name := table.Title[strings.LastIndexAny(table.Title, `/\`)+1:]
				for _, row := range table.Rows {
					if n, _ := row[samples].(float64); n > 0 {
						want[fmt.Sprintf("%s:%v", name, row[0])] += n
					}
				}
			}
			got, last := map[string]float64{}, 0.0
			for k, table := range hot.Sections[s].Tables {
				if table.ID != "lines" {
					continue
				}
				place, samples := column(hot, s, k, "place"), column(hot, s, k, "samples")
				for i, row := range table.Rows {
					n := row[samples].(float64)
					if i > 0 && n > last {
						t.Errorf("%s: %v stands behind less", file, row)
					}
					last = n
					got[row[place].(string)] += n
				}
			}
			if len(got) == 0 || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, launch %d: hot lines %v\nof the page source %v", file, s, got, want)
			}
		}
	}
}

// --at shows the instructions of a line, or one, with those around.
func TestHotPlaces(t *testing.T) {
	file := filepath.Join("..", "..", "examples", "transpose.ncu-rep")
	for _, c := range []struct {
		options []string
		rows    int
		want    string
	}{
		{[]string{"at", "transpose.cu:12", "around", "0"}, 2, "transpose.cu:12"},
		{[]string{"at", "src/transpose.cu:12", "around", "1"}, 4, "transpose.cu:12"},
		{[]string{"at", "0x7f1c00000030", "around", "1"}, 3, "transpose.cu:12"},
		{[]string{"at", "0x7f1c00000030", "around", "100"}, 5, "transpose.cu:12"},
	} {
		m := madeOf(t, Hot, file, c.options...)
		if len(m.Sections) != 1 {
			t.Errorf("%v: %d launches, expected 1", c.options, len(m.Sections))
			continue
		}
		tables := m.Sections[0].Tables
		if last := tables[len(tables)-1]; last.ID != "instructions" || len(last.Rows) != c.rows || !strings.Contains(fmt.Sprint(last.Rows), c.want) {
			t.Errorf("%v: %v, expected %d instructions", c.options, last.Rows, c.rows)
		}
	}
	for _, at := range []string{"12", "transpose.cu", "transpose.cu:0", "transpose.cu:-1", "0xzz", ":3", "0x0"} {
		if _, err := parsePlace(at); err == nil {
			t.Errorf("%q is taken for a place", at)
		}
	}
}
