package view

import (
	"bytes"
	"strings"
	"testing"
)

// A table says once what its formats need: each takes what is for it, and the table
// stays as it was.
func TestTableIn(t *testing.T) {
	table := &Table{ID: "k", Layout: &Layout{Times: true, Same: 2, Most: 3, Others: "--all shows the others"}, Columns: []Column{
		{Name: "rank", Label: "Rank", Type: Number, For: Data}, {Name: "kernel", Label: "Kernel", Type: Text}, {Name: "time", Label: "Time", Unit: "ns", Type: Number}, {Name: "part", Label: "Part", Type: Any}},
		Rows: [][]Value{
			{Int(7, ""), String("gemm"), Int(1500, "ns"), Worded(Float(0.25, ""), "0.250")},
			{Int(7, ""), String("gemm"), Int(2_500_000, "ns"), Worded(Uint(2048, ""), "2.00 KB")},
			{Int(7, ""), String("copy"), Int(0, "ns"), Null},
			{Int(7, ""), String("last"), Int(9, "ns"), Null},
		}}
	doc := &Document{Sections: []Section{{Title: "s", Items: []Item{{Table: table}}}}}
	for _, c := range []struct {
		format     Format
		has, lacks []string
	}{
		{FormatText, []string{"Time (ms)", "2.500", "0.250", "2.00 KB", "Only the first 3 rows are shown as text; --all shows the others."}, []string{"Rank", "last", "2500000"}},
		{FormatMarkdown, []string{"Time (ms)", "last"}, []string{"Rank", "Only"}},
		{FormatCSV, []string{"Rank", "Time (ns)", `"2500000"`, "last", `"0.250"`}, []string{"Only", "(ms)"}},
		{FormatJSON, []string{"[7,\"gemm\",2500000,2048]", "last", "0.25]"}, []string{"(ms)", "KB", "Only"}},
	} {
		var b bytes.Buffer
		if err := Render(&b, doc, c.format, Options{}); err != nil {
			t.Fatal(err)
		}
		for _, s := range c.has {
			if !strings.Contains(b.String(), s) {
				t.Errorf("%s lacks %q:\n%s", c.format, s, b.String())
			}
		}
		for _, s := range c.lacks {
			if strings.Contains(b.String(), s) {
				t.Errorf("%s has %q:\n%s", c.format, s, b.String())
			}
		}
		if n := strings.Count(b.String(), "gemm"); c.format == FormatText != (n == 1) {
			t.Errorf("%s names the kernel %d times", c.format, n)
		}
	}
	if table.Columns[2].Number != nil || len(table.Rows) != 4 || table.Rows[1][1].Text() != "gemm" {
		t.Error("the table changed")
	}
}

// Rows that are made when they are wanted are cut the same, and told only where
// there are more.
func TestMostOfMany(t *testing.T) {
	for n, told := range map[int]bool{0: false, 9: false, 10: false, 11: true, 30: true} {
		table := &Table{ID: "k", Layout: &Layout{Most: 10, Others: "csv has all"}, Columns: []Column{{Name: "n", Type: Number}}, More: func(yield func([]Value) bool) {
			for i := range n {
				if !yield([]Value{Int(int64(100+i), "")}) {
					return
				}
			}
		}}
		var b bytes.Buffer
		if err := Render(&b, &Document{Sections: []Section{{Items: []Item{{Table: table}}}}}, FormatText, Options{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "\n  1") + strings.Count(b.String(), "\n1"); got != min(n, 10) || strings.Contains(b.String(), "Only the first 10") != told {
			t.Errorf("%d rows: %d shown\n%s", n, got, b.String())
		}
	}
}
