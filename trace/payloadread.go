package trace

import (
	"context"
	"slices"
	"strconv"
)

// PayloadColumns are the columns of NVTX_EVENTS that hold payloads.
var PayloadColumns = []string{"uint64Value", "int64Value", "doubleValue", "uint32Value", "int32Value", "floatValue", "jsonTextId", "jsonText", "binaryData"}

// numbers are those of PayloadColumns that hold one number.
const payloadNumbers = 6

// Payloads reads the payloads of a table of NVTX events.
type Payloads struct {
	Schemas *PayloadSchemas
	tr      *Trace
	columns [9]*Column // in the order of PayloadColumns
}

// An EventPayload is the payload of an event.
type EventPayload struct {
	Schema  string         // name or number of the layout of a binary payload
	Fields  []PayloadField // a single number is called value
	JSON    string
	Problem error // why a binary payload is not decoded to its end
}

// Payloads reads the schemas, for a table that has PayloadColumns.
func (t *Trace) Payloads(ctx context.Context, events *Table) (*Payloads, error) {
	if err := t.LoadNames(ctx); err != nil {
		return nil, err
	}
	p := &Payloads{tr: t}
	for k, name := range PayloadColumns {
		want := Integers
		switch name {
		case "doubleValue", "floatValue":
			want = Reals
		case "jsonText", "binaryData":
			want = Texts
		}
		if c := events.Col(name); c != nil && c.Kind == want && (c.Null == nil || slices.Contains(c.Null, false)) {
			p.columns[k] = c
		}
	}
	var err error
	p.Schemas, err = t.payloadSchemas(ctx)
	return p, err
}

// Any reports whether any event has a payload.
func (p *Payloads) Any() bool {
	return slices.ContainsFunc(p.columns[:], func(c *Column) bool { return c != nil })
}

// Has reports whether the event of a row has a payload.
func (p *Payloads) Has(i int) bool {
	for _, c := range p.columns {
		if c != nil && !c.IsNull(i) {
			return true
		}
	}
	return false
}

// At decodes the payload of a row.
func (p *Payloads) At(i int) EventPayload {
	var out EventPayload
	for k, c := range p.columns {
		if c == nil || c.IsNull(i) {
			continue
		}
		switch {
		case k < payloadNumbers && c.Kind == Reals:
			out.Fields = append(out.Fields, PayloadField{Name: "value", Kind: Reals, Real: c.Reals[i]})
		case k < payloadNumbers:
			out.Fields = append(out.Fields, PayloadField{Name: "value", Int: c.Ints[i], Unsigned: PayloadColumns[k][0] == 'u'})
		case c.Kind == Integers:
			out.JSON = p.tr.NameText(c.Ints[i])
		case PayloadColumns[k] == "jsonText":
			if out.JSON == "" {
				out.JSON = p.tr.Strings.Text(c.Syms[i])
			}
		default:
			var s *payloadSchema
			var fields []PayloadField
			s, fields, out.Problem = p.Schemas.decodeEvent(p.tr.Strings.Text(c.Syms[i]))
			out.Fields = append(out.Fields, fields...)
			if s != nil {
				if out.Schema = s.Name; out.Schema == "" {
					out.Schema = strconv.FormatInt(s.ID, 10)
				}
			}
		}
	}
	return out
}

// String is the payload in words: its fields, else its JSON.
func (e EventPayload) String() string {
	if len(e.Fields) == 0 {
		return e.JSON
	}
	return formatPayload(e.Fields)
}

// PayloadTexts are the payloads of NVTX events in words, by rowid; nil where no
// event has one. It keeps nothing of the table.
func (t *Trace) PayloadTexts(ctx context.Context) (map[int64]string, error) {
	info := t.info(TableNvtx)
	if info == nil {
		return nil, nil
	}
	columns := []ColumnInfo{{Name: "rowid"}}
	for _, name := range PayloadColumns {
		if c := info.column(name); c != nil {
			columns = append(columns, *c)
		}
	}
	if len(columns) == 1 {
		return nil, nil
	}
	var out map[int64]string
	add := func(e *Table) error {
		p, err := t.Payloads(ctx, e)
		if err != nil || !p.Any() {
			return err
		}
		for i, row := range e.Ints("rowid") {
			if !p.Has(i) {
				continue
			}
			if s := p.At(i).String(); s != "" {
				if out == nil {
					out = map[int64]string{}
				}
				out[row] = s
			}
		}
		return nil
	}
	if src, ok := t.source.(scanner); ok {
		_, err := src.Scan(ctx, info.Name, columns, t.Strings, add) // reading the table told of its defects
		return out, err
	}
	e, _, err := t.source.Read(ctx, info.Name, columns, t.Strings)
	if err != nil {
		return nil, err
	}
	return out, add(e)
}
