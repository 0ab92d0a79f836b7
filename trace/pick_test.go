package trace

import (
	"context"
	"fmt"
	"regexp"
	"testing"
)

// held is a source of tables that a test made.
type held []*Table

func (h held) Tables() (out []TableInfo) {
	for _, t := range h {
		info := TableInfo{Name: t.Name}
		for _, c := range t.Columns {
			info.Columns = append(info.Columns, ColumnInfo{c.Name, c.Kind})
		}
		out = append(out, info)
	}
	return out
}

func (h held) Read(_ context.Context, table string, columns []ColumnInfo, s *Strings) (*Table, []error, error) {
	for _, t := range h {
		if t.Name != table {
			continue
		}
		out := &Table{Name: table, Rows: t.Rows}
		for _, a := range columns {
			c := t.Col(a.Name)
			if c == nil { // rowid
				c = &Column{Name: a.Name}
				for i := range t.Rows {
					c.Ints = append(c.Ints, int64(i+1))
				}
			}
			out.Columns = append(out.Columns, c)
		}
		return out, nil, nil
	}
	return nil, nil, fmt.Errorf("no table %s", table)
}

// rowsOf makes a table of rows of integers.
func rowsOf(name string, columns []string, rows ...[]int64) *Table {
	t := &Table{Name: name, Rows: len(rows)}
	for k, c := range columns {
		v := make([]int64, len(rows))
		for i, r := range rows {
			v[i] = r[k]
		}
		t.AddInts(c, v, nil)
	}
	return t
}

// picking is a trace of two processes, 1 with threads 1 and 2, 2 with thread 3;
// each call causes a kernel of the same correlation number, but for the third.
func picking() *Trace {
	id := func(pid, tid int64) int64 { return int64(MakeGlobalID(0x80, 0, pid, tid)) } // hardware 0x80 is negative
	calls := rowsOf(TableRuntime, []string{"start", "end", "globalTid", "correlationId"},
		[]int64{10, 11, id(1, 1), 1}, []int64{20, 21, id(1, 2), 2}, []int64{30, 31, id(1, 1), 3}, []int64{40, 41, id(2, 3), 1}, []int64{50, 51, id(1, 1), 4})
	kernels := rowsOf(TableKernel, []string{"start", "end", "globalPid", "correlationId", "deviceId", "streamId", "shortName", "demangledName"},
		[]int64{12, 15, id(1, 0), 1, 0, 7, 100, 101}, []int64{22, 25, id(1, 0), 2, 1, 8, 102, 103}, []int64{42, 45, id(2, 0), 1, 0, 7, 100, 101})
	copies := rowsOf(TableMemcpy, []string{"start", "end", "globalPid", "correlationId", "deviceId", "streamId"}, []int64{52, 53, id(1, 0), 4, 0, 9})
	osrt := rowsOf("OSRT_API", []string{"start", "end", "globalTid"}, []int64{5, 6, id(1, 1)}, []int64{10, 12, id(1, 1)}, []int64{25, 26, id(1, 2)}, []int64{45, 46, id(2, 3)})
	nvtx := rowsOf(TableNvtx, []string{"start", "end", "eventType", "globalTid", "textId"},
		[]int64{0, 0, NvtxDomainCreate, id(1, 1), 200}, []int64{9, 14, NvtxPushPop, id(1, 1), 201}, []int64{18, 60, NvtxStartEnd, id(2, 3), 202}, []int64{19, 22, NvtxMark, id(1, 2), 203})
	texts := &Table{Name: "StringIds", Rows: 8}
	texts.AddInts("id", []int64{100, 101, 102, 103, 200, 201, 202, 203}, nil)
	value := &Column{Name: "value", Kind: Texts}
	tr := New("made", nil)
	for _, s := range []string{"add", "void add<float>(int)", "gemm", "gemm_nn", "domain", "step 1", "step 2", "mark"} {
		value.Syms = append(value.Syms, tr.Strings.Intern(s))
	}
	texts.Columns = append(texts.Columns, value)
	tr.source = held{calls, kernels, copies, osrt, nvtx, texts}
	return tr
}

func TestPick(t *testing.T) {
	tables := []string{TableRuntime, TableKernel, TableMemcpy, "OSRT_API", TableNvtx}
	for _, c := range []struct {
		name string
		sel  Selection
		want [5]string // row numbers of the tables
	}{
		{"all", Selection{}, [5]string{"12345", "123", "1", "1234", "1234"}},
		{"device", Selection{Devices: []int64{1}}, [5]string{"2", "2", "", "1234", "1234"}},
		{"process", Selection{Processes: []int64{2}}, [5]string{"4", "3", "", "4", "3"}},
		{"stream", Selection{Streams: []int64{7}}, [5]string{"14", "13", "", "1234", "1234"}},
		{"thread", Selection{Threads: []ThreadID{{-1, 1}}}, [5]string{"135", "1", "1", "12", "12"}},
		{"unit", Selection{Units: []Unit{{MakeGlobalID(0x80, 0, 1, 0), 0}}}, [5]string{"15", "1", "1", "123", "124"}},
		{"whole process", Selection{Units: []Unit{{MakeGlobalID(0x80, 0, 1, 0), -1}}}, [5]string{"1235", "12", "1", "123", "124"}},
		{"kernel", Selection{Kernels: regexp.MustCompile("^add$")}, [5]string{"14", "13", "", "1234", "1234"}},
		{"long name", Selection{Kernels: regexp.MustCompile("float")}, [5]string{"14", "13", "", "1234", "1234"}},
		{"range", Selection{Ranges: regexp.MustCompile("step 1")}, [5]string{"1", "1", "", "2", "12"}},
		{"range of a process", Selection{Ranges: regexp.MustCompile("2$")}, [5]string{"4", "3", "", "4", "13"}},
		{"thread and kernel", Selection{Threads: []ThreadID{{-1, 1}}, Kernels: regexp.MustCompile("gemm")}, [5]string{"", "", "", "12", "12"}},
	} {
		p := picking().Pick(c.sel)
		for i, table := range tables {
			got := ""
			tab, err := p.Table(context.Background(), table, "rowid", "start")
			if err != nil {
				t.Fatal(c.name, err)
			}
			for _, r := range tab.Ints("rowid") {
				got += fmt.Sprint(r)
			}
			parts := ""
			err = p.ScanColumns(context.Background(), table, []string{"rowid"}, func(t *Table) error {
				for _, r := range t.Ints("rowid") {
					parts += fmt.Sprint(r)
				}
				return nil
			})
			if got != c.want[i] || parts != got || err != nil {
				t.Errorf("%s: rows %q of %s, in parts %q, want %q; %v", c.name, got, table, parts, c.want[i], err)
			}
		}
	}
	if !(&Selection{}).IsZero() || (&Selection{Fold: true}).IsZero() {
		t.Error("IsZero")
	}
}

func TestFoldNumbers(t *testing.T) {
	p := picking().Pick(Selection{Fold: true})
	r, err := p.Ranges(context.Background())
	if err != nil || r.Text[0] != r.Text[1] || p.Strings.Text(r.Text[0]) != "step N" {
		t.Errorf("%v, %v", r, err)
	}
	for in, want := range map[string]string{
		"":                       "",
		"aten::conv2d, seq = 12": "aten::conv2d, seq = N",
		"op_id = 7, seq = 1.5":   "op_id = N, seq = N",
		"step_12":                "step_N",
		"ProfilerStep#3":         "ProfilerStep#N",
		"0x7fab at 3.":           "N at N.",
		"conv2d 3x3 layer1":      "conv2d 3x3 layer1",
		"1":                      "N",
		"größe 12é 5":            "größe 12é N",
	} {
		if got := foldNumbers(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
