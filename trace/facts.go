package trace

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/trace/schema"
)

// A Fact is what a row tells beside its name, time and place.
type Fact struct {
	Name   string // of the column: registersPerThread; grid and block stand for three
	Unit   string // of Number, or ""
	Text   string // where it is no number
	Number int64
	IsText bool
}

// notFacts are columns that say who, when and what it is called, or that differ
// from row to row and lead to other rows.
var notFacts = map[string]bool{"start": true, "end": true, "timestamp": true, "rawtimestamp": true, "startedat": true, "endedat": true, "eventclass": true, "globaltid": true, "endglobaltid": true,
	"globalpid": true, "correlationid": true, "mangledname": true, "callchainid": true, "argumentsid": true, "gridid": true, "id": true, "bytes": true, "virtualaddress": true,
	"address": true, "pc": true, "generic_event_id": true, "data": true, "seqno": true, "rangeid": true}

// FactColumns are the columns of a table of slices that hold facts. Bytes are apart
// of them: they differ from row to row.
func (t *Trace) FactColumns(a SliceTable) []string {
	var out []string
	info := t.info(a.Table)
	if info == nil {
		return nil
	}
	for _, c := range info.Columns {
		if low := strings.ToLower(c.Name); !notFacts[low] && c.Name != a.Name && c.Name != a.Spare && c.Name != a.Text && c.Kind != Reals {
			out = append(out, c.Name)
		}
	}
	return out
}

// Facts returns what tells the facts of the rows of a table that has the columns
// of [Trace.FactColumns]. NULLs are no facts. Names want [Trace.LoadNames].
func (t *Trace) Facts(ctx context.Context, a SliceTable, rows *Table) func(i int) []Fact {
	type column struct {
		*Column
		unit, enum string
		text       bool // of StringIds
		parts      []*Column
		name       string
	}
	var columns []*column
	table := schema.Lookup(a.Table)
	for _, name := range t.FactColumns(a) {
		c := rows.Col(name)
		if c == nil {
			continue
		}
		if stem, last := name[:len(name)-1], name[len(name)-1]; last >= 'X' && last <= 'Z' { // gridX gridY gridZ
			// Not each file has the three beside each other: gridX blockX gridY ….
			if k := slices.IndexFunc(columns, func(o *column) bool { return o.parts != nil && o.name == stem }); k >= 0 {
				columns[k].parts = append(columns[k].parts, c)
				continue
			}
			if rows.Col(stem+"Y") != nil {
				columns = append(columns, &column{Column: c, name: stem, parts: []*Column{c}})
				continue
			}
		}
		x := &column{Column: c, name: name}
		if table != nil && table.Column(name) != nil {
			known := table.Column(name)
			x.unit, x.text = known.Unit, known.Ref == "StringIds"
			if schema.LookupEnum(known.Ref) != nil {
				x.enum = known.Ref
			}
		}
		columns = append(columns, x)
	}
	labels := map[string]map[int64]string{}
	label := func(enum string, v int64) string {
		of := labels[enum]
		if of == nil {
			of = map[int64]string{}
			labels[enum] = of
		}
		s, ok := of[v]
		if !ok {
			s = t.Label(ctx, enum, v)
			of[v] = s
		}
		return s
	}
	return func(i int) []Fact {
		var out []Fact
		for _, c := range columns {
			switch {
			case c.IsNull(i):
			case c.parts != nil:
				var dims []string
				for _, p := range c.parts {
					dims = append(dims, strconv.FormatInt(p.Ints[i], 10))
				}
				out = append(out, Fact{Name: c.name, Text: strings.Join(dims, " "), IsText: true})
			case c.Kind == Texts:
				out = append(out, Fact{Name: c.name, Text: t.Strings.Text(c.Syms[i]), IsText: true})
			case c.text:
				out = append(out, Fact{Name: c.name, Text: t.NameText(c.Ints[i]), IsText: true})
			case c.enum != "":
				out = append(out, Fact{Name: c.name, Text: label(c.enum, c.Ints[i]), IsText: true})
			default:
				out = append(out, Fact{Name: c.name, Unit: c.unit, Number: c.Ints[i]})
			}
		}
		return out
	}
}

// SizeFacts are those of a row that moved so many bytes in so many ns.
func SizeFacts(bytes, ns int64) []Fact {
	out := []Fact{{Name: "bytes", Unit: "byte", Number: bytes}}
	if ns > 0 && bytes > 0 {
		out = append(out, Fact{Name: "bandwidth", Unit: "byte/s", Number: int64(float64(bytes) * 1e9 / float64(ns))})
	}
	return out
}
