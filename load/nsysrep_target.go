package load

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// A repRecord is a row of a small table.
type repRecord struct {
	m     nsysrep.Message
	extra map[string]string // columns that are not fields
}

// small makes the tables that do not hold events.
func (s *nsysRepSource) small() {
	ids := make([]int64, len(s.texts))
	for i := range ids {
		ids[i] = int64(i)
	}
	if len(ids) > 0 {
		s.tables = append(s.tables, repTable{name: "StringIds", rows: len(ids), made: map[string]*trace.Column{"id": {Ints: ids}}, text: map[string][]string{"value": s.texts}})
	}
	s.records("ThreadNames", "nameId:2 priority:3? globalTid:4?", plain(s.file.Threads.Subs(1)))
	s.records("ProcessStreams", "globalPid:1 filenameId:2 contentId:3", plain(s.streams))
	s.analysisFiles()
	target := s.file.Target
	s.records("TARGET_INFO_CUDA_CONTEXT_INFO", "nullStreamId:1 hwId:2 vmId:3 processId:4 deviceId:5 contextId:6 parentContextId:7? isGreenContext:8? numMultiprocessors:9?", plain(target.Subs(14)))
	s.records("TARGET_INFO_CUDA_NULL_STREAM", "streamId:1 hwId:2 vmId:3 processId:4 deviceId:5 contextId:6", plain(target.Subs(14)))
	s.records("TARGET_INFO_CUDA_STREAM", "streamId:1 hwId:2 vmId:3 processId:4 contextId:5 priority:6 flag:7", plain(target.Subs(15)))
	s.records("TARGET_INFO_NVTX_CUDA_DEVICE", "name:1t hwId:2 vmId:3 deviceId:5", plain(target.Subs(11))) // these three are guesses
	s.records("TARGET_INFO_NVTX_CUDA_CONTEXT", "name:1t hwId:2 vmId:3 processId:4 deviceId:5 contextId:6", plain(target.Subs(12)))
	s.records("TARGET_INFO_NVTX_CUDA_STREAM", "name:1t hwId:2 vmId:3 processId:4 deviceId:5 contextId:6 streamId:7", plain(target.Subs(13)))
	s.gpus(target)
	s.session()
	s.schemas()
}

func plain(ms []nsysrep.Message) []repRecord {
	out := make([]repRecord, len(ms))
	for i, m := range ms {
		out[i].m = m
	}
	return out
}

// text returns a text by its number, "" if there is none.
func (s *nsysRepSource) text(id int64) string {
	if id >= 0 && id < int64(len(s.texts)) {
		return s.texts[id]
	}
	return ""
}

func (s *nsysRepSource) analysisFiles() {
	out := plain(s.streams)
	for i, m := range s.streams {
		name := s.text(m.Int(2))
		out[i].extra = map[string]string{"id": strconv.Itoa(i), "filename": name, "content": s.text(m.Int(3))}
	}
	s.records("ANALYSIS_FILE", "contentId:3 globalPid:1", out)
}

// schemas makes the tables of the layouts of binary NVTX payloads. The fields of
// flags, of explanations and of what arrays and unions need are not known.
func (s *nsysRepSource) schemas() {
	m, err := s.file.Schemas()
	if err != nil {
		s.problems = append(s.problems, err)
	}
	var schemas, entries []repRecord
	for _, process := range m.Subs(3) {
		for _, layout := range process.Subs(2) {
			members := layout.Subs(4)
			schemas = append(schemas, repRecord{layout, map[string]string{"numEntries": strconv.Itoa(len(members))}})
			for i, e := range members {
				entries = append(entries, repRecord{e, map[string]string{"idx": strconv.Itoa(i),
					"domainId": strconv.FormatInt(layout.Int(9), 10), "schemaId": strconv.FormatInt(layout.Int(1), 10)}})
			}
		}
	}
	s.records("NVTX_PAYLOAD_SCHEMAS", "domainId:9 schemaId:1 name:5t? type:2 payloadSize:6?", schemas)
	s.records("NVTX_PAYLOAD_SCHEMA_ENTRIES", "type:1 name:7t? offset:3?", entries)
}

const gpuRecord = "id:1 name:2t busLocation:3t isDiscrete:4 l2CacheSize:10? totalMemory:11? memoryBandwidth:12? clockRate:13? smCount:14? pwGpuId:9 luid:6 chipName:7t? cuDevice:15? " +
	"ctxswDevPath:16t? ctrlDevPath:17t? revision:21? nodeMask:22? constantMemory:23? maxIPC:24? maxRegistersPerBlock:25? maxShmemPerBlock:26? maxShmemPerBlockOptin:27? maxShmemPerSm:28? " +
	"maxRegistersPerSm:29? threadsPerWarp:30? asyncEngines:31? maxWarpsPerSm:32? maxBlocksPerSm:33? maxThreadsPerBlock:34? maxBlockDimX:35? maxBlockDimY:36? maxBlockDimZ:37? " +
	"maxGridDimX:38? maxGridDimY:39? maxGridDimZ:40? computeMajor:41? computeMinor:42? smMajor:43? smMinor:44? deviceId:1"

const cudaGPURecord = "name:1t globalMemoryBandwidth:2 globalMemorySize:3 constantMemorySize:4 l2CacheSize:5 numThreadsPerWarp:6 coreClockRate:7 numMemcpyEngines:8 numMultiprocessors:9 maxIPC:10 " +
	"maxWarpsPerMultiprocessor:11 maxBlocksPerMultiprocessor:12 maxRegistersPerBlock:13 maxSharedMemoryPerBlock:14 maxThreadsPerBlock:15 maxBlockDimX:16 maxBlockDimY:17 maxBlockDimZ:18 " +
	"maxGridDimX:19 maxGridDimY:20 maxGridDimZ:21 computeCapabilityMajor:22 computeCapabilityMinor:23 deviceId:24 pid:25 pciBusId:26t maxSharedMemoryPerMultiprocessor:27 maxRegistersPerMultiprocessor:28"

// gpus makes the tables of devices.
func (s *nsysRepSource) gpus(target nsysrep.Message) {
	var gpus, cuda, devices []repRecord
	for _, vm := range target.Subs(1) {
		id := strconv.FormatInt(vm.Int(1), 10)
		for _, list := range vm.Subs(2) {
			for _, g := range list.Subs(7) {
				gpus = append(gpus, repRecord{g, map[string]string{"vmId": id, "uuid": uuid(g.Text(5))}})
			}
			for _, g := range list.Subs(1) {
				cuda = append(cuda, repRecord{g, map[string]string{"vmId": id}})
			}
			devices = append(devices, plain(list.Subs(9))...)
		}
	}
	record := gpuRecord
	if target == nil {
		gpus = s.gpusOfMachine()
		record = strings.NewReplacer("ctxswDevPath:16t?", "ctxswDevPath:16t", "ctrlDevPath:17t?", "ctrlDevPath:17t", "nodeMask:22?", "nodeMask:22").Replace(record)
	}
	slices.SortStableFunc(devices, func(a, b repRecord) int { return cmp.Compare(a.m.Int(2), b.m.Int(2)) })
	s.records("TARGET_INFO_GPU", record, gpus)
	s.records("TARGET_INFO_CUDA_GPU", cudaGPURecord, cuda)
	s.records("TARGET_INFO_CUDA_DEVICE", "cudaId:1 gpuId:2 pid:3 numMultiprocessors:6", devices)
}

// gpusOfMachine are the GPUs as the machine's properties list them, the last
// first as exports have them, for reports that end before the list of their own.
func (s *nsysRepSource) gpusOfMachine() (out []repRecord) {
	device := s.file.Header.Sub(1)
	vid := strconv.FormatInt(device.Int(3), 10)
	for _, list := range device.Subs(2) {
		for _, p := range list.Subs(1) {
			if p.Int(1) != envGPUs {
				continue
			}
			for _, g := range p.Sub(2).Subs(1) {
				out = append(out, repRecord{g, map[string]string{"vmId": vid, "uuid": uuid(g.Text(5))}})
			}
		}
	}
	slices.Reverse(out)
	return out
}

// uuid spells 16 bytes as usual; other texts stay as they are.
func uuid(b string) string {
	if len(b) != 16 {
		return b
	}
	h := hex.EncodeToString([]byte(b))
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// Clocks of the offsets in the header.
const (
	clockCapture   = 1
	clockMonotonic = 3
	clockSession   = 7
	clockUTC       = 9
	clockLocal     = 10
)

// session makes the tables that tell when the session was: from offsets between
// clocks, or since 2026.1 from a part of its own.
func (s *nsysRepSource) session() {
	offset := map[[2]int64]int64{}
	for _, list := range s.file.Header.Subs(16) {
		for _, o := range list.Subs(1) {
			if v, err := strconv.ParseUint(o.Text(5), 10, 64); err == nil {
				offset[[2]int64{o.Int(1), o.Int(2)}] = int64(v)
			} else if v, err := strconv.ParseInt(o.Text(5), 10, 64); err == nil {
				offset[[2]int64{o.Int(1), o.Int(2)}] = v
			}
		}
	}
	start := s.file.Header.Int(17)
	if o, ok := offset[[2]int64{clockSession, clockCapture}]; ok {
		start = -o
	}
	spell := func(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05") }
	if conv, _ := s.file.Message("Time Conversion Data"); conv != nil {
		session := clockOf(conv, 14)
		utc, ok1 := convertTime(conv, session, clockOf(conv, 11), 0)
		local, ok2 := convertTime(conv, session, clockOf(conv, 12), 0)
		if ok1 && ok2 {
			s.records("TARGET_INFO_SESSION_START_TIME", "", []repRecord{{extra: map[string]string{"utcEpochNs": strconv.FormatInt(utc, 10),
				"utcTime": spell(utc), "localTime": spell(local), "systemClockNs": strconv.FormatInt(s.file.Header.Int(17), 10)}}})
		}
	} else if toMono, ok := offset[[2]int64{clockCapture, clockMonotonic}]; ok {
		utc := start - toMono - offset[[2]int64{clockMonotonic, clockUTC}]
		local := utc - offset[[2]int64{clockUTC, clockLocal}]
		s.records("TARGET_INFO_SESSION_START_TIME", "", []repRecord{{extra: map[string]string{
			"utcEpochNs": strconv.FormatInt(utc, 10), "utcTime": spell(utc), "localTime": spell(local)}}})
	}
	device := s.file.Header.Sub(1)
	s.environment(device, false)
	s.capture()
	if stop := s.file.Header.Int(18); stop != 0 {
		if start != s.file.Header.Int(17) { // tools until 2021.2 rounded both
			stop -= stop % 100_000
		}
		s.records("ANALYSIS_DETAILS", "", []repRecord{{extra: map[string]string{"globalVid": strconv.FormatInt(device.Int(3), 10),
			"startTime": strconv.FormatInt(start, 10), "stopTime": strconv.FormatInt(stop, 10), "duration": strconv.FormatInt(stop-start, 10)}}})
	}
}

// clockOf returns the identity of the clock of a type.
func clockOf(conv nsysrep.Message, typ int64) string {
	for _, list := range conv.Subs(1) {
		for _, c := range list.Subs(1) {
			if c.Int(2) == typ {
				return c.Text(1)
			}
		}
	}
	return ""
}

// convertTime takes a time of one clock to another along the fewest edges.
func convertTime(conv nsysrep.Message, from, to string, t int64) (int64, bool) {
	at := map[string]int64{from: t}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		clock := queue[0]
		if clock == to {
			return at[clock], clock != ""
		}
		for _, list := range conv.Subs(2) {
			for _, e := range list.Subs(1) {
				next, x, ok := along(e, clock, at[clock])
				if _, seen := at[next]; ok && !seen {
					at[next], queue = x, append(queue, next)
				}
			}
		}
	}
	return 0, false
}

// along takes a time over an edge, forwards or backwards.
func along(e nsysrep.Message, clock string, t int64) (next string, x int64, ok bool) {
	seg := e.Sub(3)
	pair := seg.Sub(1)
	s0, t0 := pair.Int(1), pair.Int(2)
	slope := math.Float64frombits(uint64(seg.Int(2)))
	scale := func(d int64, by float64) int64 {
		if by == 1 {
			return d
		}
		return int64(float64(d) * by)
	}
	switch {
	case slope == 0 || seg == nil:
		return "", 0, false
	case e.Text(1) == clock:
		return e.Text(2), t0 + scale(t-s0, slope), true
	case e.Text(2) == clock:
		return e.Text(1), s0 + scale(t-t0, 1/slope), true
	}
	return "", 0, false
}

// records makes a small table.
func (s *nsysRepSource) records(name, list string, rs []repRecord) {
	if len(rs) == 0 {
		return
	}
	t := repTable{name: name, rows: len(rs), made: map[string]*trace.Column{}, text: map[string][]string{}}
	for _, c := range columns(0, list) {
		for _, r := range rs {
			f := r.m.Find(c.slot)
			var n int64
			var text string
			if f != nil {
				n, text = int64(f.Int), string(f.Bytes)
			}
			t.put(c.name, f != nil || !c.null, n, text, c.as == 't')
		}
	}
	known := schema.Lookup(name)
	for _, r := range rs {
		for col, v := range r.extra {
			n, _ := strconv.ParseInt(v, 10, 64)
			t.put(col, true, n, v, strings.EqualFold(known.Column(col).Type, "TEXT"))
		}
	}
	s.tables = append(s.tables, t)
}

func (t *repTable) put(col string, has bool, n int64, text string, isText bool) {
	c := t.made[col]
	if c == nil {
		c = &trace.Column{}
		t.made[col] = c
	}
	if isText {
		t.text[col] = append(t.text[col], text)
	}
	c.Ints, c.Null = append(c.Ints, n), append(c.Null, !has)
}
