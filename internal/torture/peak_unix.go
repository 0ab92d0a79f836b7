//go:build unix

package torture

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the most memory that a process that has ended had resident.
func peak(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
