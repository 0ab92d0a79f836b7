package ncurep

// RooflineChart plots achieved work against the limits of the GPU. Intensity is
// work divided by traffic.
type RooflineChart struct {
	Label         Opt[string]
	AxisIntensity *RooflineAxis
	AxisWork      *RooflineAxis
	Rooflines     []*Roofline
	Achieved      []*AchievedValue // "AchievedValues" in the format
	Walls         []*RooflineWall
	Description   Opt[string]
	Options       *ChartOptions
	Unknown       Unknown
}

var rooflineChartTable = newTable(func(m *RooflineChart) *Unknown { return &m.Unknown },
	optString(1, func(m *RooflineChart) *Opt[string] { return &m.Label }),
	optMessage(2, func(m *RooflineChart) **RooflineAxis { return &m.AxisIntensity }),
	optMessage(3, func(m *RooflineChart) **RooflineAxis { return &m.AxisWork }),
	repMessage(4, func(m *RooflineChart) *[]*Roofline { return &m.Rooflines }),
	repMessage(5, func(m *RooflineChart) *[]*AchievedValue { return &m.Achieved }),
	repMessage(6, func(m *RooflineChart) *[]*RooflineWall { return &m.Walls }),
	optString(7, func(m *RooflineChart) *Opt[string] { return &m.Description }),
	optMessage(8, func(m *RooflineChart) **ChartOptions { return &m.Options }),
)

func (*RooflineChart) table() *table[RooflineChart] { return rooflineChartTable }

// RooflineAxis is a logarithmic axis.
type RooflineAxis struct {
	Label   Opt[string]
	Base    Opt[float64]
	Min     Opt[float64]
	Max     Opt[float64]
	Unknown Unknown
}

var rooflineAxisTable = newTable(func(m *RooflineAxis) *Unknown { return &m.Unknown },
	optString(1, func(m *RooflineAxis) *Opt[string] { return &m.Label }),
	optDouble(2, func(m *RooflineAxis) *Opt[float64] { return &m.Base }),
	optDouble(3, func(m *RooflineAxis) *Opt[float64] { return &m.Min }),
	optDouble(4, func(m *RooflineAxis) *Opt[float64] { return &m.Max }),
)

func (*RooflineAxis) table() *table[RooflineAxis] { return rooflineAxisTable }

// Roofline is one roof: a slope given by traffic and a ceiling given by work.
type Roofline struct {
	PeakWork    *RooflineValue
	PeakTraffic *RooflineValue
	Options     *RooflineOptions
	Unknown     Unknown
}

var rooflineTable = newTable(func(m *Roofline) *Unknown { return &m.Unknown },
	optMessage(1, func(m *Roofline) **RooflineValue { return &m.PeakWork }),
	optMessage(2, func(m *Roofline) **RooflineValue { return &m.PeakTraffic }),
	optMessage(3, func(m *Roofline) **RooflineOptions { return &m.Options }),
)

func (*Roofline) table() *table[Roofline] { return rooflineTable }

// AchievedValue is what the kernel did.
type AchievedValue struct {
	Work    *RooflineValue
	Traffic *RooflineValue
	Options *RooflinePointOptions
	Unknown Unknown
}

var achievedValueTable = newTable(func(m *AchievedValue) *Unknown { return &m.Unknown },
	optMessage(1, func(m *AchievedValue) **RooflineValue { return &m.Work }),
	optMessage(2, func(m *AchievedValue) **RooflineValue { return &m.Traffic }),
	optMessage(3, func(m *AchievedValue) **RooflinePointOptions { return &m.Options }),
)

func (*AchievedValue) table() *table[AchievedValue] { return achievedValueTable }

// RooflineWall is a vertical limit.
type RooflineWall struct {
	Value   *RooflineValue
	Options *RooflinePointOptions
	Unknown Unknown
}

var rooflineWallTable = newTable(func(m *RooflineWall) *Unknown { return &m.Unknown },
	optMessage(1, func(m *RooflineWall) **RooflineValue { return &m.Value }),
	optMessage(2, func(m *RooflineWall) **RooflinePointOptions { return &m.Options }),
)

func (*RooflineWall) table() *table[RooflineWall] { return rooflineWallTable }

// RooflineValue is a quantity; one of its fields is set.
type RooflineValue struct {
	Constant        Opt[float64]
	Metric          *SectionMetric
	CyclesPerSecond *CyclesPerSecondExpression // "ValueCyclesPerSecondExpression" in the format
	Unknown         Unknown
}

var rooflineValueTable = newTable(func(m *RooflineValue) *Unknown { return &m.Unknown },
	optDouble(1, func(m *RooflineValue) *Opt[float64] { return &m.Constant }),
	optMessage(2, func(m *RooflineValue) **SectionMetric { return &m.Metric }),
	optMessage(3, func(m *RooflineValue) **CyclesPerSecondExpression { return &m.CyclesPerSecond }),
)

func (*RooflineValue) table() *table[RooflineValue] { return rooflineValueTable }

// CyclesPerSecondExpression is the sum of the per-cycle metrics times the
// frequency.
type CyclesPerSecondExpression struct {
	ValuePerCycle   []*SectionMetric
	CyclesPerSecond *SectionMetric
	Unknown         Unknown
}

var cyclesPerSecondExpressionTable = newTable(func(m *CyclesPerSecondExpression) *Unknown { return &m.Unknown },
	repMessage(1, func(m *CyclesPerSecondExpression) *[]*SectionMetric { return &m.ValuePerCycle }),
	optMessage(2, func(m *CyclesPerSecondExpression) **SectionMetric { return &m.CyclesPerSecond }),
)

func (*CyclesPerSecondExpression) table() *table[CyclesPerSecondExpression] {
	return cyclesPerSecondExpressionTable
}

// RooflineOptions tells how a [Roofline] is drawn.
type RooflineOptions struct {
	Label          Opt[string]
	Color          *ChartColor
	ShowExtensions Opt[bool] // "ShowRooflineExtensions"
	ShowPoints     Opt[bool] // "ShowRooflinePoints"
	// ShowOnlyIfNotZero hides the roof if its value is 0; since 2025. Name from
	// section files, number and type from reports.
	ShowOnlyIfNotZero *RooflineValue
	Unknown           Unknown
}

var rooflineOptionsTable = newTable(func(m *RooflineOptions) *Unknown { return &m.Unknown },
	optString(1, func(m *RooflineOptions) *Opt[string] { return &m.Label }),
	optMessage(2, func(m *RooflineOptions) **ChartColor { return &m.Color }),
	optBool(3, func(m *RooflineOptions) *Opt[bool] { return &m.ShowExtensions }),
	optBool(4, func(m *RooflineOptions) *Opt[bool] { return &m.ShowPoints }),
	optMessage(5, func(m *RooflineOptions) **RooflineValue { return &m.ShowOnlyIfNotZero }),
)

func (*RooflineOptions) table() *table[RooflineOptions] { return rooflineOptionsTable }

// RooflinePointOptions tells how an achieved value or a wall is drawn.
type RooflinePointOptions struct {
	Label   Opt[string]
	Color   *ChartColor
	Unknown Unknown
}

var rooflinePointOptionsTable = newTable(func(m *RooflinePointOptions) *Unknown { return &m.Unknown },
	optString(1, func(m *RooflinePointOptions) *Opt[string] { return &m.Label }),
	optMessage(2, func(m *RooflinePointOptions) **ChartColor { return &m.Color }),
)

func (*RooflinePointOptions) table() *table[RooflinePointOptions] { return rooflinePointOptionsTable }
