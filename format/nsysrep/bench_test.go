package nsysrep

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// BenchmarkDecode is of one core: frames are unpacked, counted, and each table
// is read once.
func BenchmarkDecode(b *testing.B) {
	name := filepath.Join(corpustest.Dir(b), "corpus", "nsys-rep", "openhackathons-org__gpubootcamp__hpc_multi_gpu_nways_labs_CFD_English_C_source_code_mpi_reports_report1.qdrep")
	data, err := os.ReadFile(name)
	if err != nil {
		b.Skip(err)
	}
	f, err := Open(bytes.NewReader(data), int64(len(data)), name)
	if err != nil {
		b.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	size := 0
	for _, fr := range f.Frames {
		size += fr.Size
	}
	for _, keep := range []int64{0, 1 << 30} {
		b.Run(map[bool]string{true: "unpacked again", false: "kept"}[keep == 0], func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				x, err := f.Index(context.Background(), keep)
				if err != nil {
					b.Fatal(err)
				}
				for k := range Kinds {
					for _, stacks := range []bool{false, true} {
						x.Scan(context.Background(), Want{Kind: k, Stacks: stacks, Columns: 1<<maxColumns - 1}, func(b *Batch) error { return nil })
					}
				}
			}
		})
	}
}
