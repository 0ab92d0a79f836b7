package nvtxt_test

import (
	"fmt"
	"os"

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
