package ncurep

import "slices"

// BodyItem is one thing that a section body shows. One of the pointers is set,
// beside perhaps Filter.
type BodyItem struct {
	Table                  *Table                    `ncu:"1"`
	BarChart               *BarChart                 `ncu:"2"`
	HistogramChart         *HistogramChart           `ncu:"3"`
	LineChart              *LineChart                `ncu:"4"`
	Horizontal             *HorizontalContainer      `ncu:"5,HorizontalContainer"`
	RooflineChart          *RooflineChart            `ncu:"6"`
	SourceMetricTable      *SourceMetricTable        `ncu:"7"`
	SuffixTable            *SuffixTable              `ncu:"8"`
	MemoryShared           *MemorySharedTable        `ncu:"101,MemorySharedTable"`
	MemoryFirstLevelCache  *MemoryCacheTable         `ncu:"102,MemoryFirstLevelCacheTable"`
	MemorySecondLevelCache *MemoryCacheTable         `ncu:"103,MemorySecondLevelCacheTable"`
	MemoryDevice           *MemoryDeviceTable        `ncu:"104,MemoryDeviceMemoryTable"`
	MemoryChart            *LabelItem                `ncu:"105"`
	MemoryL1TEXCache       *MemoryCacheTable         `ncu:"106,MemoryL1TEXCacheTable"`
	MemoryL2Cache          *MemoryL2CacheTable       `ncu:"107,MemoryL2CacheTable"`
	NvlinkTopology         *LabelItem                `ncu:"108"`
	NvlinkProperties       *LabelItem                `ncu:"109,NvlinkPropertyTable"`
	NvlinkThroughput       *LabelItem                `ncu:"110,NvlinkThroughputTable"`
	MemoryL2EvictPolicy    *MemoryL2EvictPolicyTable `ncu:"111,MemoryL2CacheEvictPolicyTable"`
	NumaIDTable            *LabelItem                `ncu:"112,NumaIdTable"`
	Timeline               *Timeline                 `ncu:"113"`
	GfxMetrics             *GfxMetricsWidget         `ncu:"150,GfxMetricsWidget"`
	Filter                 *MetricFilter             `ncu:"200"`
	Unknown                Unknown
}

// HorizontalContainer shows its items side by side.
type HorizontalContainer struct {
	Items   []*BodyItem `ncu:"1"`
	Unknown Unknown
}

func (c *HorizontalContainer) item() Item { return Item{Kind: ItemContainer, Items: c.Items} }

// Table is a grid of metrics, stored in row-major order; Order only changes how
// it is laid out.
type Table struct {
	Label         Opt[string]        `ncu:"1"`
	Rows          Opt[uint32]        `ncu:"2"`
	Columns       uint32             `ncu:"3"`
	Order         Opt[LayoutOrder]   `ncu:"4"`
	Metrics       []*SectionMetric   `ncu:"5"`
	SortKey       Opt[SortKey]       `ncu:"6"`
	SortDirection Opt[SortDirection] `ncu:"7"`
	Description   Opt[string]        `ncu:"8"`
	Unknown       Unknown
}

func (t *Table) item() Item {
	return Item{Kind: ItemTable, Label: t.Label, Description: t.Description, Metrics: t.Metrics, SortKey: t.SortKey, SortDirection: t.SortDirection,
		Columns: t.Columns, ColumnMajor: t.Order.Or(RowMajor) == ColumnMajor}
}

// SourceMetricTable lists the source locations with the highest values of a
// metric.
type SourceMetricTable struct {
	Label         Opt[string]        `ncu:"1"`
	Rows          Opt[uint32]        `ncu:"2"`
	Metrics       []*SectionMetric   `ncu:"3"`
	SortDirection Opt[SortDirection] `ncu:"4"`
	Description   Opt[string]        `ncu:"5"`
	Unknown       Unknown
}

func (t *SourceMetricTable) item() Item {
	return Item{Kind: ItemSources, Label: t.Label, Description: t.Description, Metrics: t.Metrics, Rows: t.Rows.Or(0), SortDirection: t.SortDirection}
}

// SuffixTable is a matrix of metrics: a row per base name, a column per suffix,
// a cell being row name plus column name.
type SuffixTable struct {
	Label         Opt[string]        `ncu:"1"`
	Suffixes      *Suffixes          `ncu:"2"`
	BaseNames     *BaseNames         `ncu:"3"`
	SortKey       Opt[SortKey]       `ncu:"4"`
	SortDirection Opt[SortDirection] `ncu:"5"`
	Description   Opt[string]        `ncu:"6"`
	Unknown       Unknown
}

func (t *SuffixTable) item() Item {
	it := Item{Kind: ItemSuffixTable, Label: t.Label, Description: t.Description, SortKey: t.SortKey, SortDirection: t.SortDirection}
	if t.BaseNames != nil && t.Suffixes != nil {
		it.BaseNames, it.Suffixes = t.BaseNames.BaseNames, t.Suffixes.Suffixes
	}
	return it
}

// Suffixes are the columns of a [SuffixTable].
type Suffixes struct {
	Suffixes []*Suffix `ncu:"1,Suffix"`
	Unknown  Unknown
}

// Suffix is a column of a [SuffixTable].
type Suffix struct {
	Name    string      `ncu:"1"`
	Label   Opt[string] `ncu:"2"`
	Unknown Unknown
}

// BaseNames are the rows of a [SuffixTable].
type BaseNames struct {
	BaseNames []*SectionMetric `ncu:"1,BaseName"`
	Unknown   Unknown
}

// LabelItem is an item whose layout is built into the viewer; the report gives
// its label alone. Memory chart, NVLink topology, properties and throughput,
// and the NUMA table are such.
type LabelItem struct {
	Label   Opt[string] `ncu:"1"`
	Unknown Unknown
}

func (t *LabelItem) item() Item { return Item{Label: t.Label} }

// Timeline shows PM-sampling series over time.
type Timeline struct {
	Label   Opt[string]      `ncu:"1"`
	Groups  []*timelineGroup `ncu:"2,MetricGroups"`
	Metrics []*SectionMetric `ncu:"3"`
	Unknown Unknown
}

func (t *Timeline) item() Item {
	it := Item{Kind: ItemTimeline, Label: t.Label, Metrics: slices.Clip(t.Metrics)}
	for _, g := range t.Groups {
		for _, row := range g.Rows {
			it.Metrics = append(it.Metrics, row.Metrics...)
		}
	}
	return it
}

// timelineGroup is a foldable group of rows.
type timelineGroup struct {
	Label       Opt[string]    `ncu:"1"`
	Description Opt[string]    `ncu:"2"`
	Expanded    Opt[bool]      `ncu:"3"`
	Rows        []*timelineRow `ncu:"4,MetricRows"`
	Unknown     Unknown
}

// timelineRow shows some metrics in one row.
type timelineRow struct {
	Label       Opt[string]          `ncu:"1"`
	Description Opt[string]          `ncu:"2"`
	Type        Opt[timelineRowType] `ncu:"3"`
	Metrics     []*SectionMetric     `ncu:"4"`
	Unknown     Unknown
}

// GfxMetricsWidget is an item for graphics workloads.
type GfxMetricsWidget struct {
	Type    string           `ncu:"1"`
	Label   Opt[string]      `ncu:"2"`
	Metrics []*SectionMetric `ncu:"3"`
	Unknown Unknown
}

func (t *GfxMetricsWidget) item() Item { return Item{Label: t.Label, Metrics: t.Metrics} }

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

// timelineRowType is how a timeline row is drawn; 0, stacked bars, is all that is known.
type timelineRowType int32
