package ncurep

// SectionMetric is a metric as a section asks for it and shows it.
type SectionMetric struct {
	Name                 string             `ncu:"1"` // may carry a prefix: "regex:", "group:", "breakdown:"
	Label                Opt[string]        `ncu:"2"`
	HWUnit               Opt[HWUnit]        `ncu:"3"`
	ShowInstances        Opt[bool]          `ncu:"4"`
	Unit                 Opt[string]        `ncu:"5"` // never seen set
	Filter               *MetricFilter      `ncu:"6"`
	Options              []*MetricOption    `ncu:"7"` // alternatives; the first whose filter matches replaces Name and Label
	Display              *DisplayProperties `ncu:"8,DisplayProperties"`
	Groups               []string           `ncu:"9"`
	DisableExtraSuffixes Opt[bool]          `ncu:"10"`
	CtrDomains           []string           `ncu:"11"`
	Multiplier           Opt[float64]       `ncu:"13"` // factor of PM-sampling values
	Unknown              Unknown            `ncu:"Description,UserMetricExpr"`
}

// MetricOption is an alternative name of a metric on some GPUs.
type MetricOption struct {
	Name    string        `ncu:"1"`
	Label   Opt[string]   `ncu:"2"`
	Filter  *MetricFilter `ncu:"3"`
	Unknown Unknown
}

// MetricFilter restricts where a metric, option, item or section applies. Unset
// bounds are open; Ranges, if any, replace Min and Max.
type MetricFilter struct {
	MinArch    Opt[Arch]         `ncu:"1"`
	MaxArch    Opt[Arch]         `ncu:"2"`
	Ranges     []*ArchRange      `ncu:"3,Items"`
	Collection *CollectionFilter `ncu:"4,CollectionFilter"`
	VGPU       Opt[VGPU]         `ncu:"5,VGpu"` // name from newer section files; 2 seen, perhaps "not supported"
	Unknown    Unknown           `ncu:"MinKmd,MaxKmd"`
}

// ArchRange is a range of compute capabilities, both ends included.
type ArchRange struct {
	MinArch Opt[Arch] `ncu:"1"`
	MaxArch Opt[Arch] `ncu:"2"`
	Unknown Unknown
}

// CollectionFilter restricts by the kind of workload.
type CollectionFilter struct {
	Scopes     []CollectionScope         `ncu:"1,CollectionScopes"` // empty: all
	Importance Opt[CollectionImportance] `ncu:"2"`
	Unknown    Unknown
}

// DisplayProperties tells the source page how to show a metric.
type DisplayProperties struct {
	SourceCorrelation *SourceCorrelation `ncu:"1"`
	SourceView        *SourceView        `ncu:"2"`
	Unknown           Unknown
}

// SourceCorrelation tells how values of instructions become values of lines.
type SourceCorrelation struct {
	Disabled                    Opt[bool] `ncu:"1"`
	DivideByCorrelatedLineCount Opt[bool] `ncu:"2"`
	Unknown                     Unknown
}

// SourceView tells how a source-page column starts out.
type SourceView struct {
	DefaultVisible        Opt[bool] `ncu:"1"`
	DisableRelativeValues Opt[bool] `ncu:"2"`
	Unknown               Unknown
}

// Arch is a compute capability times ten: 86 is 8.6. Section files spell it
// CC_86.
type Arch int32

// VGPU tells whether a virtual GPU will do.
type VGPU int32

// HWUnit is the hardware unit that a metric is rolled up from.
type HWUnit int32

// The hardware units.
const (
	HWUnitInvalid HWUnit = iota
	HWUnitDefault
	HWUnitGpc
	HWUnitTpc
	HWUnitSm
	HWUnitSmsp
	HWUnitTex
	HWUnitLts
	HWUnitLtc
	HWUnitFbpa
)

var hwUnitNames = []string{"Invalid", "Default", "Gpc", "Tpc", "Sm", "Smsp", "Tex", "Lts", "Ltc", "Fbpa"}

func (u HWUnit) String() string { return enumName("HWUnit", hwUnitNames, u) }

// CollectionScope is a kind of workload.
type CollectionScope int32

// The kinds of workload.
const (
	ScopeLaunch  CollectionScope = 1
	ScopeRange   CollectionScope = 2
	ScopeCmdlist CollectionScope = 3
)

var scopeNames = []string{"CollectionScope(0)", "Launch", "Range", "Cmdlist"}

func (s CollectionScope) String() string { return enumName("CollectionScope", scopeNames, s) }

// CollectionImportance tells whether an unavailable metric is an error.
type CollectionImportance int32

// The importances.
const (
	ImportanceRequired CollectionImportance = 1
	ImportanceOptional CollectionImportance = 2
)

var importanceNames = []string{"CollectionImportance(0)", "Required", "Optional"}

func (i CollectionImportance) String() string {
	return enumName("CollectionImportance", importanceNames, i)
}
