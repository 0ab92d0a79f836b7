package ncurep

// BodyItem is one thing that a section body shows. One of the pointers is set,
// beside perhaps Filter.
type BodyItem struct {
	Table                  *Table
	BarChart               *BarChart
	HistogramChart         *HistogramChart
	LineChart              *LineChart
	Horizontal             *HorizontalContainer
	RooflineChart          *RooflineChart
	SourceMetricTable      *SourceMetricTable
	SuffixTable            *SuffixTable
	MemoryShared           *MemorySharedTable
	MemoryFirstLevelCache  *MemoryCacheTable
	MemorySecondLevelCache *MemoryCacheTable
	MemoryDevice           *MemoryDeviceTable
	MemoryChart            *LabelItem
	MemoryL1TEXCache       *MemoryCacheTable
	MemoryL2Cache          *MemoryL2CacheTable
	NvlinkTopology         *LabelItem
	NvlinkProperties       *LabelItem
	NvlinkThroughput       *LabelItem
	MemoryL2EvictPolicy    *MemoryL2EvictPolicyTable
	NumaIDTable            *LabelItem
	Timeline               *Timeline
	GfxMetrics             *GfxMetricsWidget
	Filter                 *MetricFilter
	Unknown                Unknown
}

var bodyItemTable = newTable(func(m *BodyItem) *Unknown { return &m.Unknown },
	optMessage(1, func(m *BodyItem) **Table { return &m.Table }),
	optMessage(2, func(m *BodyItem) **BarChart { return &m.BarChart }),
	optMessage(3, func(m *BodyItem) **HistogramChart { return &m.HistogramChart }),
	optMessage(4, func(m *BodyItem) **LineChart { return &m.LineChart }),
	optMessage(5, func(m *BodyItem) **HorizontalContainer { return &m.Horizontal }),
	optMessage(6, func(m *BodyItem) **RooflineChart { return &m.RooflineChart }),
	optMessage(7, func(m *BodyItem) **SourceMetricTable { return &m.SourceMetricTable }),
	optMessage(8, func(m *BodyItem) **SuffixTable { return &m.SuffixTable }),
	optMessage(101, func(m *BodyItem) **MemorySharedTable { return &m.MemoryShared }),
	optMessage(102, func(m *BodyItem) **MemoryCacheTable { return &m.MemoryFirstLevelCache }),
	optMessage(103, func(m *BodyItem) **MemoryCacheTable { return &m.MemorySecondLevelCache }),
	optMessage(104, func(m *BodyItem) **MemoryDeviceTable { return &m.MemoryDevice }),
	optMessage(105, func(m *BodyItem) **LabelItem { return &m.MemoryChart }),
	optMessage(106, func(m *BodyItem) **MemoryCacheTable { return &m.MemoryL1TEXCache }),
	optMessage(107, func(m *BodyItem) **MemoryL2CacheTable { return &m.MemoryL2Cache }),
	optMessage(108, func(m *BodyItem) **LabelItem { return &m.NvlinkTopology }),
	optMessage(109, func(m *BodyItem) **LabelItem { return &m.NvlinkProperties }),
	optMessage(110, func(m *BodyItem) **LabelItem { return &m.NvlinkThroughput }),
	optMessage(111, func(m *BodyItem) **MemoryL2EvictPolicyTable { return &m.MemoryL2EvictPolicy }),
	optMessage(112, func(m *BodyItem) **LabelItem { return &m.NumaIDTable }),
	optMessage(113, func(m *BodyItem) **Timeline { return &m.Timeline }),
	optMessage(150, func(m *BodyItem) **GfxMetricsWidget { return &m.GfxMetrics }),
	optMessage(200, func(m *BodyItem) **MetricFilter { return &m.Filter }),
)

func (*BodyItem) table() *table[BodyItem] { return bodyItemTable }

// HorizontalContainer shows its items side by side.
type HorizontalContainer struct {
	Items   []*BodyItem
	Unknown Unknown
}

var horizontalContainerTable = newTable(func(m *HorizontalContainer) *Unknown { return &m.Unknown },
	repMessage(1, func(m *HorizontalContainer) *[]*BodyItem { return &m.Items }),
)

func (*HorizontalContainer) table() *table[HorizontalContainer] { return horizontalContainerTable }

// Table is a grid of metrics, stored in row-major order; Order only changes how
// it is laid out.
type Table struct {
	Label         Opt[string]
	Rows          Opt[uint32]
	Columns       uint32
	Order         Opt[LayoutOrder]
	Metrics       []*SectionMetric
	SortKey       Opt[SortKey]
	SortDirection Opt[SortDirection]
	Description   Opt[string]
	Unknown       Unknown
}

var tableTable = newTable(func(m *Table) *Unknown { return &m.Unknown },
	optString(1, func(m *Table) *Opt[string] { return &m.Label }),
	optInt(2, func(m *Table) *Opt[uint32] { return &m.Rows }),
	reqInt(3, func(m *Table) *uint32 { return &m.Columns }),
	optInt(4, func(m *Table) *Opt[LayoutOrder] { return &m.Order }),
	repMessage(5, func(m *Table) *[]*SectionMetric { return &m.Metrics }),
	optInt(6, func(m *Table) *Opt[SortKey] { return &m.SortKey }),
	optInt(7, func(m *Table) *Opt[SortDirection] { return &m.SortDirection }),
	optString(8, func(m *Table) *Opt[string] { return &m.Description }),
)

func (*Table) table() *table[Table] { return tableTable }

// SourceMetricTable lists the source locations with the highest values of a
// metric.
type SourceMetricTable struct {
	Label         Opt[string]
	Rows          Opt[uint32]
	Metrics       []*SectionMetric
	SortDirection Opt[SortDirection]
	Description   Opt[string]
	Unknown       Unknown
}

var sourceMetricTableTable = newTable(func(m *SourceMetricTable) *Unknown { return &m.Unknown },
	optString(1, func(m *SourceMetricTable) *Opt[string] { return &m.Label }),
	optInt(2, func(m *SourceMetricTable) *Opt[uint32] { return &m.Rows }),
	repMessage(3, func(m *SourceMetricTable) *[]*SectionMetric { return &m.Metrics }),
	optInt(4, func(m *SourceMetricTable) *Opt[SortDirection] { return &m.SortDirection }),
	optString(5, func(m *SourceMetricTable) *Opt[string] { return &m.Description }),
)

func (*SourceMetricTable) table() *table[SourceMetricTable] { return sourceMetricTableTable }

// SuffixTable is a matrix of metrics: a row per base name, a column per suffix,
// a cell being row name plus column name.
type SuffixTable struct {
	Label         Opt[string]
	Suffixes      *Suffixes
	BaseNames     *BaseNames
	SortKey       Opt[SortKey]
	SortDirection Opt[SortDirection]
	Description   Opt[string]
	Unknown       Unknown
}

var suffixTableTable = newTable(func(m *SuffixTable) *Unknown { return &m.Unknown },
	optString(1, func(m *SuffixTable) *Opt[string] { return &m.Label }),
	optMessage(2, func(m *SuffixTable) **Suffixes { return &m.Suffixes }),
	optMessage(3, func(m *SuffixTable) **BaseNames { return &m.BaseNames }),
	optInt(4, func(m *SuffixTable) *Opt[SortKey] { return &m.SortKey }),
	optInt(5, func(m *SuffixTable) *Opt[SortDirection] { return &m.SortDirection }),
	optString(6, func(m *SuffixTable) *Opt[string] { return &m.Description }),
)

func (*SuffixTable) table() *table[SuffixTable] { return suffixTableTable }

// Suffixes are the columns of a [SuffixTable].
type Suffixes struct {
	Suffixes []*Suffix
	Unknown  Unknown
}

var suffixesTable = newTable(func(m *Suffixes) *Unknown { return &m.Unknown },
	repMessage(1, func(m *Suffixes) *[]*Suffix { return &m.Suffixes }),
)

func (*Suffixes) table() *table[Suffixes] { return suffixesTable }

// Suffix is a column of a [SuffixTable].
type Suffix struct {
	Name    string
	Label   Opt[string]
	Unknown Unknown
}

var suffixTable = newTable(func(m *Suffix) *Unknown { return &m.Unknown },
	reqString(1, func(m *Suffix) *string { return &m.Name }),
	optString(2, func(m *Suffix) *Opt[string] { return &m.Label }),
)

func (*Suffix) table() *table[Suffix] { return suffixTable }

// BaseNames are the rows of a [SuffixTable].
type BaseNames struct {
	BaseNames []*SectionMetric
	Unknown   Unknown
}

var baseNamesTable = newTable(func(m *BaseNames) *Unknown { return &m.Unknown },
	repMessage(1, func(m *BaseNames) *[]*SectionMetric { return &m.BaseNames }),
)

func (*BaseNames) table() *table[BaseNames] { return baseNamesTable }

// LabelItem is an item whose layout is built into the viewer; the report gives
// its label alone. Memory chart, NVLink topology, properties and throughput,
// and the NUMA table are such.
type LabelItem struct {
	Label   Opt[string]
	Unknown Unknown
}

var labelItemTable = newTable(func(m *LabelItem) *Unknown { return &m.Unknown },
	optString(1, func(m *LabelItem) *Opt[string] { return &m.Label }),
)

func (*LabelItem) table() *table[LabelItem] { return labelItemTable }

// Timeline shows PM-sampling series over time.
type Timeline struct {
	Label   Opt[string]
	Groups  []*TimelineGroup
	Metrics []*SectionMetric
	Unknown Unknown
}

var timelineTable = newTable(func(m *Timeline) *Unknown { return &m.Unknown },
	optString(1, func(m *Timeline) *Opt[string] { return &m.Label }),
	repMessage(2, func(m *Timeline) *[]*TimelineGroup { return &m.Groups }),
	repMessage(3, func(m *Timeline) *[]*SectionMetric { return &m.Metrics }),
)

func (*Timeline) table() *table[Timeline] { return timelineTable }

// TimelineGroup is a foldable group of rows.
type TimelineGroup struct {
	Label       Opt[string]
	Description Opt[string]
	Expanded    Opt[bool]
	Rows        []*TimelineRow
	Unknown     Unknown
}

var timelineGroupTable = newTable(func(m *TimelineGroup) *Unknown { return &m.Unknown },
	optString(1, func(m *TimelineGroup) *Opt[string] { return &m.Label }),
	optString(2, func(m *TimelineGroup) *Opt[string] { return &m.Description }),
	optBool(3, func(m *TimelineGroup) *Opt[bool] { return &m.Expanded }),
	repMessage(4, func(m *TimelineGroup) *[]*TimelineRow { return &m.Rows }),
)

func (*TimelineGroup) table() *table[TimelineGroup] { return timelineGroupTable }

// TimelineRow shows some metrics in one row.
type TimelineRow struct {
	Label       Opt[string]
	Description Opt[string]
	Type        Opt[TimelineRowType]
	Metrics     []*SectionMetric
	Unknown     Unknown
}

var timelineRowTable = newTable(func(m *TimelineRow) *Unknown { return &m.Unknown },
	optString(1, func(m *TimelineRow) *Opt[string] { return &m.Label }),
	optString(2, func(m *TimelineRow) *Opt[string] { return &m.Description }),
	optInt(3, func(m *TimelineRow) *Opt[TimelineRowType] { return &m.Type }),
	repMessage(4, func(m *TimelineRow) *[]*SectionMetric { return &m.Metrics }),
)

func (*TimelineRow) table() *table[TimelineRow] { return timelineRowTable }

// GfxMetricsWidget is an item for graphics workloads.
type GfxMetricsWidget struct {
	Type    string
	Label   Opt[string]
	Metrics []*SectionMetric
	Unknown Unknown
}

var gfxMetricsWidgetTable = newTable(func(m *GfxMetricsWidget) *Unknown { return &m.Unknown },
	reqString(1, func(m *GfxMetricsWidget) *string { return &m.Type }),
	optString(2, func(m *GfxMetricsWidget) *Opt[string] { return &m.Label }),
	repMessage(3, func(m *GfxMetricsWidget) *[]*SectionMetric { return &m.Metrics }),
)

func (*GfxMetricsWidget) table() *table[GfxMetricsWidget] { return gfxMetricsWidgetTable }

// LayoutOrder is how a table is laid out.
type LayoutOrder int32

// The layouts.
const (
	RowMajor    LayoutOrder = 0
	ColumnMajor LayoutOrder = 1
)

// SortKey is what the rows or bars of an item are sorted by.
type SortKey int32

// The sort keys.
const (
	ByLabel SortKey = 0
	ByValue SortKey = 1
)

// SortDirection is the order of sorting.
type SortDirection int32

// The sort directions.
const (
	Ascending  SortDirection = 0
	Descending SortDirection = 1
)

// TimelineRowType is how a timeline row is drawn.
type TimelineRowType int32

// StackedBar is the only type known.
const StackedBar TimelineRowType = 0
