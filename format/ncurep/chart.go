package ncurep

// BarChart shows a bar per metric.
type BarChart struct {
	Label              Opt[string]        `ncu:"1"`
	Direction          Opt[BarDirection]  `ncu:"2"`
	CategoryAxis       *LabelItem         `ncu:"3"`
	ValueAxis          *ValueAxis         `ncu:"4"`
	Metrics            []*SectionMetric   `ncu:"5"`
	SortKey            Opt[SortKey]       `ncu:"6"`
	SortDirection      Opt[SortDirection] `ncu:"7"`
	ValueAxisAlignment Opt[AxisAlignment] `ncu:"8"`
	Description        Opt[string]        `ncu:"9"`
	Unknown            Unknown
}

// HistogramChart bins the instances of one metric.
type HistogramChart struct {
	Label         Opt[string]    `ncu:"1"`
	HistogramAxis *HistogramAxis `ncu:"2"`
	ValueAxis     *ValueAxis     `ncu:"3"`
	Metric        *SectionMetric `ncu:"4"`
	Description   Opt[string]    `ncu:"5"`
	Unknown       Unknown
}

// LineChart draws metrics over their correlation ids.
type LineChart struct {
	Label       Opt[string]      `ncu:"1"`
	AxisX       *ValueAxis       `ncu:"2"`
	AxisY       *ValueAxis       `ncu:"3"`
	Metrics     []*SectionMetric `ncu:"4"`
	HighlightX  *HighlightX      `ncu:"5"`
	Description Opt[string]      `ncu:"6"`
	Unknown     Unknown
}

// HighlightX marks the x values of a [LineChart] that metrics give.
type HighlightX struct {
	Metrics []*SectionMetric `ncu:"1"`
	Unknown Unknown
}

// ValueAxis is an axis with a numeric scale.
type ValueAxis struct {
	Label     Opt[string] `ncu:"1"`
	Range     *AxisRange  `ncu:"2"`
	TickCount Opt[int64]  `ncu:"3"`
	Size      Opt[int64]  `ncu:"4"`
	Precision Opt[uint32] `ncu:"5"`
	Unknown   Unknown
}

// AxisRange bounds a [ValueAxis].
type AxisRange struct {
	Min     Opt[int64] `ncu:"1"`
	Max     Opt[int64] `ncu:"2"`
	Unknown Unknown
}

// HistogramAxis is the axis of a histogram.
type HistogramAxis struct {
	Label    Opt[string] `ncu:"1"`
	BinCount Opt[int64]  `ncu:"2"`
	Unknown  Unknown
}

// ChartOptions holds options of a chart.
type ChartOptions struct {
	AspectRatio Opt[string] `ncu:"1"`
	Unknown     Unknown
}

// ChartColor is a color.
type ChartColor struct {
	Type    ColorType   `ncu:"1,ColorType"`
	Value   Opt[uint32] `ncu:"2,ColorValue"` // ARGB
	Unknown Unknown
}

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
