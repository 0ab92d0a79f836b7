package annotate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/nvtxt"

	"github.com/gpuprof/gpuprof/trace"
)

// Target tells which machine the processes of a file ran on, as global ids of
// Nsight Systems do.
type Target struct {
	Hw, Vm uint8
}

// ParseTarget reads "HW:VM", such as "0:1".
func ParseTarget(s string, d nvtxt.Dialect) (Target, error) {
	hw, vm, ok := strings.Cut(s, ":")
	if ok {
		size := 8
		if d == nvtxt.Nsys {
			size = 32 // the importer keeps the low 8 bits
		}
		h, err1 := strconv.ParseUint(hw, 10, size)
		v, err2 := strconv.ParseUint(vm, 10, size)
		if err1 == nil && err2 == nil {
			return Target{Hw: uint8(h), Vm: uint8(v)}, nil
		}
	}
	return Target{}, fmt.Errorf("target %q: expected two numbers up to 255 with a colon between, such as 0:1", s)
}

// GlobalProcess returns the globalPid of a process. Of its id 24 bits count.
func (t Target) GlobalProcess(process uint32) uint64 {
	return t.GlobalThread(process, 0)
}

// GlobalThread returns the globalTid of a thread. Of the ids 24 bits count.
func (t Target) GlobalThread(process, thread uint32) uint64 {
	return uint64(trace.MakeGlobalID(t.Hw, t.Vm, int64(process), int64(thread)))
}
