package lifetime_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/lifetime"
)

// A block is brought in at cycle 100 and read again at 300; the kernel ends at
// 1100. At 1 GHz its data live for 1 us.
func Example() {
	const log = `Processing kernel traces/kernel-7.traceg
-kernel id = 7
GPGPU-Sim Cycle 100: Load instr from L2 cache at partition 1 addr 1000 status 2
GPGPU-Sim Cycle 300: Load instr from L2 cache at partition 1 addr 1000 status 0
gpu_sim_cycle = 1100
`
	ctx := context.Background()
	src := simlog.NewReader(ctx, strings.NewReader(log), simlog.Options{})
	a, err := lifetime.Analyze(ctx, src, lifetime.Settings{Machine: lifetime.Machine{ClockMHz: 1000}})
	if err != nil {
		fmt.Println(err)
		return
	}
	l2 := a.Total("L2")
	fmt.Println(l2.Lifetimes.N(), "lifetime of", a.Machine.US(l2.Lifetimes.Mean()), "us")
	fmt.Println("held by 2 us of retention:", a.Machine.ShareWithin(&l2.Lifetimes, 2000))
	// Output:
	// 1 lifetime of 1 us
	// held by 2 us of retention: 1
}
