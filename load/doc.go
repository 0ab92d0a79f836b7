// Package load opens a profile whatever its format and fills a model from it.
//
// [Open] looks at the first bytes, then at content and name, and calls the
// decoder that answers. The formats are the rows of one table, formats; each
// adapter from records to a model is a file of its own (ncurep.go). A file in a
// format that is known but not read yet gets one line that says what it seems to
// be; so does a file of no known format.
package load
