package nsysdb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// kernelTable is as wide as the kernel table of a recent export.
func kernelTable() string {
	names := "start end deviceId contextId greenContextId streamId correlationId globalPid demangledName shortName mangledName " +
		"launchType cacheConfig registersPerThread gridX gridY gridZ blockX blockY blockZ staticSharedMemory dynamicSharedMemory " +
		"localMemoryPerThread localMemoryTotal gridId sharedMemoryExecuted graphNodeId sharedMemoryLimitConfig qmdBulkReleaseDone " +
		"qmdPreexitDone qmdLastCtaDone graphId clusterX clusterY clusterZ clusterSchedulingPolicy maxPotentialClusterSize maxActiveClusters " +
		"sharedMemoryRequestedPercentage tensorSizeMinusOneElements"
	return "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (" + strings.ReplaceAll(names, " ", " INTEGER, ") + " INTEGER)"
}

func kernelRows(tw *TableWriter, rows int) error {
	r := rand.New(rand.NewPCG(1, 1))
	n := len(tw.Columns())
	vs := make([]Vector, n)
	null := make([]bool, rows)
	for i := range null {
		null[i] = true
	}
	for c := range n {
		v := make([]int64, rows)
		at := int64(60_000_000_000)
		for i := range v {
			switch {
			case c < 2:
				at += r.Int64N(4000)
				v[i] = at
			case c == 6:
				v[i] = int64(i)
			case c == 7:
				v[i] = 0x0001_19f808_000000
			case c < 12:
				v[i] = r.Int64N(100)
			default:
				v[i] = int64(c % 5 * 64)
			}
		}
		vs[c] = Integers(v, nil)
		if c == 4 || c == 26 || c > 28 {
			vs[c].Null = null
		}
	}
	return tw.Append(rows, vs)
}

func benchmarkFile(b *testing.B, rows int) string {
	path := filepath.Join(b.TempDir(), "kernels.sqlite")
	err := WriteFile(path, 4096, func(w *Writer) error {
		tw, err := w.Table(kernelTable())
		if err != nil {
			return err
		}
		return kernelRows(tw, rows)
	})
	if err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkScan reads 3, 11 and 20 columns of a kernel table of 40; run it with
// -cpu 1 for the rate of one core.
func BenchmarkScan(b *testing.B) {
	const rows = 1 << 20
	path := benchmarkFile(b, rows)
	f := open(b, path)
	t := f.Tables()[0]
	for _, cols := range []int{3, 11, 20} {
		b.Run(fmt.Sprintf("columns=%d", cols), func(b *testing.B) {
			var asks []Ask
			for _, c := range t.Columns[:cols] {
				if c.Name != "greenContextId" {
					asks = append(asks, Integer(c.Name))
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				if err := t.Scan(context.Background(), func(b *Block) error { n += b.Rows; return nil }, asks...); err != nil || n != rows {
					b.Fatal(n, err)
				}
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	const rows = 1 << 19
	path := filepath.Join(b.TempDir(), "out.sqlite")
	for b.Loop() {
		err := WriteFile(path, 4096, func(w *Writer) error {
			tw, err := w.Table(kernelTable())
			if err != nil {
				return err
			}
			return kernelRows(tw, rows)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
