package export

import (
	"bufio"
	"context"
	"encoding/csv"
	"path/filepath"
	"strconv"

	"github.com/gpuprof/gpuprof/trace"
)

// CSV writes a folder with a file for each table of a trace, named TABLE.csv,
// the names of the columns on the first line; NULL is empty. Numbers of texts are
// written as they are: StringIds.csv has the texts.
func CSV(ctx context.Context, tr *trace.Trace, dir string) error {
	return writeFolder(dir, func(dir string) error { return csvFiles(ctx, tr, dir) })
}

func csvFiles(ctx context.Context, tr *trace.Trace, dir string) error {
	for _, info := range tr.Tables() {
		err := writeFile(filepath.Join(dir, filepath.Base(info.Name)+".csv"), func(out *bufio.Writer) error {
			w := csv.NewWriter(out)
			head := make([]string, len(info.Columns))
			for i, c := range info.Columns {
				head[i] = c.Name
			}
			if err := w.Write(head); err != nil {
				return err
			}
			if err := tr.Scan(ctx, info.Name, func(t *trace.Table) error { return csvRows(w, tr, t) }); err != nil {
				return err
			}
			w.Flush()
			return w.Error()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func csvRows(w *csv.Writer, tr *trace.Trace, t *trace.Table) error {
	row := make([]string, len(t.Columns))
	for i := range t.Rows {
		for k, c := range t.Columns {
			switch {
			case c.IsNull(i):
				row[k] = ""
			case c.Kind == trace.Texts:
				row[k] = tr.Strings.Text(c.Syms[i])
			case c.Kind == trace.Reals:
				row[k] = strconv.FormatFloat(c.Reals[i], 'g', -1, 64)
			default:
				row[k] = strconv.FormatInt(c.Ints[i], 10)
			}
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}
