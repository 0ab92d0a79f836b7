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

func (c *BarChart) item() Item {
	it := Item{Kind: ItemBars, Chart: true, Label: c.Label, Description: c.Description, Metrics: c.Metrics,
		SortKey: c.SortKey, SortDirection: c.SortDirection, Y: c.ValueAxis.axis()}
	it.Vertical = c.Direction.Or(0) == 1 // Vertical
	if c.CategoryAxis != nil {
		it.X.Label = c.CategoryAxis.Label.Or("")
	}
	return it
}

// HistogramChart bins the instances of one metric.
type HistogramChart struct {
	Label         Opt[string]    `ncu:"1"`
	HistogramAxis *histogramAxis `ncu:"2"`
	ValueAxis     *ValueAxis     `ncu:"3"`
	Metric        *SectionMetric `ncu:"4"`
	Description   Opt[string]    `ncu:"5"`
	Unknown       Unknown
}

func (c *HistogramChart) item() Item {
	it := Item{Kind: ItemHistogram, Chart: true, Label: c.Label, Description: c.Description, Y: c.ValueAxis.axis()}
	if c.Metric != nil {
		it.Metrics = []*SectionMetric{c.Metric}
	}
	if c.HistogramAxis != nil {
		it.X.Label, it.Bins = c.HistogramAxis.Label.Or(""), c.HistogramAxis.BinCount.Or(0)
	}
	return it
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

func (c *LineChart) item() Item {
	it := Item{Kind: ItemLines, Chart: true, Label: c.Label, Description: c.Description, Metrics: c.Metrics, X: c.AxisX.axis(), Y: c.AxisY.axis()}
	if c.HighlightX != nil {
		it.Highlight = c.HighlightX.Metrics
	}
	return it
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

func (a *ValueAxis) axis() Axis {
	if a == nil {
		return Axis{}
	}
	out := Axis{Label: a.Label.Or(""), Ticks: a.TickCount.Or(0)}
	if r := a.Range; r != nil {
		out.Min, out.Max = Opt[float64]{float64(r.Min.Value), r.Min.Set}, Opt[float64]{float64(r.Max.Value), r.Max.Set}
	}
	return out
}

// AxisRange bounds a [ValueAxis].
type AxisRange struct {
	Min     Opt[int64] `ncu:"1"`
	Max     Opt[int64] `ncu:"2"`
	Unknown Unknown
}

// histogramAxis is the axis of a histogram.
type histogramAxis struct {
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
	horizontal BarDirection = 0
	vertical   BarDirection = 1
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
	colorUnknown ColorType = 0
	colorARGB    ColorType = 1
)
