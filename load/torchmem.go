package load

import (
	"bytes"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gpuprof/gpuprof/format/torchmem"
	allocator "github.com/gpuprof/gpuprof/memory"
	"github.com/gpuprof/gpuprof/trace"
)

// isTorchMemory matches pickles, and the HTML pages that PyTorch's viewer of
// memory writes. That a pickle holds a snapshot shows when it is read.
func isTorchMemory(head []byte, name string) bool {
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(head))
		if err != nil {
			return false
		}
		head = make([]byte, 512)
		n, _ := io.ReadFull(z, head)
		head, name = head[:n], strings.TrimSuffix(name, ".gz")
	}
	ext := strings.ToLower(path.Ext(name))
	switch {
	case len(head) >= 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5:
		return true
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return ext == ".pt" || ext == ".pkl" || ext == ".pickle"
	case ext == ".html":
		return bytes.Contains(head, []byte("local_files")) || bytes.Contains(head, []byte("MemoryViz"))
	}
	return ext == ".pickle" || ext == ".pkl"
}

func openTorchMemory(f *File) error {
	s, err := torchmem.Read(f.opening, f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	for _, p := range s.Problems {
		f.problems = append(f.problems, p.Error())
	}
	f.Memory = s
	f.holds |= Memory
	f.Trace = trace.New(f.Name, &lateTables{make: func() *memory { return &torchMemoryTables(s).memory }})
	f.Trace.Tool = "PyTorch memory snapshot"
	return nil
}

// torchMemoryTables lays a snapshot out in tables: events, segments and blocks,
// and what was allocated and reserved as counters of each GPU. Times are ns from
// the first event; events without a time are a microsecond apart, in their order.
func torchMemoryTables(s *torchmem.Snapshot) *snapshotTables {
	m := &snapshotTables{}
	origin := firstTime(s)
	p := newMemoryPoints(s, origin)
	e := &s.Events
	num := func(name string, f func(p *memoryPoint) int64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return f(&p.all()[i]) }}
	}
	m.add("PYTORCH_ALLOCATOR_EVENTS", p.count, memoryColumn{name: "timestamp", whole: p.at}, num("deviceId", func(p *memoryPoint) int64 { return int64(p.device) }),
		memoryColumn{name: "action", text: func(i int) string {
			row := int(p.all()[i].row)
			if a := e.Action.At(row); a != torchmem.Other {
				return a.String()
			}
			return s.Texts[e.Word.At(row)]
		}},
		num("address", func(p *memoryPoint) int64 { return int64(e.Address.At(int(p.row))) }), num("bytes", func(p *memoryPoint) int64 { return e.Size.At(int(p.row)) }),
		num("streamId", func(p *memoryPoint) int64 { return int64(e.Stream.At(int(p.row))) }), num("stack", func(p *memoryPoint) int64 { return int64(e.Stack.At(int(p.row))) }),
		num("allocated", func(p *memoryPoint) int64 { return p.allocated }), num("reserved", func(p *memoryPoint) int64 { return p.reserved }))
	m.counters(p)
	m.segments(s)
	m.stacks(s)
	m.annotations(s, origin)
	if origin > 0 {
		began := origin * 1000
		m.add("TARGET_INFO_SESSION_START_TIME", 1, memoryColumn{name: "utcEpochNs", whole: func(int) int64 { return began }},
			memoryColumn{name: "utcTime", text: func(int) string { return time.Unix(0, began).UTC().Format("2006-01-02T15:04:05.000Z") }})
	}
	m.add("META_DATA_CAPTURE", len(s.Settings), memoryColumn{name: "name", text: func(i int) string { return s.Settings[i].Name }},
		memoryColumn{name: "value", text: func(i int) string { return s.Settings[i].Value }})
	return m
}

// snapshotTables are the tables of a snapshot.
type snapshotTables struct{ memory }

// A memoryPoint is an event and the level after it.
type memoryPoint struct {
	allocated, reserved int64
	row, device         int32
}

// memoryPoints are the events of a snapshot, device by device. They are replayed
// when a cell of theirs is asked for; how many there are is known before.
type memoryPoints struct {
	s      *torchmem.Snapshot
	origin int64 // µs
	count  int
	first  []int // point of each device
	all    func() []memoryPoint
}

func newMemoryPoints(s *torchmem.Snapshot, origin int64) *memoryPoints {
	p := &memoryPoints{s: s, origin: origin}
	for i := range s.Traces {
		p.first = append(p.first, p.count)
		p.count += s.Traces[i].Len()
	}
	p.all = sync.OnceValue(p.replay)
	return p
}

func (p *memoryPoints) replay() []memoryPoint {
	out := make([]memoryPoint, 0, p.count)
	for _, d := range allocator.Devices(p.s) {
		for _, l := range d.Levels(p.s) {
			out = append(out, memoryPoint{row: int32(l.Row), device: int32(d.Device), allocated: l.Allocated, reserved: l.Reserved})
		}
	}
	return out
}

// at is the time of a point, ns from the first; events without one are a
// microsecond apart.
func (p *memoryPoints) at(i int) int64 {
	x := &p.all()[i]
	if t := p.s.Events.Time.At(int(x.row)); t >= 0 {
		return (t - p.origin) * 1000
	}
	return int64(i-p.first[x.device]) * 1000
}

// firstTime is the first time of a snapshot, µs; 0 if it has none.
func firstTime(s *torchmem.Snapshot) int64 {
	first := int64(0)
	take := func(t int64) {
		if t > 0 && (first == 0 || t < first) {
			first = t
		}
	}
	for i := range s.Events.Time.Len() {
		take(s.Events.Time.At(i))
	}
	for i := range s.Annotations {
		take(s.Annotations[i].Time)
	}
	return first
}

// counters are what is allocated and reserved, as samples of each GPU.
func (m *snapshotTables) counters(p *memoryPoints) {
	var list []int64
	for d := range min(len(p.s.Traces), 128) {
		if p.s.Traces[d].Len() > 0 {
			list = append(list, int64(d))
		}
	}
	m.add("GPU_METRICS", 2*p.count, memoryColumn{name: "timestamp", whole: func(i int) int64 { return p.at(i / 2) }},
		memoryColumn{name: "typeId", whole: func(i int) int64 { return deviceMetrics | int64(p.all()[i/2].device) }},
		memoryColumn{name: "metricId", whole: func(i int) int64 { return int64(i % 2) }},
		memoryColumn{name: "value", whole: func(i int) int64 {
			if i%2 == 0 {
				return p.all()[i/2].allocated
			}
			return p.all()[i/2].reserved
		}})
	m.add("TARGET_INFO_GPU_METRICS", 2*len(list), memoryColumn{name: "typeId", whole: func(i int) int64 { return deviceMetrics | list[i/2] }},
		memoryColumn{name: "sourceId", whole: func(int) int64 { return 0 }}, memoryColumn{name: "typeName", text: func(int) string { return "PyTorch memory" }},
		memoryColumn{name: "metricId", whole: func(i int) int64 { return int64(i % 2) }},
		memoryColumn{name: "metricName", text: func(i int) string { return [2]string{"allocated [bytes asked for]", "reserved [bytes]"}[i%2] }})
}

// segments are the memory at the end, block by block.
func (m *snapshotTables) segments(s *torchmem.Snapshot) {
	type place struct{ segment, block int }
	var blocks []place
	for i := range s.Segments {
		for k := range s.Segments[i].Blocks {
			blocks = append(blocks, place{i, k})
		}
	}
	seg := func(name string, f func(x *torchmem.Segment) int64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return f(&s.Segments[i]) }}
	}
	m.add("PYTORCH_SEGMENTS", len(s.Segments), memoryColumn{name: "id", whole: func(i int) int64 { return int64(i) }},
		seg("deviceId", func(x *torchmem.Segment) int64 { return x.Device }), seg("address", func(x *torchmem.Segment) int64 { return int64(x.Address) }),
		seg("bytes", func(x *torchmem.Segment) int64 { return x.Total }), seg("streamId", func(x *torchmem.Segment) int64 { return int64(x.Stream) }),
		memoryColumn{name: "type", text: func(i int) string { return s.Segments[i].Type }}, seg("stack", func(x *torchmem.Segment) int64 { return int64(x.Stack) }))
	blk := func(name string, f func(x *torchmem.Block) int64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return f(&s.Segments[blocks[i].segment].Blocks[blocks[i].block]) }}
	}
	m.add("PYTORCH_BLOCKS", len(blocks), memoryColumn{name: "segment", whole: func(i int) int64 { return int64(blocks[i].segment) }},
		blk("address", func(x *torchmem.Block) int64 { return int64(x.Address) }), blk("bytes", func(x *torchmem.Block) int64 { return x.Size }),
		blk("requestedBytes", func(x *torchmem.Block) int64 { return x.Requested }),
		memoryColumn{name: "state", text: func(i int) string { return s.Segments[blocks[i].segment].Blocks[blocks[i].block].State }},
		blk("stack", func(x *torchmem.Block) int64 { return int64(x.Stack) }))
}

// stacks are the lines of all stacks, outermost depth last.
func (m *snapshotTables) stacks(s *torchmem.Snapshot) {
	type line struct {
		stack, depth int
		frame        torchmem.Frame
	}
	var lines []line
	for k := range s.Stacks() {
		for d, f := range s.Stack(uint32(k)) {
			lines = append(lines, line{k, d, f})
		}
	}
	m.add("PYTORCH_STACKS", len(lines), memoryColumn{name: "stack", whole: func(i int) int64 { return int64(lines[i].stack) }},
		memoryColumn{name: "depth", whole: func(i int) int64 { return int64(lines[i].depth) }},
		memoryColumn{name: "file", text: func(i int) string { return lines[i].frame.File }},
		memoryColumn{name: "line", whole: func(i int) int64 { return int64(lines[i].frame.Line) }},
		memoryColumn{name: "function", text: func(i int) string { return lines[i].frame.Name }})
}

// annotations are the ranges of the program, each end with the last beginning of
// its name on its device.
func (m *snapshotTables) annotations(s *torchmem.Snapshot, origin int64) {
	type key struct {
		name   string
		device int64
	}
	type piece struct {
		key
		start, end int64
	}
	open := map[key][]int64{}
	var pieces []piece
	for _, a := range s.Annotations {
		k := key{a.Name, a.Device}
		at := (a.Time - origin) * 1000
		if a.Stage == "START" {
			open[k] = append(open[k], at)
		} else if n := len(open[k]); n > 0 {
			pieces = append(pieces, piece{k, open[k][n-1], at})
			open[k] = open[k][:n-1]
		}
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return int(min(max(a.start-b.start, -1), 1)) })
	names := &ids{}
	numbers := make([]int64, len(pieces))
	for i := range pieces {
		numbers[i] = names.id(pieces[i].name)
	}
	m.add(trace.TableNvtx, len(pieces), memoryColumn{name: "start", whole: func(i int) int64 { return pieces[i].start }},
		memoryColumn{name: "end", whole: func(i int) int64 { return pieces[i].end }}, memoryColumn{name: "eventType", whole: func(int) int64 { return trace.NvtxPushPop }},
		memoryColumn{name: "globalTid", whole: func(i int) int64 { return int64(trace.MakeGlobalID(0, 0, 1, pieces[i].device+1)) }},
		memoryColumn{name: "textId", whole: func(i int) int64 { return numbers[i] }}, memoryColumn{name: "domainId", whole: func(int) int64 { return 0 }})
	names.addTo(&m.memory)
}
