package load

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/format/nsysrep"
)

// A jsonMessage names the fields of a message that exports print as JSON, by
// number. A field without a name is printed under its number.
type jsonMessage map[int]jsonField

// A jsonField tells how a field is printed: kind is 'n' for a number, 'q' for one
// of 64 bits, which is quoted, 'b' for a truth value, 's' for a text, 'e' for the
// name of a number in enum, 'm' for a message.
type jsonField struct {
	name string
	kind byte
	list bool
	sub  jsonMessage
	enum map[int64]string
}

// jsonFields reads a list such as "Id:1n Name:2s Ids:3n*": name, number, kind and
// a star for a list.
func jsonFields(list string) jsonMessage {
	m := jsonMessage{}
	for _, w := range strings.Fields(list) {
		name, spec, _ := strings.Cut(w, ":")
		spec, isList := strings.CutSuffix(spec, "*")
		num, _ := strconv.Atoi(spec[:len(spec)-1])
		m[num] = jsonField{name: name, kind: spec[len(spec)-1], list: isList}
	}
	return m
}

// with adds a field that holds messages.
func (m jsonMessage) with(num int, name string, list bool, sub jsonMessage) jsonMessage {
	m[num] = jsonField{name: name, kind: 'm', list: list, sub: sub}
	return m
}

// enum adds a field with the names of numbers.
func (m jsonMessage) enum(num int, name string, names map[int64]string) jsonMessage {
	m[num] = jsonField{name: name, kind: 'e', enum: names}
	return m
}

// Properties of a machine whose values are messages, by their code. 895 and 923
// were met empty only in exports: the names of their fields are not known.
var envJSON = map[int64]jsonMessage{
	891: jsonFields("BaseDir:1s"),
	894: {},
	895: {},
	897: jsonMessage{}.with(1, "Gpus", true, jsonFields("Id:1n Name:2s BusLocation:3s IsDiscrete:4b Uuid:5s Luid:6q ChipName:7s PwGpuId:9n L2CacheSize:10n TotalMemory:11q "+
		"MemoryBandwidth:12q ClockRate:13n SmCount:14n CuDevice:15n CtxswDevPath:16s CtrlDevPath:17s RmGpuId:18n RmDevice:19n RmSubDevice:20n Revision:21n NodeMask:22n ConstantMemory:23n "+
		"MaxIPC:24n MaxRegistersPerBlock:25n MaxShmemPerBlock:26n MaxShmemPerBlockOptin:27n MaxShmemPerSm:28n MaxRegistersPerSm:29n ThreadsPerWarp:30n AsyncEngines:31n MaxWarpsPerSm:32n "+
		"MaxBlocksPerSm:33n MaxThreadsPerBlock:34n MaxBlockDimX:35n MaxBlockDimY:36n MaxBlockDimZ:37n MaxGridDimX:38n MaxGridDimY:39n MaxGridDimZ:40n ComputeMajor:41n ComputeMinor:42n "+
		"SmMajor:43n SmMinor:44n MigEnabled:45b InConfidentialComputeMode:47b Architecture:48s VideoEngineStatus:49n GspFirmwareVersion:50s")),
	905: jsonFields("Ids:1n*"),
	910: jsonMessage{}.with(1, "Nics", true, jsonFields("Id:1n Name:2s DeviceId:3n VendorId:4n LinkLayer:5n GUID:6q")),
	912: jsonFields("defaultCpuIPSamplingTriggerEventIndex:1n").
		enum(2, "triggerType", map[int64]string{1: "Hardware", 2: "Software"}).
		with(3, "samplingPeriodInfo", false, jsonFields("minSamplingPeriod:1n")).
		with(4, "CpuCoreInfo", false, jsonFields("MaximumSimultaneousEvents:1n").with(2, "Events", true, perfEvent)).
		with(6, "OsInfo", false, jsonMessage{}.with(1, "Events", true, perfEvent)),
	923: {},
	924: jsonMessage{}.with(1, "Plugins", true, jsonFields("ExecutablePath:1s FeatureName:2s Description:3s ExtendedDescriptionForGui:4s IsInternalFeature:5b")),
}

var perfEvent = jsonFields("Id:1n Name:2s Description:3s").with(5, "ASO", false,
	jsonFields("EventName:1s EventDescription:2s EventUnit:3s EventId:4n PerfEventOpenType:5n PerfEventOpenConfig:6q PerfEventOpenConfig1:7q PerfEventOpenConfig2:8q scale:9q "+
		"Node:11n PerfEventOpenCacheOpId:12q PerfEventOpenCacheOpResultId:13q").enum(10, "CompType", map[int64]string{2: "OS"}))

// maxJSON bounds how deep messages lie in one another.
const maxJSON = 8

// appendTo prints a message as exports do: compact, the fields by their numbers,
// those that are absent left out.
func (m jsonMessage) appendTo(b []byte, msg nsysrep.Message, depth int) []byte {
	b = append(b, '{')
	first := true
	done := map[int]bool{}
	for _, num := range msg.Numbers() {
		if done[num] {
			continue
		}
		done[num] = true
		f, known := m[num]
		values := msg.All(num)
		if !known {
			f = guessField(num, values)
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendQuoted(b, f.name), ':')
		if !f.list {
			b = f.appendTo(b, values[len(values)-1], depth)
			continue
		}
		b = append(b, '[')
		for i, v := range values {
			if i > 0 {
				b = append(b, ',')
			}
			b = f.appendTo(b, v, depth)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

// guessField stands for a field that has no name here.
func guessField(num int, values []nsysrep.Field) jsonField {
	f := jsonField{name: strconv.Itoa(num), kind: 'n', list: len(values) > 1}
	if b := values[0].Bytes; b != nil {
		f.kind = 's'
		if _, err := nsysrep.Parse(b); err == nil && len(b) > 0 && b[0] < ' ' {
			f.kind = 'm'
		}
	}
	return f
}

func (f *jsonField) appendTo(b []byte, v nsysrep.Field, depth int) []byte {
	switch {
	case f.kind == 'm' && depth < maxJSON:
		sub, _ := nsysrep.Parse(v.Bytes)
		return f.sub.appendTo(b, sub, depth+1)
	case f.kind == 's' || f.kind == 'm':
		return appendQuoted(b, string(v.Bytes))
	case f.kind == 'b':
		return strconv.AppendBool(b, v.Int != 0)
	case f.kind == 'q':
		return append(strconv.AppendUint(append(b, '"'), v.Int, 10), '"')
	case f.kind == 'e' && f.enum[int64(v.Int)] != "":
		return appendQuoted(b, f.enum[int64(v.Int)])
	}
	return strconv.AppendInt(b, int64(v.Int), 10)
}

// appendQuoted quotes a text as protocol buffers do in JSON.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\b':
			b = append(b, `\b`...)
		case r == '\f':
			b = append(b, `\f`...)
		case r < ' ' || r == '<' || r == '>' || r == 0x7f:
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
