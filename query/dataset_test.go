package query

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/dataset"
	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

// madeSet writes a dataset of two runs on two days with three ranks each.
func madeSet(t *testing.T) *dataset.Dataset {
	t.Helper()
	dir, tmp := t.TempDir(), t.TempDir()
	for i, p := range []dataset.Partition{{"s", "a", "2026-11-21", "0"}, {"s", "a", "2026-11-21", "1"}, {"s", "a", "2026-11-21", "10"},
		{"s", "17", "2026-11-22", "0"}, {"s", "17", "2026-11-22", "0-7"}, {"s", "17", "unknown", "unknown"}} {
		name := filepath.Join(tmp, fmt.Sprint(i, ".sqlite"))
		if err := nsysgen.Write(name, nsysgen.Size{Kernels: 40 + i, Ranges: 5, Copies: 4, Threads: 1, Devices: 1, Names: 3, Seed: uint64(i + 1)}); err != nil {
			t.Fatal(err)
		}
		f, err := load.Open(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(tmp, fmt.Sprint(i))
		err = export.Parquet(context.Background(), f.Trace, out)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(out, "*.parquet"))
		for _, from := range files {
			to := filepath.Join(dir, strings.TrimSuffix(filepath.Base(from), ".parquet"), p.Dir(), "r.parquet")
			if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(from, to); err != nil {
				t.Fatal(err)
			}
		}
	}
	d, err := dataset.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func askSet(t interface {
	Helper()
	Fatalf(string, ...any)
}, d *dataset.Dataset, sql string) (string, *Reading) {
	t.Helper()
	read := &Reading{}
	out, err := Run(context.Background(), []Base{{Path: d.Dir, Set: d, Read: read}}, sql, Bounds{}, true)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	var b strings.Builder
	for _, row := range out[len(out)-1].Table.Rows {
		for _, v := range row {
			b.WriteString(view.Words(v) + "|")
		}
		b.WriteString("\n")
	}
	return b.String(), read
}

// TestDataset reads no more than statements need.
func TestDataset(t *testing.T) {
	d := madeSet(t)
	for _, c := range []struct {
		sql, want   string
		files, cols int
	}{
		{"SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL", "255|\n", 6, 0},
		{"SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE run = 'a' AND rank = 1", "41|\n", 1, 0},
		{"SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rank = '1'", "41|\n", 1, 0},
		{"SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rank = '0-7'", "44|\n", 1, 0},
		{"SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rank IN (0, 10) AND date < '2026-11-22'", "82|\n", 2, 0},
		{"SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE run = 17", "132|\n", 3, 0},
		{"SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE date = NULL", "0|\n", 0, 0},
		{"SELECT COUNT(DISTINCT start) > 30 FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rank = 1", "1|\n", 1, 1},
		{"SELECT COUNT(start) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rank = 1 AND start < 0", "0|\n", 1, 0}, // by the bounds in the footer
		{"SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.shortName AND s.run = k.run AND s.rank = k.rank WHERE k.run = 'a'", "123|\n", 6, 6},
	} {
		got, read := askSet(t, d, c.sql)
		if got != c.want || read.Files != c.files || read.Columns != c.cols {
			t.Errorf("%s: %q, read %+v; want %q of %d files and %d columns", c.sql, got, *read, c.want, c.files, c.cols)
		}
	}
	if got, _ := askSet(t, d, ".schema CUPTI*KERNEL"); !strings.Contains(got, "shortName INTEGER") || !strings.Contains(got, "rank NUMERIC") {
		t.Errorf("%s", got)
	}
	if got, _ := askSet(t, d, "CREATE TEMP TABLE t AS SELECT rank FROM StringIds; SELECT COUNT(*) > 0 FROM t"); got != "1|\n" {
		t.Errorf("a table of one's own: %s", got)
	}
	for sql, want := range map[string]string{"DELETE FROM StringIds": "changes", "SELECT * FROM StringId": "StringIds", "CREATE TABLE t (a)": "changes", "SELECT nam FROM NVTX_EVENTS": "column"} {
		if _, err := Run(context.Background(), []Base{{Path: d.Dir, Set: d}}, sql, Bounds{}, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", sql, err, want)
		}
	}
	if _, err := Run(context.Background(), []Base{{Path: d.Dir, Set: d}}, "SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL a, CUPTI_ACTIVITY_KIND_KERNEL b, CUPTI_ACTIVITY_KIND_KERNEL c, NVTX_EVENTS", Bounds{Time: 100 * time.Millisecond}, true); err != ErrTime {
		t.Errorf("without end: %v", err)
	}
}

// TestDatasetRowIDs: rows that one term of an OR finds are others than those that
// another finds, and each is counted once.
func TestDatasetRowIDs(t *testing.T) {
	d := madeSet(t)
	const of = "SELECT COUNT(*), SUM(start) FROM "
	for _, where := range []string{"rank = 0 OR date = 'unknown'", "rank = 0 OR start < 1000000", "rank = 1 OR rank = 0", "shortName = 1 OR rank = 0"} {
		got, _ := askSet(t, d, of+"CUPTI_ACTIVITY_KIND_KERNEL WHERE "+where)
		want, _ := askSet(t, d, "CREATE TEMP TABLE t AS SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL; "+of+"t WHERE "+where)
		if got != want {
			t.Errorf("WHERE %s: %s, want %s", where, got, want)
		}
	}
}

// TestDatasetChoices: whatever a statement asks of keys and columns, a table of the
// dataset answers as a copy of all its rows does.
func TestDatasetChoices(t *testing.T) {
	d := madeSet(t)
	columns := []string{"source", "run", "date", "rank", "start", "shortName", "correlationId", "deviceId"}
	values := []string{"0", "1", "10", "17", "9", "'0'", "'1'", "'10'", "'a'", "'17'", "'0-7'", "'unknown'", "'2026-11-21'", "'2026-11-22'", "1.0", "0.5", "-1", "NULL", "1000000", "x'31'", "''"}
	rapid.Check(t, func(rt *rapid.T) {
		var where []string
		for range rapid.IntRange(1, 3).Draw(rt, "terms") {
			where = append(where, rapid.SampledFrom(columns).Draw(rt, "column")+" "+rapid.SampledFrom([]string{"=", "<", "<=", ">", ">=", "<>", "IS"}).Draw(rt, "op")+" "+rapid.SampledFrom(values).Draw(rt, "value"))
		}
		condition := strings.Join(where, rapid.SampledFrom([]string{" AND ", " OR "}).Draw(rt, "and"))
		const of = "SELECT COUNT(*), SUM(start), SUM(correlationId) FROM "
		// The copy has the affinities of the table, which CREATE TABLE AS keeps.
		got, _ := askSet(rt, d, of+"CUPTI_ACTIVITY_KIND_KERNEL WHERE "+condition)
		want, _ := askSet(rt, d, "CREATE TEMP TABLE t AS SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL; "+of+"t WHERE "+condition)
		if got != want {
			rt.Fatalf("WHERE %s: %s want %s", condition, got, want)
		}
		join := " JOIN (SELECT shortName AS x, rank AS r, start AS s FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rank = 1 LIMIT 5) j ON j." + rapid.SampledFrom([]string{"x = t.shortName", "r = t.rank", "s = t.start", "x = t.rank", "r = t.run"}).Draw(rt, "join")
		got, _ = askSet(rt, d, "SELECT COUNT(*), SUM(start) FROM CUPTI_ACTIVITY_KIND_KERNEL t"+join+" WHERE "+condition)
		want, _ = askSet(rt, d, "CREATE TEMP TABLE t AS SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL; SELECT COUNT(*), SUM(start) FROM t"+join+" WHERE "+condition)
		if got != want {
			rt.Fatalf("%s WHERE %s: %s want %s", join, condition, got, want)
		}
	})
}
