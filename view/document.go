package view

import (
	"io"
	"iter"
	"slices"
)

// A Document is what a page says: the input of every renderer.
type Document struct {
	Title    string
	Sections []Section
	More     iter.Seq[Section] // sections that follow and are made one at a time, of which there may be a million; may be nil

	// Failed says that the page found what it was asked to look for: a check
	// that fails, a file with errors. The command then exits with status 1.
	Failed bool
	// Comment, where set, is what md writes in place of the sections: a comment for
	// a pull request, which has to be short and folds what is long.
	Comment func(io.Writer) error

	// Undecided says that a check could not tell. The status is then 4.
	Undecided bool
}

// All yields every section of d.
func (d *Document) All() iter.Seq[*Section] {
	return func(yield func(*Section) bool) {
		for i := range d.Sections {
			if !yield(&d.Sections[i]) {
				return
			}
		}
		if d.More != nil {
			for s := range d.More {
				if !yield(&s) {
					return
				}
			}
		}
	}
}

// A Section is a titled part of a Document, such as a kernel launch, or a part
// of another Section.
type Section struct {
	ID          string // stable name for programs; unique among its siblings where they have names
	Title       string
	Description string
	Layout      *Layout // may be nil
	For         Audience
	Group       string // heading that text prints when it differs from the section before ("[pid] process@host")
	Properties  []Property
	Items       []Item
	Sections    []Section
}

// hidden reports whether nothing of a section is for people who read.
func (s *Section) hidden() bool {
	return !s.For.people() || s.Description == "" && len(s.Items) > 0 && len(s.Sections) == 0 &&
		!slices.ContainsFunc(s.Items, func(it Item) bool { return it.For.people() || it.Chart != nil && it.Chart.Kind == TimelineChart })
}

// A Property is a named fact about a section, such as the grid size of a launch.
// Text does not print it: there the title says it.
type Property struct {
	Name  string
	Value Value
}

// An Item is one of a Table, a Chart or a Message: exactly one is not nil.
type Item struct {
	For     Audience
	Row     string // items that follow each other and name the same row stand side by side
	Column  int    // in which column of the row; items of one column stand below each other
	Table   *Table
	Chart   *Chart
	Message *Message
}

// layout is how the item is set.
func (it *Item) layout() *Layout {
	switch {
	case it.Table != nil:
		return it.Table.Layout.or()
	case it.Chart != nil:
		return it.Chart.Table.Layout.or()
	case it.Message != nil:
		return it.Message.Layout.or()
	}
	return &usual
}

// Type is the type of a column.
type Type uint8

// The types of columns.
const (
	Any    Type = iota // strings and numbers mixed, as in a column of metric values
	Text               // strings
	Number             // numbers
	List               // series of correlated values
	Unit               // unit of the numbers in the same row
)

func (t Type) String() string {
	return [...]string{"any", "string", "number", "list", "unit"}[min(t, Unit)]
}

// A Column describes the cells below it.
type Column struct {
	Name     string // for programs
	Label    string // for people; "" for Name
	Unit     string // base unit of the numbers below, "" where each Value has its own or none
	Type     Type
	Role     Role // what the cells are; "" where none of the roles fits
	Align    Align
	For      Audience
	Break    bool // a cell wider than MaxWidth breaks anywhere, not at blanks
	MinWidth int  // text makes the column at least so wide
	MaxWidth int  // text wraps longer cells at blanks; 0: never

	// Largest is the largest of the numbers below, where it is Known without making
	// rows: it chooses the unit in which csv prints the column.
	Largest float64
	Known   bool

	// Number, where set, is how text, csv and md print the numbers below, in
	// place of the table's way; the unit then stands in the label.
	Number *NumberStyle
}

// Heading is what people read above the column.
func (c *Column) Heading() string {
	if c.Label != "" {
		return c.Label
	}
	return c.Name
}

// A Table is a grid of values.
type Table struct {
	ID          string
	Title       string
	Description string
	Columns     []Column
	Rows        [][]Value // a row may be shorter than Columns
	More        RowSeq    // rows that follow Rows and are made one at a time; may be nil
	Link        *Link     // where its rows lead; may be nil
	Matrix      *Matrix   // how the rows lie in two dimensions, where the definition says so; may be nil
	Layout      *Layout   // may be nil
	// Behind are the numbers that a row describes, where rows are distributions and
	// somebody asked for them; nothing shows them.
	Behind func(row int) []int64
}

// A Matrix lays the rows of a table out in two dimensions.
type Matrix struct {
	Rows    []string // what its rows are called, nil where they have no names
	Columns []string // what its columns are called, nil likewise
	Cells   [][]int  // for each of its rows the numbers of the table's rows; -1 for none
}

// A RowSeq makes rows when they are wanted, for tables of millions. The row that
// it yields is valid until the next.
type RowSeq = iter.Seq[[]Value]

// All yields every row of t.
func (t *Table) All() RowSeq {
	return func(yield func([]Value) bool) {
		for _, r := range t.Rows {
			if !yield(r) {
				return
			}
		}
		if t.More != nil {
			t.More(yield)
		}
	}
}

// A Chart is a table with a hint how to draw it; where nothing is drawn its
// table is shown.
type Chart struct {
	Kind  ChartKind
	Table Table
	X, Y  Axis
	Bins  int // of a histogram; 0: any number

	Upright bool // bars stand side by side

	Emphasis bool // among its neighbours the one to look at
}

// ChartKind names the way a chart is drawn.
type ChartKind string

// The kinds of charts.
const (
	BarChart       ChartKind = "bar"
	HistogramChart ChartKind = "histogram"
	LineChart      ChartKind = "line" // of series, or of two columns of numbers: x and the value from there on
	RooflineChart  ChartKind = "roofline"
	TimelineChart  ChartKind = "timeline" // series whose ids are times in nanoseconds
	HeatChart      ChartKind = "heat"     // series of percentages whose ids are times in nanoseconds, a row each
	FlameChart     ChartKind = "flame"    // boxes: x, width and depth, of what ran inside what
)

// An Axis of a chart. Min and Max bound it where HasMin and HasMax are set, Mark
// is a place to point at where HasMark is.
type Axis struct {
	Label                   string
	Min, Max, Mark          float64
	HasMin, HasMax, HasMark bool
	Log                     bool
	Ticks                   int     // how many places of it are named; 0: not said
	Guides                  []Guide // further places to show
}

// A Guide is a place on an axis that has a name.
type Guide struct {
	At    float64
	Label string
}

// MessageType says how serious a message is.
type MessageType string

// The types of messages, with the words that text prints.
const (
	None         MessageType = "none"         //
	OK           MessageType = "ok"           // INF
	Optimization MessageType = "optimization" // OPT
	Warning      MessageType = "warning"      // WRN
	Error        MessageType = "error"        // ERR
)

// Tag is the three-letter word that text prints before a message.
func (t MessageType) Tag() string {
	switch t {
	case OK:
		return "INF"
	case Optimization:
		return "OPT"
	case Warning:
		return "WRN"
	case Error:
		return "ERR"
	}
	return ""
}

// A Message is advice or a diagnostic in words.
type Message struct {
	Type    MessageType
	Source  string // who says it: a rule's identifier
	Title   string
	Text    string
	Speedup *Speedup
	Details []Table // what the message rests on; text prints them on request
	Layout  *Layout // may be nil
}

// A Speedup estimates what following a message would gain.
type Speedup struct {
	Global  bool    // of the whole workload; else of the part that the message speaks of
	Percent float64 // of the present duration
}

// Scope is "global" or "local".
func (s Speedup) Scope() string {
	if s.Global {
		return "global"
	}
	return "local"
}

// AddTable appends a table to the items of s.
func (s *Section) AddTable(t *Table) { s.Items = append(s.Items, Item{Table: t}) }

// AddChart appends a chart to the items of s.
func (s *Section) AddChart(c *Chart) { s.Items = append(s.Items, Item{Chart: c}) }

// AddMessage appends a message to the items of s.
func (s *Section) AddMessage(m *Message) { s.Items = append(s.Items, Item{Message: m}) }
