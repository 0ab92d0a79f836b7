package torture

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// activity is the processor time that a process has had, and whether all of its
// threads sleep: none computes, waits for its turn, or for a disk. From
// /proc/PID/stat, fields 3, 14 and 15 of proc(5).
func activity(pid int) (spent time.Duration, asleep, known bool) {
	const ticks = 100 // a second: the same on every Linux
	f, ok := stat(fmt.Sprintf("/proc/%d/stat", pid))
	if !ok {
		return 0, false, false
	}
	user, _ := strconv.Atoi(string(f[11]))
	system, _ := strconv.Atoi(string(f[12]))
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	asleep = true
	for _, t := range tasks {
		if f, ok := stat(t); ok && f[0][0] != 'S' {
			asleep = false
		}
	}
	return time.Duration(user+system) * time.Second / ticks, asleep, true
}

// stat are the fields from the third.
func stat(name string) ([][]byte, bool) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	f := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	return f, len(f) > 12
}
