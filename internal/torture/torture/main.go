// Command torture breaks profiles and looks what gpuprof does with them; package
// torture says how.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/internal/torture"
)

func main() {
	if torture.Lean() {
		return
	}
	var o torture.Options
	flag.StringVar(&o.Gpuprof, "gpuprof", "gpuprof", "the built `COMMAND`")
	flag.IntVar(&o.Runs, "runs", 5000, "how `many`")
	flag.IntVar(&o.From, "from", 0, "the number of the first `RUN`, to make a find again")
	flag.Uint64Var(&o.Seed, "seed", 1, "the same `NUMBER` gives the same runs")
	flag.IntVar(&o.Workers, "j", 0, "how `many` at a time; 0: one for each processor")
	flag.DurationVar(&o.For, "for", 0, "end after a `TIME`")
	flag.StringVar(&o.Keep, "keep", "", "keep the inputs of finds in the `FOLDER`")
	root := flag.String("root", ".", "the checkout's `FOLDER`")
	corpus := flag.String("corpus", "", "a `FOLDER` of real profiles; its small files are broken too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, *root, *corpus); err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o torture.Options, root, corpus string) (err error) {
	if o.Seeds, err = torture.Seeds(root, corpus); err != nil {
		return err
	}
	if o.Seeds, err = torture.Known(ctx, o.Gpuprof, o.Seeds); err != nil {
		return err
	}
	if o.Keep != "" {
		if err := os.MkdirAll(o.Keep, 0o700); err != nil {
			return err
		}
	}
	fmt.Printf("%d runs of seed %d from %d files\n", o.Runs, o.Seed, len(o.Seeds))
	o.Found = func(f torture.Find) {
		fmt.Printf("run %d: %s\n  gpuprof %s  (from %s) %s\n", f.Run, f.What, strings.Join(f.Args, " "), f.Seed, f.File)
	}
	begin := time.Now()
	o.Done = func(runs int) { fmt.Fprintf(os.Stderr, "%d runs in %v\n", runs, time.Since(begin).Round(time.Second)) }
	r, err := torture.Run(ctx, o)
	if r == nil {
		return err
	}
	fmt.Printf("%d runs in %v, slowest %v of processor time, highest peak %d MiB, longest output %d KiB\n", r.Runs, r.Took.Round(1e9), r.Slowest.Round(1e6), r.Memory>>20, r.Output>>10)
	for _, code := range slices.Sorted(maps.Keys(r.Exits)) {
		fmt.Printf("  exit %d: %d\n", code, r.Exits[code])
	}
	if len(r.Finds) > 0 {
		return fmt.Errorf("%d finds", len(r.Finds))
	}
	return err
}
