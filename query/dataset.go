package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/dataset"
)

// module is the name by which SQLite knows tables of datasets.
const module = "gpuprof_dataset"

// joinBytes is how much memory the columns of joined tables may take.
const joinBytes = 1 << 30

// A set is a dataset as virtual tables of a connection.
type set struct {
	ctx  context.Context
	data *dataset.Dataset
	held int64 // bytes of columns kept for joins
	read Reading
}

// Reading is how much of a dataset was read.
type Reading struct {
	Files, Of int   // opened; of so many in the tables of the statements
	Bytes     int64 // of columns, unpacked
	Columns   int   // of row groups
}

// attach makes the tables of a dataset that a script names.
func (r *runner) attach(d *dataset.Dataset) error {
	s := &set{ctx: r.ctx, data: d}
	r.set = s
	if err := r.conn.SetModule(module, &sqlite.Module{Connect: s.connect, UseConnectAsCreate: true}); err != nil {
		return err
	}
	all := strings.Contains(r.script, ".tables") || strings.Contains(r.script, ".schema")
	for _, name := range d.Tables() {
		if !all && !named(r.script, name) {
			continue
		}
		if err := sqlitex.ExecuteTransient(r.conn, "CREATE VIRTUAL TABLE "+identifier(name)+" USING "+module, nil); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// named reports whether a script may name a table.
func named(script, table string) bool {
	ok, err := regexp.MatchString(`(?i)(^|\W)`+regexp.QuoteMeta(table)+`($|\W)`, script)
	return err != nil || ok
}

func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

var sqlTypes = map[dataset.Type]string{dataset.Integer: "INTEGER", dataset.Real: "REAL", dataset.Text: "TEXT", dataset.Blob: "BLOB"}

func (s *set) connect(_ *sqlite.Conn, o *sqlite.VTableConnectOptions) (sqlite.VTable, *sqlite.VTableConfig, error) {
	t, err := s.data.Table(o.VTableName)
	if err != nil {
		return nil, nil, err
	}
	v := &setTable{set: s, table: t, chosen: map[string][]int{}, held: map[heldKey]*dataset.Values{}, found: map[heldKey]map[sqlKey][]int32{}}
	s.read.Of += len(t.Files)
	for _, f := range t.Files {
		v.rows += max(1, float64(f.Size)/16) // a guess that only orders joins
	}
	var cols []string
	for _, c := range t.Columns {
		if slices.Contains(dataset.Keys, c.Name) { // a partition has the name
			continue
		}
		v.columns = append(v.columns, c)
		cols = append(cols, identifier(c.Name)+" "+sqlTypes[c.Type])
	}
	for _, k := range dataset.Keys {
		kind := " TEXT"
		if k == "rank" {
			kind = " NUMERIC"
		}
		cols = append(cols, identifier(k)+kind)
	}
	return v, &sqlite.VTableConfig{Declaration: "CREATE TABLE t (" + strings.Join(cols, ", ") + ")", AllowIndirect: true}, nil
}

// A setTable is a table of a dataset.
type setTable struct {
	set     *set
	table   *dataset.Table
	columns []dataset.Column // Keys follow
	rows    float64          // about
	chosen  map[string][]int // files by the values of keys that were asked for
	// What joins keep: columns of files, and where in them a value is.
	held  map[heldKey]*dataset.Values
	found map[heldKey]map[sqlKey][]int32
}

type heldKey struct{ file, column int }

// A sqlKey is a value that rows are found by.
type sqlKey struct {
	n    int64
	text string
}

// Disconnect and Destroy are of the interface.
func (v *setTable) Disconnect() error { return nil }

// Destroy ends the table: its files stay.
func (v *setTable) Destroy() error { return nil }

var comparisons = map[sqlite.IndexConstraintOp]string{sqlite.IndexConstraintEq: "=", sqlite.IndexConstraintLT: "<", sqlite.IndexConstraintLE: "<=",
	sqlite.IndexConstraintGT: ">", sqlite.IndexConstraintGE: ">="}

// BestIndex takes what the files can be chosen by: keys of partitions choose files,
// bounds of integers row groups. A column that is joined by is looked up. SQLite
// checks all of it again, so a doubt costs time alone.
func (v *setTable) BestIndex(in *sqlite.IndexInputs) (*sqlite.IndexOutputs, error) {
	out := &sqlite.IndexOutputs{ConstraintUsage: make([]sqlite.IndexConstraintUsage, len(in.Constraints))}
	var plan []string
	rows, lookup := v.rows, -1
	for i, c := range in.Constraints {
		op, ok := comparisons[c.Op]
		if !c.Usable || !ok || c.Column < 0 || c.Collation != "" && !strings.EqualFold(c.Collation, "BINARY") {
			continue
		}
		key := c.Column >= len(v.columns)
		use := byte('k')
		switch {
		case key && op == "=":
			rows /= 8
		case key:
			rows /= 2
		case op == "=" && !c.RValueKnown && lookup < 0 && v.columns[c.Column].Type != dataset.Real && v.columns[c.Column].Type != dataset.Blob:
			lookup, use = c.Column, 'j'
		case v.columns[c.Column].Type == dataset.Integer:
			use = 'b'
			rows /= 2
		default:
			continue
		}
		plan = append(plan, string(use)+strconv.Itoa(c.Column)+op)
		out.ConstraintUsage[i].ArgvIndex = len(plan)
	}
	out.EstimatedCost, out.EstimatedRows = max(1, rows), max(1, int64(rows))
	if lookup >= 0 {
		out.EstimatedCost, out.EstimatedRows = max(1, rows/4), max(1, int64(rows/4))
		if v.columns[lookup].Name == "id" { // the column of numbers of names and enumerations
			out.EstimatedCost, out.EstimatedRows = 3, 1
		}
	}
	out.ID.String = strings.Join(plan, " ")
	return out, nil
}

// A bound is what rows are chosen by.
type bound struct {
	use    byte // k: key of partitions, b: bounds of row groups, j: looked up
	column int
	op     string
	value  operand
}

// An operand is a value of SQLite, copied: those that Filter gets do not last.
type operand struct {
	kind sqlite.ColumnType
	n    int64 // a number as a whole one
	text string
}

func operandOf(v sqlite.Value) operand {
	o := operand{kind: v.Type()}
	if o.kind != sqlite.TypeNull {
		o.n, o.text = v.Int64(), v.Text()
	}
	return o
}

func bounds(plan string, argv []sqlite.Value) (out []bound) {
	for i, p := range strings.Fields(plan) {
		end := strings.IndexAny(p, "<>=")
		n, err := strconv.Atoi(p[1:max(1, end)])
		if err != nil || i >= len(argv) {
			return nil
		}
		out = append(out, bound{p[0], n, p[end:], operandOf(argv[i])})
	}
	return out
}

// files are the numbers of the files that bounds on keys leave.
func (v *setTable) files(all []bound) []int {
	var id strings.Builder
	for _, b := range all {
		if b.use == 'k' {
			fmt.Fprintf(&id, "%d%s%d:%q ", b.column, b.op, b.value.kind, b.value.text)
		}
	}
	if out, ok := v.chosen[id.String()]; ok {
		return out
	}
	out := []int{}
	for i := range v.table.Files {
		keep := true
		for _, b := range all {
			if k := b.column - len(v.columns); b.use == 'k' {
				keep = keep && b.mayHold(v.table.Files[i].Partition[k], dataset.Keys[k] == "rank")
			}
		}
		if keep {
			out = append(out, i)
		}
	}
	v.chosen[id.String()] = out
	return out
}

// mayHold reports whether a key may fulfil the bound. Keys are texts, but ranks that
// are numbers are numbers, which stand before all texts.
func (b *bound) mayHold(key string, rank bool) bool {
	kind, number := b.value.kind, b.value.n
	switch {
	case kind == sqlite.TypeNull:
		return false // nothing is equal to it, nor less or more
	case kind == sqlite.TypeFloat || kind == sqlite.TypeBlob:
		return true
	case !rank:
		return fulfils(strings.Compare(key, b.value.text), b.op)
	case kind == sqlite.TypeText:
		if n, ok := keyNumber(b.value.text); ok { // it is compared as one
			kind, number = sqlite.TypeInteger, n
		} else if _, err := strconv.ParseFloat(strings.TrimSpace(b.value.text), 64); err == nil {
			return true
		}
	}
	n, isNumber := keyNumber(key)
	switch {
	case isNumber && kind == sqlite.TypeInteger:
		return fulfils(cmp.Compare(n, number), b.op)
	case isNumber:
		return fulfils(-1, b.op)
	case kind == sqlite.TypeInteger:
		return fulfils(1, b.op)
	}
	return fulfils(strings.Compare(key, b.value.text), b.op)
}

func fulfils(order int, op string) bool {
	switch op {
	case "=":
		return order == 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// keyNumber is a key as a number, in the one way of writing it.
func keyNumber(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == s
}

// keep reads a column of a file whole, once.
func (v *setTable) keep(file, column int) (*dataset.Values, error) {
	k := heldKey{file, column}
	if x := v.held[k]; x != nil {
		return x, nil
	}
	r, err := v.open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	x := &dataset.Values{}
	for g := range r.Groups() {
		if err := errors.Join(v.set.ctx.Err(), v.read(r, g, column, x)); err != nil {
			return nil, err
		}
		if v.set.held+x.Size() > joinBytes {
			return nil, fmt.Errorf("joining %s takes more than %d MiB: choose by run, date or rank", v.table.Name, joinBytes>>20)
		}
	}
	v.set.held += x.Size()
	v.held[k] = x
	return x, nil
}

func (v *setTable) open(file int) (*dataset.Reader, error) {
	v.set.read.Files++
	return v.table.Files[file].Open()
}

func (v *setTable) read(r *dataset.Reader, group, column int, x *dataset.Values) error {
	before := x.Size()
	err := r.Read(group, v.columns[column].Name, x)
	v.set.read.Columns++
	v.set.read.Bytes += x.Size() - before
	return err
}

// rowsOf are the rows of a file in which a column may have a value.
func (v *setTable) rowsOf(file, column int, value operand) ([]int32, error) {
	k := heldKey{file, column}
	x, err := v.keep(file, column)
	if err != nil {
		return nil, err
	}
	if x.Type == dataset.Real {
		return nil, fmt.Errorf("%s: expected %s of column %q, as the dataset says, found %s", v.table.Files[file].Path, v.columns[column].Type, v.columns[column].Name, x.Type)
	}
	at := v.found[k]
	if at == nil {
		at = map[sqlKey][]int32{}
		for i := range x.Len() {
			if x.Type == "" {
				break // the file lacks the column
			}
			if x.IsNull(i) {
				continue
			}
			key := sqlKey{}
			if x.Type == dataset.Integer {
				key.n = x.Ints[i]
			} else {
				key.text = string(x.Bytes(i))
			}
			at[key] = append(at[key], int32(i))
		}
		v.set.held += int64(len(at)) * 64
		v.found[k] = at
	}
	if x.Type == dataset.Integer {
		return at[sqlKey{n: value.n}], nil // SQLite sees whether it is the same
	}
	return at[sqlKey{text: value.text}], nil
}
