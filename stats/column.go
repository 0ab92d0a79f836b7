package stats

import (
	"strings"

	"github.com/gpuprof/gpuprof/view"
)

// name makes the name of a column for programs out of its label: "Total Time
// (ns)" becomes total_time.
func name(label string) string {
	label, _, _ = strings.Cut(label, " (")
	label = strings.NewReplacer(" ", "_", "/", "_", "#", "", "-", "_").Replace(label)
	return strings.ToLower(label)
}

// text makes a column of words, or of numbers that are names.
func text(label string) view.Column {
	return view.Column{Name: name(label), Label: label, Type: view.Text}
}

// count makes a column of whole numbers.
func count(label string) view.Column {
	return view.Column{Name: name(label), Label: label, Type: view.Number, Number: &view.NumberStyle{}}
}

// decimal makes a column of numbers with one decimal.
func decimal(label string) view.Column {
	c := count(label)
	c.Number = &view.NumberStyle{Decimals: 1}
	return c
}

// percent makes a column of shares.
func percent(label string) view.Column {
	return view.Column{Name: name(label), Label: label + " (%)", Unit: "%", Type: view.Number, Number: &view.NumberStyle{Decimals: 1}}
}

// nanoseconds makes a column of times. Whole ones are printed whole.
func nanoseconds(label string) view.Column {
	return view.Column{Name: name(label), Label: label + " (ns)", Unit: ns, Type: view.Number, Number: &view.NumberStyle{Decimals: 1}}
}

// bytes makes a column of sizes, printed in millions.
func bytes(label string) view.Column {
	return view.Column{Name: name(label), Label: label + " (MB)", Unit: "byte", Type: view.Number,
		Number: &view.NumberStyle{Divisor: 1e6, Decimals: 3}}
}

// distColumns are the columns of a distribution after its sum and count.
func distColumns(col func(string) view.Column) []view.Column {
	return []view.Column{col("Avg"), col("Med"), col("Min"), col("Max"), col("StdDev")}
}

// table makes a table of a report.
func table(columns ...view.Column) *view.Table {
	return &view.Table{Columns: columns}
}
