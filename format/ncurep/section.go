package ncurep

// Section is a section definition as it was used for a result: what the tool
// collects, computes and shows under one heading. Reports embed the whole
// definition, so a details page can be rebuilt without the section files of the
// tool.
type Section struct {
	Identifier    string // "SpeedOfLight"
	DisplayName   string
	Order         Opt[uint32]
	Header        *SectionHeader
	Bodies        []*SectionBody  // written by the format as "Body"
	Metrics       *SectionMetrics // collected, not shown
	Description   Opt[string]
	Sets          []*SectionSet
	Extends       Opt[string] // identifier of the section this one is shown merged with
	Definitions   *MetricDefinitions
	Filter        *MetricFilter
	Groups        []*MetricGroup  // "Group" in the format
	SourceMetrics *SectionMetrics // columns of the source page
	Unknown       Unknown
}

var sectionTable = newTable(func(m *Section) *Unknown { return &m.Unknown },
	reqString(1, func(m *Section) *string { return &m.Identifier }),
	reqString(2, func(m *Section) *string { return &m.DisplayName }),
	optInt(3, func(m *Section) *Opt[uint32] { return &m.Order }),
	optMessage(4, func(m *Section) **SectionHeader { return &m.Header }),
	repMessage(5, func(m *Section) *[]*SectionBody { return &m.Bodies }),
	optMessage(6, func(m *Section) **SectionMetrics { return &m.Metrics }),
	optString(7, func(m *Section) *Opt[string] { return &m.Description }),
	repMessage(8, func(m *Section) *[]*SectionSet { return &m.Sets }),
	optString(9, func(m *Section) *Opt[string] { return &m.Extends }),
	optMessage(10, func(m *Section) **MetricDefinitions { return &m.Definitions }),
	optMessage(11, func(m *Section) **MetricFilter { return &m.Filter }),
	repMessage(12, func(m *Section) *[]*MetricGroup { return &m.Groups }),
	optMessage(13, func(m *Section) **SectionMetrics { return &m.SourceMetrics }),
)

func (*Section) table() *table[Section] { return sectionTable }

// SectionHeader is the grid of metrics that is always shown, in row-major
// order. A metric without name and label is a blank cell.
type SectionHeader struct {
	Rows    Opt[uint32]
	Metrics []*SectionMetric
	Unknown Unknown
}

var sectionHeaderTable = newTable(func(m *SectionHeader) *Unknown { return &m.Unknown },
	optInt(1, func(m *SectionHeader) *Opt[uint32] { return &m.Rows }),
	repMessage(2, func(m *SectionHeader) *[]*SectionMetric { return &m.Metrics }),
)

func (*SectionHeader) table() *table[SectionHeader] { return sectionHeaderTable }

// SectionBody is one of the alternative bodies of a section.
type SectionBody struct {
	Items       []*BodyItem
	DisplayName Opt[string]
	SetDefault  Opt[bool] // shown first
	Unknown     Unknown
}

var sectionBodyTable = newTable(func(m *SectionBody) *Unknown { return &m.Unknown },
	repMessage(1, func(m *SectionBody) *[]*BodyItem { return &m.Items }),
	optString(2, func(m *SectionBody) *Opt[string] { return &m.DisplayName }),
	optBool(3, func(m *SectionBody) *Opt[bool] { return &m.SetDefault }),
)

func (*SectionBody) table() *table[SectionBody] { return sectionBodyTable }

// SectionMetrics is a plain list of metrics.
type SectionMetrics struct {
	Metrics []*SectionMetric
	Order   Opt[uint32]
	Unknown Unknown
}

var sectionMetricsTable = newTable(func(m *SectionMetrics) *Unknown { return &m.Unknown },
	repMessage(1, func(m *SectionMetrics) *[]*SectionMetric { return &m.Metrics }),
	optInt(2, func(m *SectionMetrics) *Opt[uint32] { return &m.Order }),
)

func (*SectionMetrics) table() *table[SectionMetrics] { return sectionMetricsTable }

// SectionSet names a set ("basic", "full") that the section belongs to.
type SectionSet struct {
	Identifier string
	Unknown    Unknown
}

var sectionSetTable = newTable(func(m *SectionSet) *Unknown { return &m.Unknown },
	reqString(1, func(m *SectionSet) *string { return &m.Identifier }),
)

func (*SectionSet) table() *table[SectionSet] { return sectionSetTable }

// MetricDefinitions holds the derived metrics of a section.
type MetricDefinitions struct {
	Definitions []*MetricDefinition
	Unknown     Unknown
}

var metricDefinitionsTable = newTable(func(m *MetricDefinitions) *Unknown { return &m.Unknown },
	repMessage(1, func(m *MetricDefinitions) *[]*MetricDefinition { return &m.Definitions }),
)

func (*MetricDefinitions) table() *table[MetricDefinitions] { return metricDefinitionsTable }

// MetricDefinition computes a metric from others.
type MetricDefinition struct {
	Name       string
	Expression string
	Filter     *MetricFilter
	Unknown    Unknown
}

var metricDefinitionTable = newTable(func(m *MetricDefinition) *Unknown { return &m.Unknown },
	reqString(1, func(m *MetricDefinition) *string { return &m.Name }),
	reqString(2, func(m *MetricDefinition) *string { return &m.Expression }),
	optMessage(3, func(m *MetricDefinition) **MetricFilter { return &m.Filter }),
)

func (*MetricDefinition) table() *table[MetricDefinition] { return metricDefinitionTable }

// MetricGroup is a group of source-page columns, named by SectionMetric.Groups.
type MetricGroup struct {
	Name    Opt[string]
	Label   Opt[string]
	Display *DisplayProperties
	Unknown Unknown
}

var metricGroupTable = newTable(func(m *MetricGroup) *Unknown { return &m.Unknown },
	optString(1, func(m *MetricGroup) *Opt[string] { return &m.Name }),
	optString(2, func(m *MetricGroup) *Opt[string] { return &m.Label }),
	optMessage(3, func(m *MetricGroup) **DisplayProperties { return &m.Display }),
)

func (*MetricGroup) table() *table[MetricGroup] { return metricGroupTable }
