package query

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/dataset"
	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// Database writes the tables of a timeline to an SQLite database that done removes.
func Database(ctx context.Context, tr *trace.Trace) (path string, done func(), err error) {
	dir, err := os.MkdirTemp("", "gpuprof-query-*")
	if err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(dir) }
	path = filepath.Join(dir, "trace.sqlite")
	if err := export.SQLite(ctx, tr, path, nil); err != nil {
		done()
		return "", nil, err
	}
	return path, done, nil
}

// Bounds are those of a query; 0 is none.
type Bounds struct {
	Rows  int  // of each statement
	Free  bool // a statement with a LIMIT of its own is not bound by Rows
	Time  time.Duration
	Bytes int64 // of all texts and blobs of the answer together, and of any that is made on the way
}

// ErrSize is the error of a query whose answer is larger than it may be.
var ErrSize = errors.New("the answer is too large")

// A Base is a database to ask.
type Base struct {
	Path string
	Name string // by which SQL knows the tables of one beyond the first
	Own  bool   // it is nobody else's, and may be changed
	// Set is asked in place of a file: of its tables only what a statement needs is
	// read, and Read says what that was.
	Set  *dataset.Dataset
	Read *Reading
}

// A Result is what a statement answers.
type Result struct {
	Table *view.Table
	More  bool // there are rows beyond the bound
}

// Run asks databases with a script of statements, and of the commands .tables and
// .schema. What only reads runs on the files themselves. A script that changes
// something runs on a copy of the first, which is removed again, if copies is set;
// the others cannot be changed.
func Run(ctx context.Context, bases []Base, script string, most Bounds, copies bool) ([]Result, error) {
	if most.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, most.Time)
		defer cancel()
	}
	r := &runner{ctx: ctx, most: most, script: script}
	out, err := r.run(bases)
	if bases[0].Set != nil {
		copies = false
		if r.set != nil && bases[0].Read != nil {
			*bases[0].Read = r.set.read
		}
	}
	if err != nil && r.denied && !r.writes && copies {
		own, done, e := privateCopy(ctx, bases[0])
		if e != nil {
			return nil, e
		}
		defer done()
		bases = append([]Base{own}, bases[1:]...)
		*r = runner{ctx: ctx, most: most, script: script, writes: true}
		out, err = r.run(bases)
	}
	switch {
	case errors.Is(err, ErrSize) || sqlite.ErrCode(err) == sqlite.ResultTooBig:
		return nil, ErrSize
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, ErrTime
	}
	return out, err
}

// privateCopy copies the file of a database into a folder that done removes.
func privateCopy(ctx context.Context, b Base) (own Base, done func(), err error) {
	if b.Own {
		return b, func() {}, nil
	}
	in, err := os.Open(b.Path)
	if err != nil {
		return b, nil, err
	}
	defer in.Close()
	dir, err := os.MkdirTemp("", "gpuprof-query-*")
	if err != nil {
		return b, nil, err
	}
	done = func() { os.RemoveAll(dir) }
	b.Path, b.Own = filepath.Join(dir, "copy.sqlite"), true
	to, err := os.OpenFile(b.Path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = io.Copy(to, &endingReader{ctx, in})
		err = errors.Join(err, to.Close())
	}
	if err != nil {
		done()
		return b, nil, err
	}
	return b, done, nil
}

// An endingReader ends with its context.
type endingReader struct {
	ctx context.Context
	in  io.Reader
}

func (r *endingReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(b)
}

// A runner runs a script.
type runner struct {
	ctx    context.Context
	most   Bounds
	script string
	writes bool // the first database is a copy
	denied bool // a statement would change something
	conn   *sqlite.Conn
	set    *set
	size   int64
}

func (r *runner) run(bases []Base) ([]Result, error) {
	if err := r.open(bases); err != nil {
		return nil, err
	}
	defer r.conn.Close()
	var out []Result
	rest := r.script
	for {
		command, sql, ok := next(&rest)
		switch {
		case !ok:
			return out, nil
		case command != "":
			t, err := r.command(command)
			if err != nil {
				return nil, mistake{err}
			}
			if t != nil {
				out = append(out, Result{Table: t})
			}
			continue
		}
		stmt, left, err := r.conn.PrepareTransient(sql)
		if code := sqlite.ErrCode(err).ToPrimary(); code == sqlite.ResultError || code == sqlite.ResultAuth {
			return nil, mistake{r.explain(err, sql)}
		} else if err != nil {
			return nil, r.explain(err, sql)
		}
		rest = sql[len(sql)-left:] + rest
		if isBlank(sql[:len(sql)-left]) {
			stmt.Finalize()
			continue
		}
		res, err := r.answer(stmt, sql[:len(sql)-left])
		stmt.Finalize()
		if err != nil {
			return nil, r.explain(err, sql)
		}
		if res.Table != nil {
			out = append(out, res)
		}
	}
}

// open opens the databases: files of others for reading, without a lock, a journal
// or anything left beside them.
func (r *runner) open(bases []Base) error {
	flags, query := sqlite.OpenReadOnly|sqlite.OpenURI, "mode=ro&immutable=1"
	if r.writes {
		flags, query = sqlite.OpenReadWrite|sqlite.OpenURI, "mode=rw"
	}
	name := uri(bases[0].Path, query)
	if bases[0].Set != nil {
		name, flags = ":memory:", sqlite.OpenReadWrite|sqlite.OpenCreate
	}
	conn, err := sqlite.OpenConn(name, flags)
	if err != nil {
		return err
	}
	r.conn = conn
	prepare := []string{"PRAGMA temp_store = MEMORY"}
	if r.writes { // it is gone when the process is
		prepare = append(prepare, "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF")
	}
	for _, p := range prepare {
		err = errors.Join(err, sqlitex.ExecuteTransient(conn, p, nil))
	}
	for _, b := range bases[1:] {
		if err == nil {
			err = sqlitex.ExecuteTransient(conn, "ATTACH ? AS ?", &sqlitex.ExecOptions{Args: []any{uri(b.Path, "mode=ro&immutable=1"), b.Name}})
		}
	}
	if err == nil {
		err = addFunctions(conn)
	}
	if err == nil && bases[0].Set != nil {
		err = r.attach(bases[0].Set)
	}
	conn.SetInterrupt(r.ctx.Done())
	if r.most.Bytes > 0 {
		conn.Limit(sqlite.LimitLength, int32(min(r.most.Bytes, 1<<30)))
	}
	if err == nil {
		err = conn.SetAuthorizer(sqlite.AuthorizeFunc(r.allow))
	}
	if err != nil {
		conn.Close()
	}
	return err
}

func uri(path, query string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: query}
	return u.String()
}

// answer runs a statement.
func (r *runner) answer(s *sqlite.Stmt, sql string) (Result, error) {
	var res Result
	if s.ColumnCount() > 0 {
		res.Table = &view.Table{ID: "result"}
	}
	for i := range s.ColumnCount() {
		res.Table.Columns = append(res.Table.Columns, view.Column{Name: s.ColumnName(i), Type: view.Any, Number: &view.NumberStyle{Decimals: 6}})
	}
	rows := r.most.Rows
	if rows > 0 && r.most.Free && limited(sql) {
		rows = 0
	}
	for {
		more, err := s.Step()
		if err != nil {
			return res, err
		}
		if !more || res.Table == nil {
			break
		}
		if rows > 0 && len(res.Table.Rows) >= rows {
			res.More = true
			break
		}
		row := make([]view.Value, s.ColumnCount())
		for i := range row {
			if r.size += int64(cellSize + 2*s.ColumnLen(i)); r.most.Bytes > 0 && r.size > r.most.Bytes {
				return res, ErrSize
			}
			row[i] = sqlValue(s, i)
		}
		res.Table.Rows = append(res.Table.Rows, row)
	}
	if res.Table != nil {
		wordColumns(res.Table)
	}
	return res, nil
}

// cellSize is what a value takes beside its text; a blob is shown in two letters a
// byte.
const cellSize = int(unsafe.Sizeof(view.Value{}))

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

// ErrScript is the error of a script that is wrong: a statement that SQLite does not
// understand or may not run, a command that there is not.
var ErrScript = errors.New("a mistake in the SQL")

// A mistake is an ErrScript in other words.
type mistake struct{ error }

func (m mistake) Is(target error) bool { return target == ErrScript }

func (m mistake) Unwrap() error { return m.error }

// ErrTime is the error of a query that took longer than it may.
var ErrTime = errors.New("the query took too long")

// allow lets statements read, make things of their own beside the database, and
// change a private copy; no other file is attached and no setting changed.
func (r *runner) allow(a sqlite.Action) sqlite.AuthResult {
	switch a.Type() {
	case sqlite.OpSelect, sqlite.OpRead, sqlite.OpFunction, sqlite.OpRecursive, sqlite.OpTransaction, sqlite.OpSavepoint:
		return sqlite.AuthResultOK
	case sqlite.OpCreateTempTable, sqlite.OpCreateTempView, sqlite.OpCreateTempIndex, sqlite.OpDropTempTable, sqlite.OpDropTempView, sqlite.OpDropTempIndex:
		return sqlite.AuthResultOK
	case sqlite.OpPragma:
		if lookingPragmas[strings.ToLower(a.Pragma())] {
			return sqlite.AuthResultOK
		}
	case sqlite.OpInsert, sqlite.OpUpdate, sqlite.OpDelete, sqlite.OpAlterTable, sqlite.OpAnalyze, sqlite.OpReindex, sqlite.OpCreateTable, sqlite.OpCreateIndex, sqlite.OpCreateView,
		sqlite.OpCreateTrigger, sqlite.OpDropTable, sqlite.OpDropIndex, sqlite.OpDropView, sqlite.OpDropTrigger:
		if r.writes || a.Database() == "temp" {
			return sqlite.AuthResultOK
		}
		r.denied = true
	}
	return sqlite.AuthResultDeny
}

// lookingPragmas tell of the tables and change nothing. database_list is none of them:
// it tells where files lie, which a face may keep to itself.
var lookingPragmas = map[string]bool{"table_info": true, "table_xinfo": true, "table_list": true, "index_list": true, "index_info": true, "function_list": true}

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
