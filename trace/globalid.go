package trace

// A GlobalID is a process or thread as Nsight Systems serializes it: hardware,
// virtual machine, process and thread in 8, 8, 24 and 24 bits. SQLite stores it
// as a signed integer, so that it is negative where the hardware number is 128
// or more.
type GlobalID int64

const tidMask = 1<<24 - 1

// PID is the process id of the operating system.
func (g GlobalID) PID() int64 { return int64(g) >> 24 & tidMask }

// TID is the thread id of the operating system, 0 for a process.
func (g GlobalID) TID() int64 { return int64(g) & tidMask }

// VM is the virtual machine or host.
func (g GlobalID) VM() uint8 { return uint8(uint64(g) >> 48) }

// Hardware is the part for hardware.
func (g GlobalID) Hardware() uint8 { return uint8(uint64(g) >> 56) }

// Process is the process of a thread.
func (g GlobalID) Process() GlobalID { return g &^ tidMask }

// MakeGlobalID serializes a thread of a process.
func MakeGlobalID(hardware, vm uint8, pid, tid int64) GlobalID {
	return GlobalID(uint64(hardware)<<56 | uint64(vm)<<48 | uint64(pid&tidMask)<<24 | uint64(tid&tidMask))
}
