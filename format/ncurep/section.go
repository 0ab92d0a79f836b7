package ncurep

// Section is a section definition as it was used for a result: what the tool
// collects, computes and shows under one heading. Reports embed the whole
// definition, so a details page can be rebuilt without the section files of the
// tool.
type Section struct {
	Identifier    string             `ncu:"1"`
	DisplayName   string             `ncu:"2"`
	Order         Opt[uint32]        `ncu:"3"`
	Header        *SectionHeader     `ncu:"4"`
	Bodies        []*SectionBody     `ncu:"5,Body"`
	Metrics       *SectionMetrics    `ncu:"6"` // collected, not shown
	Description   Opt[string]        `ncu:"7"`
	Sets          []*SectionSet      `ncu:"8"`
	Extends       Opt[string]        `ncu:"9"` // identifier of the section this one is shown merged with
	Definitions   *MetricDefinitions `ncu:"10,MetricDefinitions"`
	Filter        *MetricFilter      `ncu:"11"`
	Groups        []*MetricGroup     `ncu:"12,Group"`
	SourceMetrics *SectionMetrics    `ncu:"13"` // columns of the source page
	Unknown       Unknown
}

// SectionHeader is the grid of metrics that is always shown, in row-major
// order. A metric without name and label is a blank cell.
type SectionHeader struct {
	Rows    Opt[uint32]      `ncu:"1"`
	Metrics []*SectionMetric `ncu:"2"`
	Unknown Unknown
}

// SectionBody is one of the alternative bodies of a section.
type SectionBody struct {
	Items       []*BodyItem `ncu:"1"`
	DisplayName Opt[string] `ncu:"2"`
	SetDefault  Opt[bool]   `ncu:"3"` // shown first
	Unknown     Unknown
}

// SectionMetrics is a plain list of metrics.
type SectionMetrics struct {
	Metrics []*SectionMetric `ncu:"1"`
	Order   Opt[uint32]      `ncu:"2"`
	Unknown Unknown
}

// SectionSet names a set ("basic", "full") that the section belongs to.
type SectionSet struct {
	Identifier string `ncu:"1"`
	Unknown    Unknown
}

// MetricDefinitions holds the derived metrics of a section.
type MetricDefinitions struct {
	Definitions []*MetricDefinition `ncu:"1,MetricDefinitions"`
	Unknown     Unknown
}

// MetricDefinition computes a metric from others.
type MetricDefinition struct {
	Name       string        `ncu:"1"`
	Expression string        `ncu:"2"`
	Filter     *MetricFilter `ncu:"3"`
	Unknown    Unknown
}

// MetricGroup is a group of source-page columns, named by SectionMetric.Groups.
type MetricGroup struct {
	Name    Opt[string]        `ncu:"1"`
	Label   Opt[string]        `ncu:"2"`
	Display *DisplayProperties `ncu:"3,DisplayProperties"`
	Unknown Unknown            `ncu:"SchedulingHints"`
}
