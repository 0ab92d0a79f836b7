package timeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/query"
	"github.com/gpuprof/gpuprof/view"
)

// Query is the page query.
var Query = &page.Page{
	Name:  "query",
	Title: "SQL",
	Short: "Ask a timeline in SQL",
	Long: `SQLite over the tables of the export schema ('gpuprof schema' describes them),
whatever format the file has. Nothing can be changed, and no other file opened.

Recipes:
` + recipeHelp(),
	Example: "gpuprof query report.sqlite 'SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL'\ngpuprof query --recipe function_table report.sqlite",
	Group:   page.GroupRead, Args: "FILE [SQL]", MinArgs: 1, MaxArgs: 2,
	Needs: load.Timeline, Unopened: true, Console: true,
	Options: []page.Option{
		{Name: "sql", Kind: page.Text, Arg: "SQL", Remote: true, Help: "the query, in place of the operand"},
		{Name: "recipe", Remote: true, Kind: page.Text, Arg: "NAME", Help: "a query of the list above in place of SQL"},
		{Name: "limit", Remote: true, Kind: page.Count, Arg: "N", Default: "1000", Help: "at most so many rows; 0 for all"},
		{Name: "max-answer", Kind: page.Count, Arg: "MIB", Default: "512", Help: "give up when the answer takes more memory; 0 for no bound"},
		{Name: "timeout", Kind: page.Count, Arg: "SECONDS", Default: "60", Help: "give up after so long; 0 for never"},
	},
	Build: buildQuery,
}

func recipeHelp() string {
	var b strings.Builder
	for _, r := range query.Recipes() {
		helpItem(&b, r.Name, r.Help)
	}
	return strings.TrimRight(b.String(), "\n")
}

func buildQuery(ctx context.Context, q *page.Request) (*view.Document, error) {
	sql, name := q.Text("sql"), q.Text("recipe")
	switch {
	case sql != "" && len(q.Args) == 2:
		return nil, page.Usagef("query: SQL and --sql; one of them, please")
	case name != "" && (sql != "" || len(q.Args) == 2):
		return nil, page.Usagef("query: SQL and --recipe; one of them, please")
	case name != "":
		var known []string
		for _, r := range query.Recipes() {
			known = append(known, r.Name)
		}
		if !slices.Contains(known, name) {
			return nil, page.Usagef("--recipe: there is no recipe %q%s; 'gpuprof help query' lists them", name, spelling.Nearest(name, known))
		}
	case sql != "":
	case len(q.Args) < 2:
		return nil, page.Usagef("query: expected SQL or --recipe NAME")
	default:
		sql = q.Args[1]
	}
	f, err := q.Open(ctx, q.Args[0])
	if err == nil {
		err = checkTimeline(f)
	}
	if err != nil {
		return nil, err
	}
	if name != "" {
		if sql, err = query.For(f.Trace, name); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	path, done := f.Path(), func() {}
	if !f.IsDatabase() {
		if path, done, err = query.Database(ctx, f.Trace); err != nil {
			return nil, err
		}
	}
	defer done()
	t, more, err := query.Run(ctx, path, sql, query.Bounds{Rows: q.Count("limit"),
		Time: time.Duration(q.Count("timeout")) * time.Second, Bytes: int64(q.Count("max-answer")) << 20})
	switch {
	case more:
		q.Notef("only the first %d rows are shown; --limit 0 shows all", q.Count("limit"))
	case errors.Is(err, query.ErrTime):
		err = fmt.Errorf("the query took longer than %d s (--timeout)", q.Count("timeout"))
	}
	if errors.Is(err, query.ErrSize) {
		err = fmt.Errorf("the answer takes more than %d MiB (--max-answer): ask for fewer rows, or for substr() of long texts", q.Count("max-answer"))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return &view.Document{Title: "query", Sections: []view.Section{{ID: "query", Items: []view.Item{{Table: t}}}}}, nil
}
