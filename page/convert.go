package page

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
	"github.com/gpuprof/gpuprof/view"
)

var convertPage = &Page{
	Name:  "convert",
	Short: "Write a timeline in another format",
	Long: `The extension of OUT chooses the format:
  .sqlite    the tables of an Nsight Systems export; --schema chooses their version
  .pftrace   Perfetto, for https://ui.perfetto.dev
  .json      Chrome trace
  .nvtxt     the NVTX annotations as text
  .parquet   a folder of that name: a .parquet file for each table
  a folder   OUT ends in a slash: a .csv file for each table`,
	Example: "gpuprof convert report.sqlite report.pftrace\ngpuprof convert --schema 2021 report.sqlite -o old.sqlite",
	Group:   GroupInfo, Args: "IN [OUT]", MinArgs: 1, MaxArgs: 2, Output: true,
	Options: []Option{{Name: "schema", Kind: Text, Arg: "VERSION", Help: "of .sqlite: write the tables as this version of the export schema has them (2021, …, 3.25.0)"}},
	Build:   buildConvert,
}

func buildConvert(ctx context.Context, q *Request) (*view.Document, error) {
	to := q.Output
	switch {
	case len(q.Args) == 2 && to != "":
		return nil, Usagef("convert: two names for the output: %s and %s", q.Args[1], to)
	case len(q.Args) == 2:
		to = q.Args[1]
	case to == "":
		return nil, Usagef("convert: expected a name for the output")
	}
	write, err := converter(q, to)
	if err != nil {
		return nil, err
	}
	f, err := load.Open(ctx, q.Args[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Trace == nil {
		return nil, fmt.Errorf("%s: only timelines are converted; a %s is none", f.Name, f.Format)
	}
	if a, err := os.Stat(f.Name); err == nil {
		if b, err := os.Stat(to); err == nil && os.SameFile(a, b) {
			return nil, Usagef("convert: %s is the input", to)
		}
	}
	if ext := strings.ToLower(filepath.Ext(to)); f.Format == "Nsight Systems report" && !q.Given("schema") && (ext == ".sqlite" || ext == ".db") {
		// Its trace also has the columns of old versions, for --schema.
		write = func(ctx context.Context, tr *trace.Trace, path string) error {
			return export.SQLite(ctx, tr, path, &schema.Newest)
		}
	}
	if err := write(ctx, f.Trace, to); err != nil {
		return nil, err
	}
	d := &view.Document{Title: "convert"}
	for _, p := range f.Trace.Problems() {
		q.note("%v", p)
		d.Failed = true
	}
	return d, nil
}

// converter chooses the format by the name of the output.
func converter(q *Request, to string) (func(context.Context, *trace.Trace, string) error, error) {
	if slashed := filepath.ToSlash(to); strings.HasSuffix(slashed, "/") && !strings.EqualFold(filepath.Ext(strings.TrimRight(slashed, "/")), ".parquet") {
		return export.CSV, nil
	}
	to = filepath.Clean(to)
	switch ext := strings.ToLower(filepath.Ext(to)); ext {
	case ".pftrace", ".perfetto-trace":
		return export.Perfetto, nil
	case ".json":
		return export.Chrome, nil
	case ".nvtxt":
		return export.Nvtxt, nil
	case ".parquet":
		return export.Parquet, nil
	case ".sqlite", ".db":
		var version *schema.Version
		if q.Given("schema") {
			v, err := schema.ParseVersion(q.Text("schema"))
			if err != nil {
				return nil, Usagef("--schema: %v", err)
			}
			version = &v
		}
		return func(ctx context.Context, tr *trace.Trace, path string) error {
			return export.SQLite(ctx, tr, path, version)
		}, nil
	default:
		return nil, Usagef("convert: %q is no extension of an output; there are .sqlite, .parquet, .pftrace, .json, .nvtxt, and a slash for a folder of .csv", ext)
	}
}
