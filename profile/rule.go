package profile

import "github.com/gpuprof/gpuprof/profile/metric"

// MessageType is the seriousness of a rule's message.
type MessageType uint8

// The message types, with their numbers in reports.
const (
	MessageNone         MessageType = 0
	MessageOK           MessageType = 1
	MessageWarning      MessageType = 2
	MessageError        MessageType = 3
	MessageOptimization MessageType = 4
)

// SpeedupType says of what an estimated speedup speaks.
type SpeedupType uint8

// The speedup types, with their numbers in reports.
const (
	SpeedupUnknown SpeedupType = 0
	SpeedupLocal   SpeedupType = 1 // of the part that the rule looked at
	SpeedupGlobal  SpeedupType = 2 // of the whole workload
)

// A RuleResult is what one rule said about one action.
type RuleResult struct {
	Identifier  string // of the rule
	DisplayName string
	Section     string // identifier of the section it belongs to; "" for none
	Messages    []RuleMessage
	Tables      []RuleTable
	Markers     []SourceMarker
	Proposals   []string // rules that it advises to apply
}

// A RuleMessage is one piece of advice.
type RuleMessage struct {
	ID      int // local to the rule
	Type    MessageType
	Name    string // short title
	Text    string
	Speedup *Speedup // nil if not estimated
	Focus   []FocusMetric
}

// A Speedup is an estimated gain in percent of the present duration.
type Speedup struct {
	Type    SpeedupType
	Percent float64
}

// A FocusMetric is a metric that a message rests on.
type FocusMetric struct {
	MessageID int
	Name      string
	Value     float64
	Severity  uint8 // 0 default, 1 low, 2 high
	Info      string
}

// A RuleTable is a table or chart that a rule adds: of metrics, or of kind
// "data" with cells of the rule's own.
type RuleTable struct {
	Kind        string // "table", "bar", "histogram", "line", "roofline", "source", "data"
	Label       string
	Description string
	Metrics     []RuleTableMetric

	// What follows is for kind "data".
	MessageID  int      // the message that it belongs to; 0 if none
	Columns    []string // their names
	Rows       [][]metric.Value
	SortBy     int // column to sort by; -1 for none
	Descending bool
}

// A RuleTableMetric is a row of a RuleTable.
type RuleTableMetric struct{ Name, Label string }

// A SourceMarker is advice tied to a place in the code: an address of the
// machine code or a line of a source file.
type SourceMarker struct {
	Source  bool // a source line, else an address
	Address uint64
	File    string
	Line    uint32
	Text    string
	Type    MessageType
}
