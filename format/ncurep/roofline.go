package ncurep

// RooflineChart plots achieved work against the limits of the GPU. Intensity is
// work divided by traffic.
type RooflineChart struct {
	Label         Opt[string]      `ncu:"1"`
	AxisIntensity *RooflineAxis    `ncu:"2"`
	AxisWork      *RooflineAxis    `ncu:"3"`
	Rooflines     []*Roofline      `ncu:"4"`
	Achieved      []*AchievedValue `ncu:"5,AchievedValues"`
	Walls         []*RooflineWall  `ncu:"6"`
	Description   Opt[string]      `ncu:"7"`
	Options       *ChartOptions    `ncu:"8"`
	Unknown       Unknown
}

func (c *RooflineChart) item() Item {
	return Item{Kind: ItemRoofline, Chart: true, Label: c.Label, Description: c.Description, Roofline: c, X: c.AxisIntensity.axis(), Y: c.AxisWork.axis()}
}

// RooflineAxis is a logarithmic axis.
type RooflineAxis struct {
	Label   Opt[string]  `ncu:"1"`
	Base    Opt[float64] `ncu:"2"`
	Min     Opt[float64] `ncu:"3"`
	Max     Opt[float64] `ncu:"4"`
	Unknown Unknown
}

func (a *RooflineAxis) axis() Axis {
	if a == nil {
		return Axis{Log: true}
	}
	return Axis{Label: a.Label.Or(""), Min: a.Min, Max: a.Max, Log: true}
}

// Roofline is one roof: a slope given by traffic and a ceiling given by work.
type Roofline struct {
	PeakWork    *RooflineValue   `ncu:"1"`
	PeakTraffic *RooflineValue   `ncu:"2"`
	Options     *RooflineOptions `ncu:"3"`
	Unknown     Unknown
}

// AchievedValue is what the kernel did.
type AchievedValue struct {
	Work    *RooflineValue        `ncu:"1,AchievedWork"`
	Traffic *RooflineValue        `ncu:"2,AchievedTraffic"`
	Options *RooflinePointOptions `ncu:"3"`
	Unknown Unknown
}

// RooflineWall is a vertical limit.
type RooflineWall struct {
	Value   *RooflineValue        `ncu:"1"`
	Options *RooflinePointOptions `ncu:"2"`
	Unknown Unknown
}

// RooflineValue is a quantity; one of its fields is set.
type RooflineValue struct {
	Constant        Opt[float64]               `ncu:"1"`
	Metric          *SectionMetric             `ncu:"2"`
	CyclesPerSecond *CyclesPerSecondExpression `ncu:"3,ValueCyclesPerSecondExpression"`
	Unknown         Unknown
}

// CyclesPerSecondExpression is the sum of the per-cycle metrics times the
// frequency.
type CyclesPerSecondExpression struct {
	ValuePerCycle   []*SectionMetric `ncu:"1,ValuePerCycleMetrics"`
	CyclesPerSecond *SectionMetric   `ncu:"2,CyclesPerSecondMetric"`
	Unknown         Unknown
}

// RooflineOptions tells how a [Roofline] is drawn.
type RooflineOptions struct {
	Label          Opt[string] `ncu:"1"`
	Color          *ChartColor `ncu:"2"`
	ShowExtensions Opt[bool]   `ncu:"3,ShowRooflineExtensions"`
	ShowPoints     Opt[bool]   `ncu:"4,ShowRooflinePoints"`
	// ShowOnlyIfNotZero hides the roof if its value is 0; since 2025. Name from
	// section files, number and type from reports.
	ShowOnlyIfNotZero *RooflineValue `ncu:"5"`
	Unknown           Unknown
}

// RooflinePointOptions tells how an achieved value or a wall is drawn.
type RooflinePointOptions struct {
	Label   Opt[string] `ncu:"1"`
	Color   *ChartColor `ncu:"2"`
	Unknown Unknown
}
