//go:build unix

package nsysdb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// reportRate reports rows for each second of CPU time, of the process and of the
// system for it: the clock on the wall also counts what else the machine does.
func reportRate(b *testing.B, rows int, body func()) {
	start := cpu(b)
	for b.Loop() {
		body()
	}
	b.ReportMetric(float64(rows)*float64(b.N)/(cpu(b)-start)/1e6, "Mrows/cpu-s")
}

// cpu is the CPU time that the process has taken, in seconds.
func cpu(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

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
	return tw.Append(rows, kernelVectors(len(tw.Columns()), rows))
}

func kernelVectors(n, rows int) []Vector {
	r := rand.New(rand.NewPCG(1, 1))
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
	return vs
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

// BenchmarkScan reads 3, 11 and 20 columns of a kernel table of 40; the
// rate is that of one core.
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
			reportRate(b, rows, func() {
				n := 0
				if err := t.Scan(context.Background(), func(b *Block) error { n += b.Rows; return nil }, asks...); err != nil || n != rows {
					b.Fatal(n, err)
				}
			})
		})
	}
}

// nowhere takes a database and forgets it.
type nowhere struct{}

func (nowhere) WriteAt(b []byte, _ int64) (int, error) { return len(b), nil }

// BenchmarkWrite writes rows that are ready, of 40 columns, 13 of them NULL: the
// work of the writer alone, and with the operating system's.
func BenchmarkWrite(b *testing.B) {
	const rows = 1 << 19
	fill := func(w *Writer, vs []Vector) error {
		tw, err := w.Table(kernelTable())
		if err != nil {
			return err
		}
		return tw.Append(rows, vs)
	}
	vs := kernelVectors(40, rows)
	run := func(name string, once func() error) {
		b.Run(name, func(b *testing.B) {
			reportRate(b, rows, func() {
				if err := once(); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
	path := filepath.Join(b.TempDir(), "out.sqlite")
	run("file", func() error { return WriteFile(path, 4096, func(w *Writer) error { return fill(w, vs) }) })
	run("nowhere", func() error {
		w, err := newWriter(nowhere{}, 4096)
		if err != nil {
			return err
		}
		if err := fill(w, vs); err != nil {
			return err
		}
		return w.Close()
	})
}
