package export

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysdb"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// SQLite writes a trace as an export of Nsight Systems. With a version, tables
// that the catalogue knows get the columns that they have in that version, in
// its order; those of the trace that the version does not have are left out, and
// those that the trace does not have are NULL, or 0 where the version forbids
// that. Tables that the version does not have are left out, but for the newest,
// where those that it gave up are written as the trace has them. Without one (nil) the
// tables are written as the trace has them. Tables without rows are written only
// if the trace has them so.
func SQLite(ctx context.Context, tr *trace.Trace, path string, version *schema.Version) error {
	return nsysdb.WriteFile(path, 4096, func(w *nsysdb.Writer) error {
		for _, info := range tr.Tables() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := writeTable(ctx, tr, w, info, info.Name, version, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// Restated writes an export of one version as one of another: tables that the
// version knows by another name are carried over, so are columns of texts that are
// numbers of StringIds in one of both, the version is stated, and enumerations are those
// of the version. What it cannot hold is told, a line for
// each table and column.
func Restated(ctx context.Context, tr *trace.Trace, path string, version schema.Version, told func(string)) error {
	tr, err := respelled(ctx, tr, version, told)
	if err != nil {
		return err
	}
	return nsysdb.WriteFile(path, 4096, func(w *nsysdb.Writer) error {
		for _, info := range tr.Tables() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if strings.HasPrefix(info.Name, "ENUM_") {
				continue
			}
			to := info.Name
			if schema.Lookup(to) != nil {
				to = carriedAs(tr, info.Name, version)
			}
			var err error
			if to == "" {
				err = tellDropped(ctx, tr, info.Name, version, told)
			} else {
				err = writeTable(ctx, tr, w, info, to, &version, told)
			}
			if err != nil {
				return err
			}
		}
		return writeEnums(w, version)
	})
}

// writeTable writes a table under a name; told, which may be nil, hears of columns
// that the version does not have.
func writeTable(ctx context.Context, tr *trace.Trace, w *nsysdb.Writer, info trace.TableInfo, name string, version *schema.Version, told func(string)) error {
	cols, ok := layout(info, name, version)
	if !ok {
		return nil
	}
	var lost loss
	if told != nil {
		defer func() { lost.tell(info.Name, *version, told) }()
	}
	part := func(t *trace.Table) {
		if told == nil {
			return
		}
		if lost.count(t, cols); strings.Contains(name, "META_DATA") {
			restate(tr, t, *version)
		}
	}
	order, err := keyOrder(ctx, tr, info.Name, cols)
	if err != nil {
		return err
	}
	out, err := w.Table(create(name, cols))
	if err != nil {
		return err
	}
	if order == nil {
		return tr.Scan(ctx, info.Name, func(t *trace.Table) error {
			part(t)
			return appendRows(tr, out, t, cols, nil)
		})
	}
	t, err := tr.All(ctx, info.Name) // has to be sorted
	if err != nil {
		return err
	}
	defer tr.Forget(info.Name)
	part(t)
	return appendRows(tr, out, t, cols, order)
}

func appendRows(tr *trace.Trace, out *nsysdb.TableWriter, t *trace.Table, cols []schema.Column, order []int32) error {
	const block = 1 << 16
	for from := 0; from < t.Rows; from += block {
		n := min(block, t.Rows-from)
		vs := make([]nsysdb.Vector, len(cols))
		for i, c := range cols {
			vs[i] = vector(tr, t.Col(c.Name), c, order, from, n)
		}
		if err := out.Append(n, vs); err != nil {
			return err
		}
	}
	return nil
}

// layout are the columns to write of a table under a name. Enumerations have none
// in the catalogue's tables; they are written as they are.
func layout(info trace.TableInfo, name string, version *schema.Version) (cols []schema.Column, ok bool) {
	known := schema.Lookup(name)
	if version != nil && known != nil && (*version != schema.Newest || known.Span.Has(*version)) {
		cols = known.At(*version)
		return cols, known.Span.Has(*version) && len(cols) > 0
	}
	for _, c := range info.Columns {
		sc := schema.Column{Name: c.Name, Type: [...]string{"INTEGER", "REAL", "TEXT"}[c.Kind]}
		if known != nil {
			if k := known.Column(c.Name); k != nil {
				sc.Key = k.Key
			}
		}
		cols = append(cols, sc)
	}
	return cols, true
}

// keyOrder is the order of rows in which a key column ascends; nil where they
// are in order as they stand. A key with NULL or the same number twice loses its
// rank: the file was not made by the exporter.
func keyOrder(ctx context.Context, tr *trace.Trace, table string, cols []schema.Column) ([]int32, error) {
	for i := range cols {
		if !cols[i].Key {
			continue
		}
		t, err := tr.Table(ctx, table, cols[i].Name)
		if err != nil {
			return nil, err
		}
		defer tr.Forget(table)
		k := t.Col(cols[i].Name)
		if k == nil || k.Kind != trace.Integers || slices.Contains(k.Null, true) {
			cols[i].Key = false
			continue
		}
		order := make([]int32, t.Rows)
		for r := range order {
			order[r] = int32(r)
		}
		byKey := func(a, b int32) int { return cmp.Compare(k.Ints[a], k.Ints[b]) }
		sorted := slices.IsSortedFunc(order, byKey)
		if !sorted {
			slices.SortStableFunc(order, byKey)
		}
		for r := 1; r < len(order); r++ {
			if k.Ints[order[r]] == k.Ints[order[r-1]] {
				cols[i].Key = false
				break
			}
		}
		if cols[i].Key && !sorted {
			return order, nil
		}
	}
	return nil, nil
}

func create(name string, cols []schema.Column) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s (", quote(name))
	for i, c := range cols {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %-27s %-9s", quote(c.Name), c.Type)
		if c.Key {
			b.WriteString(" NOT NULL   PRIMARY KEY")
		} else if c.NotNull {
			b.WriteString(" NOT NULL")
		}
	}
	b.WriteString("\n)")
	return b.String()
}

// quote quotes names that are no plain words; "end" is a keyword but the
// exporter writes it bare, and so SQLite accepts it.
func quote(name string) string {
	for _, r := range name {
		if r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	if name == "" || strings.EqualFold(name, "end") || strings.EqualFold(name, "index") || strings.EqualFold(name, "group") {
		return `"` + name + `"`
	}
	return name
}

// vector makes n cells of a column from row from on, in the order given.
func vector(tr *trace.Trace, c *trace.Column, want schema.Column, order []int32, from, n int) nsysdb.Vector {
	if order == nil && c != nil && c.Kind != trace.Texts {
		return part(c, want, from, n)
	}
	row := func(i int) int {
		if order != nil {
			return int(order[from+i])
		}
		return from + i
	}
	null := make([]bool, n)
	some := false
	for i := range null {
		null[i] = (c == nil || c.IsNull(row(i))) && !want.NotNull
		some = some || null[i]
	}
	if !some {
		null = nil
	}
	switch {
	case c == nil && want.Type == "TEXT":
		return nsysdb.Texts(make([]string, n), null)
	case c == nil:
		return nsysdb.Integers(make([]int64, n), null)
	case c.Kind == trace.Reals:
		v := make([]float64, n)
		for i := range v {
			v[i] = c.Reals[row(i)]
		}
		return nsysdb.Reals(v, null)
	case c.Kind == trace.Texts:
		v := make([]string, n)
		for i := range v {
			v[i] = tr.Strings.Text(c.Syms[row(i)])
		}
		return nsysdb.Texts(v, null)
	}
	v := make([]int64, n)
	for i := range v {
		v[i] = c.Ints[row(i)]
	}
	return nsysdb.Integers(v, null)
}

// part is n cells of a column of numbers as they stand, not copied.
func part(c *trace.Column, want schema.Column, from, n int) nsysdb.Vector {
	var null []bool
	if c.Null != nil && !want.NotNull {
		null = c.Null[from : from+n]
	}
	if c.Kind == trace.Reals {
		return nsysdb.Reals(c.Reals[from:from+n], null)
	}
	return nsysdb.Integers(c.Ints[from:from+n], null)
}
