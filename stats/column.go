package stats

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/view"
)

var letters = strings.NewReplacer(" ", "_", "/", "_", "#", "", "-", "_")

// name makes the name of a column for programs out of its label: "Total Time
// (ns)" becomes total_time.
func name(label string) string {
	label, _, _ = strings.Cut(label, " (")
	label = letters.Replace(label)
	return strings.ToLower(label)
}

// roles tells what the columns of all reports are, by the words that nsys has for
// them; for a name that several kinds of reports use it is the more common one.
var roles = map[string]view.Role{
	"Name": view.RoleOperation, "Operation": view.RoleOperation, "API Name": view.RoleOperation, "API Function": view.RoleOperation,
	"Event": view.RoleOperation, "Kernel Name": view.RoleKernel, "Range": view.RoleNVTX, "NVTX Range": view.RoleNVTX,
	"Function": view.RoleFunction, "File": view.RoleFile, "CPU Instruction Address": view.RoleAddress,
	"GridXYZ": view.RoleGrid, "BlockXYZ": view.RoleBlock,
	"PID": view.RoleProcess, "Pid": view.RoleProcess, "TID": view.RoleThread, "Tid": view.RoleThread,
	"Device": view.RoleDevice, "Device ID": view.RoleDevice, "DevId": view.RoleDevice, "Context ID": view.RoleContext, "Ctx": view.RoleContext,
	"Stream ID": view.RoleStream, "Strm": view.RoleStream, "CorrID": view.RoleID, "CorrId": view.RoleID, "RangeId": view.RoleID, "Row#": view.RoleOrder,
	"Start": view.RoleTime, "End": view.RoleTime, "Queue Start": view.RoleTime, "Kernel Start": view.RoleTime, "API Start": view.RoleTime,
	"Projected Start": view.RoleTime, "Orig Start": view.RoleTime, "Gap Start": view.RoleTime, "Longest Start": view.RoleTime,
	"Time": view.RoleShare, "Share": view.RoleShare,
	"Total Time": view.RoleTotal, "Total": view.RoleTotal, "Total Proj Time": view.RoleTotal, "Total Range Time": view.RoleTotal, "Total Dur": view.RoleTotal,
}

// column makes a column, in a role of its own or else in the usual one.
func column(label string, t view.Type, usual view.Role) view.Column {
	return view.Column{Name: name(label), Label: label, Type: t, Role: cmp.Or(roles[label], usual)}
}

// text makes a column of words, or of numbers that are names.
func text(label string) view.Column { return column(label, view.Text, "") }

// count makes a column of whole numbers.
func count(label string) view.Column {
	c := column(label, view.Number, view.RoleCount)
	c.Number = &view.NumberStyle{}
	return c
}

// decimal makes a column of numbers with one decimal.
func decimal(label string) view.Column {
	c := count(label)
	c.Number = &view.NumberStyle{Decimals: 1}
	return c
}

// percent makes a column of shares.
func percent(label string) view.Column {
	c := column(label, view.Number, "")
	c.Label, c.Unit, c.Number = label+" (%)", "%", &view.NumberStyle{Decimals: 1}
	return c
}

// nanoseconds makes a column of times. Whole ones are printed whole.
func nanoseconds(label string) view.Column {
	c := column(label, view.Number, view.RoleDuration)
	c.Label, c.Unit, c.Number = label+" (ns)", ns, &view.NumberStyle{Decimals: 1}
	return c
}

// bytes makes a column of sizes, printed in millions.
func bytes(label string) view.Column {
	c := column(label, view.Number, view.RoleSize)
	c.Label, c.Unit, c.Number = label+" (MB)", "byte", &view.NumberStyle{Divisor: 1e6, Decimals: 3}
	return c
}

// distColumns are the columns of a distribution after its sum and count.
func distColumns(col func(string) view.Column) []view.Column {
	out := []view.Column{col("Avg"), col("Med"), col("Min"), col("Max"), col("StdDev")}
	for i, r := range []view.Role{view.RoleMean, view.RoleMedian, view.RoleMinimum, view.RoleMaximum, view.RoleDeviation} {
		out[i].Role = r
	}
	return out
}

// table makes a table of a report.
func table(columns ...view.Column) *view.Table {
	return &view.Table{Columns: columns, Link: link(columns)}
}

// link leads from a row to its span of the timeline, or from a row that sums up to
// the slices of its name.
func link(columns []view.Column) *view.Link {
	find := func(fits func(c *view.Column) bool) string {
		if i := slices.IndexFunc(columns, func(c view.Column) bool { return fits(&c) }); i >= 0 {
			return columns[i].Name
		}
		return ""
	}
	named := func(n string, r view.Role) string {
		return find(func(c *view.Column) bool { return c.Name == n && c.Role == r })
	}
	if start, duration := named("start", view.RoleTime), named("duration", view.RoleDuration); start != "" && duration != "" {
		return &view.Link{To: view.ToSpan, Cell: start, At: []string{start, duration}}
	}
	if find(func(c *view.Column) bool { return c.Role == view.RoleMean }) == "" {
		return nil
	}
	for _, r := range []view.Role{view.RoleKernel, view.RoleOperation, view.RoleNVTX} {
		if n := find(func(c *view.Column) bool { return c.Role == r }); n != "" {
			return &view.Link{To: view.ToSlices, Cell: n, At: []string{n}}
		}
	}
	return nil
}

// kernelName is the column of names in reports that list kernels only.
var kernelName = view.Column{Name: "name", Label: "Name", Type: view.Text, Role: view.RoleKernel}
