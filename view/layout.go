package view

// A Layout says how text and csv set a part of a document where the usual way
// does not do. It holds no content: json heeds none of it, and a builder that has
// no wish leaves it nil.
type Layout struct {
	// Of a table, and of the table of a chart.
	Frame    Frame
	Numbers  Numbers
	Heading  string // lines that text prints before it, in place of its title and description
	Verbatim bool   // text leaves line breaks within cells as they are
	Ragged   bool   // text ends a line where its last cell ends, for a last column of long texts
	Drawn    bool   // text draws the chart even where tables are wanted
	Same     int    // so many columns at the left are empty in text where the row above has the same

	// Most is how many rows text has of a table, 0 for all: to set millions in columns
	// takes longer than to count them, and nobody reads them. Others says how to see
	// the others, in a line below.
	Most   int
	Others string

	// Times says that columns of ns which have no style of their own are printed in
	// the unit that suits their largest number, with three decimals; in csv they are
	// whole nanoseconds.
	Times bool

	// Of a table or a message: where present, how text shows what is no grid, such
	// as a call stack, indented like the section's tables. A line may be empty.
	Lines []string

	// Of a table in csv.
	UnitRow  bool // the units of the columns are the second line
	Unquoted bool // only the fields that need it are quoted

	// Preamble holds lines that csv writes before the header, in place of the
	// title, for tables that other tools print so.
	Preamble [][]Value

	// Of a nested section: text prints the title without the word "Section:".
	Plain bool
}

// usual is the layout of what has none.
var usual Layout

// or is l, or the usual layout.
func (l *Layout) or() *Layout {
	if l == nil {
		return &usual
	}
	return l
}

// Frame is the set of rules that text draws around a table.
type Frame uint8

// The frames.
const (
	FrameHeader Frame = iota // below the header only
	FrameOpen                // above and below the header
	FrameFull                // above the header, below it, and at the end
)

// Numbers is the way in which text, csv and md print the numbers of a table.
type Numbers uint8

// The ways to print numbers.
const (
	Short       Numbers = iota // whole numbers without decimals, others with two
	SixDecimals                // six decimals where there is a unit, else Short
	Fixed                      // two decimals always
	Micro                      // six decimals always
)

// Align is the side on which text sets the cells of a column.
type Align uint8

// The alignments. AlignAuto is left for a Text column and right for others.
const (
	AlignAuto Align = iota
	AlignLeft
	AlignRight
)

// A NumberStyle prints numbers divided by Divisor with a fixed number of
// decimals, halves away from zero. A whole number with Divisor 0 or 1 is printed
// without decimals.
type NumberStyle struct {
	Divisor  float64 // 0 means 1
	Decimals int
}

// Audience says for whom an item or a column is.
type Audience uint8

// The audiences. Where text draws charts, it draws those for programs, too: they
// are for programs because people read their numbers in other items.
const (
	Everyone Audience = iota
	Programs          // text, csv and md leave it out
	Data              // text and md leave it out: there it stands elsewhere, as in the title
	People            // json leaves it out, but where it carries the cells that people read
)

// people reports whether text and md have it.
func (a Audience) people() bool { return a == Everyone || a == People }

// EveryoneIf is for everyone where it holds, else for programs.
func EveryoneIf(shown bool) Audience {
	if shown {
		return Everyone
	}
	return Programs
}
