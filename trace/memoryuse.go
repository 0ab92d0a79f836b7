package trace

import (
	"cmp"
	"slices"
)

// TableMemoryUsage has the allocations of device memory.
const TableMemoryUsage = "CUDA_GPU_MEMORY_USAGE_EVENTS"

// MemoryColumns are what [ReplayMemory] needs of TableMemoryUsage.
var MemoryColumns = []string{"start", "globalPid", "deviceId", "address", "bytes", "memKind", "memoryOperationType"}

// A MemoryUse is the memory of one kind of a process on a device.
type MemoryUse struct {
	Process      GlobalID
	Device, Kind int64

	Allocations, Frees int64
	Unmatched          int64           // frees of what was not seen being allocated
	Allocated          int64           // bytes, all in all
	Used, Peak, PeakAt int64           // bytes now, bytes at most, and when, ns
	Held               map[int64]int64 // bytes by address
}

// ReplayMemory replays allocations in the order of time; step, which may be nil, is
// told of each row after it. What was allocated before the trace began is not
// known: that it is freed changes nothing.
func ReplayMemory(t *Table, step func(row int, u *MemoryUse)) []*MemoryUse {
	start, pid, device, kind := t.Ints("start"), t.Ints("globalPid"), t.Ints("deviceId"), t.Ints("memKind")
	address, size, operation := t.Ints("address"), t.Ints("bytes"), t.Ints("memoryOperationType")
	order := make([]int, t.Rows)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(start[a], start[b]) })
	by := map[[3]int64]*MemoryUse{}
	var all []*MemoryUse
	for _, i := range order {
		k := [3]int64{pid[i], device[i], kind[i]}
		u := by[k]
		if u == nil {
			u = &MemoryUse{Process: GlobalID(pid[i]), Device: device[i], Kind: kind[i], PeakAt: start[i], Held: map[int64]int64{}}
			by[k] = u
			all = append(all, u)
		}
		if operation[i] == 0 {
			u.Allocations++
			u.Allocated += size[i]
			u.Used += size[i] - u.Held[address[i]]
			u.Held[address[i]] = size[i]
			if u.Used > u.Peak {
				u.Peak, u.PeakAt = u.Used, start[i]
			}
		} else {
			u.Frees++
			if bytes, ok := u.Held[address[i]]; ok {
				u.Used -= bytes
				delete(u.Held, address[i])
			} else {
				u.Unmatched++
			}
		}
		if step != nil {
			step(i, u)
		}
	}
	return all
}
