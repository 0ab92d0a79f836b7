package ncurep

// ExecutableSettings is what the user of the interactive viewer asked to run.
type ExecutableSettings struct {
	Path          string      `ncu:"1"`
	WorkDirectory Opt[string] `ncu:"2"`
	Arguments     Opt[string] `ncu:"3"`
	Environment   Opt[string] `ncu:"4"`
	Unknown       Unknown
}

// ProfilerSettings is how the user of the interactive viewer asked to profile.
type ProfilerSettings struct {
	EnableNvtx                Opt[bool]        `ncu:"1"`
	DisableProfilingStartStop Opt[bool]        `ncu:"2"`
	EnableProfilingFromStart  Opt[bool]        `ncu:"3"`
	ActivityType              Opt[string]      `ncu:"4"`
	Filter                    *filterOptions   `ncu:"5"`
	Other                     *otherOptions    `ncu:"6"`
	EnabledSections           Opt[string]      `ncu:"7"`
	ClockControlMode          Opt[string]      `ncu:"8"`
	Sampling                  *samplingOptions `ncu:"9"`
	Field10                   Opt[bool]        `ncu:"10"` // meaning not known
	ReplayMode                Opt[string]      `ncu:"11"` // "Kernel"; name a guess
	Field12                   Opt[bool]        `ncu:"12"` // meaning not known; perhaps call stacks
	Unknown                   Unknown
}

// filterOptions selects the kernels to profile.
type filterOptions struct {
	KernelRegex          Opt[string] `ncu:"1"`
	KernelRegexBase      Opt[string] `ncu:"2"`
	KernelID             Opt[string] `ncu:"3"`
	SkipCount            Opt[uint32] `ncu:"4"`
	SkipBeforeMatchCount Opt[uint32] `ncu:"5"`
	CaptureCount         Opt[uint32] `ncu:"6"`
	Unknown              Unknown
}

// samplingOptions configures the warp state sampler.
type samplingOptions struct {
	IntervalAuto Opt[bool]   `ncu:"1"`
	Interval     Opt[uint64] `ncu:"2"`
	MaxPasses    Opt[uint64] `ncu:"3"`
	BufferSize   Opt[uint64] `ncu:"4"` // bytes
	Unknown      Unknown
}

// otherOptions holds the remaining choices.
type otherOptions struct {
	ApplyRules Opt[bool]   `ncu:"1"`
	Metrics    Opt[string] `ncu:"2"`
	Unknown    Unknown
}
