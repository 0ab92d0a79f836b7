// Command nsysgen writes a database like those of Nsight Systems, of any size,
// for measurements.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
)

func main() {
	size := nsysgen.Default
	out := flag.String("o", "generated.sqlite", "write to `FILE`")
	flag.IntVar(&size.Kernels, "kernels", size.Kernels, "kernels, and as many API calls")
	flag.IntVar(&size.Ranges, "ranges", size.Ranges, "NVTX ranges")
	flag.IntVar(&size.Copies, "copies", size.Copies, "copies")
	flag.IntVar(&size.Threads, "threads", size.Threads, "threads")
	flag.Uint64Var(&size.Seed, "seed", size.Seed, "seed")
	flag.Parse()
	if err := nsysgen.Write(*out, size); err != nil {
		fmt.Fprintln(os.Stderr, "nsysgen:", err)
		os.Exit(1)
	}
}
