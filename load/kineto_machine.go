package load

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/format/kineto"
	"github.com/gpuprof/gpuprof/trace"
)

// machine tells of the GPUs, the processes and the recording.
func (a *kinetoAdapter) machine() {
	d := a.k.Devices
	num := func(name string, f func(d *kineto.Device) int64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return f(&d[i]) }}
	}
	size := func(name string, f func(d *kineto.Device) int64) memoryColumn { // 0 where the file does not tell
		c := num(name, f)
		c.null = func(i int) bool { return f(&d[i]) == 0 }
		return c
	}
	a.add("TARGET_INFO_GPU", len(d), num("id", func(d *kineto.Device) int64 { return d.ID }), num("cuDevice", func(d *kineto.Device) int64 { return d.ID }),
		memoryColumn{name: "name", text: func(i int) string { return d[i].Name }},
		size("totalMemory", func(d *kineto.Device) int64 { return d.Memory }), size("smCount", func(d *kineto.Device) int64 { return d.SMs }),
		num("smMajor", func(d *kineto.Device) int64 { return d.Major }), num("smMinor", func(d *kineto.Device) int64 { return d.Minor }),
		size("threadsPerWarp", func(d *kineto.Device) int64 { return d.Warp }), size("maxRegistersPerBlock", func(d *kineto.Device) int64 { return d.RegistersBlock }),
		size("maxRegistersPerSm", func(d *kineto.Device) int64 { return d.RegistersSM }), size("maxShmemPerBlock", func(d *kineto.Device) int64 { return d.SharedBlock }),
		size("maxShmemPerBlockOptin", func(d *kineto.Device) int64 { return d.SharedBlockOptin }), size("maxShmemPerSm", func(d *kineto.Device) int64 { return d.SharedSM }))
	a.labels()
	if a.k.Rank >= 0 || a.k.World >= 0 {
		a.add("PYTORCH_RANKS", 1, memoryColumn{name: "globalPid", whole: func(int) int64 { return int64(a.process) }},
			memoryColumn{name: "rank", whole: func(int) int64 { return a.k.Rank }, null: func(int) bool { return a.k.Rank < 0 }},
			memoryColumn{name: "worldSize", whole: func(int) int64 { return a.k.World }, null: func(int) bool { return a.k.World < 0 }})
	}
	var meta []kineto.Entry
	for _, e := range a.k.Meta {
		if len(e.Value) < 64<<10 {
			meta = append(meta, e)
		}
	}
	a.add("META_DATA_CAPTURE", len(meta), memoryColumn{name: "name", text: func(i int) string { return meta[i].Key }},
		memoryColumn{name: "value", text: func(i int) string { return strings.Trim(meta[i].Value, `"`) }})
	if a.k.Events == 0 {
		return
	}
	a.add("ANALYSIS_DETAILS", 1, memoryColumn{name: "startTime", whole: func(int) int64 { return 0 }},
		memoryColumn{name: "stopTime", whole: func(int) int64 { return a.end - a.origin }}, memoryColumn{name: "duration", whole: func(int) int64 { return a.end - a.origin }})
	if began := a.k.Base + a.origin; began > 1e18 { // since 2001: not the clock of a machine since it was switched on
		a.add("TARGET_INFO_SESSION_START_TIME", 1, memoryColumn{name: "utcEpochNs", whole: func(int) int64 { return began }},
			memoryColumn{name: "utcTime", text: func(int) string { return time.Unix(0, began).UTC().Format("2006-01-02T15:04:05.000Z") }})
	}
}

// labels are the names of processes and threads, but of those that stand for a
// GPU.
func (a *kinetoAdapter) labels() {
	gpu := map[int64]bool{}
	for _, w := range []*kineto.Work{&a.k.Kernels.Work, &a.k.Copies.Work, &a.k.Sets.Work} {
		for i := range w.Rows() {
			gpu[a.k.Tracks[w.Track.At(i)].PID] = true
		}
	}
	host := map[int64]bool{}
	for _, s := range []*kineto.Slices{&a.k.Calls.Slices, &a.k.Ops.Slices, &a.k.Others} {
		for i := range s.Rows() {
			host[a.k.Tracks[s.Track.At(i)].PID] = true
		}
	}
	type process struct {
		id   trace.GlobalID
		name string
	}
	var processes []process
	seen := map[trace.GlobalID]bool{}
	for name, pid := range a.named {
		id := trace.MakeGlobalID(0, 0, pid, 0)
		seen[id] = true // the name tells more than "python3" does
		processes = append(processes, process{id, name})
	}
	slices.SortFunc(processes, func(x, y process) int { return cmp.Compare(x.id, y.id) })
	for i := range a.k.Labels {
		l := &a.k.Labels[i]
		_, named := a.named[nameOfProcess(&l.Track)]
		if !named && (gpu[l.Track.PID] && !host[l.Track.PID] || l.Track.PIDText != "") {
			continue
		}
		id := a.thread(&l.Track, 0)
		switch {
		case l.Kind == "process_name" && !seen[id]:
			seen[id] = true
			processes = append(processes, process{id, l.Text})
		case l.Kind == "thread_name" && l.Track.TID >= 0 && l.Track.TID < longTID && l.Track.TIDText == "":
			a.names = append(a.names, threadName{a.thread(&l.Track, l.Track.TID), a.text(threadLabel(l.Text, l.Track.TID))})
		}
	}
	a.add("PROCESSES", len(processes), memoryColumn{name: "globalPid", whole: func(i int) int64 { return int64(processes[i].id) }},
		memoryColumn{name: "pid", whole: func(i int) int64 { return processes[i].id.PID() }}, memoryColumn{name: "name", text: func(i int) string { return processes[i].name }})
	a.add("ThreadNames", len(a.names), memoryColumn{name: "nameId", whole: func(i int) int64 { return a.names[i].text }},
		memoryColumn{name: "globalTid", whole: func(i int) int64 { return int64(a.names[i].id) }})
}

// threadLabel takes the number out of "thread 77 (python3)".
func threadLabel(s string, tid int64) string {
	if name, ok := strings.CutPrefix(s, fmt.Sprintf("thread %d (", tid)); ok {
		if name = strings.TrimSuffix(name, ")"); name != "" {
			return name
		}
	}
	return s
}
