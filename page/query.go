package page

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

var queryPage = &Page{
	Name:  "query",
	Short: "Ask a timeline in SQL",
	Long: `SQLite over the tables of the export schema ('gpuprof schema' describes them),
whatever format the file has. Nothing can be changed, and no other file opened.

Recipes:
` + recipeHelp(),
	Example: "gpuprof query report.sqlite 'SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL'\ngpuprof query --recipe function_table report.sqlite",
	Group:   GroupRead, Args: "FILE [SQL]", MinArgs: 1, MaxArgs: 2,
	Options: []Option{
		{Name: "recipe", Kind: Text, Arg: "NAME", Help: "a query of the list above in place of SQL"},
		{Name: "limit", Kind: Count, Arg: "N", Default: "1000", Help: "at most so many rows; 0 for all"},
		{Name: "timeout", Kind: Count, Arg: "SECONDS", Default: "60", Help: "give up after so long; 0 for never"},
	},
	Build: buildQuery,
}

func recipeHelp() string {
	var b strings.Builder
	for _, r := range Recipes() {
		helpItem(&b, r.Name, r.Help)
	}
	return strings.TrimRight(b.String(), "\n")
}

func buildQuery(ctx context.Context, q *Request) (*view.Document, error) {
	sql := ""
	name := q.Text("recipe")
	switch {
	case name != "" && len(q.Args) == 2:
		return nil, Usagef("query: SQL and --recipe; one of them, please")
	case name != "":
		if !slices.ContainsFunc(recipes, func(r recipe) bool { return r.name == name }) {
			var known []string
			for _, r := range Recipes() {
				known = append(known, r.Name)
			}
			return nil, Usagef("--recipe: there is no recipe %q%s; 'gpuprof help query' lists them", name, nearest(name, known))
		}
	case len(q.Args) < 2:
		return nil, Usagef("query: expected SQL or --recipe NAME")
	default:
		sql = q.Args[1]
	}
	f, err := load.Open(ctx, q.Args[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Trace == nil {
		return nil, fmt.Errorf("%s: this page is about a timeline; %s has none", f.Name, f.Kind())
	}
	if name != "" {
		r, err := recipeFor(f.Trace, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		sql = r.sql
	}
	path, done, err := database(ctx, f)
	if err != nil {
		return nil, err
	}
	defer done()
	t, err := runQuery(ctx, q, path, sql)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return &view.Document{Title: "query", Sections: []view.Section{{ID: "query", Items: []view.Item{{Table: t}}}}}, nil
}

// database returns an SQLite database with the tables of a file: the file itself
// if it is one, else a copy that done removes.
func database(ctx context.Context, f *load.File) (path string, done func(), err error) {
	if strings.Contains(f.Format, "SQLite") {
		return f.Name, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "gpuprof-query-*")
	if err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(dir) }
	path = filepath.Join(dir, "trace.sqlite")
	if err := export.SQLite(ctx, f.Trace, path, nil); err != nil {
		done()
		return "", nil, err
	}
	return path, done, nil
}

func runQuery(ctx context.Context, q *Request, path, sql string) (*view.Table, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	// immutable: SQLite then neither locks the file nor looks for a journal, and
	// leaves nothing beside it.
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: "mode=ro&immutable=1"}
	conn, err := sqlite.OpenConn(uri.String(), sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if s := q.Count("timeout"); s > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(s)*time.Second)
		defer cancel()
	}
	conn.SetInterrupt(ctx.Done())
	if err := conn.SetAuthorizer(sqlite.AuthorizeFunc(readOnly)); err != nil {
		return nil, err
	}
	t, limit := &view.Table{ID: "result", Frame: view.FrameHeader}, q.Count("limit")
	err = sqlitex.Execute(conn, sql, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		for i := len(t.Columns); i < s.ColumnCount(); i++ {
			t.Columns = append(t.Columns, view.Column{Name: s.ColumnName(i), Type: view.Any, Number: &view.NumberStyle{Decimals: 6}})
		}
		if limit > 0 && len(t.Rows) >= limit {
			return errLimit
		}
		row := make([]view.Value, s.ColumnCount())
		for i := range row {
			row[i] = sqlValue(s, i)
		}
		t.Rows = append(t.Rows, row)
		return nil
	}})
	wordColumns(t)
	switch {
	case errors.Is(err, errLimit):
		q.note("only the first %d rows are shown; --limit 0 shows all", limit)
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("the query took longer than %d s (--timeout)", q.Count("timeout"))
	case err != nil:
		return nil, err
	}
	return t, nil
}

// wordColumns sets columns that hold words to the left.
func wordColumns(t *view.Table) {
	for c := range t.Columns {
		words := false
		for _, row := range t.Rows {
			if row[c].IsNumber() {
				words = false
				break
			}
			words = words || row[c].Kind() == view.KindString
		}
		if words {
			t.Columns[c].Align = view.AlignLeft
		}
	}
}

var errLimit = errors.New("enough rows")

// readOnly lets queries read, and nothing else: no other file is attached and no
// setting changed.
func readOnly(a sqlite.Action) sqlite.AuthResult {
	switch a.Type() {
	case sqlite.OpSelect, sqlite.OpRead, sqlite.OpFunction, sqlite.OpRecursive:
		return sqlite.AuthResultOK
	}
	return sqlite.AuthResultDeny
}

func sqlValue(s *sqlite.Stmt, i int) view.Value {
	switch s.ColumnType(i) {
	case sqlite.TypeInteger:
		return view.Int(s.ColumnInt64(i), "")
	case sqlite.TypeFloat:
		return view.Float(s.ColumnFloat(i), "")
	case sqlite.TypeText:
		return view.String(s.ColumnText(i))
	case sqlite.TypeBlob:
		b := make([]byte, s.ColumnLen(i))
		s.ColumnBytes(i, b)
		return view.String(hex.EncodeToString(b))
	}
	return view.Null
}
