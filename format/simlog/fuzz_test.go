package simlog

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/fstest"

	"github.com/parquet-go/parquet-go"
)

// exhaust reads a source to its end and checks what must hold of every batch.
func exhaust(t *testing.T, src Source) {
	t.Helper()
	running := false
	var accesses, kernels int64
	for {
		b, err := src.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var fe *FormatError
			if !errors.As(err, &fe) {
				t.Fatalf("error %v", err)
			}
			break
		}
		if len(b.Cycle) != b.Len() || len(b.Addr) != b.Len() || len(b.Size) != 0 && len(b.Size) != b.Len() {
			t.Fatal("columns of different length")
		}
		pos := 0
		for _, e := range b.Events {
			if e.At < pos || e.At > b.Len() {
				t.Fatalf("event at %d of %d", e.At, b.Len())
			}
			if e.At > pos && !running {
				t.Fatal("accesses outside of any kernel")
			}
			pos = e.At
			if running == (e.Kind == KernelStart) {
				t.Fatal("kernels do not start and end in turn")
			}
			if running = e.Kind == KernelStart; running {
				kernels++
			}
		}
		if pos < b.Len() && !running {
			t.Fatal("accesses outside of any kernel")
		}
		accesses += int64(b.Len())
		levels := len(src.Levels())
		for _, i := range b.Info {
			if int(i.Level()) >= levels {
				t.Fatal("a level without name")
			}
		}
	}
	tl := src.Tally()
	if tl.Accesses != accesses || tl.Kernels != kernels {
		t.Fatalf("tally %+v, delivered %d accesses, %d kernels", tl, accesses, kernels)
	}
	if _, scale := src.(*ScaleSim); !scale && tl.Lines != tl.Accesses+tl.Malformed+tl.Other {
		t.Fatalf("tally %+v does not add up", tl)
	}
}

func FuzzLog(f *testing.F) {
	f.Add([]byte("Processing kernel a\n-kernel name = x\n-kernel id = 1\nGPGPU-Sim Cycle 5380: Load instr from L1D cache at SM 0 bank 0 addr 93ce6c00 status 2\ngpu_sim_cycle = 9\n"))
	f.Add([]byte("kernel_name = a \ngpu_sim_cycle = 9\nkernel_name = a \nGPGPU-Sim Cycle 1: Store instr to L9 cache at cluster 4 slice 3 addr 0x1 status 0\n"))
	f.Add([]byte("-gpgpu_concurrent_kernel_sm 1\nlaunching kernel name: a uid: 1 \nlaunching kernel name: b uid: 2 \nkernel_name = b\nGPGPU-Sim Cycle 5: MEMORY_SUBPARTITION_UNIT -  14 - Probing L2 cache Address=c0, status=0\n"))
	f.Add([]byte("\tL1D_cache_core[0]: Access = 256, Miss = 256, Miss_rate = -nan\nGPGPU-Sim PTX: pushing kernel 'a' to stream 0, gridDim= (8,1,1) blockDim = (256,1,1)\ngpu_sim_cycle = 1\nL2_BW = 5.0 GB/Sec"))
	f.Fuzz(func(t *testing.T, log []byte) {
		exhaust(t, NewReader(context.Background(), bytes.NewReader(log), Options{}))
	})
}

func FuzzTable(f *testing.F) {
	f.Add([]byte("# clock_mhz = 5\n# kernel 1 end = 9\ncycle,level,bank,address,size,op,status,kernel\n10,L1D,0,4096,32,load,MISS,25\n5,X,0,0x10,,end,,25\n"))
	f.Add([]byte("cycle,address,op,level\n-1,2,w,\"a\"\n"))
	f.Fuzz(func(t *testing.T, csv []byte) {
		exhaust(t, NewTableReader(context.Background(), bytes.NewReader(csv)))
	})
}

func FuzzScaleSim(f *testing.F) {
	f.Add([]byte("-3.0,1.0,-1\n4,5,5,5\n2,1e3\n"), []byte("1,2\n"), []byte("LayerID, Total Cycles,\n0, 5,\n"))
	f.Fuzz(func(t *testing.T, dram, sram, report []byte) {
		fsys := fstest.MapFS{
			"IFMAP_DRAM_TRACE.csv": {Data: dram}, "IFMAP_SRAM_TRACE.csv": {Data: sram},
			"OFMAP_DRAM_TRACE.csv": {Data: sram}, "COMPUTE_REPORT.csv": {Data: report}, "DETAILED_ACCESS_REPORT.csv": {Data: report},
		}
		s, err := OpenScaleSim(context.Background(), fsys, "run")
		if err != nil {
			t.Fatal(err)
		}
		exhaust(t, s)
		for _, tr := range s.Traces {
			if tr.Accesses > 0 && tr.First > tr.Last {
				t.Fatalf("trace %+v", tr)
			}
		}
	})
}

// FuzzSource lets the input decide its format: compressed or not, log or table.
func FuzzSource(f *testing.F) {
	f.Add([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0})
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd, 4, 0})
	f.Add([]byte("#x\ncycle,level,address,op\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		src, err := NewSource(context.Background(), "fuzz", bytes.NewReader(data), Options{Workers: 2})
		if err != nil {
			return
		}
		defer src.Close()
		for {
			if _, err := src.Next(); err != nil {
				break
			}
		}
	})
}

func FuzzParquet(f *testing.F) {
	f.Add([]byte("PAR1PAR1"))
	var file bytes.Buffer
	w := parquet.NewGenericWriter[struct {
		Cycle   int64  `parquet:"cycle"`
		Level   string `parquet:"level,dict"`
		Address uint64 `parquet:"address"`
		Op      string `parquet:"op"`
	}](&file)
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		src, err := NewParquetReader(context.Background(), "fuzz", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		exhaust(t, src)
	})
}
