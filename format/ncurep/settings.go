package ncurep

// ExecutableSettings is what the user of the interactive viewer asked to run.
type ExecutableSettings struct {
	Path          string
	WorkDirectory Opt[string]
	Arguments     Opt[string]
	Environment   Opt[string]
	Unknown       Unknown
}

var executableSettingsTable = newTable(func(m *ExecutableSettings) *Unknown { return &m.Unknown },
	reqString(1, func(m *ExecutableSettings) *string { return &m.Path }),
	optString(2, func(m *ExecutableSettings) *Opt[string] { return &m.WorkDirectory }),
	optString(3, func(m *ExecutableSettings) *Opt[string] { return &m.Arguments }),
	optString(4, func(m *ExecutableSettings) *Opt[string] { return &m.Environment }),
)

func (*ExecutableSettings) table() *table[ExecutableSettings] { return executableSettingsTable }

// ProfilerSettings is how the user of the interactive viewer asked to profile.
type ProfilerSettings struct {
	EnableNvtx                Opt[bool]
	DisableProfilingStartStop Opt[bool]
	EnableProfilingFromStart  Opt[bool]
	ActivityType              Opt[string] // "Profile"
	Filter                    *FilterOptions
	Other                     *OtherOptions
	EnabledSections           Opt[string]
	ClockControlMode          Opt[string] // "Base"
	Sampling                  *SamplingOptions
	Field10                   Opt[bool]   // meaning not known
	ReplayMode                Opt[string] // "Kernel"; name a guess
	Field12                   Opt[bool]   // meaning not known; perhaps call stacks
	Unknown                   Unknown
}

var profilerSettingsTable = newTable(func(m *ProfilerSettings) *Unknown { return &m.Unknown },
	optBool(1, func(m *ProfilerSettings) *Opt[bool] { return &m.EnableNvtx }),
	optBool(2, func(m *ProfilerSettings) *Opt[bool] { return &m.DisableProfilingStartStop }),
	optBool(3, func(m *ProfilerSettings) *Opt[bool] { return &m.EnableProfilingFromStart }),
	optString(4, func(m *ProfilerSettings) *Opt[string] { return &m.ActivityType }),
	optMessage(5, func(m *ProfilerSettings) **FilterOptions { return &m.Filter }),
	optMessage(6, func(m *ProfilerSettings) **OtherOptions { return &m.Other }),
	optString(7, func(m *ProfilerSettings) *Opt[string] { return &m.EnabledSections }),
	optString(8, func(m *ProfilerSettings) *Opt[string] { return &m.ClockControlMode }),
	optMessage(9, func(m *ProfilerSettings) **SamplingOptions { return &m.Sampling }),
	optBool(10, func(m *ProfilerSettings) *Opt[bool] { return &m.Field10 }),
	optString(11, func(m *ProfilerSettings) *Opt[string] { return &m.ReplayMode }),
	optBool(12, func(m *ProfilerSettings) *Opt[bool] { return &m.Field12 }),
)

func (*ProfilerSettings) table() *table[ProfilerSettings] { return profilerSettingsTable }

// FilterOptions selects the kernels to profile.
type FilterOptions struct {
	KernelRegex          Opt[string]
	KernelRegexBase      Opt[string] // "Function"
	KernelID             Opt[string]
	SkipCount            Opt[uint32]
	SkipBeforeMatchCount Opt[uint32]
	CaptureCount         Opt[uint32]
	Unknown              Unknown
}

var filterOptionsTable = newTable(func(m *FilterOptions) *Unknown { return &m.Unknown },
	optString(1, func(m *FilterOptions) *Opt[string] { return &m.KernelRegex }),
	optString(2, func(m *FilterOptions) *Opt[string] { return &m.KernelRegexBase }),
	optString(3, func(m *FilterOptions) *Opt[string] { return &m.KernelID }),
	optInt(4, func(m *FilterOptions) *Opt[uint32] { return &m.SkipCount }),
	optInt(5, func(m *FilterOptions) *Opt[uint32] { return &m.SkipBeforeMatchCount }),
	optInt(6, func(m *FilterOptions) *Opt[uint32] { return &m.CaptureCount }),
)

func (*FilterOptions) table() *table[FilterOptions] { return filterOptionsTable }

// SamplingOptions configures the warp state sampler.
type SamplingOptions struct {
	IntervalAuto Opt[bool]
	Interval     Opt[uint64]
	MaxPasses    Opt[uint64]
	BufferSize   Opt[uint64] // bytes
	Unknown      Unknown
}

var samplingOptionsTable = newTable(func(m *SamplingOptions) *Unknown { return &m.Unknown },
	optBool(1, func(m *SamplingOptions) *Opt[bool] { return &m.IntervalAuto }),
	optInt(2, func(m *SamplingOptions) *Opt[uint64] { return &m.Interval }),
	optInt(3, func(m *SamplingOptions) *Opt[uint64] { return &m.MaxPasses }),
	optInt(4, func(m *SamplingOptions) *Opt[uint64] { return &m.BufferSize }),
)

func (*SamplingOptions) table() *table[SamplingOptions] { return samplingOptionsTable }

// OtherOptions holds the remaining choices.
type OtherOptions struct {
	ApplyRules Opt[bool]
	Metrics    Opt[string]
	Unknown    Unknown
}

var otherOptionsTable = newTable(func(m *OtherOptions) *Unknown { return &m.Unknown },
	optBool(1, func(m *OtherOptions) *Opt[bool] { return &m.ApplyRules }),
	optString(2, func(m *OtherOptions) *Opt[string] { return &m.Metrics }),
)

func (*OtherOptions) table() *table[OtherOptions] { return otherOptionsTable }
