package export

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
)

// A kinetoForm writes the slices of a trace of PyTorch as PyTorch's own profiler does, so
// that what reads its traces, this program among others, has operators, calls of Python
// and ranges as they were, inside one another.
type kinetoForm struct {
	tr          *trace.Trace
	collectives [][]byte // members of args, by row
}

// kinetoCategories are its words for the kinds of slices.
var kinetoCategories = map[string]string{"api": "cuda_runtime", "memcpy": "gpu_memcpy", "memset": "gpu_memset", "op": "cpu_op", "python": "python_function", "nvtx": "user_annotation", "sync": "cuda_sync"}

// kinetoArguments are its names of facts. Facts with the name "" are told by others.
var kinetoArguments = map[string]string{
	"externalId": "External id", "eventIndex": "Ev Idx", "recordFunctionId": "Record function id", "sequence": "Sequence number", "forwardThread": "Fwd thread id",
	"dimsId": "Input Dims", "typesId": "Input type", "stridesId": "Input Strides", "inputsId": "Concrete Inputs", "callStackId": "Call stack", "modulesId": "Module Hierarchy",
	"parentId": "Python parent id", "moduleId": "Python module id", "deviceId": "device", "streamId": "stream", "contextId": "context",
	"registersPerThread": "registers per thread", "dynamicSharedMemory": "shared memory", "graphNodeId": "graph node id", "graphId": "graph id",
	"estimatedOccupancy": "est. achieved occupancy %", "srcDeviceId": "fromDevice", "dstDeviceId": "toDevice", "eventId": "wait_on_cuda_event_id", "waitOnStream": "wait_on_stream",
	"syncType": "cuda_sync_kind", "staticSharedMemory": "", "returnValue": "", "copyKind": "", "srcKind": "", "dstKind": "", "memKind": "", "bandwidth": "", "nameId": "", "categoryId": "",
}

// kinetoSyncs are its words for kinds of synchronization, by their numbers.
var kinetoSyncs = map[int64]string{1: "Event Sync", 2: "Stream Wait Event", 3: "Stream Sync", 4: "Context Sync"}

// kinetoCollective are its names of what the columns of collectives hold.
var kinetoCollective = []struct{ column, name string }{{"name", "Collective name"}, {"dtype", "dtype"}, {"inElements", "In msg nelems"}, {"outElements", "Out msg nelems"},
	{"groupSize", "Group size"}, {"groupName", "Process Group Name"}, {"groupDescription", "Process Group Description"}, {"ranks", "Process Group Ranks"}, {"rank", "Rank"}, {"sequence", "Seq"}}

// newKinetoForm is nil for a trace that is not of PyTorch, or not of it alone.
func newKinetoForm(ctx context.Context, tr *trace.Trace) (*kinetoForm, error) {
	of := slices.ContainsFunc(tr.Tables(), func(t trace.TableInfo) bool { return strings.HasPrefix(t.Name, "PYTORCH_") })
	if !of || tr.Has(trace.TableGraph) || tr.Has("OSRT_API") {
		return nil, nil
	}
	k := &kinetoForm{tr: tr}
	t, err := tr.All(ctx, trace.TableCollectives)
	if err != nil || t == nil {
		return k, err
	}
	for i := range t.Rows {
		var b []byte
		for _, x := range kinetoCollective {
			c := t.Col(x.column)
			switch {
			case c == nil || c.IsNull(i):
				continue
			case c.Kind == trace.Texts && tr.Strings.Text(c.Syms[i]) == "":
				continue
			case c.Kind == trace.Texts:
				b = append(append(append(b, ','), quoteJSON(x.name)...), ':')
				b = append(b, quoteJSON(tr.Strings.Text(c.Syms[i]))...)
			default:
				b = append(append(append(b, ','), quoteJSON(x.name)...), ':')
				b = strconv.AppendInt(b, c.Ints[i], 10)
			}
		}
		k.collectives = append(k.collectives, b)
	}
	return k, nil
}

// category is the word for the kind of a slice, of which the facts may know better, as it
// stands between quotes.
func (k *kinetoForm) category(s *slice, name string, facts []trace.Fact) string {
	if s.category == "other" {
		for _, f := range facts {
			if f.Name == "categoryId" && f.IsText {
				return strings.Trim(string(quoteJSON(f.Text)), `"`)
			}
		}
	}
	switch c, ok := kinetoCategories[s.category]; {
	case !ok, s.instant && s.category == "sync": // a record of an event, which it has no instants for
		return s.category
	case s.category == "api" && len(name) > 2 && name[0] == 'c' && name[1] == 'u' && name[2] >= 'A' && name[2] <= 'Z':
		return "cuda_driver"
	default:
		return c
	}
}

// ownName is the name that the file gives a copy, where the timeline has another.
func (k *kinetoForm) ownName(facts []trace.Fact) string {
	for _, f := range facts {
		if f.Name == "nameId" {
			if f.IsText {
				return f.Text
			}
			return k.tr.NameText(f.Number)
		}
	}
	return ""
}

// args appends the facts of a slice as an object.
func (k *kinetoForm) args(b []byte, facts []trace.Fact) []byte {
	from := len(b)
	for i := range facts {
		f := &facts[i]
		name, known := kinetoArguments[f.Name]
		switch {
		case known && name == "":
			continue
		case !known:
			name = f.Name
		}
		switch f.Name {
		case "collective":
			if n := f.Number; n > 0 && n <= int64(len(k.collectives)) {
				b = append(b, k.collectives[n-1]...)
			}
			continue
		case "extraId", "parametersId": // members that have no columns, as they stood
			if f.IsText && json.Valid([]byte("{"+f.Text+"}")) {
				b = append(append(b, ','), f.Text...)
			}
			continue
		}
		b = append(append(append(b, ','), quoteJSON(name)...), ':')
		b = append(b, k.value(f)...)
	}
	if len(b) == from {
		return append(b, "{}"...)
	}
	b[from] = '{'
	return append(b, '}')
}

// value is that of a fact: lists are no texts.
func (k *kinetoForm) value(f *trace.Fact) []byte {
	switch {
	case f.Name == "syncType" && !f.IsText:
		return quoteJSON(kinetoSyncs[f.Number])
	case !f.IsText:
		return strconv.AppendInt(nil, f.Number, 10)
	case f.Name == "syncType":
		n, _ := strconv.ParseInt(f.Text, 10, 64)
		if s := kinetoSyncs[n]; s != "" {
			return quoteJSON(s)
		}
	case f.Name == "grid" || f.Name == "block":
		return []byte("[" + strings.ReplaceAll(f.Text, " ", ",") + "]")
	case strings.HasPrefix(f.Text, "[") && json.Valid([]byte(f.Text)):
		return []byte(f.Text)
	}
	return quoteJSON(f.Text)
}

// head is what stands before the events: which GPUs there were, and which rank this is.
func (k *kinetoForm) head(ctx context.Context) ([]byte, error) {
	gpus, err := k.tr.Table(ctx, "TARGET_INFO_GPU", "id", "name", "totalMemory", "smCount", "smMajor", "smMinor")
	if err != nil {
		return nil, err
	}
	b := []byte(`"schemaVersion":1,`)
	if gpus != nil && gpus.Rows > 0 && gpus.Col("id") != nil {
		var list []map[string]any
		for i := range gpus.Rows {
			g := map[string]any{}
			for column, name := range map[string]string{"id": "id", "name": "name", "totalMemory": "totalGlobalMem", "smCount": "numSms", "smMajor": "computeMajor", "smMinor": "computeMinor"} {
				switch c := gpus.Col(column); {
				case c == nil || c.IsNull(i):
				case c.Kind == trace.Texts:
					g[name] = k.tr.Strings.Text(c.Syms[i])
				case c.Kind == trace.Integers:
					g[name] = c.Ints[i]
				}
			}
			list = append(list, g)
		}
		text, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, `"deviceProperties":`...), text...), ',')
	}
	rank, err := k.tr.Table(ctx, "PYTORCH_RANKS", "rank", "worldSize")
	if err != nil || rank == nil || rank.Rows != 1 || rank.IsNull("rank", 0) || rank.IsNull("worldSize", 0) {
		return b, err
	}
	b = strconv.AppendInt(append(b, `"distributedInfo":{"rank":`...), rank.Ints("rank")[0], 10)
	b = strconv.AppendInt(append(b, `,"world_size":`...), rank.Ints("worldSize")[0], 10)
	return append(b, "},"...), nil
}

// memory writes the events of allocators, which are no slices.
func (k *kinetoForm) memory(ctx context.Context, c *chrome) error {
	facts := []struct{ column, name string }{{"address", "Addr"}, {"bytes", "Bytes"}, {"deviceType", "Device Type"}, {"deviceId", "Device Id"}, {"allocated", "Total Allocated"}, {"reserved", "Total Reserved"}}
	columns := []string{"timestamp", "globalTid"}
	for _, f := range facts {
		columns = append(columns, f.column)
	}
	return k.tr.ScanColumns(ctx, trace.TableMemory, columns, func(t *trace.Table) error {
		thread := t.Ints("globalTid")
		for i, at := range t.Ints("timestamp") {
			id := trace.GlobalID(thread[i])
			b := append(c.event("i", &track{process: id.Process(), thread: id}), `,"s":"t","cat":"cpu_instant_event","name":"[memory]","args":`...)
			comma := byte('{')
			for _, f := range facts {
				if col := t.Col(f.column); col != nil && !col.IsNull(i) {
					b = append(append(append(b, comma, '"'), f.name...), `":`...)
					b = strconv.AppendInt(b, col.Ints[i], 10)
					comma = ','
				}
			}
			if comma == '{' {
				b = append(b, comma)
			}
			if err := c.put(micros(append(b, `},"ts":`...), at)); err != nil {
				return err
			}
		}
		return nil
	})
}
