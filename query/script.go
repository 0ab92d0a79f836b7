package query

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/trace/schema"
	"github.com/gpuprof/gpuprof/view"
)

// next takes what comes next in a script: a command, which is a line that begins
// with a dot, or SQL up to the next command.
func next(script *string) (command, sql string, ok bool) {
	s := strings.TrimLeft(*script, " \t\r\n;")
	if s == "" {
		*script = ""
		return "", "", false
	}
	if s[0] == '.' {
		line, rest, _ := strings.Cut(s, "\n")
		*script = rest
		return strings.TrimSpace(strings.TrimRight(line, "; \t\r")), "", true
	}
	if m := dotted.FindStringIndex(s); m != nil && !insideText(s[:m[0]]) {
		*script = s[m[0]:]
		return "", s[:m[0]], true
	}
	*script = ""
	return "", s, true
}

var dotted = regexp.MustCompile(`\n\.[a-z]`)

// insideText reports whether SQL ends in the middle of a text.
func insideText(sql string) bool {
	return strings.Count(sql, "'")%2 == 1 || strings.Count(sql, `"`)%2 == 1
}

// shown are commands of SQLite's own shell that only set how it prints.
var shownCommands = []string{".mode", ".headers", ".header", ".width", ".nullvalue", ".timer", ".changes", ".echo", ".separator"}

// command runs a line that begins with a dot.
func (r *runner) command(line string) (*view.Table, error) {
	words := strings.Fields(line)
	pattern := ""
	if len(words) > 1 {
		pattern = strings.Trim(words[1], `"'`)
	}
	switch words[0] {
	case ".tables":
		return r.list("SELECT name, NULL FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name", pattern, "table")
	case ".schema":
		if r.set != nil {
			return r.list("SELECT name, 'CREATE TABLE ' || name || ' (' || (SELECT group_concat(c.name || ' ' || c.type, ', ') FROM pragma_table_info(m.name) c) || ')' FROM sqlite_schema m ORDER BY name", pattern, "table", "sql")
		}
		return r.list("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name", pattern, "table", "sql")
	}
	for _, c := range shownCommands {
		if words[0] == c {
			return nil, nil
		}
	}
	known := append([]string{".tables", ".schema"}, shownCommands...)
	return nil, fmt.Errorf("there is no command %s%s; there are .tables and .schema, each with the pattern of a name", words[0], spelling.Nearest(words[0], known))
}

// list makes a table of names that match a pattern, and of what else a statement
// has.
func (r *runner) list(sql, pattern string, columns ...string) (*view.Table, error) {
	t := &view.Table{ID: columns[len(columns)-1]}
	for _, c := range columns {
		t.Columns = append(t.Columns, view.Column{Name: c, Type: view.Text})
	}
	like := strings.ToLower(strings.ReplaceAll(pattern, "%", "*"))
	err := sqlitex.ExecuteTransient(r.conn, sql, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		name := s.ColumnText(0)
		ok, err := path.Match(like, strings.ToLower(name))
		if err != nil {
			return fmt.Errorf("%q is no pattern of names: %w", pattern, err)
		}
		if pattern == "" || ok {
			t.Rows = append(t.Rows, []view.Value{view.String(name), view.String(s.ColumnText(1))}[:len(columns)])
		}
		return nil
	}})
	return t, err
}

// isBlank reports whether SQL is nothing but comments.
func isBlank(sql string) bool {
	for {
		sql = strings.TrimLeft(sql, " \t\r\n;")
		switch {
		case sql == "":
			return true
		case strings.HasPrefix(sql, "--"):
			_, sql, _ = strings.Cut(sql, "\n")
		case strings.HasPrefix(sql, "/*"):
			_, sql, _ = strings.Cut(sql, "*/")
		default:
			return false
		}
	}
}

// limited reports whether a SELECT says itself how many rows it wants.
func limited(sql string) bool {
	depth, word := 0, ""
	for i := 0; i < len(sql); i++ {
		switch c := sql[i]; {
		case c == '\'' || c == '"' || c == '`':
			for i++; i < len(sql) && sql[i] != c; i++ {
			}
			word = ""
		case strings.HasPrefix(sql[i:], "--"):
			for ; i < len(sql) && sql[i] != '\n'; i++ {
			}
			word = ""
		case strings.HasPrefix(sql[i:], "/*"):
			end := strings.Index(sql[i+2:], "*/")
			if end < 0 {
				return false
			}
			i, word = i+end+3, ""
		case c == '(':
			depth, word = depth+1, ""
		case c == ')':
			depth, word = depth-1, ""
		case c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z':
			if word += string(c | 0x20); depth == 0 && word == "limit" && (i+1 == len(sql) || !wordByte(sql[i+1])) {
				return true
			}
		default:
			word = ""
		}
	}
	return false
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

var missing = regexp.MustCompile(`no such (table|column|function): ([\w.]+)`)

// mostListed is how many columns an error lists of those that there are.
const mostListed = 20

// explain adds the nearest names to an error about one that there is not, and says
// what is not allowed.
func (r *runner) explain(err error, sql string) error {
	if r.denied && !r.writes {
		return fmt.Errorf("the statement changes the database: %w", err)
	}
	m := missing.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	name := m[2][strings.LastIndexByte(m[2], '.')+1:]
	var known []string
	what := m[1]
	if r.conn.SetAuthorizer(nil) != nil {
		return err
	}
	switch what {
	case "table":
		known = r.names("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
		if r.set != nil { // where only those stand that the script names
			known = append(known, r.set.data.Tables()...)
		}
	case "column":
		known = r.columnsOf(sql)
	case "function":
		known = r.names("SELECT DISTINCT name FROM pragma_function_list")
	}
	hint := spelling.Nearest(name, known)
	if what == "table" && hint == "" && schema.Lookup(name) != nil {
		hint = ": the file has none, as exports leave out tables without rows; .tables lists what it has"
	}
	if what == "column" && hint == "" && len(known) > 0 && len(known) <= mostListed {
		hint = "; columns: " + strings.Join(known, ", ")
	}
	return fmt.Errorf("there is no %s %q%s: %w", what, m[2], hint, err)
}

func (r *runner) names(sql string) (out []string) {
	sqlitex.ExecuteTransient(r.conn, sql, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		out = append(out, s.ColumnText(0))
		return nil
	}})
	return out
}

var word = regexp.MustCompile(`\w+`)

// columnsOf are the columns of the tables that a statement names.
func (r *runner) columnsOf(sql string) (out []string) {
	tables := map[string]bool{}
	for _, t := range r.names("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')") {
		tables[strings.ToLower(t)] = true
	}
	for _, w := range word.FindAllString(sql, -1) {
		if w = strings.ToLower(w); tables[w] {
			delete(tables, w)
			out = append(out, r.names("SELECT name FROM pragma_table_info('"+w+"')")...)
		}
	}
	return out
}
