// Package page names every page and report once, as data: its name, help,
// inputs, options and the function that builds its view.Document.
//
// The command line and the viewer are two faces of the table [Pages]: a new page
// is one function and one row, and both faces have it. A builder never prints
// and never formats a number; it returns a Document.
//
// To add a page: write a builder of type
//
//	func(ctx context.Context, q *Request) (*view.Document, error)
//
// in a file of its own, declare its [Page] beside it, and add that to Pages.
// Options that several pages share are declared once (KernelOptions,
// PrintOptions) and read through the same functions.
package page
