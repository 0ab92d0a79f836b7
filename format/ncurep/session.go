package ncurep

// Session is what a report says about the profiling session as a whole. The
// profiler writes it in pieces, spread over the first and last blocks;
// [File.Session] merges them: single fields take the last value written,
// repeated ones are joined.
type Session struct {
	ProcessID    Opt[uint32]         `ncu:"1"`
	CreationTime Opt[uint64]         `ncu:"2"` // seconds since 1970-01-01 UTC
	Host         *SystemInfo         `ncu:"3"` // where the profiler's front end ran
	Target       *SystemInfo         `ncu:"4"` // where the profiled program ran
	Properties   *DeviceProperties   `ncu:"5"`
	Devices      []*DeviceAttributes `ncu:"6"`
	Comments     Opt[string]         `ncu:"7"` // free text typed into the viewer
	Versions     []*VersionInfo      `ncu:"8"`
	Executable   *ExecutableSettings `ncu:"9"`  // written by the interactive viewer only
	Settings     *ProfilerSettings   `ncu:"10"` // written by the interactive viewer only
	CommandLine  Opt[string]         `ncu:"11"` // the profiler's own, with all options; since 2022.3
	Unknown      Unknown
}

// merge adds a piece of the session, whose parts are shared, not copied.
func (s *Session) merge(p *Session) {
	mergeOpt(&s.ProcessID, p.ProcessID)
	mergeOpt(&s.CreationTime, p.CreationTime)
	mergePart(&s.Host, p.Host)
	mergePart(&s.Target, p.Target)
	mergePart(&s.Properties, p.Properties)
	s.Devices = append(s.Devices, p.Devices...)
	mergeOpt(&s.Comments, p.Comments)
	s.Versions = append(s.Versions, p.Versions...)
	mergePart(&s.Executable, p.Executable)
	mergePart(&s.Settings, p.Settings)
	mergeOpt(&s.CommandLine, p.CommandLine)
	s.Unknown = append(s.Unknown, p.Unknown...)
}

func mergeOpt[T any](to *Opt[T], from Opt[T]) {
	if from.Set {
		*to = from
	}
}

// mergePart merges messages as decoding one after the other would.
func mergePart[M any](to **M, from *M) {
	switch {
	case from == nil:
	case *to == nil:
		*to = from
	default:
		b := appendMessage[M](appendMessage[M](nil, *to), from)
		*to = newMessage[M](newDecoder("", 0, b), wireValue{b: b})
	}
}

// Version returns the version string of a provider such as "Nsight Compute
// Target", "CUDA Version", "Display Driver Version" or "PerfWorks"; "" if the
// report does not name it.
func (s *Session) Version(provider string) string {
	for _, v := range s.Versions {
		if v.Provider == provider {
			return v.Version
		}
	}
	return ""
}

// Platform is the operating system of a machine.
type Platform int32

// The platforms, as the format numbers them.
const (
	PlatformUnknown Platform = iota
	PlatformWindows
	PlatformLinux
	PlatformAndroid
	PlatformOSX
	PlatformQNX
	PlatformHos
)

var platformNames = []string{"Unknown", "Windows", "Linux", "Android", "OSX", "QNX", "Hos"}

func (p Platform) String() string { return enumName("Platform", platformNames, p) }

// SystemInfo describes a machine.
type SystemInfo struct {
	OSName       Opt[string]       `ncu:"1"`
	Build        Opt[string]       `ncu:"2"`
	Processor    Opt[string]       `ncu:"3"`
	Architecture Opt[string]       `ncu:"4"`
	ComputerName Opt[string]       `ncu:"5"`
	Platform     Opt[Platform]     `ncu:"6"`
	Addresses    []*NetworkAddress `ncu:"7"` // name ours; newer tools only
	Unknown      Unknown
}

// NetworkAddress is an address of a machine. Names and meaning are a guess from
// the values seen.
type NetworkAddress struct {
	Address string      `ncu:"1"`
	Family  Opt[uint32] `ncu:"2"` // 1 IPv4, 2 IPv6
	Unknown Unknown
}

// DeviceProperties is a list of key-value pairs; always empty in the reports
// seen.
type DeviceProperties struct {
	Properties []*deviceProperty `ncu:"1"`
	Unknown    Unknown
}

// deviceProperty is one pair of [DeviceProperties].
type deviceProperty struct {
	Key     string `ncu:"1"`
	Value   string `ncu:"2"`
	Unknown Unknown
}

// DeviceAttributes describes one GPU.
type DeviceAttributes struct {
	ID         uint32             `ncu:"1"`
	Name       Opt[string]        `ncu:"2"` // "NVIDIA A10G"
	Attributes []*DeviceAttribute `ncu:"3"`
	Unknown    Unknown
}

// DeviceAttribute is one attribute, named as the metric of the same value:
// "device__attribute_max_threads_per_block".
type DeviceAttribute struct {
	Name    string `ncu:"1"`
	Value   Value  `ncu:"2"`
	Unknown Unknown
}

// VersionInfo names a component and its version.
type VersionInfo struct {
	Provider string `ncu:"1"`
	Version  string `ncu:"2"`
	Unknown  Unknown
}

// Process is the profiled process that the entries of a block belong to.
type Process struct {
	ID       uint32      `ncu:"1"`
	Hostname Opt[string] `ncu:"2"`
	Name     Opt[string] `ncu:"3"` // path of the executable; may end in a NUL byte
	Unknown  Unknown
}
