package terminal

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestGiveRoom: a limit that what lives comes near is lifted, once; one that it is far
// from stays.
func TestGiveRoom(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(200)
	defer func() { debug.SetMemoryLimit(limit); debug.SetGCPercent(percent) }()
	kept := make([]byte, 64<<20)
	runtime.GC()
	debug.SetMemoryLimit(4 << 30)
	if giveRoom() {
		t.Error("a limit far off was lifted")
	}
	debug.SetMemoryLimit(80 << 20)
	if !giveRoom() || debug.SetMemoryLimit(-1) != math.MaxInt64 || debug.SetGCPercent(200) != beyond {
		t.Error("a limit near what lives was not lifted")
	}
	runtime.KeepAlive(kept)
}

func TestAfterGC(t *testing.T) {
	calls := make(chan int, 10)
	n := 0
	afterGC(func() bool { n++; calls <- n; return n == 2 })
	for want := 1; want <= 2; want++ {
		runtime.GC()
		select {
		case got := <-calls:
			if got != want {
				t.Fatal(got)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("not called")
		}
	}
	runtime.GC()
	time.Sleep(10 * time.Millisecond)
	if len(calls) > 0 {
		t.Error("called after it was done")
	}
}
