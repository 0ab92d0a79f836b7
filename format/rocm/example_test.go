package rocm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gpuprof/gpuprof/format/rocm"
)

func ExampleOpen() {
	const text = `"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Private_Segment_Size","Group_Segment_Size","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH",1,1,10,"vadd(float*)",7,1000,1900,0,0,64,1,1,1024,1,1
`
	s, err := rocm.Open(context.Background(), strings.NewReader(text), int64(len(text)), "kernel_trace.csv")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range s.Dispatches {
		fmt.Printf("%s: %s %v in groups of %v, %d ns\n", s.Kind, d.Kernel, d.Grid, d.Group, d.End-d.Start)
	}
	_, err = rocm.Open(context.Background(), strings.NewReader("hello"), 5, "x.csv")
	fmt.Println(errors.Is(err, rocm.ErrUnknown))
	for _, k := range []rocm.Kind{rocm.KindCSV, rocm.KindText, rocm.KindJSON, rocm.KindRocpd, rocm.KindRPD} {
		fmt.Println(k)
	}
	// Output:
	// rocprof CSV: vadd(float*) [1024 1 1] in groups of [64 1 1], 900 ns
	// true
	// rocprof CSV
	// rocprof v2 text
	// rocprofv3 JSON
	// rocpd database
	// RPD database
}
