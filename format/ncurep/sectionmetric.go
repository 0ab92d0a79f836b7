package ncurep

// SectionMetric is a metric as a section asks for it and shows it.
type SectionMetric struct {
	Name                 string // may carry a prefix: "regex:", "group:", "breakdown:"
	Label                Opt[string]
	HWUnit               Opt[HWUnit]
	ShowInstances        Opt[bool]
	Unit                 Opt[string] // never seen set
	Filter               *MetricFilter
	Options              []*MetricOption // alternatives; the first whose filter matches replaces Name and Label
	Display              *DisplayProperties
	Groups               []string
	DisableExtraSuffixes Opt[bool]
	CtrDomains           []string
	Multiplier           Opt[float64] // factor of PM-sampling values
	Unknown              Unknown
}

var sectionMetricTable = newTable(func(m *SectionMetric) *Unknown { return &m.Unknown },
	reqString(1, func(m *SectionMetric) *string { return &m.Name }),
	optString(2, func(m *SectionMetric) *Opt[string] { return &m.Label }),
	optInt(3, func(m *SectionMetric) *Opt[HWUnit] { return &m.HWUnit }),
	optBool(4, func(m *SectionMetric) *Opt[bool] { return &m.ShowInstances }),
	optString(5, func(m *SectionMetric) *Opt[string] { return &m.Unit }),
	optMessage(6, func(m *SectionMetric) **MetricFilter { return &m.Filter }),
	repMessage(7, func(m *SectionMetric) *[]*MetricOption { return &m.Options }),
	optMessage(8, func(m *SectionMetric) **DisplayProperties { return &m.Display }),
	repString(9, func(m *SectionMetric) *[]string { return &m.Groups }),
	optBool(10, func(m *SectionMetric) *Opt[bool] { return &m.DisableExtraSuffixes }),
	repString(11, func(m *SectionMetric) *[]string { return &m.CtrDomains }),
	optDouble(13, func(m *SectionMetric) *Opt[float64] { return &m.Multiplier }),
)

func (*SectionMetric) table() *table[SectionMetric] { return sectionMetricTable }

// MetricOption is an alternative name of a metric on some GPUs.
type MetricOption struct {
	Name    string
	Label   Opt[string]
	Filter  *MetricFilter
	Unknown Unknown
}

var metricOptionTable = newTable(func(m *MetricOption) *Unknown { return &m.Unknown },
	reqString(1, func(m *MetricOption) *string { return &m.Name }),
	optString(2, func(m *MetricOption) *Opt[string] { return &m.Label }),
	optMessage(3, func(m *MetricOption) **MetricFilter { return &m.Filter }),
)

func (*MetricOption) table() *table[MetricOption] { return metricOptionTable }

// MetricFilter restricts where a metric, option, item or section applies. Unset
// bounds are open; Ranges, if any, replace Min and Max.
type MetricFilter struct {
	MinArch    Opt[Arch]
	MaxArch    Opt[Arch]
	Ranges     []*ArchRange // "Items" in the format
	Collection *CollectionFilter
	VGPU       Opt[int32] // name from newer section files; 2 seen, perhaps "not supported"
	Unknown    Unknown
}

var metricFilterTable = newTable(func(m *MetricFilter) *Unknown { return &m.Unknown },
	optInt(1, func(m *MetricFilter) *Opt[Arch] { return &m.MinArch }),
	optInt(2, func(m *MetricFilter) *Opt[Arch] { return &m.MaxArch }),
	repMessage(3, func(m *MetricFilter) *[]*ArchRange { return &m.Ranges }),
	optMessage(4, func(m *MetricFilter) **CollectionFilter { return &m.Collection }),
	optInt(5, func(m *MetricFilter) *Opt[int32] { return &m.VGPU }),
)

func (*MetricFilter) table() *table[MetricFilter] { return metricFilterTable }

// ArchRange is a range of compute capabilities, both ends included.
type ArchRange struct {
	MinArch Opt[Arch]
	MaxArch Opt[Arch]
	Unknown Unknown
}

var archRangeTable = newTable(func(m *ArchRange) *Unknown { return &m.Unknown },
	optInt(1, func(m *ArchRange) *Opt[Arch] { return &m.MinArch }),
	optInt(2, func(m *ArchRange) *Opt[Arch] { return &m.MaxArch }),
)

func (*ArchRange) table() *table[ArchRange] { return archRangeTable }

// CollectionFilter restricts by the kind of workload.
type CollectionFilter struct {
	Scopes     []CollectionScope // empty: all
	Importance Opt[CollectionImportance]
	Unknown    Unknown
}

var collectionFilterTable = newTable(func(m *CollectionFilter) *Unknown { return &m.Unknown },
	repInt(1, func(m *CollectionFilter) *[]CollectionScope { return &m.Scopes }),
	optInt(2, func(m *CollectionFilter) *Opt[CollectionImportance] { return &m.Importance }),
)

func (*CollectionFilter) table() *table[CollectionFilter] { return collectionFilterTable }

// DisplayProperties tells the source page how to show a metric.
type DisplayProperties struct {
	SourceCorrelation *SourceCorrelation
	SourceView        *SourceView
	Unknown           Unknown
}

var displayPropertiesTable = newTable(func(m *DisplayProperties) *Unknown { return &m.Unknown },
	optMessage(1, func(m *DisplayProperties) **SourceCorrelation { return &m.SourceCorrelation }),
	optMessage(2, func(m *DisplayProperties) **SourceView { return &m.SourceView }),
)

func (*DisplayProperties) table() *table[DisplayProperties] { return displayPropertiesTable }

// SourceCorrelation tells how values of instructions become values of lines.
type SourceCorrelation struct {
	Disabled                    Opt[bool]
	DivideByCorrelatedLineCount Opt[bool]
	Unknown                     Unknown
}

var sourceCorrelationTable = newTable(func(m *SourceCorrelation) *Unknown { return &m.Unknown },
	optBool(1, func(m *SourceCorrelation) *Opt[bool] { return &m.Disabled }),
	optBool(2, func(m *SourceCorrelation) *Opt[bool] { return &m.DivideByCorrelatedLineCount }),
)

func (*SourceCorrelation) table() *table[SourceCorrelation] { return sourceCorrelationTable }

// SourceView tells how a source-page column starts out.
type SourceView struct {
	DefaultVisible        Opt[bool]
	DisableRelativeValues Opt[bool]
	Unknown               Unknown
}

var sourceViewTable = newTable(func(m *SourceView) *Unknown { return &m.Unknown },
	optBool(1, func(m *SourceView) *Opt[bool] { return &m.DefaultVisible }),
	optBool(2, func(m *SourceView) *Opt[bool] { return &m.DisableRelativeValues }),
)

func (*SourceView) table() *table[SourceView] { return sourceViewTable }

// Arch is a compute capability times ten: 86 is 8.6. Section files spell it
// CC_86.
type Arch int32

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
