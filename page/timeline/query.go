package timeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/dataset"
	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/query"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// Query is the page query.
var Query = &page.Page{
	Name:  "query",
	Title: "SQL",
	Short: "Ask a timeline in SQL",
	Long: `SQLite over the tables of the export schema ('gpuprof schema' describes them),
whatever format the file has. Several statements may follow each other, and .tables
and .schema list what there is; median(x), percentile(x, p), stddev(x), stddev_pop(x)
and variance(x) are there beside SQLite's functions. The file never changes:
statements that change something (ALTER, UPDATE, CREATE INDEX, …) run on a copy that is
gone when the command ends. Of several files the first has its tables by their names,
the others by the file's: in run2.sqlite they are run2.CUPTI_ACTIVITY_KIND_KERNEL.
In place of files a folder that 'fleet convert' wrote: its tables have the columns
source, run, date and rank besides, and only what a statement needs is read.

Recipes:
` + recipeHelp(),
	Example: "gpuprof query report.sqlite 'SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL'\ngpuprof query --recipe function_table report.sqlite\n" +
		"gpuprof query data/ \"SELECT rank, COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE date >= '2026-11-01' GROUP BY rank\"\n" +
		"gpuprof query --sql-file steps.sql before.nsys-rep after.nsys-rep",
	Group: page.GroupRead, Args: "FILE... [SQL]", MinArgs: 1, MaxArgs: -1,
	Needs: load.Timeline, Unopened: true, Console: true,
	Options: []page.Option{
		{Name: "sql", Kind: page.Text, Arg: "SQL", Remote: true, Help: "the query, in place of the last operand"},
		{Name: "sql-file", Kind: page.Text, Arg: "FILE", Help: "the query is in this file; - for standard input"},
		{Name: "recipe", Remote: true, Kind: page.Text, Arg: "NAME", Help: "a query of the list above in place of SQL"},
		{Name: "limit", Remote: true, Kind: page.Count, Arg: "N", Help: "at most so many rows of each statement; 0 for all; default 1000, but for csv, and for statements with a LIMIT of their own"},
		{Name: "max-answer", Kind: page.Count, Arg: "MIB", Default: "512", Help: "give up when the answer takes more memory; 0 for no bound; default 512"},
		{Name: "timeout", Kind: page.Count, Arg: "SECONDS", Default: "60", Help: "give up after so long; 0 for never; default 60"},
		{Name: "changes", Kind: page.Choice, Values: []string{"copy", "refuse"}, Default: "copy", Help: "statements that change something run on a copy of the file, or are refused"},
	},
	Build: func(ctx context.Context, q *page.Request) (*view.Document, error) {
		return buildQuery(ctx, q, defaultRows)
	},
	CSV: func(ctx context.Context, q *page.Request) (*view.Document, error) { return buildQuery(ctx, q, 0) }, // programs read all
}

func recipeHelp() string {
	var b strings.Builder
	for _, r := range query.Recipes() {
		helpItem(&b, r.Name, r.Help)
	}
	return strings.TrimRight(b.String(), "\n")
}

// defaultRows bounds the rows of a statement where nothing else is said.
const defaultRows = 1000

// mostSQL bounds the script of a file or of standard input, in bytes.
const mostSQL = 16 << 20

// scriptOf finds the SQL of a request, or the name of a recipe, and the files.
func scriptOf(q *page.Request) (sql, recipe string, files []string, err error) {
	sql, recipe = q.Text("sql"), q.Text("recipe")
	from := q.Text("sql-file")
	given := 0
	for _, s := range []string{sql, recipe, from} {
		if s != "" {
			given++
		}
	}
	files = q.Args
	switch {
	case given > 1:
		return "", "", nil, page.Usagef("query: --sql, --sql-file and --recipe; one of them, please")
	case recipe != "":
		var known []string
		for _, r := range query.Recipes() {
			known = append(known, r.Name)
		}
		if !slices.Contains(known, recipe) {
			return "", "", nil, page.Usagef("--recipe: there is no recipe %q%s; 'gpuprof help query' lists them", recipe, spelling.Nearest(recipe, known))
		}
	case from == "-":
		sql, err = readSQL(os.Stdin, "standard input")
	case from != "":
		var in *os.File
		if in, err = os.Open(from); err == nil {
			sql, err = readSQL(in, from)
			in.Close()
		}
	case sql == "" && len(files) < 2:
		return "", "", nil, page.Usagef("query: expected SQL, --sql-file FILE or --recipe NAME")
	case sql == "":
		sql, files = files[len(files)-1], files[:len(files)-1]
	}
	if last := files[len(files)-1]; given > 0 && len(files) > 1 && strings.ContainsAny(last, " ;") && !fileExists(last) {
		return "", "", nil, page.Usagef("query: SQL as an operand and as an option; one of them, please")
	}
	return sql, recipe, files, err
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func readSQL(in io.Reader, name string) (string, error) {
	b, err := io.ReadAll(io.LimitReader(in, mostSQL+1))
	if err == nil && len(b) > mostSQL {
		err = page.Usagef("%s: more than %d MiB of SQL", name, mostSQL>>20)
	}
	return string(b), err
}

// attachName is the name by which SQL knows the tables of a file.
func attachName(file string, taken map[string]bool) string {
	base := filepath.Base(file)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	name := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
			return r
		}
		return '_'
	}, base)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "f" + name
	}
	for n, stem := 2, name; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s_%d", stem, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// queryResults asks the trace itself where a recipe can, else the databases.
func queryResults(ctx context.Context, q *page.Request, tr *trace.Trace, recipe string, bases []query.Base, sql string, most query.Bounds) ([]query.Result, error) {
	if tr != nil && recipe != "" {
		if r, ok, err := query.Direct(ctx, tr, recipe, most); ok || err != nil {
			return []query.Result{r}, err
		}
	}
	return query.Run(ctx, bases, sql, most, q.Text("changes") == "copy")
}

// openDataset makes a base of a folder that holds a dataset; nil if the files are
// none. read tells what will have been read of it.
func openDataset(bases *[]query.Base, files []string, recipe string) (read *query.Reading, err error) {
	for _, name := range files {
		if st, err := os.Stat(name); err != nil || !st.IsDir() || !dataset.Is(name) {
			continue
		}
		if len(files) > 1 || recipe != "" {
			return nil, page.Usagef("query: %s is a dataset, which is asked alone and in SQL", name)
		}
		d, err := dataset.Open(name)
		if err != nil {
			return nil, err
		}
		read = &query.Reading{}
		*bases = append(*bases, query.Base{Path: name, Set: d, Read: read})
	}
	return read, nil
}

func buildQuery(ctx context.Context, q *page.Request, rows int) (*view.Document, error) {
	sql, recipe, files, err := scriptOf(q)
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "query"}
	var bases []query.Base
	read, err := openDataset(&bases, files, recipe)
	if err != nil {
		return nil, err
	}
	if read != nil {
		files = files[:1]
	}
	taken := map[string]bool{"main": true, "temp": true}
	var direct *trace.Trace // of the only file
	for i, name := range files {
		if read != nil {
			break
		}
		f, damaged, err := openTelling(ctx, q, name)
		if err == nil {
			err = checkTimeline(f)
		}
		if err != nil {
			return nil, err
		}
		d.Failed = d.Failed || damaged
		if i == 0 && recipe != "" {
			if sql, err = query.For(f.Trace, recipe); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		b := query.Base{Path: f.Path()}
		if direct = f.Trace; len(files) > 1 {
			direct = nil
		}
		if i > 0 {
			b.Name = attachName(f.Name, taken)
			q.Notef("%s: its tables are %s.TABLE", f.Name, b.Name)
		}
		if !f.IsDatabase() {
			path, done, err := query.Database(ctx, f.Trace)
			if err != nil {
				return nil, err
			}
			defer done()
			b.Path, b.Own = path, true
		}
		bases = append(bases, b)
	}
	most := query.Bounds{Rows: rows, Free: true, Time: time.Duration(q.Count("timeout")) * time.Second, Bytes: int64(q.Count("max-answer")) << 20}
	if q.Given("limit") {
		most.Rows, most.Free = q.Count("limit"), false
	}
	results, err := queryResults(ctx, q, direct, recipe, bases, sql, most)
	switch {
	case errors.Is(err, query.ErrTime):
		err = fmt.Errorf("the query took longer than %d s (--timeout)", q.Count("timeout"))
	case errors.Is(err, query.ErrSize):
		err = fmt.Errorf("the answer takes more than %d MiB (--max-answer): ask for fewer rows, or for substr() of long texts", q.Count("max-answer"))
	}
	switch {
	case recipe == "" && errors.Is(err, query.ErrScript):
		return nil, page.Usagef("%s: %w", files[0], err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", files[0], err)
	}
	if read != nil {
		q.Notef("read of %d of %d files: %d columns of row groups, %s", read.Files, read.Of, read.Columns, view.Words(view.Int(read.Bytes, "byte")))
	}
	s := view.Section{ID: "query"}
	for i, r := range results {
		if r.More {
			q.Notef("only the first %d rows are shown; --limit 0 shows all", most.Rows)
		}
		if i > 0 {
			r.Table.ID = fmt.Sprintf("result%d", i+1)
		}
		s.Items = append(s.Items, view.Item{Table: r.Table})
	}
	d.Sections = []view.Section{s}
	return d, nil
}
