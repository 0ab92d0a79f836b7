// Command torchmemgen writes a made-up memory snapshot to standard output.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/gpuprof/gpuprof/internal/torchmemgen"
)

func main() {
	var o torchmemgen.Options
	flag.IntVar(&o.Allocations, "allocations", 100_000, "allocations")
	flag.IntVar(&o.Slots, "slots", 5000, "allocations that live at once, at most")
	flag.IntVar(&o.Stacks, "stacks", 400, "different stacks")
	flag.IntVar(&o.Depth, "depth", 40, "frames of a stack")
	flag.Parse()
	t, err := torchmemgen.Write(os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "%+v\n", t)
}
