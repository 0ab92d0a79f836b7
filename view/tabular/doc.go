// Package tabular prints one table in the forms that users of nsys stats know:
// column, table, csv, tsv, json, hdoc and htable, with their arguments.
//
// A form is asked for by name, its arguments behind colons:
//
//	f, err := tabular.Parse("column:nohdr:.:12:0")
//	err = f.Write(os.Stdout, "CUDA API Summary", table, view.Options{})
//
// [Forms] lists what there is. Names, arguments and what they do are those of
// the vendor's documents; how wide the lines of a table are and where its rules
// run is a guess.
package tabular
