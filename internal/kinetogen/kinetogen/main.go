// Command kinetogen writes a made-up PyTorch trace to standard output.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/gpuprof/gpuprof/internal/kinetogen"
)

func main() {
	var o kinetogen.Options
	flag.IntVar(&o.Steps, "steps", 10, "steps of the training loop")
	flag.IntVar(&o.Layers, "layers", 100, "layers of a step; each is 9 events, about 3 kB")
	flag.BoolVar(&o.Old, "old", false, "as of 2020")
	flag.BoolVar(&o.Indent, "indent", false, "an event on several lines")
	flag.Parse()
	t, err := kinetogen.Write(os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "%+v\n", t)
}
