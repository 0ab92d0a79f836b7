package timeline

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// An input is what the reports of a request look at in one file.
type input struct {
	trace  *trace.Trace  // what is selected of it
	filter *stats.Filter // of time; nil: all
	shared stats.Shared
	apart  []view.Column // that tell the rows of the file from those of others; nil: it is the only one
	cells  []view.Value  // of apart
}

// inputOf reads what all reports of a file have in common.
func inputOf(ctx context.Context, q *page.Request, f *load.File) (*input, error) {
	in := &input{}
	var err error
	if in.trace, err = page.SelectTrace(ctx, q, f); err != nil {
		return nil, err
	}
	if in.filter, err = page.TimeFilter(ctx, q, f); err != nil || len(q.Args) < 2 {
		return in, err
	}
	// Documents have a section for each file; tables alone have columns.
	in.apart = []view.Column{{Name: "from_file", Label: "File", Type: view.Text, Role: view.RoleFile, For: view.Data}}
	in.cells = []view.Value{view.String(shortName(f.Name, q.Args))}
	rank, err := page.RankOf(ctx, f)
	if err != nil {
		return nil, err
	}
	in.apart = append(in.apart, view.Column{Name: "from_rank", Label: "Rank", Type: view.Number, Number: &view.NumberStyle{}, For: view.Data})
	if rank >= 0 {
		in.cells = append(in.cells, view.Int(rank, ""))
	} else {
		in.cells = append(in.cells, view.Null)
	}
	return in, nil
}

// shortName is the name of a file without its folder, where no other has it.
func shortName(name string, all []string) string {
	base := filepath.Base(name)
	for _, other := range all {
		if other != name && filepath.Base(other) == base {
			return name
		}
	}
	return base
}

// tell adds the columns that tell of which file the rows are.
func (in *input) tell(t *view.Table) {
	if in.apart == nil {
		return
	}
	t.Columns = slices.Concat(in.apart, t.Columns)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Concat(in.cells, row)
	}
	if more := t.More; more != nil {
		t.More = func(yield func([]view.Value) bool) {
			var buf []view.Value
			more(func(row []view.Value) bool {
				buf = append(append(buf[:0], in.cells...), row...)
				return yield(buf)
			})
		}
	}
}
