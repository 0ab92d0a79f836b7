package amd

import "strings"

// A Trace is the content of an .atp file. Lines are parts of the text that
// was read, of which those pieces stay in memory that hold one.
type Trace struct {
	Name     string  // of the file
	Header   []Entry // in file order; keys may repeat
	Sections []*Section
	APIs     []string // the names that API numbers of blocks stand for
	Problems []*FormatError
	CRLF     bool // lines end in CR LF
	Cut      bool // the last line has no end

	api map[string]uint32
}

// An Entry is a line of a header: Key, Sep and Value, as written. Sep is "=" or
// " = ".
type Entry struct{ Key, Sep, Value string }

// Get returns the value of the first header line of a key.
func (t *Trace) Get(key string) (string, bool) { return get(t.Header, key) }

func get(header []Entry, key string) (string, bool) {
	for _, e := range header {
		if e.Key == key {
			return e.Value, true
		}
	}
	return "", false
}

// version is the version of the trace format as two numbers, 0 where the header
// has none.
func (t *Trace) version() (major, minor int) {
	s, _ := t.Get("TraceFileVersion")
	a, b, _ := strings.Cut(s, ".")
	x, _ := number(strings.TrimSpace(a))
	b, _, _ = strings.Cut(b, ".")
	y, _ := number(strings.TrimSpace(b))
	return int(x & 0xffff), int(y & 0xffff)
}

// Kind is the kind of a section.
type Kind uint8

// The kinds of sections.
const (
	UnknownSection   Kind = iota // kept as lines
	APITrace                     // calls with arguments and results
	Timestamps                   // times of calls and of the commands they enqueued
	KernelTimestamps             // packets that HSA queues processed
	StackTrace                   // where in the source calls were made
	PerfMarkers                  // ranges that the application marked itself
)

// Module names of the parts of a trace.
const (
	OpenCL = "ocl"
	HSA    = "hsa"
)

// A Section of a trace. The slice that its Kind calls for is filled.
type Section struct {
	Title  string // as between the rows of "="
	Kind   Kind
	Module string // OpenCL, HSA, or another that the title names; "" where it names none
	Line   int    // of the title

	Calls    []*CallBlock  // APITrace
	Stamps   []*StampBlock // Timestamps
	Declared int           // KernelTimestamps: the count before the packets
	Packets  []Packet      // KernelTimestamps
	Blocks   []*TextBlock  // StackTrace, PerfMarkers
	Lines    []string      // lines before the first block; all lines of an UnknownSection

	countLine int // of Declared
}

// parseTitle finds kind and module in a title of any of the profilers.
func parseTitle(title string) (Kind, string) {
	s := strings.TrimPrefix(title, "AMD ")
	s = strings.TrimPrefix(s, "CodeXL ")
	switch s {
	case "APP Profiler Trace Output":
		return APITrace, OpenCL
	case "APP Profiler Timestamp Output":
		return Timestamps, OpenCL
	case "Perfmarker Output", "OpenCL Perfmarker Output":
		return PerfMarkers, ""
	}
	for _, k := range []struct {
		suffix string
		kind   Kind
	}{
		{" API Trace Output", APITrace},
		{" Kernel Timestamp Output", KernelTimestamps},
		{" Timestamp Output", Timestamps},
		{" Stack Trace Output", StackTrace},
	} {
		if m, ok := strings.CutSuffix(s, k.suffix); ok && m != "" && !strings.Contains(m, " ") {
			return k.kind, strings.ToLower(m)
		}
	}
	return UnknownSection, ""
}

// A CallBlock holds the calls of a thread in the API section.
type CallBlock struct {
	Thread   uint64
	Declared int      // how many calls the file says there are
	Line     int      // of the first call; call i stands on Line+i
	Lines    []string // "result = name ( arguments )"; see ParseCall
	API      []uint32 // name of each call, as index of Trace.APIs
}

// A TextBlock holds the lines of a thread in a stack trace or perf marker
// section; see ParseFrame and ParseMarker.
type TextBlock struct {
	Thread   uint64
	Declared int
	Line     int // of the first line
	Lines    []string
}

// Modules are the modules that have calls, in file order.
func (t *Trace) Modules() []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range t.Sections {
		if (s.Kind == APITrace || s.Kind == Timestamps) && !seen[s.Module] {
			seen[s.Module] = true
			out = append(out, s.Module)
		}
	}
	return out
}

// intern returns the number of an API name.
func (t *Trace) intern(name string) uint32 {
	if n, ok := t.api[name]; ok {
		return n
	}
	if t.api == nil {
		t.api = map[string]uint32{}
	}
	name = strings.Clone(name) // not to hold the text it stood in
	n := uint32(len(t.APIs))
	t.APIs = append(t.APIs, name)
	t.api[name] = n
	return n
}
