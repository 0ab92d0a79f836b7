package export

import (
	"bufio"
	"context"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// Parquet writes a folder with a file for each table of a trace, named
// TABLE.parquet, with its columns in their order: INT64, DOUBLE, or BYTE_ARRAY,
// which is a UTF-8 string unless the catalogue says BLOB. Every column is
// optional, as exports hold NULL even where their schema forbids it. Tables are
// streamed: a row group is written out when it has about rowGroupCells cells.
func Parquet(ctx context.Context, tr *trace.Trace, dir string) error {
	return writeFolder(dir, func(dir string) error { return parquetFiles(ctx, tr, dir) })
}

func parquetFiles(ctx context.Context, tr *trace.Trace, dir string) error {
	for _, info := range tr.Tables() {
		if len(info.Columns) == 0 { // Parquet has no such tables
			continue
		}
		err := writeFile(filepath.Join(dir, filepath.Base(info.Name)+".parquet"), func(out *bufio.Writer) error {
			p := newParquetTable(tr, info, out)
			err := tr.Scan(ctx, info.Name, func(t *trace.Table) error {
				if err := ctx.Err(); err != nil {
					return err
				}
				return p.rows(t)
			})
			if err != nil {
				return err
			}
			return p.w.Close()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

const (
	rowGroupCells = 4 << 20 // some 32 MB before compression
	parquetBatch  = 4096    // values handed over at a time
)

// A parquetTable writes one table.
type parquetTable struct {
	tr      *trace.Trace
	w       *parquet.GenericWriter[any]
	columns int
	held    int // rows of the row group that is open
	values  []parquet.Value
	texts   []byte // what values of a batch point to
}

func newParquetTable(tr *trace.Trace, info trace.TableInfo, out *bufio.Writer) *parquetTable {
	root := parquetRoot{Group: parquet.Group{}}
	known := schema.Lookup(info.Name)
	for _, c := range info.Columns {
		root.Group[c.Name] = parquetNode(c, known)
		root.names = append(root.names, c.Name)
	}
	w := parquet.NewGenericWriter[any](out, parquet.NewSchema(info.Name, root), parquet.Compression(&parquet.Snappy), parquet.CreatedBy("gpuprof", "", ""))
	return &parquetTable{tr: tr, w: w, columns: len(info.Columns)}
}

func parquetNode(c trace.ColumnInfo, known *schema.Table) parquet.Node {
	switch c.Kind {
	case trace.Reals:
		return parquet.Optional(parquet.Leaf(parquet.DoubleType))
	case trace.Texts:
		if known != nil {
			if k := known.Column(c.Name); k != nil && k.Type == "BLOB" {
				return parquet.Optional(parquet.Leaf(parquet.ByteArrayType))
			}
		}
		return parquet.Optional(parquet.String())
	}
	return parquet.Optional(parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.DeltaBinaryPacked))
}

// A parquetRoot is a group whose fields keep the order of the table; those of the
// library's are sorted by name.
type parquetRoot struct {
	parquet.Group
	names []string
}

// Fields are the columns in the order of the table.
func (r parquetRoot) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range r.Group.Fields() {
		byName[f.Name()] = f
	}
	out := make([]parquet.Field, len(r.names))
	for i, n := range r.names {
		out[i] = byName[n]
	}
	return out
}

// rows adds a part of the table.
func (p *parquetTable) rows(t *trace.Table) error {
	for from := 0; from < t.Rows; {
		n := min(t.Rows-from, max(1, rowGroupCells/p.columns-p.held))
		for k, w := range p.w.ColumnWriters() {
			if err := p.cells(w, t.Columns[k], k, from, from+n); err != nil {
				return err
			}
		}
		from += n
		if p.held += n; p.held*p.columns >= rowGroupCells {
			if err := p.w.Flush(); err != nil {
				return err
			}
			p.held = 0
		}
	}
	return nil
}

// cells adds cells from to to of column k.
func (p *parquetTable) cells(w *parquet.ColumnWriter, c *trace.Column, k, from, to int) error {
	for from < to {
		vs, texts := p.values[:0], p.texts[:0]
		for end := min(to, from+parquetBatch); from < end; from++ {
			var v parquet.Value
			switch {
			case c.IsNull(from):
				vs = append(vs, parquet.NullValue().Level(0, 0, k))
				continue
			case c.Kind == trace.Reals:
				v = parquet.DoubleValue(c.Reals[from])
			case c.Kind == trace.Texts:
				at := len(texts)
				texts = append(texts, p.tr.Strings.Text(c.Syms[from])...) // when it moves, earlier values keep the old array
				v = parquet.ByteArrayValue(texts[at:len(texts):len(texts)])
			default:
				v = parquet.Int64Value(c.Ints[from])
			}
			vs = append(vs, v.Level(0, 1, k))
		}
		p.values, p.texts = vs, texts
		if _, err := w.WriteRowValues(vs); err != nil {
			return err
		}
	}
	return nil
}
