package load

import (
	"strconv"

	"github.com/gpuprof/gpuprof/format/kineto"
	"github.com/gpuprof/gpuprof/trace"
)

// mostPID is the first number that does not fit the process of a GlobalID.
const mostPID = 1 << 24

// nameProcesses gives numbers to processes that have names, as where a tool put the
// traces of several ranks together ("[TP00] 1234"), and to those whose own number is too
// large: the number within the name if nothing else has it, else a free one.
func (a *kinetoAdapter) nameProcesses() {
	a.named = map[string]int64{}
	taken := map[int64]bool{}
	some := false
	for i := range a.k.Tracks {
		t := &a.k.Tracks[i]
		some = some || nameOfProcess(t) != ""
		taken[max(t.PID, 0)] = true
	}
	if !some {
		return
	}
	next := int64(1)
	k := a.k
	for _, s := range []*kineto.Slices{&k.Ops.Slices, &k.Annotations.Slices, &k.Python.Slices, &k.Calls.Slices, &k.Others} {
		for i := range s.Rows() {
			name := nameOfProcess(&k.Tracks[s.Track.At(i)])
			if name == "" || a.named[name] != 0 {
				continue
			}
			n, ok := lastNumber(name)
			if !ok || n == 0 || n >= mostPID || taken[n] {
				for taken[next] {
					next++
				}
				n = next
			}
			a.named[name], taken[n] = n, true
		}
	}
}

// nameOfProcess is what tells a process where its number does not; "" if it does. The
// profiler's own marks are of no process.
func nameOfProcess(t *kineto.Track) string {
	switch {
	case t.PIDText == "Spans" || t.PIDText == "Traces":
		return ""
	case t.PIDText == "" && (t.PID < -1 || t.PID >= mostPID):
		return strconv.FormatUint(uint64(t.PID), 10)
	}
	return t.PIDText
}

// lastNumber is the number that a text ends with, but for that of a name, as in "python3".
func lastNumber(s string) (int64, bool) {
	at := len(s)
	for at > 0 && s[at-1]-'0' <= 9 {
		at--
	}
	n, err := strconv.ParseInt(s[at:], 10, 64)
	return n, err == nil && (at == 0 || s[at-1]|0x20 < 'a' || s[at-1]|0x20 > 'z')
}

// thread is the number of a thread of the process of a track.
func (a *kinetoAdapter) thread(t *kineto.Track, tid int64) trace.GlobalID {
	pid, ok := a.named[nameOfProcess(t)]
	if !ok {
		pid = max(t.PID, 0)
	}
	return trace.MakeGlobalID(0, 0, pid, tid)
}
