package nvtxt_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/gpuprof/gpuprof/format/nvtxt"
)

// A program writes its annotations as they happen.
func ExampleWriter() {
	w := nvtxt.NewWriter(os.Stdout, nvtxt.WriterOptions{})
	w.SetFileDisplayName("training")
	w.NameOsThread(1844, 7, "data loader")
	w.Push(1000, 1844, 7, "epoch 1")
	w.Push(1100, 1844, 7, `read "train.bin"`)
	w.Pop(1500, 1844, 7)
	w.Pop(2000, 1844, 7)
	w.Event(&nvtxt.Event{
		Type: nvtxt.TypeMarker, Start: 2100, Process: 1844, Thread: 7,
		Text: "checkpoint", HasColor: true, Color: 0xFF76B900,
	})
	if err := w.Flush(); err != nil { // the first error of all calls above
		fmt.Println(err)
	}
	// Output:
	// SetFileDisplayName, "training"
	// NameOsThread, 1844, 7, "data loader"
	// TimeBase = Manual
	// ProcessId = 1844
	// ThreadId = 7
	// @RangePush, Time, Message
	// RangePush, 1000, "epoch 1"
	// RangePush, 1100, 'read "train.bin"'
	// @RangePop, Time
	// RangePop, 1500
	// RangePop, 2000
	// @Marker, Time, Color, Message
	// Marker, 2100, 0xFF76B900, "checkpoint"
}

func ExampleLoad() {
	const text = `TimeBase = Manual
ProcessId = 1844
@RangePush, Time, Message
@RangePop, Time
RangePush, 1000, "outer"
RangePush, 1100, "inner"
RangePop, 1200
RangePop, $Nope
RangePop, 1300
`
	f, err := nvtxt.Load(context.Background(), strings.NewReader(text), int64(len(text)), "x.nvtxt", nvtxt.LoadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range f.Events.All() {
		fmt.Printf("%s %q from %d to %d ns\n", e.Type, e.Text, e.Start, e.End)
	}
	f.Diagnostics.WriteText(os.Stdout)
	// Output:
	// push/pop range "outer" from 1000 to 1300 ns
	// push/pop range "inner" from 1100 to 1200 ns
	// x.nvtxt:8:11: lexing error: variable "Nope" has not been assigned; expected a line 'Nope = value' before this one
	//     RangePop, $Nope
	//               ^
}

func ExampleFromLog() {
	const log = `12.000000 loader: read 4096 bytes in 1.5ms
12.002000 main: step 1
`
	opt := nvtxt.LogOptions{Rules: []nvtxt.LogRule{
		{Pattern: regexp.MustCompile(`^(?P<time>[\d.]+) (?P<thread>\w+): (?P<message>read .*) in (?P<duration>\S+)`)},
		{Pattern: regexp.MustCompile(`^(?P<time>[\d.]+) (?P<thread>\w+): step (?P<n>\d+)`), Text: "step #$n"},
	}}
	if _, err := nvtxt.FromLog(context.Background(), os.Stdout, strings.NewReader(log), "app.log", opt); err != nil {
		fmt.Println(err)
	}
	// Output:
	// NameOsThread, 0, 8388608, "loader"
	// TimeBase = Manual
	// ProcessId = 0
	// ThreadId = 8388608
	// @RangeStartEnd, Start, End, Message
	// RangeStartEnd, 12000000000, 12001500000, "read 4096 bytes"
	// NameOsThread, 0, 8388609, "main"
	// ThreadId = 8388609
	// @Marker, Time, Message
	// Marker, 12002000000, "step #1"
}
