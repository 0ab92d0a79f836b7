package ncurep

// RuleResult is what one rule said about a result. The rule itself is not
// stored.
type RuleResult struct {
	Identifier        string
	DisplayName       string
	Body              *RuleBody
	SectionIdentifier Opt[string]
	Markers           []*SourceMarker
	Unknown           Unknown
}

var ruleResultTable = newTable(func(m *RuleResult) *Unknown { return &m.Unknown },
	reqString(1, func(m *RuleResult) *string { return &m.Identifier }),
	reqString(2, func(m *RuleResult) *string { return &m.DisplayName }),
	optMessage(3, func(m *RuleResult) **RuleBody { return &m.Body }),
	optString(4, func(m *RuleResult) *Opt[string] { return &m.SectionIdentifier }),
	repMessage(5, func(m *RuleResult) *[]*SourceMarker { return &m.Markers }),
)

func (*RuleResult) table() *table[RuleResult] { return ruleResultTable }

// RuleBody is what a rule shows, in its order. Generated is an extension of this
// project: it is not known where the vendor's tools, 2025 and later, keep the
// tables that rules generate. Readers that do not know the field pass it over.
type RuleBody struct {
	Items     []*RuleItem
	Generated []*GeneratedTable
	Unknown   Unknown
}

var ruleBodyTable = newTable(func(m *RuleBody) *Unknown { return &m.Unknown },
	repMessage(1, func(m *RuleBody) *[]*RuleItem { return &m.Items }),
	repMessage(20001, func(m *RuleBody) *[]*GeneratedTable { return &m.Generated }),
)

func (*RuleBody) table() *table[RuleBody] { return ruleBodyTable }

// RuleItem is one thing that a rule shows. A focus metric or speedup belongs to
// the message whose ID it names, or to the message before it.
type RuleItem struct {
	Message           *RuleMessage
	Table             *Table
	BarChart          *BarChart
	HistogramChart    *HistogramChart
	LineChart         *LineChart
	Proposal          *RuleProposal
	RooflineChart     *RooflineChart
	FocusMetrics      []*FocusMetric
	SourceMetricTable *SourceMetricTable
	Speedup           *Speedup
	SuffixTable       *SuffixTable
	Unknown           Unknown
}

var ruleItemTable = newTable(func(m *RuleItem) *Unknown { return &m.Unknown },
	optMessage(1, func(m *RuleItem) **RuleMessage { return &m.Message }),
	optMessage(2, func(m *RuleItem) **Table { return &m.Table }),
	optMessage(3, func(m *RuleItem) **BarChart { return &m.BarChart }),
	optMessage(4, func(m *RuleItem) **HistogramChart { return &m.HistogramChart }),
	optMessage(5, func(m *RuleItem) **LineChart { return &m.LineChart }),
	optMessage(6, func(m *RuleItem) **RuleProposal { return &m.Proposal }),
	optMessage(7, func(m *RuleItem) **RooflineChart { return &m.RooflineChart }),
	repMessage(8, func(m *RuleItem) *[]*FocusMetric { return &m.FocusMetrics }),
	optMessage(9, func(m *RuleItem) **SourceMetricTable { return &m.SourceMetricTable }),
	optMessage(10, func(m *RuleItem) **Speedup { return &m.Speedup }),
	optMessage(11, func(m *RuleItem) **SuffixTable { return &m.SuffixTable }),
)

func (*RuleItem) table() *table[RuleItem] { return ruleItemTable }

// RuleMessage is a text of a rule. Texts hold links such as
// @section:Occupancy:Occupancy@ or @url:label:https://example.com@.
type RuleMessage struct {
	Text    string
	Type    MessageType
	ID      Opt[int32]  // from 1, local to the rule result; since 2021.2
	Name    Opt[string] // "Long Scoreboard Stalls"; since 2021.2
	Unknown Unknown
}

var ruleMessageTable = newTable(func(m *RuleMessage) *Unknown { return &m.Unknown },
	reqString(1, func(m *RuleMessage) *string { return &m.Text }),
	reqInt(2, func(m *RuleMessage) *MessageType { return &m.Type }),
	optInt(3, func(m *RuleMessage) *Opt[int32] { return &m.ID }),
	optString(4, func(m *RuleMessage) *Opt[string] { return &m.Name }),
)

func (*RuleMessage) table() *table[RuleMessage] { return ruleMessageTable }

// RuleProposal names a rule to apply next.
type RuleProposal struct {
	Identifier string
	Unknown    Unknown
}

var ruleProposalTable = newTable(func(m *RuleProposal) *Unknown { return &m.Unknown },
	reqString(1, func(m *RuleProposal) *string { return &m.Identifier }),
)

func (*RuleProposal) table() *table[RuleProposal] { return ruleProposalTable }

// FocusMetric names a metric that a message rests on.
type FocusMetric struct {
	MessageID Opt[int32]
	Name      Opt[string]
	Value     Opt[float64]
	Severity  Opt[FocusSeverity]
	Info      Opt[string] // "46.797 < 80.000"
	Unknown   Unknown
}

var focusMetricTable = newTable(func(m *FocusMetric) *Unknown { return &m.Unknown },
	optInt(1, func(m *FocusMetric) *Opt[int32] { return &m.MessageID }),
	optString(2, func(m *FocusMetric) *Opt[string] { return &m.Name }),
	optDouble(3, func(m *FocusMetric) *Opt[float64] { return &m.Value }),
	optInt(4, func(m *FocusMetric) *Opt[FocusSeverity] { return &m.Severity }),
	optString(5, func(m *FocusMetric) *Opt[string] { return &m.Info }),
)

func (*FocusMetric) table() *table[FocusMetric] { return focusMetricTable }

// Speedup is an estimate of what following a message would bring.
type Speedup struct {
	Type    Opt[SpeedupType]
	Value   Opt[float64] // percent
	Unknown Unknown
}

var speedupTable = newTable(func(m *Speedup) *Unknown { return &m.Unknown },
	optInt(1, func(m *Speedup) *Opt[SpeedupType] { return &m.Type }),
	optDouble(2, func(m *Speedup) *Opt[float64] { return &m.Value }),
)

func (*Speedup) table() *table[Speedup] { return speedupTable }

// SourceMarker puts a message at an instruction (Address) or a source line
// (File, Line).
type SourceMarker struct {
	Kind    Opt[MarkerKind]
	Line    Opt[uint32] // one of Line and Address is set
	Address Opt[uint64] // absolute, as the correlation ids of source metrics
	Text    Opt[string]
	Type    Opt[MessageType]
	File    Opt[string]
	Unknown Unknown
}

var sourceMarkerTable = newTable(func(m *SourceMarker) *Unknown { return &m.Unknown },
	optInt(1, func(m *SourceMarker) *Opt[MarkerKind] { return &m.Kind }),
	optInt(2, func(m *SourceMarker) *Opt[uint32] { return &m.Line }),
	optInt(3, func(m *SourceMarker) *Opt[uint64] { return &m.Address }),
	optString(4, func(m *SourceMarker) *Opt[string] { return &m.Text }),
	optInt(5, func(m *SourceMarker) *Opt[MessageType] { return &m.Type }),
	optString(6, func(m *SourceMarker) *Opt[string] { return &m.File }),
)

func (*SourceMarker) table() *table[SourceMarker] { return sourceMarkerTable }

// MessageType is the class of a rule message.
type MessageType int32

// The message types.
const (
	MessageNone         MessageType = 0
	MessageOk           MessageType = 1 // printed as INF
	MessageWarning      MessageType = 2 // WRN
	MessageError        MessageType = 3 // ERR
	MessageOptimization MessageType = 4 // OPT
)

var messageTypeNames = []string{"None", "Ok", "Warning", "Error", "Optimization"}

func (t MessageType) String() string { return enumName("MessageType", messageTypeNames, t) }

// SpeedupType tells what an estimated speedup refers to.
type SpeedupType int32

// The speedup types.
const (
	SpeedupUnknown SpeedupType = 0
	SpeedupLocal   SpeedupType = 1 // of the part that the message is about
	SpeedupGlobal  SpeedupType = 2 // of the whole kernel
)

var speedupTypeNames = []string{"Unknown", "Local", "Global"}

func (t SpeedupType) String() string { return enumName("SpeedupType", speedupTypeNames, t) }

// FocusSeverity tells how much a focus metric weighs.
type FocusSeverity int32

// The severities.
const (
	SeverityDefault FocusSeverity = 0
	SeverityLow     FocusSeverity = 1
	SeverityHigh    FocusSeverity = 2
)

var focusSeverityNames = []string{"Default", "Low", "High"}

func (s FocusSeverity) String() string { return enumName("FocusSeverity", focusSeverityNames, s) }

// MarkerKind tells what a source marker points at.
type MarkerKind int32

// The marker kinds.
const (
	MarkerSASS   MarkerKind = 0
	MarkerSource MarkerKind = 1
)

var markerKindNames = []string{"SASS", "Source"}

func (k MarkerKind) String() string { return enumName("MarkerKind", markerKindNames, k) }
