package load

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// ForExport returns the timeline as an export in a version of the schema has it.
// To that of a native report it adds what its exporter would: the enumerations and
// the table that tells how the export was made. Other timelines stay as they are.
func (f *File) ForExport(v schema.Version) *trace.Trace {
	if f.rep == nil {
		return f.Trace
	}
	tr := trace.New(f.Name, &repExport{nsysRepSource: f.rep, version: v})
	tr.Version, tr.Tool = v, f.Trace.Tool
	if f.laid != nil {
		if with, err := f.laid(tr); err == nil { // else the export has what the report has
			with.Version, with.Tool = tr.Version, tr.Tool
			return with
		}
	}
	return tr
}

// repExport is a native report together with what its exporter adds.
type repExport struct {
	*nsysRepSource
	version schema.Version
	added   []repTable
}

// Tables lists those of the report, then the enumerations and META_DATA_EXPORT.
func (x *repExport) Tables() []trace.TableInfo {
	out := x.nsysRepSource.Tables()
	x.added = nil
	if events, _, _ := x.graphNodes(); events > 0 {
		// Up to schema 3.7 the table with the name of graphs holds the nodes.
		x.added = append(x.added, repTable{name: "CUDA_GRAPH_EVENTS", rows: events, kind: nsysrep.GraphNode,
			cols: columns(nsysrep.GraphDetail, callColumns+"graphNodeId:+1 originalGraphNodeId:+2?")})
	}
	for _, e := range schema.Enums() {
		if !e.Span.Has(x.version) || len(e.Values) == 0 {
			continue
		}
		t := repTable{name: e.Name, made: map[string]*trace.Column{"id": {}}, text: map[string][]string{}}
		for _, v := range e.At(x.version) {
			t.made["id"].Ints = append(t.made["id"].Ints, v.ID)
			t.text["name"], t.text["label"] = append(t.text["name"], v.Name), append(t.text["label"], v.Label)
		}
		t.rows = len(t.made["id"].Ints)
		x.added = append(x.added, t)
	}
	x.added = append(x.added, x.meta()...)
	x.added = append(x.added, x.oldEnvironment()...)
	if t := schema.Lookup("UnwindMethodType"); t.Span.Has(x.version) {
		x.added = append(x.added, unwindMethods())
	}
	for i := range x.added {
		t := &x.added[i]
		info := trace.TableInfo{Name: t.name}
		if known := schema.Lookup(t.name); known != nil {
			for _, c := range known.At(x.version) {
				info.Columns = append(info.Columns, trace.ColumnInfo{Name: c.Name, Kind: kindOf(c.Type)})
			}
		} else {
			info.Columns = []trace.ColumnInfo{{Name: "id", Kind: trace.Integers}, {Name: "name", Kind: trace.Texts}, {Name: "label", Kind: trace.Texts}}
		}
		kept := out[:0]
		for _, o := range out {
			if o.Name != t.name {
				kept = append(kept, o)
			}
		}
		out = append(kept, info)
	}
	return out
}

// graphNodes counts the making of nodes of graphs where the schema has no table
// of its own for it.
func (x *repExport) graphNodes() (events, stacks, frames int) {
	if x.index == nil || !x.version.Less(schema.Version{Major: 3, Minor: 8}) {
		return 0, 0, 0
	}
	return x.index.Count(nsysrep.GraphNode)
}

// meta tells the version of the schema. Exports before 2.9.1 have no such table,
// and until 3.4 it had another name.
func (x *repExport) meta() []repTable {
	name := "META_DATA_EXPORT"
	if t := schema.Lookup(name); t == nil || !t.Span.Has(x.version) {
		name = "EXPORT_META_DATA"
	}
	if t := schema.Lookup(name); t == nil || !t.Span.Has(x.version) {
		return nil
	}
	t := repTable{name: name, text: map[string][]string{}}
	for _, kv := range [][2]string{
		{"EXPORT_PRODUCT_NAME", "gpuprof"},
		{"EXPORT_SCHEMA_VERSION", fmt.Sprintf("%d.%d.%d", x.version.Major, x.version.Minor, x.version.Micro)},
		{"EXPORT_SCHEMA_VERSION_MAJOR", strconv.Itoa(x.version.Major)},
		{"EXPORT_SCHEMA_VERSION_MINOR", strconv.Itoa(x.version.Minor)},
		{"EXPORT_SCHEMA_VERSION_MICRO", strconv.Itoa(x.version.Micro)},
		{"EXPORT_PARAM_INPUT_FILE", x.file.Name[strings.LastIndexAny(x.file.Name, `/\`)+1:]},
	} {
		t.text["name"], t.text["value"] = append(t.text["name"], kv[0]), append(t.text["value"], kv[1])
	}
	t.rows = len(t.text["name"])
	return []repTable{t}
}

// oldEnvironment is the table of the machine as exports up to schema 3.0 have it;
// those of 3.4 have the new form, what lies between was not seen.
func (x *repExport) oldEnvironment() []repTable {
	if !x.version.Less(schema.Version{Major: 3, Minor: 1}) {
		return nil
	}
	old := &nsysRepSource{file: x.file}
	old.environment(x.file.Header.Sub(1), true)
	return old.tables[:min(1, len(old.tables))]
}

// unwindMethods is the enumeration that had another form up to schema 3.0.
func unwindMethods() repTable {
	t := repTable{name: "UnwindMethodType", made: map[string]*trace.Column{"number": {}}, text: map[string][]string{}}
	for _, v := range schema.LookupEnum("ENUM_STACK_UNWIND_METHOD").Values {
		if v.ID < 255 { // those behind are not methods
			t.made["number"].Ints, t.text["name"] = append(t.made["number"].Ints, v.ID), append(t.text["name"], v.Name)
		}
	}
	t.rows = len(t.made["number"].Ints)
	return t
}

func (x *repExport) find(table string) *repTable {
	for i := range x.added {
		if x.added[i].name == table {
			return &x.added[i]
		}
	}
	return nil
}

// Read makes columns of a table.
func (x *repExport) Read(ctx context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings) (*trace.Table, []error, error) {
	if t := x.find(table); t != nil {
		out, err := x.readTable(ctx, t, columns, in)
		return out, nil, err
	}
	return x.nsysRepSource.Read(ctx, table, columns, in)
}

// Scan makes a table in parts.
func (x *repExport) Scan(ctx context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings, yield func(*trace.Table) error) ([]error, error) {
	if t := x.find(table); t != nil {
		return nil, x.scanTable(ctx, t, columns, in, yield)
	}
	return x.nsysRepSource.Scan(ctx, table, columns, in, yield)
}
