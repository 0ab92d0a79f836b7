package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/timeline"
	"github.com/gpuprof/gpuprof/trace"
)

// A fact is what is told: a number of a unit, or a text.
type fact struct {
	Label string `json:"label"`
	Text  string `json:"text"` // "": the number
	Value int64  `json:"value"`
	Unit  string `json:"unit"`
}

// A launchFact is something that a row of a timeline says of its slice: a label, and the
// columns that hold it. Several columns are the parts of a size.
type launchFact struct {
	label   string
	columns []string
	unit    string
	join    string // between the parts; "": they are added up
}

// launchFacts are told in this order, where the table has the columns.
var launchFacts = []launchFact{
	{"Grid", []string{"gridX", "gridY", "gridZ"}, "", " × "},
	{"Block", []string{"blockX", "blockY", "blockZ"}, "", " × "},
	{"Registers", []string{"registersPerThread"}, "", ""},
	{"Shared", []string{"staticSharedMemory", "dynamicSharedMemory"}, "byte", ""},
	{"Local per thread", []string{"localMemoryPerThread"}, "byte", ""},
	{"Bytes", []string{"bytes"}, "byte", ""},
	{"Device", []string{"deviceId"}, "", ""},
	{"Stream", []string{"streamId"}, "", ""},
}

// sliceFacts answers with what the file says of the row that a slice stands for.
func sliceFacts(w http.ResponseWriter, r *http.Request, o *openFile, x *timeline.Index) {
	id, err := strconv.Atoi(r.URL.Query().Get("id"))
	if err != nil || id < 0 || id >= x.Len() {
		http.Error(w, fmt.Sprintf("id: expected 0 to %d, found %q", x.Len()-1, r.URL.Query().Get("id")), http.StatusBadRequest)
		return
	}
	s := x.Slice(timeline.SliceID(id))
	o.work.Lock()
	facts, err := factsOf(r.Context(), o.file.Trace, s.Table, s.Row)
	o.work.Unlock()
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	writeJSON(w, facts)
}

func factsOf(ctx context.Context, t *trace.Trace, table string, row int) ([]fact, error) {
	var columns []string
	for _, f := range launchFacts {
		for _, c := range f.columns {
			if t.HasColumn(table, c) {
				columns = append(columns, c)
			}
		}
	}
	out := []fact{}
	if len(columns) == 0 {
		return out, nil
	}
	rows, err := t.Table(ctx, table, columns...)
	if err != nil || rows == nil || row < 0 || row >= rows.Rows {
		return out, err
	}
	for _, f := range launchFacts {
		if v, ok := f.of(rows, row); ok {
			out = append(out, v)
		}
	}
	return out, nil
}

// of is the fact of a row, where the table has it and it is not NULL.
func (f *launchFact) of(t *trace.Table, row int) (fact, bool) {
	var parts []int64
	for _, c := range f.columns {
		col := t.Col(c)
		if col == nil || col.Kind != trace.Integers || col.IsNull(row) {
			continue
		}
		parts = append(parts, col.Ints[row])
	}
	if len(parts) == 0 {
		return fact{}, false
	}
	if f.join != "" {
		for len(parts) > 1 && parts[len(parts)-1] == 1 {
			parts = parts[:len(parts)-1]
		}
		var b strings.Builder
		for i, p := range parts {
			if i > 0 {
				b.WriteString(f.join)
			}
			b.WriteString(strconv.FormatInt(p, 10))
		}
		return fact{Label: f.label, Text: b.String()}, true
	}
	sum := int64(0)
	for _, p := range parts {
		sum += p
	}
	return fact{Label: f.label, Value: sum, Unit: f.unit}, f.unit == "" || sum > 0
}
