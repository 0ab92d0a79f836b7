package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode"

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

// factLabels are what people call columns. Others are called by the words of the
// column's name.
var factLabels = map[string]string{
	"deviceId": "Device", "contextId": "Context", "streamId": "Stream", "greenContextId": "Green context", "graphId": "Graph", "graphNodeId": "Graph node",
	"staticSharedMemory": "Shared, static", "dynamicSharedMemory": "Shared, dynamic", "sharedMemoryExecuted": "Shared, configured",
	"localMemoryPerThread": "Local per thread", "localMemoryTotal": "Local in all", "copyKind": "Kind of copy", "srcKind": "From", "dstKind": "To",
	"srcDeviceId": "From device", "dstDeviceId": "To device", "syncType": "Kind of wait", "color": "Colour", "memKind": "Memory",
}

// factOrder are told first, in this order; the others as the table has them.
var factOrder = []string{"grid", "block", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory", "sharedMemoryExecuted", "localMemoryPerThread", "theoreticalOccupancy", "launchType", "bytes", "bandwidth",
	"copyKind", "srcKind", "dstKind", "deviceId", "contextId", "streamId", "graphId", "graphNodeId"}

// sliceFacts answers with what the file says of the row that a slice stands for.
func sliceFacts(w http.ResponseWriter, r *http.Request, x *timeline.Index) {
	id, err := strconv.Atoi(r.URL.Query().Get("id"))
	if err != nil || id < 0 || id >= x.Len() {
		http.Error(w, fmt.Sprintf("id: expected 0 to %d, found %q", x.Len()-1, r.URL.Query().Get("id")), http.StatusBadRequest)
		return
	}
	d, err := x.Details(r.Context(), timeline.SliceID(id))
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	writeJSON(w, factsOf(d))
}

func factsOf(d *timeline.Details) []fact {
	out := []fact{}
	add := func(f trace.Fact) {
		v := fact{Label: factLabel(f.Name), Text: f.Text, Value: f.Number, Unit: f.Unit}
		switch {
		case f.Name == "grid" || f.Name == "block":
			v.Text = dimensions(f.Text)
		case f.IsText && f.Text == "", !f.IsText && f.Number == 0 && f.Unit != "":
			return
		}
		out = append(out, v)
	}
	told := map[string]bool{}
	for _, name := range factOrder {
		for _, f := range d.Facts {
			if f.Name == name && !told[name] {
				told[name] = true
				add(f)
			}
		}
	}
	for _, f := range d.Facts {
		if !told[f.Name] {
			add(f)
		}
	}
	return append(out, fact{Label: "Row", Value: d.RowID})
}

// dimensions are those of a grid or block, without ones at the end.
func dimensions(s string) string {
	parts := strings.Fields(s)
	for len(parts) > 1 && parts[len(parts)-1] == "1" {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, " × ")
}

// factLabel is what people call a column: "registersPerThread" is "Registers per
// thread".
func factLabel(column string) string {
	if l := factLabels[column]; l != "" {
		return l
	}
	var b strings.Builder
	for i, r := range strings.TrimSuffix(column, "Id") {
		switch {
		case i == 0:
			r = unicode.ToUpper(r)
		case r == '_':
			r = ' '
		case unicode.IsUpper(r):
			b.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
