package ncurep

// RuleResult is what one rule said about a result. The rule itself is not
// stored.
type RuleResult struct {
	Identifier        string          `ncu:"1"`
	DisplayName       string          `ncu:"2"`
	Body              *RuleBody       `ncu:"3"`
	SectionIdentifier Opt[string]     `ncu:"4"`
	Markers           []*SourceMarker `ncu:"5"`
	Unknown           Unknown
}

// RuleBody is what a rule shows, in its order. Generated is an extension of this
// project: it is not known where the vendor's tools, 2025 and later, keep the
// tables that rules generate. Readers that do not know the field pass it over.
type RuleBody struct {
	Items     []*RuleItem       `ncu:"1"`
	Generated []*GeneratedTable `ncu:"20001"`
	Unknown   Unknown
}

// RuleItem is one thing that a rule shows. A focus metric or speedup belongs to
// the message whose ID it names, or to the message before it.
type RuleItem struct {
	Message           *RuleMessage       `ncu:"1"`
	Table             *Table             `ncu:"2"`
	BarChart          *BarChart          `ncu:"3"`
	HistogramChart    *HistogramChart    `ncu:"4"`
	LineChart         *LineChart         `ncu:"5"`
	Proposal          *RuleProposal      `ncu:"6"`
	RooflineChart     *RooflineChart     `ncu:"7"`
	FocusMetrics      []*FocusMetric     `ncu:"8"`
	SourceMetricTable *SourceMetricTable `ncu:"9"`
	Speedup           *Speedup           `ncu:"10"`
	SuffixTable       *SuffixTable       `ncu:"11"`
	Unknown           Unknown
}

// RuleMessage is a text of a rule. Texts hold links such as
// @section:Occupancy:Occupancy@ or @url:label:https://example.com@.
type RuleMessage struct {
	Text    string      `ncu:"1"`
	Type    MessageType `ncu:"2"`
	ID      Opt[int32]  `ncu:"3"` // from 1, local to the rule result; since 2021.2
	Name    Opt[string] `ncu:"4"` // "Long Scoreboard Stalls"; since 2021.2
	Unknown Unknown
}

// RuleProposal names a rule to apply next.
type RuleProposal struct {
	Identifier string `ncu:"1"`
	Unknown    Unknown
}

// FocusMetric names a metric that a message rests on.
type FocusMetric struct {
	MessageID Opt[int32]         `ncu:"1"`
	Name      Opt[string]        `ncu:"2"`
	Value     Opt[float64]       `ncu:"3"`
	Severity  Opt[FocusSeverity] `ncu:"4"`
	Info      Opt[string]        `ncu:"5"` // "46.797 < 80.000"
	Unknown   Unknown
}

// Speedup is an estimate of what following a message would bring.
type Speedup struct {
	Type    Opt[SpeedupType] `ncu:"1"`
	Value   Opt[float64]     `ncu:"2"` // percent
	Unknown Unknown
}

// SourceMarker puts a message at an instruction (Address) or a source line
// (File, Line).
type SourceMarker struct {
	Kind    Opt[MarkerKind]  `ncu:"1"`
	Line    Opt[uint32]      `ncu:"2"` // one of Line and Address is set
	Address Opt[uint64]      `ncu:"3"` // absolute, as the correlation ids of source metrics
	Text    Opt[string]      `ncu:"4"`
	Type    Opt[MessageType] `ncu:"5"`
	File    Opt[string]      `ncu:"6"`
	Unknown Unknown
}

// MessageType is the class of a rule message.
type MessageType int32

// The message types.
const (
	messageNone         MessageType = 0
	messageOk           MessageType = 1 // printed as INF
	messageWarning      MessageType = 2 // WRN
	messageError        MessageType = 3 // ERR
	messageOptimization MessageType = 4 // OPT
)

var messageTypeNames = []string{"None", "Ok", "Warning", "Error", "Optimization"}

func (t MessageType) String() string { return enumName("MessageType", messageTypeNames, t) }

// SpeedupType tells what an estimated speedup refers to.
type SpeedupType int32

// The speedup types.
const (
	speedupUnknown SpeedupType = 0
	speedupLocal   SpeedupType = 1 // of the part that the message is about
	speedupGlobal  SpeedupType = 2 // of the whole kernel
)

var speedupTypeNames = []string{"Unknown", "Local", "Global"}

func (t SpeedupType) String() string { return enumName("SpeedupType", speedupTypeNames, t) }

// FocusSeverity tells how much a focus metric weighs.
type FocusSeverity int32

// The severities.
const (
	severityDefault FocusSeverity = 0
	severityLow     FocusSeverity = 1
	severityHigh    FocusSeverity = 2
)

var focusSeverityNames = []string{"Default", "Low", "High"}

func (s FocusSeverity) String() string { return enumName("FocusSeverity", focusSeverityNames, s) }

// MarkerKind tells what a source marker points at.
type MarkerKind int32

// The marker kinds.
const (
	markerSASS   MarkerKind = 0
	markerSource MarkerKind = 1
)

var markerKindNames = []string{"SASS", "Source"}

func (k MarkerKind) String() string { return enumName("MarkerKind", markerKindNames, k) }
