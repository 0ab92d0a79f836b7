package fleet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/dataset"
	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// ofConvert writes a dataset with the page that converts a timeline.
func ofConvert(convert *page.Page) *kind {
	return &kind{
		name: "convert", short: "Write timelines as one Parquet dataset that any engine reads",
		long: `DIR/TABLE/source=…/run=…/date=…/rank=…/REPORT.parquet: a folder for each table of the
export schema, in it partitions as Hive has them. Names in tables are numbers into
StringIds, per report. A report that is converted again takes the place of itself;
nothing else is touched. docs/scale.md shows queries.`,
		example: "gpuprof fleet convert --dataset /shared/data --run nightly-17 run/",
		options: []page.Option{
			{Name: "dataset", Kind: page.Text, Arg: "DIR", Help: "folder of the dataset"},
			{Name: "run", Kind: page.Text, Arg: "NAME", Default: "run", Help: "name of the run, for its partition"},
			{Name: "tables", Kind: page.List, Arg: "PATTERNS", Help: "only these tables, as 'convert' takes it"},
		},
		extensions: timelines,
		settle: func(values map[string][]string) (err error) {
			for i, dir := range values["dataset"] {
				values["dataset"][i], err = filepath.Abs(dir)
			}
			return err
		},
		job: func(q *page.Request) (fleet.Job, error) {
			if q.Text("dataset") == "" {
				return nil, page.Usagef("fleet convert: expected --dataset, a folder")
			}
			return convertJob{convert, q.Text("dataset"), q.Text("run"), q.Values["tables"]}, nil
		},
		merge: mergeConvert,
	}
}

type convertJob struct {
	convert  *page.Page
	dir, run string
	tables   []string
}

// A written is what a part says of a file of the dataset, or of the columns of a
// table in all its files.
type written struct {
	Table   string           `json:"table"`
	File    string           `json:"file,omitempty"` // below the dataset
	Size    int64            `json:"size,omitempty"`
	Columns []dataset.Column `json:"columns,omitempty"`
}

func (j convertJob) Map(ctx context.Context, s *fleet.Shard, w io.Writer) (problems []string, err error) {
	enc := json.NewEncoder(w)
	columns := map[string][]dataset.Column{}
	problems, err = each(ctx, s, func(in *fleet.Input) ([]string, error) {
		list, err := j.one(ctx, in, columns)
		return nil, errors.Join(encoded(enc, list), err)
	})
	if err != nil {
		return nil, err
	}
	for _, table := range slices.Sorted(maps.Keys(columns)) {
		if err := enc.Encode(written{Table: table, Columns: columns[table]}); err != nil {
			return nil, err
		}
	}
	return problems, nil
}

// columnsOf adds the columns of a file to those of its table.
func columnsOf(file, table string, all map[string][]dataset.Column) error {
	r, err := (&dataset.File{Path: file}).Open()
	if err != nil {
		return err
	}
	defer r.Close()
	all[table], err = dataset.Union(all[table], r.Columns())
	return err
}

func (j convertJob) one(ctx context.Context, in *fleet.Input, columns map[string][]dataset.Column) (out []written, err error) {
	f, done, err := open(ctx, in)
	if err != nil {
		return nil, err
	}
	where := ""
	if f.Trace == nil {
		err = fmt.Errorf("expected a timeline, found %s", f.Kind())
	} else {
		where, err = j.partition(ctx, f.Trace, f.Format)
	}
	done()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(j.dir, 0o777); err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp(j.dir, ".converting-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	path, removed, err := asFile(ctx, in)
	if err != nil {
		return nil, err
	}
	defer removed()
	q := page.Request{Page: j.convert, Args: []string{path}, Values: map[string][]string{}, Outputs: []string{filepath.Join(tmp, "tables.parquet")}}
	if j.tables != nil {
		q.Values["tables"] = j.tables
	}
	if _, err := page.Run(ctx, q, quiet{}); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(tmp, "tables.parquet", "*.parquet"))
	if err != nil {
		return nil, err
	}
	base := filepath.Base(filepath.FromSlash(in.Name))
	for _, name := range files {
		table := strings.TrimSuffix(filepath.Base(name), ".parquet")
		x := written{Table: table, File: filepath.ToSlash(filepath.Join(table, where, base+".parquet"))}
		st, err := os.Stat(name)
		if err == nil {
			err = columnsOf(name, table, columns)
		}
		if err != nil {
			return out, err
		}
		to := filepath.Join(j.dir, filepath.FromSlash(x.File))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return out, err
		}
		if err := os.Rename(name, to); err != nil {
			return out, err
		}
		x.Size = st.Size()
		out = append(out, x)
	}
	return out, nil
}

// partition is the folder of a report below that of a table.
func (j convertJob) partition(ctx context.Context, tr *trace.Trace, format string) (string, error) {
	numbers, err := rankNumbers(ctx, tr)
	if err != nil {
		return "", err
	}
	rank, date := cmp.Or(strings.ReplaceAll(ranks.List(numbers), ", ", "_"), "unknown"), "unknown"
	t, err := tr.Table(ctx, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs")
	if err != nil {
		return "", err
	}
	if t != nil && t.Rows > 0 && t.Col("utcEpochNs") != nil {
		if ns := t.Ints("utcEpochNs")[0]; ns > 0 {
			date = time.Unix(0, ns).UTC().Format(time.DateOnly)
		}
	}
	return dataset.Partition{format, j.run, date, rank}.Dir(), nil
}

// quiet is a sink for pages that write their output themselves.
type quiet struct{}

func (quiet) Note(string)                             {}
func (quiet) Progress(int, int)                       {}
func (quiet) Put(context.Context, *page.Answer) error { return nil }

func mergeConvert(ctx context.Context, q *page.Request, f *fleet.Folder) (*view.Document, []string, error) {
	files, bytesOf, columns := map[string]int64{}, map[string]int64{}, map[string][]dataset.Column{}
	var contradict []string
	problems, err := f.Parts(func(_ *fleet.Shard, part []byte) error {
		for dec := json.NewDecoder(bytes.NewReader(part)); ; {
			var x written
			if err := dec.Decode(&x); err == io.EOF {
				return ctx.Err()
			} else if err != nil {
				return err
			}
			if x.File == "" {
				list, err := dataset.Union(columns[x.Table], x.Columns)
				if columns[x.Table] = list; err != nil {
					contradict = append(contradict, fmt.Sprintf("table %s: %v", x.Table, err))
				}
				continue
			}
			files[x.Table]++
			bytesOf[x.Table] += x.Size
		}
	})
	if err != nil {
		return nil, nil, err
	}
	problems = append(problems, contradict...)
	if err := dataset.Record(q.Text("dataset"), columns); err != nil {
		problems = append(problems, err.Error())
	}
	t := &view.Table{ID: "tables", Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{{Name: "table", Label: "Table", Type: view.Text},
		{Name: "files", Label: "Files", Type: view.Number}, {Name: "size", Label: "Size", Unit: "byte", Type: view.Number}}}
	for _, n := range slices.Sorted(maps.Keys(files)) {
		t.Rows = append(t.Rows, []view.Value{view.String(n), view.Int(files[n], ""), view.Int(bytesOf[n], "byte")})
	}
	s := view.Section{ID: "dataset", Title: fmt.Sprintf("Written: %d tables", len(files))}
	s.AddTable(t)
	return &view.Document{Title: "fleet convert", Sections: []view.Section{s}}, problems, nil
}
