package annotate

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/gpuprof/gpuprof/format/nvtxt"
)

// generate makes a file of about size bytes: ranges and markers of eight
// threads, as a converter of a log or of a profile writes them.
func generate(size int) []byte {
	var b bytes.Buffer
	b.Grow(size + 200)
	generateAt(&b, 1_000_000_000_000, size)
	return b.Bytes()
}

// generateAt appends about size bytes with times from t on, and returns the
// last time.
func generateAt(b *bytes.Buffer, t int64, size int) int64 {
	b.WriteString("TimeBase = Manual\nProcessId = 4242\n@RangePush, Time, ThreadId, CategoryId, Color, Message\n" +
		"@RangePop, Time, ThreadId\n@RangeStartEnd, Start, End, ThreadId, Message\n@Marker, Time, ThreadId, Message, Payload\n")
	rnd := rand.New(rand.NewPCG(1, uint64(t)))
	colors := []string{"Blue", "PaleGreen", "0xFF76B900", "4473924"}
	for ; b.Len() < size; t += rnd.Int64N(50_000) {
		tid := rnd.IntN(8)
		switch rnd.IntN(4) {
		case 0:
			fmt.Fprintf(b, "RangePush, %d, %d, %d, %s, \"layer %d forward\"\n", t, tid, rnd.IntN(5), colors[rnd.IntN(4)], rnd.IntN(2000))
		case 1:
			fmt.Fprintf(b, "RangePop, %d, %d\n", t, tid)
		case 2:
			fmt.Fprintf(b, "RangeStartEnd, %d, %d, %d, \"void gemm<float, %d>(float const*, int)\"\n", t, t+rnd.Int64N(100_000), tid, rnd.IntN(500))
		case 3:
			fmt.Fprintf(b, "Marker, %d, %d, 'iteration', %d\n", t, tid, rnd.IntN(1e6))
		}
	}
	return t
}

func BenchmarkReader(b *testing.B) {
	data := generate(32 << 20)
	for _, o := range []nvtxt.Options{{}, {Dialect: nvtxt.Nsys}, {Notes: true}} {
		b.Run(fmt.Sprintf("%v,notes=%v", o.Dialect, o.Notes), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				r := nvtxt.NewReader(bytes.NewReader(data), "x", o)
				for r.Next() {
					n++
				}
				if r.Err() != nil || n == 0 {
					b.Fatal(r.Err())
				}
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	data := generate(32 << 20)
	for _, d := range []nvtxt.Dialect{nvtxt.Guide, nvtxt.Nsys} {
		b.Run(d.String(), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				f, err := Load(context.Background(), bytes.NewReader(data), int64(len(data)), "x", LoadOptions{Options: nvtxt.Options{Dialect: d}})
				if err != nil || f.Diagnostics.Err() != nil || f.Events.Len() == 0 {
					b.Fatal(err, f.Diagnostics.Err())
				}
			}
		})
	}
}

// BenchmarkLoadFile reads 500 MB from disk and tells how much memory it takes
// beyond the events. Run it with -cpu 1 -benchtime 1x.
func BenchmarkLoadFile(b *testing.B) {
	if testing.Short() {
		b.Skip("writes 500 MB")
	}
	name := filepath.Join(b.TempDir(), "big.nvtxt")
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	var part bytes.Buffer
	size, t := int64(0), int64(1_000_000_000_000)
	for range 20 {
		part.Reset()
		t = generateAt(&part, t, 25<<20)
		size += int64(part.Len())
		if _, err := f.Write(part.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
	part = bytes.Buffer{}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	for _, d := range []nvtxt.Dialect{nvtxt.Guide, nvtxt.Nsys} {
		b.Run(d.String(), func(b *testing.B) {
			b.SetBytes(size)
			var before, after runtime.MemStats
			for b.Loop() {
				b.StopTimer()
				debug.FreeOSMemory()
				runtime.ReadMemStats(&before)
				b.StartTimer()
				f, err := LoadFile(context.Background(), name, LoadOptions{Options: nvtxt.Options{Dialect: d}})
				if err != nil || f.Diagnostics.Err() != nil {
					b.Fatal(err, f.Diagnostics.Err())
				}
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(f.Events.Len())/1e6, "Mevents")
				b.ReportMetric(float64(after.HeapSys-after.HeapReleased-before.HeapInuse-eventBytes(f.Events))/(1<<20), "MB-beyond")
				b.ReportMetric(float64(eventBytes(f.Events))/(1<<20), "MB-events")
			}
		})
	}
}

func eventBytes(t *Events) (n uint64) {
	for _, b := range t.blocks {
		n += uint64(unsafe.Sizeof(*b))
		if b.payload != nil {
			n += 8 * blockRows
		}
		if b.id != nil {
			n += 8 * blockRows
		}
	}
	for _, p := range t.Strings.pages {
		n += uint64(p.Cap())
	}
	return n + uint64(len(t.Strings.refs)*refsPer*12)
}
