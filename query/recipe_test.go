package query

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// everything is a source with every table of the newest layout that recipes ask
// for, empty.
type everything struct{ version schema.Version }

func (e everything) Tables() []trace.TableInfo {
	var out []trace.TableInfo
	for _, t := range schema.Tables() {
		if cols := t.At(e.version); t.Span.Has(e.version) && len(cols) > 0 {
			info := trace.TableInfo{Name: t.Name}
			for _, c := range cols {
				info.Columns = append(info.Columns, trace.ColumnInfo{Name: c.Name})
			}
			out = append(out, info)
		}
	}
	return out
}

func (everything) Read(_ context.Context, table string, _ []trace.ColumnInfo, _ *trace.Strings) (*trace.Table, []error, error) {
	return &trace.Table{Name: table}, nil, nil
}

// TestRecipes runs every recipe on a database of the version that has its tables.
func TestRecipes(t *testing.T) {
	for _, r := range recipes {
		ran := false
		for _, version := range []string{"3.28.1", "3.25.0", "3.7.2", "2021"} {
			v, err := schema.ParseVersion(version)
			if err != nil {
				t.Fatal(err)
			}
			src := trace.New("empty", everything{v})
			if found, err := For(src, r.name); err != nil || found != r.sql {
				if len(r.needs) == 1 && r.needs[0] == "SAMPLING_CALLCHAINS" || len(r.needs) == 1 && r.needs[0] == "SCHED_EVENTS" {
					ran = true // for exports without tables that every version has
				}
				continue
			}
			path := filepath.Join(t.TempDir(), "x.sqlite")
			if err := export.SQLite(context.Background(), src, path, &v); err != nil {
				t.Fatal(err)
			}
			if _, err := Run(context.Background(), []Base{{Path: path}}, r.sql, Bounds{Rows: 1000}, false); err != nil {
				t.Errorf("%s on %s: %v", r.name, version, err)
			}
			ran = true
		}
		if !ran {
			t.Errorf("%s: no version has %v", r.name, r.needs)
		}
	}
}
