package ncurep

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// corpusBytes reads all real reports.
func corpusBytes(b *testing.B) (files [][]byte, size int64) {
	for _, name := range corpusFiles(b) {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, data)
		size += int64(len(data))
	}
	return files, size
}

func BenchmarkOpen(b *testing.B) {
	files, size := corpusBytes(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, data := range files {
			if _, err := OpenBytes(data, ""); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkListKernels opens the report with most kernels from disk and goes
// over their names.
func BenchmarkListKernels(b *testing.B) {
	name := filepath.Join(filepath.Dir(corpusFiles(b)[0]), "bwd29__self-join-MiSTIC__profile.ncu-rep")
	b.ReportAllocs()
	for b.Loop() {
		f, err := OpenFile(name)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for _, r := range f.Results {
			n += len(r.DemangledName)
		}
		if len(f.Results) != 154 || n == 0 {
			b.Fatal(len(f.Results))
		}
		f.Close()
	}
}

// BenchmarkDecodeAll decodes everything in every report: all metrics with their
// instances, sections, rule results, states, sources and line tables.
func BenchmarkDecodeAll(b *testing.B) {
	files, size := corpusBytes(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, data := range files {
			f, err := OpenBytes(data, "")
			if err != nil {
				b.Fatal(err)
			}
			if _, err := decodeAll(f); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkDecodeResults is BenchmarkDecodeAll without sources, whose bytes are
// mostly machine code that nobody decodes here; the bytes counted are those of
// the results.
func BenchmarkDecodeResults(b *testing.B) {
	files, _ := corpusBytes(b)
	var reports []*File
	size := int64(0)
	for _, data := range files {
		f, err := OpenBytes(data, "")
		if err != nil {
			b.Fatal(err)
		}
		reports = append(reports, f)
		for _, r := range f.Results {
			size += r.Size()
		}
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range reports {
			clear(f.sections)
			var n tally
			for _, r := range f.Results {
				if err := n.addResult(r); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

// BenchmarkHold decodes every report in full, keeps all of it and reports the
// memory in use relative to the size of the file.
func BenchmarkHold(b *testing.B) {
	for _, name := range corpusFiles(b) {
		b.Run(filepath.Base(name), func(b *testing.B) {
			ratio := 0.0
			for b.Loop() {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				f, err := OpenFile(name)
				if err != nil {
					b.Fatal(err)
				}
				held := []any{f}
				for _, r := range f.Results {
					d, err := r.data()
					if err != nil {
						b.Fatal(err)
					}
					held = append(held, d)
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				ratio = float64(after.HeapAlloc-before.HeapAlloc) / float64(f.in.size)
				runtime.KeepAlive(held)
				f.Close()
			}
			b.ReportMetric(ratio, "held/file")
		})
	}
}
