package query

import (
	"context"
	"encoding/hex"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"time"
	"unsafe"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

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
	Rows  int
	Time  time.Duration
	Bytes int64 // of all texts and blobs of the answer together, and of any that is made on the way
}

// ErrSize is the error of a query whose answer is larger than it may be.
var ErrSize = errors.New("the answer is too large")

// Run asks the database of a file. more says that there are rows beyond the bound.
func Run(ctx context.Context, path, sql string, most Bounds) (t *view.Table, more bool, err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, false, err
	}
	// immutable: SQLite then neither locks the file nor looks for a journal, and
	// leaves nothing beside it.
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: "mode=ro&immutable=1"}
	conn, err := sqlite.OpenConn(uri.String(), sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		return nil, false, err
	}
	defer conn.Close()
	if most.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, most.Time)
		defer cancel()
	}
	conn.SetInterrupt(ctx.Done())
	if most.Bytes > 0 {
		conn.Limit(sqlite.LimitLength, int32(min(most.Bytes, 1<<30)))
	}
	var size int64
	if err := conn.SetAuthorizer(sqlite.AuthorizeFunc(readOnly)); err != nil {
		return nil, false, err
	}
	t = &view.Table{ID: "result"}
	err = sqlitex.Execute(conn, sql, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		for i := len(t.Columns); i < s.ColumnCount(); i++ {
			t.Columns = append(t.Columns, view.Column{Name: s.ColumnName(i), Type: view.Any, Number: &view.NumberStyle{Decimals: 6}})
		}
		if most.Rows > 0 && len(t.Rows) >= most.Rows {
			return errLimit
		}
		row := make([]view.Value, s.ColumnCount())
		for i := range row {
			if size += int64(cellSize + 2*s.ColumnLen(i)); most.Bytes > 0 && size > most.Bytes {
				return ErrSize
			}
			row[i] = sqlValue(s, i)
		}
		t.Rows = append(t.Rows, row)
		return nil
	}})
	wordColumns(t)
	switch {
	case errors.Is(err, errLimit):
		return t, true, nil
	case errors.Is(err, ErrSize) || sqlite.ErrCode(err) == sqlite.ResultTooBig:
		return nil, false, ErrSize
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, false, ErrTime
	case err != nil:
		return nil, false, err
	}
	return t, false, nil
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

// ErrTime is the error of a query that took longer than it may.
var ErrTime = errors.New("the query took too long")

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
