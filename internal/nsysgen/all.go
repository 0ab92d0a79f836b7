package nsysgen

import (
	"fmt"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysdb"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// Of the process and thread in [WriteAll].
const (
	AllPid = 1<<48 | 5000<<24
	AllTid = AllPid | 6000
	// AllRows is how many rows each table has; row i begins at AllStart + i*AllStep
	// and lasts AllLong, in ns. NVTX ranges last a step and a half longer.
	AllRows  = 3
	AllStart = 1_000_000
	AllStep  = 10_000
	AllLong  = 4_000
)

// allTexts are the texts of StringIds, from number 1 on.
var allTexts = []string{"alpha", "beta", "gamma"}

// WriteAll makes a database with every table and column of the catalogue, of all
// versions, and some rows in each: such as no profiler writes, to see that nothing
// is passed over. The version of its schema is the newest.
func WriteAll(path string) error { return WriteAllOn(path, 0) }

// WriteAllOn is [WriteAll] with a number of the hardware, the highest byte of numbers
// of processes and threads. They are negative from 128 on.
func WriteAllOn(path string, hardware uint8) error {
	return nsysdb.WriteFile(path, 4096, func(w *nsysdb.Writer) error {
		for _, t := range schema.Tables() {
			var b strings.Builder
			for i, c := range t.Columns {
				if i > 0 {
					b.WriteString(", ")
				}
				fmt.Fprintf(&b, "%s %s", c.Name, c.Type)
				if c.Key {
					b.WriteString(" PRIMARY KEY")
				}
			}
			out, err := w.Table("CREATE TABLE " + t.Name + " (" + b.String() + ")")
			if err != nil {
				return err
			}
			var vs []nsysdb.Vector
			for _, c := range t.Columns {
				vs = append(vs, allCells(t, c, hardware))
			}
			if err := out.Append(AllRows, vs); err != nil {
				return err
			}
		}
		return nil
	})
}

func allCells(t *schema.Table, c schema.Column, hardware uint8) nsysdb.Vector {
	switch c.Type {
	case "TEXT", "BLOB":
		v := make([]string, AllRows)
		for i := range v {
			v[i] = allText(t.Name, c.Name, i)
		}
		return nsysdb.Texts(v, nil)
	case "REAL":
		v := make([]float64, AllRows)
		for i := range v {
			v[i] = float64(i) + 0.5
		}
		return nsysdb.Reals(v, nil)
	}
	v := make([]int64, AllRows)
	for i := range v {
		if v[i] = allNumber(t.Name, &c, i); v[i] == AllPid || v[i] == AllTid {
			v[i] |= int64(hardware) << 56
		}
	}
	return nsysdb.Integers(v, nil)
}

func allText(table, column string, i int) string {
	switch {
	case table == "StringIds":
		return allTexts[i]
	case table == "META_DATA_EXPORT" || table == "EXPORT_META_DATA":
		if i == 0 {
			return map[string]string{"name": "EXPORT_SCHEMA_VERSION", "value": schema.Newest.String()}[column]
		}
	case strings.Contains(strings.ToLower(column), "json") || table == "GENERIC_EVENTS" && column == "data":
		return fmt.Sprintf(`{"n":"%d"}`, i)
	}
	return fmt.Sprintf("%s %d", column, i)
}

func allNumber(table string, c *schema.Column, i int) int64 {
	n := int64(i)
	start := AllStart + n*AllStep
	if c.Name == "tag" { // context switches: begin and end
		return 8 - n%2
	}
	if e := schema.LookupEnum(c.Ref); e != nil && len(e.Values) > 0 && c.Name != "eventType" {
		return e.Values[i%len(e.Values)].ID
	}
	low := strings.ToLower(c.Name)
	switch {
	case table == trace.TableNvtx && low == "eventtype":
		return trace.NvtxPushPop
	case table == "COMPOSITE_EVENTS" && low == "id", c.Key, c.Ref == "StringIds":
		return n + 1
	case low == "start" || low == "timestamp" || low == "startedat" || low == "openedat" || low == "rawtimestamp" || low == "rangestart":
		return start
	case (low == "end" || low == "endedat" || low == "closedat" || low == "rangeend") && table == trace.TableNvtx:
		return start + AllStep*5/2
	case low == "end" || low == "endedat" || low == "closedat" || low == "rangeend":
		return start + AllLong
	case low == "globalpid" || strings.HasSuffix(low, "globalpid"):
		return AllPid
	case low == "globaltid" || strings.HasSuffix(low, "globaltid"):
		return AllTid
	case low == "correlationid" || low == "callchainid" || low == "id":
		return n + 1
	case low == "deviceid" || low == "gpuid" || low == "typeid" || low == "gpu":
		return 0
	case low == "streamid":
		return 7
	case low == "contextid":
		return 1
	case low == "bytes":
		return 4096 * (n + 1)
	case low == "isschedin":
		return (n + 1) % 2
	case low == "memoryoperationtype":
		return n % 2
	case low == "address":
		return 0x7f0000000000
	}
	return n + 1
}
