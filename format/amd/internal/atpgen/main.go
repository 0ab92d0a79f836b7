// Command atpgen writes a session file of any size to standard output, for
// measuring how fast such files are read:
//
//	go run ./format/amd/internal/atpgen -calls 10000000 -threads 16 > big.atp
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/gpuprof/gpuprof/format/amd/internal/synth"
)

func main() {
	calls := flag.Int("calls", 1000000, "API calls in the trace")
	threads := flag.Int("threads", 16, "threads in the trace")
	kernels := flag.Int("kernels", 0, "write a counter file with so many kernels instead")
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	flag.Parse()
	var err error
	if *kernels > 0 {
		err = synth.Counters(os.Stdout, *kernels, *seed)
	} else {
		err = synth.Trace(os.Stdout, *calls, *threads, *seed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "atpgen:", err)
		os.Exit(1)
	}
}
