// Command simloggen writes a simulator log of any size to standard output:
//
//	go run ./format/simlog/loggen/simloggen -bytes 1e9 -kernels 40 >big.log
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/gpuprof/gpuprof/format/simlog/loggen"
)

func main() {
	var o loggen.Options
	size := flag.Float64("bytes", 1e6, "size of the log")
	flag.IntVar(&o.Kernels, "kernels", 4, "number of kernels")
	flag.Uint64Var(&o.Seed, "seed", 1, "seed of the random numbers")
	flag.IntVar(&o.SMs, "sms", 1, "SMs whose L1 accesses are printed")
	flag.BoolVar(&o.Cut, "cut", false, "end within a line, without the last trailer")
	flag.BoolVar(&o.Global, "global", false, "count cycles from the start of the run")
	flag.BoolVar(&o.Probe, "probe", false, "print L2 accesses as stock GPGPU-Sim does")
	flag.Parse()
	o.Bytes = int64(*size)
	t, err := loggen.Write(os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "simloggen:", err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "%d bytes, %d lines, %d kernels\n", t.Bytes, t.Lines, len(t.Kernels))
}
