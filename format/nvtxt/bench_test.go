package nvtxt

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// generate makes a file of about size bytes: ranges and markers of eight
// threads, as a converter of a log or of a profile writes them.
func generate(size int) []byte {
	var b bytes.Buffer
	b.Grow(size + 200)
	b.WriteString("TimeBase = Manual\nProcessId = 4242\n@RangePush, Time, ThreadId, CategoryId, Color, Message\n" +
		"@RangePop, Time, ThreadId\n@RangeStartEnd, Start, End, ThreadId, Message\n@Marker, Time, ThreadId, Message, Payload\n")
	rnd := rand.New(rand.NewPCG(1, 2))
	colors := []string{"Blue", "PaleGreen", "0xFF76B900", "4473924"}
	for t := int64(1_000_000_000_000); b.Len() < size; t += rnd.Int64N(50_000) {
		tid := rnd.IntN(8)
		switch rnd.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "RangePush, %d, %d, %d, %s, \"layer %d forward\"\n", t, tid, rnd.IntN(5), colors[rnd.IntN(4)], rnd.IntN(2000))
		case 1:
			fmt.Fprintf(&b, "RangePop, %d, %d\n", t, tid)
		case 2:
			fmt.Fprintf(&b, "RangeStartEnd, %d, %d, %d, \"void gemm<float, %d>(float const*, int)\"\n", t, t+rnd.Int64N(100_000), tid, rnd.IntN(500))
		case 3:
			fmt.Fprintf(&b, "Marker, %d, %d, 'iteration', %d\n", t, tid, rnd.IntN(1e6))
		}
	}
	return b.Bytes()
}

func BenchmarkReader(b *testing.B) {
	data := generate(32 << 20)
	for _, o := range []Options{{}, {Dialect: Nsys}, {Notes: true}} {
		b.Run(fmt.Sprintf("%v,notes=%v", o.Dialect, o.Notes), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				r := NewReader(bytes.NewReader(data), "x", o)
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
	for _, d := range []Dialect{Guide, Nsys} {
		b.Run(d.String(), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				f, err := Load(context.Background(), bytes.NewReader(data), int64(len(data)), "x", LoadOptions{Options: Options{Dialect: d}})
				if err != nil || f.Diagnostics.Err() != nil || f.Events.Len() == 0 {
					b.Fatal(err, f.Diagnostics.Err())
				}
			}
		})
	}
}
