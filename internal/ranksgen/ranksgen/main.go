// Command ranksgen writes the reports of a run that never was into a folder.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/gpuprof/gpuprof/internal/ranksgen"
)

func main() {
	s := ranksgen.Default(1)
	flag.IntVar(&s.Ranks, "ranks", 64, "how many ranks")
	flag.IntVar(&s.Steps, "steps", 6, "how many steps")
	flag.Uint64Var(&s.Seed, "seed", 1, "seed of the random numbers")
	flag.Parse()
	s.PerHost, s.Straggler, s.Factor = 8, 3, 1.2
	err := os.MkdirAll(flag.Arg(0), 0o777)
	if err == nil {
		err = ranksgen.Make(s).Write(flag.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ranksgen:", err)
		os.Exit(1)
	}
}
