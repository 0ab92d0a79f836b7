package trace

import (
	"context"
	"slices"
	"strings"
)

// A Respelling makes a column of texts one of their numbers in StringIds, or the other
// way round.
type Respelling struct {
	Table, Column string
	As            string // name of the column that it becomes
}

// Respell returns t with columns in another spelling. StringIds gets the texts that it
// lacks; numbers that lead to no text become NULL, and lost counts them for each of as.
// The two do not share what they have read.
func (t *Trace) Respell(ctx context.Context, as []Respelling) (n *Trace, lost []int, err error) {
	r := &respelled{base: t, columns: map[string][]Respelling{}, numbers: map[string]int64{}, texts: map[int64]string{}}
	lost = make([]int, len(as))
	next, err := r.known(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i, a := range as {
		key := strings.ToLower(a.Table)
		r.columns[key] = append(r.columns[key], a)
		err := t.ScanColumns(ctx, a.Table, []string{a.Column}, func(p *Table) error {
			switch c := p.Col(a.Column); {
			case c == nil:
			case c.Kind == Texts:
				next = r.number(t.Strings, c, next)
			case c.Kind == Integers:
				lost[i] += r.without(c)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	n = New(t.File, r)
	n.Version, n.Tool = t.Version, t.Tool
	if len(r.added) > 0 && (r.alone || t.Has("StringIds")) {
		n = n.Append(&additions{r.added, r.texts})
	}
	return n, lost, nil
}

// respelled is a Source with some columns of a trace in another spelling.
type respelled struct {
	base    *Trace
	columns map[string][]Respelling // by lower-case name of the table
	numbers map[string]int64        // of texts
	texts   map[int64]string        // by number
	added   []int64                 // numbers of the texts that StringIds lacks
	alone   bool                    // the file has no StringIds
}

// known reads StringIds, also where the trace is a selection without it, and returns the
// first number that is free.
func (r *respelled) known(ctx context.Context) (next int64, err error) {
	all := r.base
	for {
		s, ok := all.source.(*selected)
		if !ok {
			break
		}
		all = s.base
	}
	r.alone = !all.Has("StringIds")
	next = 1
	err = all.ScanColumns(ctx, "StringIds", []string{"id", "value"}, func(p *Table) error {
		v := p.Col("value")
		if v == nil || v.Kind != Texts {
			return nil
		}
		for i, id := range p.Ints("id") {
			text := all.Strings.Text(v.Syms[i])
			if _, ok := r.numbers[text]; !ok && !v.IsNull(i) {
				r.numbers[text] = id
			}
			if !v.IsNull(i) {
				r.texts[id] = text
			}
			next = max(next, id+1)
		}
		return nil
	})
	return next, err
}

// number gives the texts of a column that have none numbers from next on.
func (r *respelled) number(in *Strings, c *Column, next int64) int64 {
	for i, y := range c.Syms {
		text := in.Text(y)
		if _, ok := r.numbers[text]; !ok && !c.IsNull(i) {
			r.numbers[text], r.texts[next] = next, text
			r.added = append(r.added, next)
			next++
		}
	}
	return next
}

// without counts the numbers of a column that lead to no text.
func (r *respelled) without(c *Column) (n int) {
	for i, id := range c.Ints {
		if _, ok := r.texts[id]; !ok && !c.IsNull(i) {
			n++
		}
	}
	return n
}

// Tables lists those of the trace, with the columns that they have now.
func (r *respelled) Tables() []TableInfo {
	out := slices.Clone(r.base.Tables())
	for i, info := range out {
		for _, a := range r.columns[strings.ToLower(info.Name)] {
			out[i].Columns = slices.Clone(out[i].Columns)
			for k, c := range out[i].Columns {
				if strings.EqualFold(c.Name, a.Column) {
					out[i].Columns[k] = ColumnInfo{Name: a.As, Kind: otherSpelling(c.Kind)}
				}
			}
		}
	}
	return out
}

func otherSpelling(k Kind) Kind {
	if k == Texts {
		return Integers
	}
	return Texts
}

// asks are columns as the trace has them, and what they become, by the name there.
func (r *respelled) asks(table string, columns []ColumnInfo) ([]ColumnInfo, map[string]string) {
	as := map[string]string{}
	out := slices.Clone(columns)
	for _, a := range r.columns[strings.ToLower(table)] {
		for i, c := range out {
			if c.Name == a.As {
				out[i] = ColumnInfo{Name: a.Column, Kind: otherSpelling(c.Kind)}
				as[a.Column] = a.As
			}
		}
	}
	return out, as
}

// Read reads columns of a table. Defects are told of the trace that this is made of.
func (r *respelled) Read(ctx context.Context, table string, columns []ColumnInfo, in *Strings) (*Table, []error, error) {
	ask, as := r.asks(table, columns)
	t, problems, err := r.base.source.Read(ctx, table, ask, in)
	r.tell(table, problems)
	if err != nil || len(as) == 0 {
		return t, nil, err
	}
	return r.table(t, as, in), nil, nil
}

// Scan reads columns of a table in parts.
func (r *respelled) Scan(ctx context.Context, table string, columns []ColumnInfo, in *Strings, yield func(*Table) error) ([]error, error) {
	ask, as := r.asks(table, columns)
	problems, err := scan(ctx, r.base.source, table, ask, in, r.base.watched(func(p *Table) error {
		if len(as) > 0 {
			p = r.table(p, as, in)
		}
		return yield(p)
	}))
	r.tell(table, problems)
	return nil, err
}

func (r *respelled) tell(table string, problems []error) {
	info := r.base.info(table)
	if info == nil {
		return
	}
	r.base.mu.Lock()
	defer r.base.mu.Unlock()
	r.base.tell(info, problems)
}

// Problems are those of the trace.
func (r *respelled) Problems() []error { return r.base.Problems() }

// table is a part of a table with columns in their other spelling.
func (r *respelled) table(p *Table, as map[string]string, in *Strings) *Table {
	q := &Table{Name: p.Name, Rows: p.Rows}
	for _, c := range p.Columns {
		if to, ok := as[c.Name]; ok {
			c = r.column(c, to, in)
		}
		q.Columns = append(q.Columns, c)
	}
	return q
}

func (r *respelled) column(c *Column, name string, in *Strings) *Column {
	out := &Column{Name: name, Kind: otherSpelling(c.Kind), Null: make([]bool, c.len())}
	if c.Kind == Texts {
		out.Ints = make([]int64, c.len())
		for i, y := range c.Syms {
			id, ok := r.numbers[in.Text(y)]
			out.Ints[i], out.Null[i] = id, !ok || c.IsNull(i)
		}
		return out
	}
	out.Syms = make([]Sym, c.len())
	for i, id := range c.Ints {
		text, ok := r.texts[id]
		if out.Null[i] = !ok || c.IsNull(i); !out.Null[i] {
			out.Syms[i] = in.Intern(text)
		}
	}
	return out
}

// additions is a Source of texts that StringIds lacks.
type additions struct {
	ids   []int64
	texts map[int64]string
}

// Tables lists StringIds.
func (a *additions) Tables() []TableInfo {
	return []TableInfo{{Name: "StringIds", Columns: []ColumnInfo{{Name: "id"}, {Name: "value", Kind: Texts}}}}
}

// Read reads columns of StringIds.
func (a *additions) Read(ctx context.Context, table string, columns []ColumnInfo, in *Strings) (*Table, []error, error) {
	t := &Table{Name: table, Rows: len(a.ids)}
	for _, ask := range columns {
		c := newColumn(ask, t.Rows)
		for _, id := range a.ids {
			if c.Kind == Texts {
				c.Syms = append(c.Syms, in.Intern(a.texts[id]))
			} else {
				c.Ints = append(c.Ints, id)
			}
		}
		t.Columns = append(t.Columns, c)
	}
	return t, nil, ctx.Err()
}
