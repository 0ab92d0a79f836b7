package view

// A Role says what the cells of a column are, so that no reader has to guess it
// from the column's name. A column without a role is shown as any other.
type Role string

// What a row is about, and where that is.
const (
	RoleKernel    Role = "kernel"    // name of a kernel
	RoleLaunch    Role = "launch"    // number of a launch in its report, from 0: what --launch-skip counts
	RoleID        Role = "id"        // number that the profiler gave to what the row is about
	RoleReport    Role = "report"    // name of a report
	RoleOperand   Role = "operand"   // number of a report among the operands, from 0
	RoleGrid      Role = "grid"      // size of a grid
	RoleBlock     Role = "block"     // size of a block
	RoleMetric    Role = "metric"    // name of a metric
	RoleLabel     Role = "label"     // what people call that metric
	RoleRule      Role = "rule"      // identifier of a rule
	RoleSection   Role = "section"   // identifier of a section
	RoleSet       Role = "set"       // identifier of a section set
	RoleFinding   Role = "finding"   // what a rule found, in words
	RoleScope     Role = "scope"     // of a speedup: global or local
	RoleFile      Role = "file"      // name of a source file
	RoleLine      Role = "line"      // number of a line in it
	RoleAddress   Role = "address"   // of an instruction
	RoleTarget    Role = "target"    // addresses of instructions that one leads to beside the next, with blanks between
	RoleMarks     Role = "marks"     // words for what is special about an instruction: predicated, uniform, spill
	RoleLive      Role = "live"      // how many registers are live at an instruction
	RoleCode      Role = "code"      // text of a line or an instruction
	RoleOrder     Role = "order"     // place of an instruction in its function, from 0
	RoleFunction  Role = "function"  // name of a function
	RoleNVTX      Role = "nvtx"      // name of an NVTX range
	RoleOperation Role = "operation" // name of a call, a copy or other work, as its slices in the timeline have it
	RoleBenchmark Role = "benchmark" // name of what a benchmark program measured
	RoleDevice    Role = "device"
	RoleContext   Role = "context"
	RoleStream    Role = "stream"
	RoleProcess   Role = "process"
	RoleThread    Role = "thread"
)

// How much: the unit says of what.
const (
	RoleTime      Role = "time"      // point in time, in ns of the file's clock
	RoleDuration  Role = "duration"  // of what the row is about
	RoleCount     Role = "count"     // how many
	RoleSize      Role = "size"      // bytes
	RoleShare     Role = "share"     // percent of a whole: mostly of all rows together
	RoleTotal     Role = "total"     // sum over what the row counts
	RoleMean      Role = "mean"      // of what the row counts, as the next four
	RoleMedian    Role = "median"    //
	RoleMinimum   Role = "minimum"   //
	RoleMaximum   Role = "maximum"   //
	RoleDeviation Role = "deviation" //
	RoleFrom      Role = "from"      // where the bin of a histogram begins
	RoleTo        Role = "to"        // where it ends
	RoleValue     Role = "value"     // of the row's metric
	RoleMeasure   Role = "measure"   // of the row, for the metric that the column is named after
	RoleSamples   Role = "samples"   // such a measure that tells how hot the row is
	RoleSpeedup   Role = "speedup"   // estimate of what a finding gains
)

// A Target is the kind of place to which rows lead.
type Target string

// The targets, with the columns that name the place, in order.
const (
	ToLaunch  Target = "launch"  // operand, launch, and where there is one the rule that says something there
	ToSpan    Target = "span"    // of the timeline: time, duration, and where rows are of several files the operand
	ToSlices  Target = "slices"  // of the timeline that have a name: kernel, operation or nvtx
	ToLine    Target = "line"    // file, line
	ToRule    Target = "rule"    // rule
	ToSection Target = "section" // section
	ToSet     Target = "set"     // set
)

// A Link says where the rows of a table lead. A row whose cells of the columns At
// are null leads nowhere.
type Link struct {
	To   Target
	Cell string   // name of the column whose cells people follow
	At   []string // names of the columns that name the place
}
