package compare

import (
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/view"
)

// cellsOf are the cells of a row of a table by the names of their columns.
func cellsOf(tb *view.Table, row int) map[string]string {
	out := map[string]string{}
	for i, c := range tb.Columns {
		out[c.Name] = tb.Rows[row][i].Text()
	}
	return out
}

// TestPair compares two launches that diff would not match: 210521 ns and 46405 ns.
func TestPair(t *testing.T) {
	files := madeReports(t)
	d, err := diffDocument(t, map[string][]string{"pair": {"0:2"}, "metrics": {"gpu__time_duration.sum"}}, files[0], files[0])
	if err != nil {
		t.Fatal(err)
	}
	tb := table(d, "metrics")
	if len(tb.Rows) != 1 {
		t.Fatalf("%d metrics", len(tb.Rows))
	}
	if got := cellsOf(tb, 0); got["difference"] != "−164.1 us" || got["word"] != "better" {
		t.Errorf("%v", got)
	}
	for threshold, want := range map[string]string{
		"2%":   "block_sum takes 78.0 % less time than transpose_naive (210.5 → 46.41 us)",
		"400%": "block_sum takes the same time as transpose_naive within 400 % (210.5 → 46.41 us)"} {
		d, err := diffDocument(t, map[string][]string{"pair": {"0:2"}, "threshold": {threshold}}, files[0], files[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Sections[0].Items[0].Message.Text; got != want {
			t.Errorf("%s: %q", threshold, got)
		}
	}
	back, err := diffDocument(t, map[string][]string{"pair": {"2:0"}}, files[0], files[1])
	if err != nil || !strings.HasPrefix(back.Sections[0].Items[0].Message.Text, "transpose_naive takes 5.0 times the time of block_sum") {
		t.Errorf("%v %q", err, back.Sections[0].Items[0].Message.Text)
	}
	same, err := diffDocument(t, map[string][]string{"pair": {"1:1"}}, files[0], files[0])
	if err != nil || !strings.HasPrefix(same.Sections[0].Items[0].Message.Text, "nothing differs") {
		t.Errorf("%v %q", err, same.Sections[0].Items[0].Message.Text)
	}
	for _, bad := range []map[string][]string{{"pair": {"0"}}, {"pair": {"0:9"}}, {"pair": {"-1:0"}}, {"pair": {"a:b"}}, {"pair": {"0:1"}, "launch-count": {"1"}}} {
		if _, err := diffDocument(t, bad, files...); err == nil || !strings.Contains(err.Error(), "--pair") {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
