package simlog_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/gpuprof/gpuprof/format/simlog"
)

func Example() {
	const log = `-kernel name = gemv
-kernel id = 25
GPGPU-Sim Cycle 5380: Load instr from L1D cache at SM 0 bank 0 addr 93ce6c00 status 2
gpu_sim_cycle = 31057
`
	src := simlog.NewReader(context.Background(), strings.NewReader(log), simlog.Options{})
	for {
		b, err := src.Next()
		if err == io.EOF {
			break
		}
		for i, info := range b.Info {
			fmt.Printf("cycle %d: %s %s of %#x, %s\n", b.Cycle[i], src.Levels()[info.Level()], info.Op(), b.Addr[i], info.Status())
		}
		for _, e := range b.Events {
			if e.Kind == simlog.KernelEnd {
				fmt.Printf("kernel %d, %s, took %d cycles\n", e.Kernel.ID, e.Kernel.Name, e.Kernel.Cycles)
			}
		}
	}
	// Output:
	// cycle 5380: L1D load of 0x93ce6c00, MISS
	// kernel 25, gemv, took 31057 cycles
}
