package annotate_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/gpuprof/gpuprof/annotate"
)

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
	f, err := annotate.Load(context.Background(), strings.NewReader(text), int64(len(text)), "x.nvtxt", annotate.LoadOptions{})
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
	opt := annotate.LogOptions{Rules: []annotate.LogRule{
		{Pattern: regexp.MustCompile(`^(?P<time>[\d.]+) (?P<thread>\w+): (?P<message>read .*) in (?P<duration>\S+)`)},
		{Pattern: regexp.MustCompile(`^(?P<time>[\d.]+) (?P<thread>\w+): step (?P<n>\d+)`), Text: "step #$n"},
	}}
	if _, err := annotate.FromLog(context.Background(), os.Stdout, strings.NewReader(log), "app.log", opt); err != nil {
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
