package ncurep

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// sampleReport is a small report of our own making: two kernels of one cubin,
// with a bit of everything.
func sampleReport() *Report {
	rt := &Report{
		Session: &Session{
			CreationTime: Some(uint64(1700000000)),
			Host:         &SystemInfo{OSName: Some("Linux"), ComputerName: Some("login1"), Platform: Some(PlatformLinux)},
			Target:       &SystemInfo{OSName: Some("Linux"), ComputerName: Some("gpu7"), Platform: Some(PlatformLinux)},
			Devices: []*DeviceAttributes{{ID: 0, Name: Some("Sample GPU"), Attributes: []*DeviceAttribute{
				{Name: "device__attribute_warp_size", Value: Uint64Value(32)},
				{Name: "device__attribute_display_name", Value: StringValue("Sample GPU")},
			}}},
			Versions:    []*VersionInfo{{Provider: "Nsight Compute Target", Version: "2025.1.0.0"}},
			CommandLine: Some("ncu -o sample ./sample"),
		},
		Process: &Process{ID: 42, Hostname: Some("127.0.0.1"), Name: Some("/home/user/sample")},
		Sources: []*SourceData{{
			SourceHead: SourceHead{Reference: Some(uint64(77)), SassLevel: Some(SassLevel(8)), SMRevision: Some(uint32(8<<16 | 6)),
				Functions: &FunctionTable{Functions: []*Function{{MangledName: "scale", Address: 0x1000, Index: Some(uint32(2))}}}},
			Binary: sampleCubin(),
			Files:  &SourceFiles{Files: []*SourceFile{{Path: "/src/scale.cu", Text: "__global__ void scale() {\n}\n"}}},
		}},
	}
	for i := range 2 {
		rt.Results = append(rt.Results, sampleResult(uint64(i)))
	}
	return rt
}

func sampleResult(i uint64) *ResultData {
	pcs, series, opcodes := new(Instances), new(Instances), new(Instances)
	for k := range uint64(4) {
		pcs.Append(Uint64Value(0x1000+16*k), Uint64Value(k*k+i))
		series.Append(Uint64Value(1700000000000000000+1000*k), DoubleValue(float64(k)/3))
	}
	opcodes.Append(StringValue("FFMA"), Uint64Value(1000))
	opcodes.Append(StringValue("EXIT"), Uint64Value(32))
	occupancy := &Instances{}
	occupancy.Append(Value{}, FloatValue(0.5))
	occupancy.Append(Uint32Value(7), Value{})
	return &ResultData{
		ResultHeader: ResultHeader{
			ThreadID: 43, APICallID: 100 + i, KernelID: i, MangledName: "scale", FunctionName: "scale", DemangledName: "scale()",
			WorkDimensions: 3, WorkOffset: XYZ(0, 0, 0), Grid: XYZ(64, 2, 1), Block: XYZ(128, 1, 1), CreationTime: Some(uint64(1700000001)),
			Source: &SourceHead{Reference: Some(uint64(77))}, API: Some(APICUDA), ContextID: Some(uint32(1)), StreamID: Some(uint32(7)),
			ClockControl: &ClockControl{Field1: Some(uint32(1)), Field2: Some(uint32(1))}, DriverVersion: Some(float32(576.5)),
		},
		Metrics: []MetricData{
			{Name: "gpu__time_duration.sum", Value: DoubleValue(1234.5)},
			{Name: "launch__grid_size", Value: Uint64Value(128)},
			{Name: "inst_executed", Value: Uint64Value(14 + 4*i), Instances: pcs},
			{Name: "pmsampling:sm__cycles_active.avg", Series: Some(uint32(1)), Instances: series},
			{Name: "sass__inst_executed_per_opcode", Value: Uint64Value(1032), Instances: opcodes},
			{Name: "launch__kernel_name", Value: StringValue("scale")},
			{Name: "not_a_number", Value: DoubleValue(math.NaN())},
			{Name: "never_collected"},
			{Name: "odd", Value: FloatValue(1.5), Instances: occupancy},
			{Name: "inst_executed", Value: Uint64Value(99)},
		},
		Sections: []*Section{sampleSection()},
		Rules:    []*RuleResult{sampleRule()},
		Nvtx: &NvtxState{Domains: []*NvtxDomain{{ID: 0, Name: "<default domain>"}}, Threads: []*NvtxThread{{TID: 43, Domains: []*NvtxPushPopDomain{{
			Stack: []*NvtxPushPopRange{{Name: "step", Attributes: &NvtxAttributes{Version: 2, Color: &NvtxColor{Type: colorARGB, Color: Some(uint32(0xff00ff00))},
				Payload: &NvtxPayload{Type: nvtxPayloadInt64, Int64: Some(int64(-5))}, Message: &NvtxMessage{Type: nvtxMessageASCII, Text: Some("step")}}}},
		}}}}},
		CallStack:       &CallStack{Frames: []*callFrame{{Module: Some("/home/user/sample"), Address: Some(uint64(0x401000)), Function: Some("main"), Line: Some(uint32(12))}}},
		SectionComments: []*Comment{{ID: &commentID{SectionID: "SpeedOfLight"}, DisplayName: "Speed Of Light", Text: "as expected"}},
	}
}

func sampleSection() *Section {
	duration := &SectionMetric{Name: "gpu__time_duration.sum", Label: Some("Duration"), Filter: &MetricFilter{MinArch: Some(Arch(70))},
		Options: []*MetricOption{{Name: "gpu__time_duration", Filter: &MetricFilter{MaxArch: Some(Arch(62))}}}}
	return &Section{Identifier: "SpeedOfLight", DisplayName: "GPU Speed Of Light", Order: Some(uint32(10)),
		Header: &SectionHeader{Rows: Some(uint32(1)), Metrics: []*SectionMetric{duration, {}}},
		Bodies: []*SectionBody{{DisplayName: Some("Charts"), Items: []*BodyItem{
			{BarChart: &BarChart{Label: Some("Bars"), Direction: Some(horizontal), Metrics: []*SectionMetric{duration}}},
			{Horizontal: &HorizontalContainer{Items: []*BodyItem{{MemoryChart: &LabelItem{Label: Some("Memory")}}}}},
		}}},
		Sets: []*SectionSet{{Identifier: "basic"}},
	}
}

func sampleRule() *RuleResult {
	return &RuleResult{Identifier: "Bottleneck", DisplayName: "Bottleneck", SectionIdentifier: Some("SpeedOfLight"),
		Body: &RuleBody{Items: []*RuleItem{
			{Message: &RuleMessage{Text: "too small", Type: messageOptimization, ID: Some(int32(1)), Name: Some("Small Grid")}},
			{FocusMetrics: []*FocusMetric{{MessageID: Some(int32(1)), Name: Some("launch__grid_size"), Value: Some(128.0), Severity: Some(severityHigh)}}},
			{Speedup: &Speedup{Type: Some(speedupGlobal), Value: Some(25.0)}},
		}},
		Markers: []*SourceMarker{{Kind: Some(markerSASS), Address: Some(uint64(0x1010)), Text: Some("hot"), Type: Some(messageWarning)}},
	}
}

func encodeReport(tb testing.TB, r *Report) []byte {
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// elfPart is a section of a cubin made here.
type elfPart struct {
	name       string
	typ        uint32
	link, info uint32
	data       []byte
}

// sampleCubin makes a cubin with one kernel of four instructions, of which the
// third was inlined, and PTX of three lines.
func sampleCubin() []byte { return loadedCubin(0) }

// loadedCubin is the sample as it is read back from a device where its text was
// loaded at an address: the values of symbols are addresses.
func loadedCubin(address uint64) []byte {
	le := binary.LittleEndian
	symtab := make([]byte, elfSymbolSize)
	symtab = le.AppendUint32(symtab, 1)
	symtab = append(symtab, 1<<4|sttFunc, 0)
	symtab = le.AppendUint16(symtab, 4)
	symtab = le.AppendUint64(symtab, address)
	symtab = le.AppendUint64(symtab, 64)
	if address > 0 {
		symtab = append(symtab, 0, 0, 0, 0, sttSection, 0)
		symtab = le.AppendUint16(symtab, 4)
		symtab = le.AppendUint64(symtab, address)
		symtab = le.AppendUint64(symtab, 0)
	}
	rel := le.AppendUint64(nil, uint64(len(lineHead())+4+4+2+3))
	rel = le.AppendUint64(rel, 1<<32|2)
	return makeELF([]elfPart{
		{},
		{name: ".strtab", typ: 3, data: []byte("\x00scale\x00")},
		{name: ".symtab", typ: shtSymtab, link: 1, data: symtab},
		{name: ".debug_str", typ: 1, data: []byte("helper\x00")},
		{name: ".text.scale", typ: 1, data: make([]byte, 64)},
		{name: ".debug_line", typ: 1, data: sampleLines(address)},
		{name: ".rel.debug_line", typ: shtRel, link: 2, info: 5, data: rel},
		{name: ".nv_debug_ptx_txt", typ: 1, data: []byte(".version 8.3\x00ret;\x00}")},
		{name: ".shstrtab", typ: 3},
	})
}

// lineHead is the part of a line program's header that its length counts.
func lineHead() []byte {
	b := []byte{1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1}
	b = append(b, "/src\x00\x00"...)
	b = append(b, "scale.cu\x00\x01\x00\x00"...)
	b = append(b, "../inc/helper.cuh\x00\x01\x00\x00\x00"...)
	return b
}

func sampleLines(address uint64) []byte {
	program := binary.LittleEndian.AppendUint64([]byte{0, 9, lneSetAddress}, address)
	program = append(program, lnsAdvanceLine, 4, lnsCopy)                      // offset 0: line 5
	program = append(program, lnsAdvanceLine, 2, lnsAdvancePC, 16, lnsCopy)    // 16: line 7
	program = append(program, 0, 3, lneNvInlinedCall, 2, 0, lnsSetFile, 2)     // inlined at row 2
	program = append(program, lnsAdvanceLine, 20, lnsAdvancePC, 16, lnsCopy)   // 32: line 27 of helper.cuh
	program = append(program, 0, 3, lneNvInlinedCall, 0, 0, lnsSetFile, 1)     // no longer
	program = append(program, lnsAdvanceLine, 0x6d, lnsAdvancePC, 16, lnsCopy) // 48: line 8
	program = append(program, lnsAdvancePC, 16, 0, 1, lneEndSequence)
	head := lineHead()
	b := binary.LittleEndian.AppendUint32(nil, uint32(2+4+len(head)+len(program)))
	b = binary.LittleEndian.AppendUint16(b, 2)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	return append(append(b, head...), program...)
}

// makeELF lays out a cubin: header, section contents, section headers. The last
// part takes the section names.
func makeELF(parts []elfPart) []byte {
	le := binary.LittleEndian
	names := []byte{0}
	nameAt := make([]uint32, len(parts))
	for i, p := range parts {
		if p.name != "" {
			nameAt[i] = uint32(len(names))
			names = append(append(names, p.name...), 0)
		}
	}
	parts[len(parts)-1].data = names
	b := append([]byte("\x7fELF\x02\x01\x01\x33\x07"), make([]byte, elfHeaderSize-9)...)
	le.PutUint16(b[18:], elfMachineCUDA)
	le.PutUint32(b[20:], 123)
	le.PutUint32(b[48:], 0x560556)
	le.PutUint16(b[58:], elfSectionSize)
	le.PutUint16(b[60:], uint16(len(parts)))
	le.PutUint16(b[62:], uint16(len(parts)-1))
	at := make([]uint64, len(parts))
	for i, p := range parts {
		at[i] = uint64(len(b))
		b = append(b, p.data...)
	}
	le.PutUint64(b[40:], uint64(len(b)))
	for i, p := range parts {
		b = le.AppendUint32(b, nameAt[i])
		b = le.AppendUint32(b, p.typ)
		b = append(b, make([]byte, 16)...)
		b = le.AppendUint64(b, at[i])
		b = le.AppendUint64(b, uint64(len(p.data)))
		b = le.AppendUint32(b, p.link)
		b = le.AppendUint32(b, p.info)
		b = append(b, make([]byte, 16)...)
	}
	return b
}
