package terminal

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
)

// TuneGC trades memory for time by the size of the inputs: small ones are done
// before collecting pays, and of large ones the data stays, so that collecting
// when the heap has grown by a third keeps a trace of 700 MB below 1 GB. More is what
// the command may take beside what it does with them, bytes.
func TuneGC(files []string, more int64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	var size, room int64
	many := len(files) > 32 // of many files what is kept of each lies in memory together
	for _, name := range files {
		st, err := os.Stat(name)
		if err != nil {
			continue
		}
		many = many || st.IsDir()
		size, room = size+st.Size(), room+st.Size()
		if slices.Contains(packed, strings.ToLower(filepath.Ext(name))) {
			room += 9 * st.Size()
		}
	}
	switch {
	case size > 512<<20:
		debug.SetGCPercent(30)
	case size > 100<<20, many:
		debug.SetGCPercent(50)
	default:
		debug.SetGCPercent(200)
		debug.SetMemoryLimit(roomFree + roomFactor*room + more) // collected sooner where little would be reached with much
		afterGC(giveRoom)
	}
}

// giveRoom lifts the limit where what lives comes near it: beyond, the collector would
// do nothing but collect. It reports whether it has.
func giveRoom() bool {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	limit := debug.SetMemoryLimit(-1) // only asks: others may have raised it
	if live[0].Value.Kind() != metrics.KindUint64 || float64(live[0].Value.Uint64())*(1+beyond/100.) < float64(limit) {
		return false
	}
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(beyond)
	return true
}

// beyond is by how many hundredths of what lives the heap grows between collections
// where the limit was reached.
const beyond = 50

// afterGC calls done after each collection until it returns true.
func afterGC(done func() bool) {
	type mark struct{ at *byte }
	var again func(*mark)
	again = func(*mark) {
		if !done() {
			runtime.SetFinalizer(&mark{new(byte)}, again)
		}
	}
	runtime.SetFinalizer(&mark{new(byte)}, again)
}

// What small inputs may take before the collector works harder: with the program
// itself, of which 24 MB are in memory, 64 MB and 20 times the input; ten times
// that of formats that are packed.
const (
	roomFree   = 40 << 20
	roomFactor = 20
)

// packed are the extensions of formats that are packed.
var packed = []string{".gz", ".zst", ".nsys-rep", ".qdrep", ".ncu-repz"}
