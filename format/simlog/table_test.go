package simlog_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/parquet-go/parquet-go"
)

const table = `# clock_mhz = 1980
# level L1D bytes = 122880
# level SMEM bytes = 65536
# kernel 25 name = gemm, tiled
# kernel 25 end = 900
cycle,level,bank,address,size,op,status,kernel
10,L1D,0,4096,32,load,MISS,25
11,l1d,1,0x1020,128,Store,0,25
12,SMEM,3,64,4,w,,25
12,"L2",0,4096,32,read,reservation_fail,25
20,L1D,0,4096,32,load,HIT,26
50,,,,,end,,26
`

const tableWant = `start 0 id 25 "gemm, tiled" L1 0
10 L1D load MISS 0/0 1000
11 L1D store HIT 1/1 1020
12 SMEM store UNKNOWN 3/3 40
12 L2 load RESERVATION_FAIL 0/0 1000
end 0 id 25 cycles 900 of 0, insn 0, 0 s, 0 stats
start 1 id 26 "" L1 0
20 L1D load HIT 0/0 1000
end 1 id 26 cycles 50 of 0, insn 0, 0 s, 0 stats
`

func TestTable(t *testing.T) {
	src, err := simlog.NewSource(context.Background(), "t.csv", strings.NewReader(table), simlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := transcript(src)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(tableWant, got); d != "" {
		t.Error(d)
	}
	if len(src.Notes()) > 0 {
		t.Error(src.Notes())
	}
	want := simlog.Config{ClockMHz: 1980, L1Bytes: 122880, Levels: map[string]int64{"L1D": 122880, "SMEM": 65536}}
	if d := cmp.Diff(want, src.Config()); d != "" {
		t.Error(d)
	}
	if tl := src.Tally(); tl.Lines != 12 || tl.Accesses != 5 || tl.Other != 7 || tl.Kernels != 2 {
		t.Errorf("tally %+v", tl)
	}
}

func TestTableSizes(t *testing.T) {
	r := simlog.NewTableReader(context.Background(), strings.NewReader("cycle,level,address,op,size\n1,L2,0,load,128\n2,L2,0,load,\n"))
	b, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]uint32{128, 0}, b.Size); d != "" {
		t.Error(d)
	}
}

// A bad row is left out and said so; its neighbours stay.
func TestTableBadRows(t *testing.T) {
	head := "op,status,address,level,bank,cycle,kernel,size\n"
	good := "load,HIT,64,L2,0,5,1,32\n"
	for _, test := range []struct{ row, note string }{
		{"load,HIT,64,L2,0,five,1,32", "cycle"},
		{"load,HIT,64,L2,0,5,one,32", "kernel"},
		{"jump,HIT,64,L2,0,5,1,32", "op"},
		{"load,MAYBE,64,L2,0,5,1,32", "status"},
		{"load,HIT,64,,0,5,1,32", "level"},
		{"load,HIT,64,L2,70000,5,1,32", "bank"},
		{"load,HIT,64,L2,-1,5,1,32", "bank"},
		{"load,HIT,0xg,L2,0,5,1,32", "address"},
		{"load,HIT,,L2,0,5,1,32", "address"},
		{"load,HIT,64,L2,0,5,1,100000", "size"},
		{"load,HIT", "too few columns"},
	} {
		r := simlog.NewTableReader(context.Background(), strings.NewReader(head+good+test.row+"\n"+good))
		got, err := transcript(r)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(got, "5 L2 load HIT"); n != 2 {
			t.Errorf("%s: %d good rows", test.row, n)
		}
		if !strings.Contains(noteTexts(r), "line 3: a") || !strings.Contains(noteTexts(r), test.note) {
			t.Errorf("%s: notes %q, want %q", test.row, noteTexts(r), test.note)
		}
		if r.Tally().Malformed != 1 {
			t.Errorf("%s: tally %+v", test.row, r.Tally())
		}
	}
}

func TestTableWithoutColumns(t *testing.T) {
	r := simlog.NewTableReader(context.Background(), strings.NewReader("cycle,address\n1,2\n"))
	_, err := transcript(r)
	var fe *simlog.FormatError
	if !errors.As(err, &fe) || !strings.Contains(err.Error(), "without level, op") {
		t.Errorf("error %v", err)
	}
}

type parquetRow struct {
	Cycle   int64   `parquet:"cycle"`
	Level   string  `parquet:"level,dict"`
	Bank    int32   `parquet:"bank"`
	Address uint64  `parquet:"address"`
	Size    int32   `parquet:"size,optional"`
	Op      string  `parquet:"op,dict"`
	Status  string  `parquet:"status"`
	Kernel  int64   `parquet:"kernel"`
	Extra   float64 `parquet:"extra"`
}

func TestParquet(t *testing.T) {
	var file bytes.Buffer
	w := parquet.NewGenericWriter[parquetRow](&file, parquet.KeyValueMetadata("clock_mhz", "1980"),
		parquet.KeyValueMetadata("level L1D bytes", "122880"), parquet.KeyValueMetadata("level SMEM bytes", "65536"),
		parquet.KeyValueMetadata("kernel 25 name", "gemm, tiled"), parquet.KeyValueMetadata("kernel 25 end", "900"))
	_, err := w.Write([]parquetRow{
		{10, "L1D", 0, 4096, 32, "load", "MISS", 25, 0.5},
		{11, "l1d", 1, 0x1020, 128, "Store", "0", 25, 0},
		{12, "SMEM", 3, 64, 4, "w", "", 25, 0},
		{12, "L2", 0, 4096, 32, "read", "reservation_fail", 25, 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil { // a second row group
		t.Fatal(err)
	}
	w.Write([]parquetRow{{20, "L1D", 0, 4096, 32, "load", "HIT", 26, 0}, {50, "", 0, 0, 0, "end", "", 26, 0}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	src, err := simlog.NewParquetReader(context.Background(), "t.parquet", bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	got, err := transcript(src)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(tableWant, got); d != "" {
		t.Error(d)
	}
	if c := src.Config(); c.ClockMHz != 1980 || c.Levels["SMEM"] != 65536 {
		t.Errorf("config %+v", c)
	}
	if err := src.Close(); err != nil {
		t.Error(err)
	}
	// Damage anywhere is an error or a note, never a panic.
	for i := 0; i < file.Len(); i += 31 {
		damaged := bytes.Clone(file.Bytes())
		damaged[i] ^= 0x55
		src, err := simlog.NewParquetReader(context.Background(), "t.parquet", bytes.NewReader(damaged), int64(len(damaged)))
		if err != nil {
			continue
		}
		for {
			if _, err := src.Next(); err != nil {
				if err != io.EOF {
					var fe *simlog.FormatError
					if !errors.As(err, &fe) {
						t.Errorf("byte %d: error %v", i, err)
					}
				}
				break
			}
		}
	}
}
