package peers

import (
	"context"
	"database/sql"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

// built is the command, built once.
var built string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "gpuprof-peers-")
	if err != nil {
		panic(err)
	}
	built = filepath.Join(dir, "gpuprof")
	build := exec.Command("go", "build", "-trimpath", "-o", dir+string(filepath.Separator), "./cmd/gpuprof", "./internal/ranksgen/ranksgen")
	build.Dir, build.Env = filepath.Join("..", ".."), append(os.Environ(), "CGO_ENABLED=0")
	code := 1
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Printf("%s%v\n", out, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

func gpuprof(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(built, args...)
	var bad strings.Builder
	cmd.Stderr = &bad
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("gpuprof %s: %v\n%s", strings.Join(args, " "), err, bad.String())
	}
	return string(out)
}

func reports(t *testing.T, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command(filepath.Join(filepath.Dir(built), "ranksgen"), append(args, dir)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// TestDataset asks gpuprof and DuckDB the same of one dataset: of two runs, of which
// the second has other ranks.
func TestDataset(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	gpuprof(t, "fleet", "convert", "--dataset", data, "--run", "first", reports(t, "-ranks", "8"))
	gpuprof(t, "fleet", "convert", "--dataset", data, "--run", "second", reports(t, "-ranks", "4", "-steps", "3"))
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"CUPTI_ACTIVITY_KIND_KERNEL", "StringIds", "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME"} {
		view := fmt.Sprintf(`CREATE VIEW %s AS SELECT * FROM read_parquet('%s', hive_partitioning = true, union_by_name = true, hive_types = {'date': VARCHAR, 'run': VARCHAR})`,
			table, filepath.Join(data, table, "*", "*", "*", "*", "*.parquet"))
		if _, err := db.Exec(view); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []string{
		`SELECT run, rank, COUNT(*) AS n, SUM("end" - start) AS ns, MIN(start), MAX("end") FROM CUPTI_ACTIVITY_KIND_KERNEL GROUP BY run, rank ORDER BY run, rank`,
		`SELECT k.run, k.rank, s.value, COUNT(*) AS n, SUM(k."end" - k.start) AS ns FROM CUPTI_ACTIVITY_KIND_KERNEL k
		 JOIN StringIds s ON s.id = k.shortName AND s.rank = k.rank AND s.run = k.run GROUP BY k.run, k.rank, s.value ORDER BY k.run, k.rank, s.value`,
		`SELECT s.value, COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.shortName AND s.rank = k.rank AND s.run = k.run
		 WHERE k.run = 'second' AND k.rank <= 2 GROUP BY s.value ORDER BY s.value`,
		`SELECT COUNT(*), COUNT(DISTINCT rank) FROM NVTX_EVENTS WHERE run = 'first' AND rank IN (1, 3, 7) AND start >= 1000000`,
		`SELECT r.rank, COUNT(*), SUM(k.start - r.start) FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN CUPTI_ACTIVITY_KIND_KERNEL k
		 ON k.correlationId = r.correlationId AND k.rank = r.rank AND k.run = r.run WHERE r.run = 'first' GROUP BY r.rank ORDER BY r.rank`,
		`SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE date < '2000-01-01'`,
		`SELECT MIN(value), MAX(value), COUNT(value), SUM(LENGTH(value)) FROM StringIds WHERE rank > 3`,
	} {
		want, got := ask(t, db, q), rows(t, gpuprof(t, "query", data, q, "--format", "csv"))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngpuprof %v\nDuckDB  %v", q, got, want)
		}
		t.Logf("%d rows alike: %.60s", len(want), strings.Join(strings.Fields(q), " "))
	}
}

func rows(t *testing.T, text string) [][]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(all) == 0 {
		t.Fatal(text, err)
	}
	return all[1:]
}

// ask returns what DuckDB answers, as csv would have it.
func ask(t *testing.T, db *sql.DB, q string) (out [][]string) {
	t.Helper()
	r, err := db.QueryContext(context.Background(), q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	defer r.Close()
	names, _ := r.Columns()
	out = [][]string{}
	for r.Next() {
		cells, to := make([]any, len(names)), make([]any, len(names))
		for i := range cells {
			to[i] = &cells[i]
		}
		if err := r.Scan(to...); err != nil {
			t.Fatal(err)
		}
		row := make([]string, len(cells))
		for i, c := range cells {
			if c != nil {
				row[i] = fmt.Sprint(c)
			}
		}
		out = append(out, row)
	}
	return out
}

// TestJobs reads the jobs for Kubernetes strictly into the types that its clients are
// made of: a field that batch/v1 lacks, or has of another type, is an error.
func TestJobs(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work")
	gpuprof(t, "fleet", "ranks", "--work", work, "--shard-size", "1", reports(t, "-ranks", "8"))
	documents := strings.Split(gpuprof(t, "fleet", "script", "k8s", work, "--image", "registry/gpuprof:1", "--claim", "shared"), "\n---\n")
	if len(documents) != 2 {
		t.Fatalf("%d documents, want two jobs", len(documents))
	}
	for i, text := range documents {
		var job batch.Job
		if err := yaml.UnmarshalStrict([]byte(text), &job); err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Name == "" || len(job.Spec.Template.Spec.Containers) != 1 {
			t.Errorf("%+v", job)
		}
		if i == 0 && (job.Spec.CompletionMode == nil || *job.Spec.CompletionMode != batch.IndexedCompletion || job.Spec.Completions == nil || *job.Spec.Completions < 1) {
			t.Errorf("%+v", job.Spec)
		}
	}
	if err := yaml.UnmarshalStrict([]byte("apiVersion: batch/v1\nkind: Job\nspec: {completionsMode: Indexed}\n"), new(batch.Job)); err == nil {
		t.Error("a field that there is not was taken")
	}
}
