package flame

import (
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/torch"
	"github.com/gpuprof/gpuprof/trace"
)

// torchTree makes the profile of what PyTorch ran: on the host what lies within
// what on each thread; on the device the kernels, each below the operator and the
// Python that launched it.
func torchTree(ctx context.Context, t *trace.Trace, kind Kind, f Filter) (*Profile, error) {
	tl, err := torch.Read(ctx, t, kind != Ops)
	if err != nil || len(tl.Host.Start) == 0 {
		return nil, err
	}
	b := newBuilder("ns")
	h := &tl.Host
	node := make([]int32, len(h.Start))
	names := map[int64]int32{}
	for i := range h.Start {
		name, ok := names[h.Name[i]]
		if !ok {
			name = b.name(stepless(tl.Name(h.Name[i])))
			names[h.Name[i]] = name
		}
		parent := int32(-1)
		if h.Parent[i] >= 0 {
			parent = node[h.Parent[i]]
		}
		node[i] = b.node(parent, name)
	}
	if kind == Device {
		deviceTree(b, tl, node, f)
		return b.Profile, nil
	}
	b.Whole = true
	for i := range h.Start {
		start, end, ok := f.clip(h.Start[i], h.End[i])
		if !f.takes(h.Thread[i]) {
			continue
		}
		if !ok {
			b.unsound(h.Start[i], h.End[i])
			continue
		}
		b.Self[node[i]] += end - start
		b.Count[node[i]]++
		if p := h.Parent[i]; p >= 0 { // what ends later than the slice around it takes no more than there is
			if from, to, ok := f.clip(h.Start[i], min(h.End[i], h.End[p])); ok {
				b.Self[node[p]] -= to - from
			}
		}
		b.Start, b.End = append(b.Start, start), append(b.End, end)
		b.Thread, b.Node = append(b.Thread, h.Thread[i]), append(b.Node, node[i])
	}
	return b.Profile, nil
}

// stepless is a name without the number of the step, so that steps are one.
func stepless(name string) string {
	if strings.HasPrefix(name, "ProfilerStep#") {
		return "ProfilerStep#"
	}
	return name
}

// unknownOwner is above work of the GPU that nothing in the file launched.
const unknownOwner = "(launched by nothing in the file)"

func deviceTree(b *builder, tl *torch.Timeline, node []int32, f Filter) {
	w, h := &tl.Work, &tl.Host
	none := int32(-1)
	for i := range w.Start {
		start, end, ok := f.clip(w.Start[i], w.End[i])
		thread := trace.GlobalID(0)
		if c := w.Call[i]; c >= 0 {
			thread = h.Thread[c]
		}
		if !f.takes(thread) {
			continue
		}
		if !ok {
			b.unsound(w.Start[i], w.End[i])
			continue
		}
		parent := none
		if o := w.Owner[i]; o >= 0 {
			parent = node[o]
		} else {
			if none < 0 {
				none = b.node(-1, b.name(unknownOwner))
			}
			parent = none
		}
		n := b.node(parent, b.name(tl.WorkName(i)))
		b.Self[n] += end - start
		b.Count[n]++
		b.Start, b.End = append(b.Start, start), append(b.End, end)
		b.Thread, b.Node = append(b.Thread, thread), append(b.Node, n)
	}
}

// memoryTree makes the profile of what lived on the GPUs when most did, by stack:
// bytes that the program asked for.
func memoryTree(ctx context.Context, t *trace.Trace) (*Profile, error) {
	frames, err := stackFrames(ctx, t)
	if err != nil {
		return nil, err
	}
	e, err := t.Table(ctx, "PYTORCH_ALLOCATOR_EVENTS", "timestamp", "deviceId", "action", "address", "bytes", "stack", "allocated")
	if err != nil {
		return nil, err
	}
	blocks, err := t.Table(ctx, "PYTORCH_BLOCKS", "segment", "address", "requestedBytes", "state", "stack")
	if err != nil || blocks == nil {
		return nil, err
	}
	segments, err := t.Table(ctx, "PYTORCH_SEGMENTS", "deviceId")
	if err != nil || segments == nil {
		return nil, err
	}
	live := map[[2]int64][2]int64{} // device, address: bytes, stack
	before := map[[2]int64][2]int64{}
	if e != nil {
		live, before = replayPeak(t, e)
	}
	device, segment, state := segments.Ints("deviceId"), blocks.Ints("segment"), blocks.Col("state")
	address, bytes, stack := blocks.Ints("address"), blocks.Ints("requestedBytes"), blocks.Ints("stack")
	touched := touchedBlocks(t, e)
	for i := range blocks.Rows {
		k := [2]int64{device[segment[i]], address[i]}
		if t.Strings.Text(state.Syms[i]) == "active_allocated" && !touched[k] {
			live[k] = [2]int64{bytes[i], stack[i]}
		}
	}
	b := newBuilder("byte")
	add := func(leafFirst []string, bytes int64) {
		n := int32(-1)
		for _, f := range slices.Backward(leafFirst) {
			n = b.node(n, b.name(f))
		}
		if n < 0 {
			n = b.node(-1, b.name("(no stack was recorded)"))
		}
		b.Self[n] += bytes
		b.Count[n]++
	}
	for _, x := range live {
		add(frames[x[1]], x[0])
	}
	for _, x := range before {
		add([]string{"(allocated before the trace, known by its free)"}, x[0])
	}
	// One event, so that the picture has a thread and an extent.
	b.Start, b.End, b.Thread, b.Node = []int64{0}, []int64{1}, []trace.GlobalID{0}, []int32{0}
	return b.Profile, nil
}

// stackFrames are the frames of stacks, innermost first.
func stackFrames(ctx context.Context, t *trace.Trace) (map[int64][]string, error) {
	s, err := t.Table(ctx, "PYTORCH_STACKS", "stack", "function", "file")
	if err != nil || s == nil {
		return nil, err
	}
	out := map[int64][]string{}
	function, file := s.Col("function"), s.Col("file")
	for i, k := range s.Ints("stack") {
		name := t.Strings.Text(function.Syms[i])
		if f := t.Strings.Text(file.Syms[i]); f != "" && f != "??" {
			name = f + ": " + name
		}
		out[k] = append(out[k], name)
	}
	return out, nil
}

// replayPeak is what lived when each device had most: from the trace by address,
// and what was there before and is known by its free alone.
func replayPeak(t *trace.Trace, e *trace.Table) (live, before map[[2]int64][2]int64) {
	live, before = map[[2]int64][2]int64{}, map[[2]int64][2]int64{}
	device, address, bytes, stack, level := e.Ints("deviceId"), e.Ints("address"), e.Ints("bytes"), e.Ints("stack"), e.Ints("allocated")
	action := e.Col("action")
	peak := map[int64]int{}
	first := map[int64]int64{} // level at the start
	for i, d := range device {
		word := t.Strings.Text(action.Syms[i])
		if _, ok := first[d]; !ok {
			first[d] = level[i]
			switch word {
			case "alloc":
				first[d] -= bytes[i]
			case "free_completed", "free":
				first[d] += bytes[i]
			}
			peak[d] = -1
		}
		most := first[d]
		if peak[d] >= 0 {
			most = level[peak[d]]
		}
		if level[i] > most {
			peak[d] = i
		}
	}
	now := map[[2]int64][2]int64{}
	for i, d := range device {
		k := [2]int64{d, address[i]}
		switch t.Strings.Text(action.Syms[i]) {
		case "alloc":
			now[k] = [2]int64{bytes[i], stack[i]}
			if i <= peak[d] {
				live[k] = now[k]
			}
		case "free_completed", "free":
			if _, ok := now[k]; !ok && i > peak[d] {
				before[k] = [2]int64{bytes[i], 0}
			}
			delete(now, k)
			if i <= peak[d] {
				delete(live, k)
			}
		}
	}
	return live, before
}

// touchedBlocks are the addresses that live at the end by the trace.
func touchedBlocks(t *trace.Trace, e *trace.Table) map[[2]int64]bool {
	out := map[[2]int64]bool{}
	if e == nil {
		return out
	}
	device, address, action := e.Ints("deviceId"), e.Ints("address"), e.Col("action")
	for i, d := range device {
		switch t.Strings.Text(action.Syms[i]) {
		case "alloc":
			out[[2]int64{d, address[i]}] = true
		case "free_completed", "free":
			delete(out, [2]int64{d, address[i]})
		}
	}
	return out
}
