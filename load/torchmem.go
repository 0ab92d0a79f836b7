package load

import (
	"bytes"
	"io"
	"path"
	"slices"
	"strings"
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
	var points []memoryPoint
	for _, d := range allocator.Devices(s) {
		for i, l := range d.Levels(s) {
			at := int64(i) * 1000
			if t := s.Events.Time.At(l.Row); t >= 0 {
				at = (t - origin) * 1000
			}
			points = append(points, memoryPoint{at: at, device: int64(d.Device), row: l.Row, allocated: l.Allocated, reserved: l.Reserved})
		}
	}
	e := &s.Events
	num := func(name string, f func(p *memoryPoint) int64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return f(&points[i]) }}
	}
	m.add("PYTORCH_ALLOCATOR_EVENTS", len(points), num("timestamp", func(p *memoryPoint) int64 { return p.at }), num("deviceId", func(p *memoryPoint) int64 { return p.device }),
		memoryColumn{name: "action", text: func(i int) string {
			if a := e.Action.At(points[i].row); a != torchmem.Other {
				return a.String()
			}
			return s.Texts[e.Word.At(points[i].row)]
		}},
		num("address", func(p *memoryPoint) int64 { return int64(e.Address.At(p.row)) }), num("bytes", func(p *memoryPoint) int64 { return e.Size.At(p.row) }),
		num("streamId", func(p *memoryPoint) int64 { return int64(e.Stream.At(p.row)) }), num("stack", func(p *memoryPoint) int64 { return int64(e.Stack.At(p.row)) }),
		num("allocated", func(p *memoryPoint) int64 { return p.allocated }), num("reserved", func(p *memoryPoint) int64 { return p.reserved }))
	m.counters(points)
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
	at, device          int64
	row                 int
	allocated, reserved int64
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
func (m *snapshotTables) counters(points []memoryPoint) {
	devices := map[int64]bool{}
	var list []int64
	for i := range points {
		if d := points[i].device; !devices[d] && d < 128 {
			devices[d] = true
			list = append(list, d)
		}
	}
	m.add("GPU_METRICS", 2*len(points), memoryColumn{name: "timestamp", whole: func(i int) int64 { return points[i/2].at }},
		memoryColumn{name: "typeId", whole: func(i int) int64 { return deviceMetrics | points[i/2].device }},
		memoryColumn{name: "metricId", whole: func(i int) int64 { return int64(i % 2) }},
		memoryColumn{name: "value", whole: func(i int) int64 {
			if i%2 == 0 {
				return points[i/2].allocated
			}
			return points[i/2].reserved
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
