package ncurep

// Session is what a report says about the profiling session as a whole. The
// profiler writes it in pieces, spread over the first and last blocks;
// [File.Session] merges them: single fields take the last value written,
// repeated ones are joined.
type Session struct {
	ProcessID    Opt[uint32]
	CreationTime Opt[uint64] // seconds since 1970-01-01 UTC
	Host         *SystemInfo // where the profiler's front end ran
	Target       *SystemInfo // where the profiled program ran
	Properties   *DeviceProperties
	Devices      []*DeviceAttributes
	Comments     Opt[string] // free text typed into the viewer
	Versions     []*VersionInfo
	Executable   *ExecutableSettings // written by the interactive viewer only
	Settings     *ProfilerSettings   // written by the interactive viewer only
	CommandLine  Opt[string]         // the profiler's own, with all options; since 2022.3
	Unknown      Unknown
}

var sessionTable = newTable(func(m *Session) *Unknown { return &m.Unknown },
	optInt(1, func(m *Session) *Opt[uint32] { return &m.ProcessID }),
	optInt(2, func(m *Session) *Opt[uint64] { return &m.CreationTime }),
	optMessage(3, func(m *Session) **SystemInfo { return &m.Host }),
	optMessage(4, func(m *Session) **SystemInfo { return &m.Target }),
	optMessage(5, func(m *Session) **DeviceProperties { return &m.Properties }),
	repMessage(6, func(m *Session) *[]*DeviceAttributes { return &m.Devices }),
	optString(7, func(m *Session) *Opt[string] { return &m.Comments }),
	repMessage(8, func(m *Session) *[]*VersionInfo { return &m.Versions }),
	optMessage(9, func(m *Session) **ExecutableSettings { return &m.Executable }),
	optMessage(10, func(m *Session) **ProfilerSettings { return &m.Settings }),
	optString(11, func(m *Session) *Opt[string] { return &m.CommandLine }),
)

func (*Session) table() *table[Session] { return sessionTable }

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
func mergePart[M any, P message[M]](to **M, from *M) {
	switch {
	case from == nil:
	case *to == nil:
		*to = from
	default:
		b := appendMessage[M, P](appendMessage[M, P](nil, *to), from)
		*to = newMessage[M, P](newDecoder("", 0, b), wireValue{b: b})
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
	OSName       Opt[string]
	Build        Opt[string]
	Processor    Opt[string]
	Architecture Opt[string]
	ComputerName Opt[string]
	Platform     Opt[Platform]
	Addresses    []*NetworkAddress // name ours; newer tools only
	Unknown      Unknown
}

var systemInfoTable = newTable(func(m *SystemInfo) *Unknown { return &m.Unknown },
	optString(1, func(m *SystemInfo) *Opt[string] { return &m.OSName }),
	optString(2, func(m *SystemInfo) *Opt[string] { return &m.Build }),
	optString(3, func(m *SystemInfo) *Opt[string] { return &m.Processor }),
	optString(4, func(m *SystemInfo) *Opt[string] { return &m.Architecture }),
	optString(5, func(m *SystemInfo) *Opt[string] { return &m.ComputerName }),
	optInt(6, func(m *SystemInfo) *Opt[Platform] { return &m.Platform }),
	repMessage(7, func(m *SystemInfo) *[]*NetworkAddress { return &m.Addresses }),
)

func (*SystemInfo) table() *table[SystemInfo] { return systemInfoTable }

// NetworkAddress is an address of a machine. Names and meaning are a guess from
// the values seen.
type NetworkAddress struct {
	Address string
	Family  Opt[uint32] // 1 IPv4, 2 IPv6
	Unknown Unknown
}

var networkAddressTable = newTable(func(m *NetworkAddress) *Unknown { return &m.Unknown },
	reqString(1, func(m *NetworkAddress) *string { return &m.Address }),
	optInt(2, func(m *NetworkAddress) *Opt[uint32] { return &m.Family }),
)

func (*NetworkAddress) table() *table[NetworkAddress] { return networkAddressTable }

// DeviceProperties is a list of key-value pairs; always empty in the reports
// seen.
type DeviceProperties struct {
	Properties []*DeviceProperty
	Unknown    Unknown
}

var devicePropertiesTable = newTable(func(m *DeviceProperties) *Unknown { return &m.Unknown },
	repMessage(1, func(m *DeviceProperties) *[]*DeviceProperty { return &m.Properties }),
)

func (*DeviceProperties) table() *table[DeviceProperties] { return devicePropertiesTable }

// DeviceProperty is one pair of [DeviceProperties].
type DeviceProperty struct {
	Key, Value string
	Unknown    Unknown
}

var devicePropertyTable = newTable(func(m *DeviceProperty) *Unknown { return &m.Unknown },
	reqString(1, func(m *DeviceProperty) *string { return &m.Key }),
	reqString(2, func(m *DeviceProperty) *string { return &m.Value }),
)

func (*DeviceProperty) table() *table[DeviceProperty] { return devicePropertyTable }

// DeviceAttributes describes one GPU.
type DeviceAttributes struct {
	ID         uint32
	Name       Opt[string] // "NVIDIA A10G"
	Attributes []*DeviceAttribute
	Unknown    Unknown
}

var deviceAttributesTable = newTable(func(m *DeviceAttributes) *Unknown { return &m.Unknown },
	reqInt(1, func(m *DeviceAttributes) *uint32 { return &m.ID }),
	optString(2, func(m *DeviceAttributes) *Opt[string] { return &m.Name }),
	repMessage(3, func(m *DeviceAttributes) *[]*DeviceAttribute { return &m.Attributes }),
)

func (*DeviceAttributes) table() *table[DeviceAttributes] { return deviceAttributesTable }

// DeviceAttribute is one attribute, named as the metric of the same value:
// "device__attribute_max_threads_per_block".
type DeviceAttribute struct {
	Name    string
	Value   Value
	Unknown Unknown
}

var deviceAttributeTable = newTable(func(m *DeviceAttribute) *Unknown { return &m.Unknown },
	reqString(1, func(m *DeviceAttribute) *string { return &m.Name }),
	reqValue(2, func(m *DeviceAttribute) *Value { return &m.Value }),
)

func (*DeviceAttribute) table() *table[DeviceAttribute] { return deviceAttributeTable }

// VersionInfo names a component and its version.
type VersionInfo struct {
	Provider string
	Version  string
	Unknown  Unknown
}

var versionInfoTable = newTable(func(m *VersionInfo) *Unknown { return &m.Unknown },
	reqString(1, func(m *VersionInfo) *string { return &m.Provider }),
	reqString(2, func(m *VersionInfo) *string { return &m.Version }),
)

func (*VersionInfo) table() *table[VersionInfo] { return versionInfoTable }

// Process is the profiled process that the entries of a block belong to.
type Process struct {
	ID       uint32
	Hostname Opt[string]
	Name     Opt[string] // path of the executable; may end in a NUL byte
	Unknown  Unknown
}

var processTable = newTable(func(m *Process) *Unknown { return &m.Unknown },
	reqInt(1, func(m *Process) *uint32 { return &m.ID }),
	optString(2, func(m *Process) *Opt[string] { return &m.Hostname }),
	optString(3, func(m *Process) *Opt[string] { return &m.Name }),
)

func (*Process) table() *table[Process] { return processTable }
