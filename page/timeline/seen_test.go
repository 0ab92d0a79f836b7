package timeline

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/timeline"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// A recorder is a source that notes which tables are read.
type recorder struct {
	of   *trace.Trace
	mu   sync.Mutex
	read map[string]bool
}

func (r *recorder) Tables() []trace.TableInfo { return r.of.Tables() }

func (r *recorder) Read(ctx context.Context, table string, columns []trace.ColumnInfo, _ *trace.Strings) (*trace.Table, []error, error) {
	r.mu.Lock()
	r.read[table] = true
	r.mu.Unlock()
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	t, err := r.of.Table(ctx, table, names...)
	if err != nil {
		return nil, nil, err
	}
	out := &trace.Table{Name: table, Rows: t.Rows}
	for _, c := range columns {
		out.Columns = append(out.Columns, t.Col(c.Name))
	}
	return out, nil, nil
}

// TestEveryTableIsSeen walks the catalogue: what a table holds is a track or a
// counter of the timeline, is read by a report, or the documents say why not.
func TestEveryTableIsSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.sqlite")
	if err := nsysgen.WriteAll(path); err != nil {
		t.Fatal(err)
	}
	f, err := load.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]string{}
	for _, s := range f.Trace.SliceTables() {
		seen[s.Table] = "track"
	}
	for _, s := range f.Trace.SampledTables() {
		seen[s.Table] = "counter"
	}
	seen[trace.TableNvtx] = "track"
	x, err := timeline.Build(context.Background(), f.Trace)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for id := range x.Len() {
		shown[x.Slice(timeline.SliceID(id)).Table] = true
	}
	counters := 0
	for _, track := range x.Tracks {
		if track.Counter != nil {
			counters++
		}
	}
	for table, how := range seen {
		if how == "track" && !shown[table] {
			t.Errorf("%s has no slices in the index", table)
		}
	}
	if counters < len(f.Trace.SampledTables()) {
		t.Errorf("%d counters of %d tables", counters, len(f.Trace.SampledTables()))
	}
	for _, r := range stats.Reports() {
		rec := &recorder{of: f.Trace, read: map[string]bool{}}
		tr := trace.New("all", rec)
		tr.Version = schema.Newest
		tab, err := r.Build(context.Background(), &stats.Request{Trace: tr, Args: map[string]string{}})
		if err == nil {
			for range tab.All() {
				break
			}
		}
		for table := range rec.read {
			if seen[table] == "" {
				seen[table] = r.Name
			}
		}
	}
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "timeline.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "## Tables that are no track")
	var told []string
	for _, m := range regexp.MustCompile("`([A-Za-z_]+)`").FindAllStringSubmatch(list, -1) {
		told = append(told, m[1])
	}
	for _, table := range schema.Tables() {
		switch how := seen[table.Name]; {
		case how == "" && !slices.Contains(told, table.Name):
			t.Errorf("%s (%s) is nowhere: no track, no counter, no report reads it, and docs/timeline.md has no reason", table.Name, table.Meaning)
		case (how == "track" || how == "counter") && slices.Contains(told, table.Name):
			t.Errorf("%s is a %s, but docs/timeline.md says that it is none", table.Name, how)
		}
	}
}
