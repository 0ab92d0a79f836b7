package rocm

import (
	"bytes"
	"compress/gzip"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// variantTable is a kernel trace as rocprofv3 writes it.
const variantTable = `"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Dispatch_Id","Start_Timestamp","End_Timestamp","Workgroup_Size_X","Grid_Size_X"
"KERNEL_DISPATCH",2,1,"axpy(float*, int)",3,1,1000,4000,64,6400
"KERNEL_DISPATCH",2,1,"axpy(float*, int)",4,2,5000,7000,64,6400
`

// TestTableVariants: what a version, a spreadsheet or a broken pipe makes of a table. Sound
// rows are read, and each row that is not is told.
func TestTableVariants(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(variantTable) }
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(variantTable))
	z.Close()
	lines := strings.Split(variantTable, "\n")
	reversed := ""
	for _, l := range lines[:3] {
		head, name, found := strings.Cut(l, `"axpy(float*, int)",`)
		if found {
			reversed += name + "," + head + "\"axpy(float*, int)\"\n"
			continue
		}
		head, name, _ = strings.Cut(l, `"Kernel_Name",`)
		reversed += name + "," + head + "\"Kernel_Name\"\n"
	}
	for _, c := range []struct {
		name, text string
		rows       int
		ns         float64
		told       string // of the only problem
	}{
		{"as it is", variantTable, 2, 5000, ""},
		{"CRLF", replace("\n", "\r\n"), 2, 5000, ""},
		{"a mark at the start", "\ufeff" + variantTable, 2, 5000, ""},
		{"gzip", packed.String(), 2, 5000, ""},
		{"other order", reversed, 2, 5000, ""},
		{"lower case", strings.ToLower(lines[0]) + "\n" + lines[1] + "\n" + lines[2], 2, 5000, ""},
		{"names of rocprofv1", replace("Kernel_Name", "KernelName", "Dispatch_Id", "Index", "Start_Timestamp", "BeginNs", "End_Timestamp", "EndNs", "Grid_Size_X", "grd", "Workgroup_Size_X", "wgr"), 2, 5000, ""},
		{"names of rocprofv2", replace("Dispatch_Id", "Dispatch_ID", "Agent_Id", "GPU_ID", "Grid_Size_X", "Grid_Size", "Workgroup_Size_X", "Workgroup_Size"), 2, 5000, ""},
		{"empty lines", replace("\n", "\n\n"), 2, 5000, ""},
		{"no last line end", strings.TrimSpace(variantTable), 2, 5000, ""},
		{"no rows", lines[0] + "\n", 0, 0, ""},
		{"a new column", replace(`"Kind"`, `"Kind","New"`, `"KERNEL_DISPATCH"`, `"KERNEL_DISPATCH",word`), 2, 5000, ""},
		{"no start", replace(`"Start_Timestamp",`, "", ",1000,", ",", ",5000,", ","), 2, 0, ""},
		{"no end", replace(`"End_Timestamp",`, "", ",4000,", ",", ",7000,", ","), 2, 0, ""},
		{"an empty start", replace(",1000,", ",,"), 2, 2000, ""},
		{"an end before the start", replace(",4000,", ",400,"), 2, 2000, `v.csv:2: expected an end after the start, found Start_Timestamp 1000 and End_Timestamp 400`},
		{"cut", variantTable[:len(variantTable)-8], 1, 3000, "v.csv:3: expected 10 cells, found 9"},
		{"a cell too many", replace(",4000,", ",4000,1,"), 1, 2000, "v.csv:2: expected 10 cells, found 11"},
		{"a word for a time", replace(",4000,", ",later,"), 1, 2000, `v.csv:2: expected a whole number, found End_Timestamp "later"`},
		{"two tables in one", variantTable + variantTable, 4, 10000, `v.csv:4: expected a whole number, found Dispatch_Id "Dispatch_Id"`},
	} {
		s, err := Open(context.Background(), strings.NewReader(c.text), int64(len(c.text)), "v.csv")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		ns := 0.0
		for i := range s.Dispatches {
			ns += s.Dispatches[i].Duration()
		}
		told := ""
		for _, p := range s.Problems {
			told += p.Error()
		}
		if len(s.Dispatches) != c.rows || ns != c.ns || !strings.Contains(told, c.told) || (c.told == "") != (told == "") {
			t.Errorf("%s: %d dispatches, %v ns, told %q", c.name, len(s.Dispatches), ns, told)
		}
	}
	// What is no table of a profiler is refused, whatever is missing.
	for _, text := range []string{"", "\n", replace("Kernel_Name", "What"), replace(",", ";"), replace(",", "\t")} {
		if s, err := Open(context.Background(), strings.NewReader(text), int64(len(text)), "v.csv"); err == nil {
			t.Errorf("%.20q: %d dispatches", text, len(s.Dispatches))
		}
	}
}

// TestRocpdVariants: versions of the schema lack columns and tables, which cost what stands
// in them only. A missing table is told; without times or numbers there are no rows, and
// that is told too.
func TestRocpdVariants(t *testing.T) {
	whole := Dispatch{ID: 1, Kernel: "f", Agent: 4, Queue: 2, Stream: 3, PID: 77, TID: 78, Correlation: 55, Start: 100, End: 180,
		Grid: [3]uint64{4096, 1, 1}, Group: [3]uint64{64, 1, 1}, LDS: 1024, VGPRs: 12, SGPRs: 16}
	for _, c := range []struct {
		sql      string
		lost     func(d *Dispatch)
		problems int
	}{
		{"", func(*Dispatch) {}, 0},
		{"ALTER TABLE rocpd_kernel_dispatch_u DROP COLUMN grid_size_z", func(d *Dispatch) { d.Grid[2] = 0 }, 0},
		{"ALTER TABLE rocpd_kernel_dispatch_u DROP COLUMN group_segment_size", func(d *Dispatch) { d.LDS = -1 }, 0},
		{"ALTER TABLE rocpd_kernel_dispatch_u DROP COLUMN event_id", func(d *Dispatch) { d.Correlation = 0 }, 0},
		{"ALTER TABLE rocpd_info_kernel_symbol_u DROP COLUMN sgpr_count", func(d *Dispatch) { d.SGPRs = -1 }, 0},
		{"ALTER TABLE rocpd_info_kernel_symbol_u DROP COLUMN display_name", func(d *Dispatch) { d.Kernel = "f.kd" }, 0},
		{"ALTER TABLE rocpd_track_u DROP COLUMN stream_id", func(d *Dispatch) { d.Stream = 0 }, 0},
		{"ALTER TABLE rocpd_event_u DROP COLUMN category_id", func(*Dispatch) {}, 0},
		{"DROP TABLE rocpd_info_thread_u", func(d *Dispatch) { d.TID = 0 }, 1},
		{"DROP TABLE rocpd_event_u", func(d *Dispatch) { d.Correlation = 0 }, 1},
		{"DROP TABLE rocpd_info_category_u", func(*Dispatch) {}, 1},
		{"DROP TABLE rocpd_timestamp_u", func(d *Dispatch) { d.Start, d.End = 0, 0 }, 1},
		{"CREATE TABLE rocpd_pmc_event_u (id INTEGER PRIMARY KEY, event_id INTEGER, pmc_id INTEGER, value REAL); INSERT INTO rocpd_pmc_event_u VALUES (1, 1, 1, 5)", func(*Dispatch) {}, 1},
		{"DROP TABLE rocpd_string_u", func(*Dispatch) {}, 1},
		{"ALTER TABLE rocpd_kernel_dispatch_u DROP COLUMN end_id", nil, 1},
		{"ALTER TABLE rocpd_kernel_dispatch_u DROP COLUMN dispatch_id", nil, 1},
	} {
		b := database1(t, rocpdSQL+c.sql)
		s, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), "t.db")
		if err != nil || len(s.Problems) != c.problems || len(s.Calls) != 1 || len(s.Copies) != 1 {
			t.Errorf("%s: %v, %+v", c.sql, err, s)
			continue
		}
		var want []Dispatch
		if c.lost != nil {
			d := whole
			c.lost(&d)
			want = []Dispatch{d}
		}
		if d := cmp.Diff(want, s.Dispatches); d != "" {
			t.Errorf("%s: %s", c.sql, d)
		}
	}
}

// TestCutDatabases: what stands in whole pages of a database that is cut is read, and
// that it is cut is told with the pages that are missing.
func TestCutDatabases(t *testing.T) {
	more := "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
	whole := database1(t, rocpdSQL+more+"INSERT INTO rocpd_kernel_dispatch_u SELECT i, 1, 9, i, 1, 2, 0, 1024, 64, 1, 1, 4096, 1, 1, 1 FROM n;"+
		more+"INSERT INTO rocpd_region_u SELECT i, 1, 1, 1, 2, 1 FROM n;")
	late := database1(t, strings.ReplaceAll(rocpdSQL, "CREATE TABLE rocpd_region_u", "INSERT INTO rocpd_kernel_dispatch_u VALUES (2, 1, 9, 2, 1, 2, 0, 1024, 64, 1, 1, 4096, 1, 1, 1); CREATE TABLE filler (a TEXT); INSERT INTO filler VALUES (printf('%.*c', 80000, 'x')); CREATE TABLE rocpd_region_u"))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(whole)
	z.Close()
	for _, c := range []struct {
		name       string
		data       []byte
		dispatches int
		calls      [2]int // from, to
		told       string
	}{
		{"whole", whole, 3000, [2]int{3000, 3000}, ""},
		{"a byte less", whole[:len(whole)-1], 3000, [2]int{2800, 2999}, "found the end of the file after"},
		{"half, tables later in the file missing", late[:len(late)/2], 2, [2]int{0, 0}, "found the end of the file after"},
		{"nine tenths", whole[:len(whole)*9/10], 3000, [2]int{1500, 2999}, "found the end of the file after"},
		{"packed and cut", packed.Bytes()[:packed.Len()*19/20], 3000, [2]int{1500, 2999}, "expected a whole gzip stream"},
	} {
		s, err := Open(context.Background(), bytes.NewReader(c.data), int64(len(c.data)), "t.db")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		told := ""
		for _, p := range s.Problems {
			told += p.Error() + "\n"
		}
		if n := len(s.Calls); len(s.Dispatches) != c.dispatches || n < c.calls[0] || n > c.calls[1] || !strings.Contains(told, c.told) || (c.told == "") != (told == "") {
			t.Errorf("%s: %d dispatches, %d calls, told %s", c.name, len(s.Dispatches), n, told)
		}
	}
}
