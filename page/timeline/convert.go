package timeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
	"github.com/gpuprof/gpuprof/view"
)

// Convert is the page convert.
var Convert = &page.Page{
	Name:  "convert",
	Short: "Write a timeline in another format",
	Long: `The extension of OUT chooses the format:
  .sqlite    the tables of an Nsight Systems export; --schema chooses their version
  .pftrace   Perfetto, for https://ui.perfetto.dev
  .json      Chrome trace
  .pb.gz     pprof: what ran inside what; of PyTorch the time on device and host
  .nvtxt     the NVTX annotations as text
  .parquet   a folder of that name: a .parquet file for each table
  .csv       a folder of that name: a .csv file for each table; so is any OUT that ends in a slash`,
	Example: "gpuprof convert report.nsys-rep -o report.sqlite\ngpuprof convert report.sqlite report.pftrace\ngpuprof convert --schema 2021 --tables KERNEL,StringIds report.nsys-rep -o old.sqlite",
	Group:   page.GroupInfo, Args: "IN [OUT]", MinArgs: 1, MaxArgs: 2,
	Needs: load.Timeline, Unopened: true, Output: page.OwnFile,
	Options: []page.Option{
		{Name: "schema", Kind: page.Text, Arg: "VERSION", Help: "of .sqlite: write the tables as this version of the export schema has them (2021, …, 3.25.0, newest)"},
		{Name: "tables", Kind: page.List, Arg: "PATTERNS", Help: "only the tables with names that match one of the patterns, set apart by commas: basic regular expressions, upper and lower case alike"},
		{Name: "lazy", Short: "l", Kind: page.Choice, Values: []string{"true", "false"}, Default: "true", Help: "false: also the tables of the schema that have no rows"},
		{Name: "memory", Kind: page.Count, Arg: "MIB", Default: "2048", Help: "of native reports: memory to stay within; less takes longer; default 2048"},
		{Name: "type", Short: "t", Kind: page.Choice, Values: convertTypes, Help: "without OUT: the format; the name is that of IN with its extension"},
	},
	Build: buildConvert,
}

func buildConvert(ctx context.Context, q *page.Request) (*view.Document, error) {
	to := q.Output
	switch {
	case len(q.Args) == 2 && to != "":
		return nil, page.Usagef("convert: two names for the output: %s and %s", q.Args[1], to)
	case len(q.Args) == 2:
		to = q.Args[1]
	case to == "" && q.Given("type"):
		to = strings.TrimSuffix(q.Args[0], filepath.Ext(q.Args[0])) + "." + q.Text("type")
	case to == "":
		return nil, page.Usagef("convert: expected a name for the output, or --type")
	}
	write, err := converter(to)
	if err != nil {
		return nil, err
	}
	asked, err := convertAsked(q)
	if err != nil {
		return nil, err
	}
	f, damaged, err := openTelling(ctx, q, q.Args[0])
	if err != nil {
		return nil, err
	}
	if f.Trace == nil {
		return nil, fmt.Errorf("%s: only timelines are converted; %s is none", f.Name, f.Kind())
	}
	if a, err := os.Stat(f.Name); err == nil {
		if b, err := os.Stat(to); err == nil && os.SameFile(a, b) {
			return nil, page.Usagef("convert: %s is the input", to)
		}
	}
	if err := q.Fresh(to); err != nil {
		return nil, err
	}
	memory := int64(q.Count("memory")) << 20
	if err := f.SetMemory(memory); err != nil {
		return nil, err
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory)) // garbage is collected rather than room taken
	tr, version := asked.trace(f, to)
	tr.Watch(func(rows int) { q.Progress(rows, -1) })
	tr.Tables() // which may take long
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if asked.version != nil && isSQLite(to) && !f.Native() {
		write = func(ctx context.Context, tr *trace.Trace, path string, v *schema.Version) error {
			return export.Restated(ctx, tr, path, *v, func(text string) { q.Notef("%s: %s", f.Name, text) })
		}
	}
	if err := write(ctx, tr, to, version); err != nil {
		return nil, err
	}
	if asked.version != nil && isSQLite(to) && f.Native() {
		all := f.ForExport(schema.Newest)
		if asked.tables != nil {
			all = all.Select(asked.tables, nil)
		}
		if err := export.Losses(ctx, all, *asked.version, func(text string) { q.Notef("%s: %s", f.Name, text) }); err != nil {
			return nil, err
		}
	}
	d := &view.Document{Title: "convert", Failed: damaged}
	for _, p := range tr.Problems() {
		q.Notef("%v", p)
		d.Failed = true
	}
	return d, nil
}

// openTelling opens a file that the page opens itself, and tells of what in it
// cannot be read.
func openTelling(ctx context.Context, q *page.Request, name string) (f *load.File, damaged bool, err error) {
	if f, err = q.Open(ctx, name); err != nil {
		return nil, false, err
	}
	problems := f.Problems()
	for _, text := range problems {
		q.Notef("%s", text)
	}
	return f, len(problems) > 0, nil
}

// A conversion is what the options of convert ask for.
type conversion struct {
	version *schema.Version // nil: not given
	tables  func(name string) bool
	empty   bool // tables without rows too
}

func convertAsked(q *page.Request) (c conversion, err error) {
	if c.tables, err = tablesWanted(q.List("tables")); err != nil {
		return c, err
	}
	c.empty = q.Text("lazy") == "false"
	if !q.Given("schema") {
		return c, nil
	}
	v := schema.Newest
	if text := q.Text("schema"); !strings.EqualFold(text, "newest") {
		if v, err = schema.ParseVersion(text); err != nil {
			return c, page.Usagef("--schema: %v", err)
		}
		if schema.Newest.Less(v) {
			return c, page.Usagef("--schema: %s is not known; versions go from 2021 to %v", text, schema.Newest)
		}
	}
	c.version = &v
	return c, nil
}

// trace is the timeline to write and the version of its schema: nil writes tables
// as they are.
func (c *conversion) trace(f *load.File, to string) (*trace.Trace, *schema.Version) {
	tr, version := f.Trace, c.version
	native := f.Native()
	if isSQLite(to) {
		if native && version == nil { // its trace also has the columns of old versions
			version = &schema.Newest
		}
		if native {
			tr = f.ForExport(*version)
		}
	}
	var empty []trace.TableInfo
	if c.empty {
		v := tr.Version
		if version != nil {
			v = *version
		}
		empty = allTables(v)
	}
	if c.tables == nil && empty == nil {
		return tr, version
	}
	keep := c.tables
	if keep == nil {
		keep = func(string) bool { return true }
	}
	return tr.Select(keep, empty), version
}

func isSQLite(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".sqlite" || ext == ".db"
}

// convertTypes are the extensions of formats.
var convertTypes = []string{"sqlite", "pftrace", "json", "nvtxt", "parquet", "csv", "pb.gz"}

type writer func(ctx context.Context, tr *trace.Trace, path string, version *schema.Version) error

// versionless is a writer of a format without versions.
func versionless(write func(context.Context, *trace.Trace, string) error) writer {
	return func(ctx context.Context, tr *trace.Trace, path string, _ *schema.Version) error {
		return write(ctx, tr, path)
	}
}

// converter chooses the format by the name of the output.
func converter(to string) (writer, error) {
	if slashed := filepath.ToSlash(to); strings.HasSuffix(slashed, "/") && !strings.EqualFold(filepath.Ext(strings.TrimRight(slashed, "/")), ".parquet") {
		return versionless(export.CSV), nil
	}
	to = filepath.Clean(to)
	if low := strings.ToLower(to); strings.HasSuffix(low, ".pb.gz") || strings.HasSuffix(low, ".pprof") {
		return versionless(export.Pprof), nil
	}
	switch ext := strings.ToLower(filepath.Ext(to)); ext {
	case ".pftrace", ".perfetto-trace":
		return versionless(export.Perfetto), nil
	case ".json":
		return versionless(export.Chrome), nil
	case ".nvtxt":
		return versionless(export.Nvtxt), nil
	case ".parquet":
		return versionless(export.Parquet), nil
	case ".csv":
		return versionless(export.CSV), nil
	case ".sqlite", ".db":
		return export.SQLite, nil
	default:
		return nil, page.Usagef("convert: %q is no extension of an output; there are .sqlite, .parquet, .csv, .pftrace, .json, .pb.gz and .nvtxt", ext)
	}
}
