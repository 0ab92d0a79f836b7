package ncurep

// BarChart shows a bar per metric.
type BarChart struct {
	Label              Opt[string]
	Direction          Opt[BarDirection]
	CategoryAxis       *LabelItem
	ValueAxis          *ValueAxis
	Metrics            []*SectionMetric
	SortKey            Opt[SortKey]
	SortDirection      Opt[SortDirection]
	ValueAxisAlignment Opt[AxisAlignment]
	Description        Opt[string]
	Unknown            Unknown
}

var barChartTable = newTable(func(m *BarChart) *Unknown { return &m.Unknown },
	optString(1, func(m *BarChart) *Opt[string] { return &m.Label }),
	optInt(2, func(m *BarChart) *Opt[BarDirection] { return &m.Direction }),
	optMessage(3, func(m *BarChart) **LabelItem { return &m.CategoryAxis }),
	optMessage(4, func(m *BarChart) **ValueAxis { return &m.ValueAxis }),
	repMessage(5, func(m *BarChart) *[]*SectionMetric { return &m.Metrics }),
	optInt(6, func(m *BarChart) *Opt[SortKey] { return &m.SortKey }),
	optInt(7, func(m *BarChart) *Opt[SortDirection] { return &m.SortDirection }),
	optInt(8, func(m *BarChart) *Opt[AxisAlignment] { return &m.ValueAxisAlignment }),
	optString(9, func(m *BarChart) *Opt[string] { return &m.Description }),
)

func (*BarChart) table() *table[BarChart] { return barChartTable }

// HistogramChart bins the instances of one metric.
type HistogramChart struct {
	Label         Opt[string]
	HistogramAxis *HistogramAxis
	ValueAxis     *ValueAxis
	Metric        *SectionMetric
	Description   Opt[string]
	Unknown       Unknown
}

var histogramChartTable = newTable(func(m *HistogramChart) *Unknown { return &m.Unknown },
	optString(1, func(m *HistogramChart) *Opt[string] { return &m.Label }),
	optMessage(2, func(m *HistogramChart) **HistogramAxis { return &m.HistogramAxis }),
	optMessage(3, func(m *HistogramChart) **ValueAxis { return &m.ValueAxis }),
	optMessage(4, func(m *HistogramChart) **SectionMetric { return &m.Metric }),
	optString(5, func(m *HistogramChart) *Opt[string] { return &m.Description }),
)

func (*HistogramChart) table() *table[HistogramChart] { return histogramChartTable }

// LineChart draws metrics over their correlation ids.
type LineChart struct {
	Label       Opt[string]
	AxisX       *ValueAxis
	AxisY       *ValueAxis
	Metrics     []*SectionMetric
	HighlightX  *HighlightX
	Description Opt[string]
	Unknown     Unknown
}

var lineChartTable = newTable(func(m *LineChart) *Unknown { return &m.Unknown },
	optString(1, func(m *LineChart) *Opt[string] { return &m.Label }),
	optMessage(2, func(m *LineChart) **ValueAxis { return &m.AxisX }),
	optMessage(3, func(m *LineChart) **ValueAxis { return &m.AxisY }),
	repMessage(4, func(m *LineChart) *[]*SectionMetric { return &m.Metrics }),
	optMessage(5, func(m *LineChart) **HighlightX { return &m.HighlightX }),
	optString(6, func(m *LineChart) *Opt[string] { return &m.Description }),
)

func (*LineChart) table() *table[LineChart] { return lineChartTable }

// HighlightX marks the x values of a [LineChart] that metrics give.
type HighlightX struct {
	Metrics []*SectionMetric
	Unknown Unknown
}

var highlightXTable = newTable(func(m *HighlightX) *Unknown { return &m.Unknown },
	repMessage(1, func(m *HighlightX) *[]*SectionMetric { return &m.Metrics }),
)

func (*HighlightX) table() *table[HighlightX] { return highlightXTable }

// ValueAxis is an axis with a numeric scale.
type ValueAxis struct {
	Label     Opt[string]
	Range     *AxisRange
	TickCount Opt[int64]
	Size      Opt[int64]
	Precision Opt[uint32]
	Unknown   Unknown
}

var valueAxisTable = newTable(func(m *ValueAxis) *Unknown { return &m.Unknown },
	optString(1, func(m *ValueAxis) *Opt[string] { return &m.Label }),
	optMessage(2, func(m *ValueAxis) **AxisRange { return &m.Range }),
	optInt(3, func(m *ValueAxis) *Opt[int64] { return &m.TickCount }),
	optInt(4, func(m *ValueAxis) *Opt[int64] { return &m.Size }),
	optInt(5, func(m *ValueAxis) *Opt[uint32] { return &m.Precision }),
)

func (*ValueAxis) table() *table[ValueAxis] { return valueAxisTable }

// AxisRange bounds a [ValueAxis].
type AxisRange struct {
	Min     Opt[int64]
	Max     Opt[int64]
	Unknown Unknown
}

var axisRangeTable = newTable(func(m *AxisRange) *Unknown { return &m.Unknown },
	optInt(1, func(m *AxisRange) *Opt[int64] { return &m.Min }),
	optInt(2, func(m *AxisRange) *Opt[int64] { return &m.Max }),
)

func (*AxisRange) table() *table[AxisRange] { return axisRangeTable }

// HistogramAxis is the axis of a histogram.
type HistogramAxis struct {
	Label    Opt[string]
	BinCount Opt[int64]
	Unknown  Unknown
}

var histogramAxisTable = newTable(func(m *HistogramAxis) *Unknown { return &m.Unknown },
	optString(1, func(m *HistogramAxis) *Opt[string] { return &m.Label }),
	optInt(2, func(m *HistogramAxis) *Opt[int64] { return &m.BinCount }),
)

func (*HistogramAxis) table() *table[HistogramAxis] { return histogramAxisTable }

// ChartOptions holds options of a chart.
type ChartOptions struct {
	AspectRatio Opt[string]
	Unknown     Unknown
}

var chartOptionsTable = newTable(func(m *ChartOptions) *Unknown { return &m.Unknown },
	optString(1, func(m *ChartOptions) *Opt[string] { return &m.AspectRatio }),
)

func (*ChartOptions) table() *table[ChartOptions] { return chartOptionsTable }

// ChartColor is a color.
type ChartColor struct {
	Type    ColorType
	Value   Opt[uint32] // ARGB
	Unknown Unknown
}

var chartColorTable = newTable(func(m *ChartColor) *Unknown { return &m.Unknown },
	reqInt(1, func(m *ChartColor) *ColorType { return &m.Type }),
	optInt(2, func(m *ChartColor) *Opt[uint32] { return &m.Value }),
)

func (*ChartColor) table() *table[ChartColor] { return chartColorTable }

// BarDirection is the direction of bars.
type BarDirection int32

// The directions.
const (
	Horizontal BarDirection = 0
	Vertical   BarDirection = 1
)

// AxisAlignment is the side of a bar chart that has the value axis.
type AxisAlignment int32

// The alignments.
const (
	AlignDefault   AxisAlignment = 0
	AlignAlternate AxisAlignment = 1
	AlignBoth      AxisAlignment = 2
)

// ColorType is how a color is encoded.
type ColorType int32

// The color types.
const (
	ColorUnknown ColorType = 0
	ColorARGB    ColorType = 1
)
