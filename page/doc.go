// Package page names every page and report once, as data: its name, help,
// inputs, options and the function that builds its view.Document.
//
// This package is the contract: [Page], [Option], [Request], and the options that
// pages of several topics share. The pages themselves are in the packages below
// it, a topic each, which import this one and the engines but never each other;
// page/catalogue lists them all. The command line and the viewer are two faces of
// that list: a new page is one function and one row, and both faces have it. A
// builder never prints and never formats a number; it returns a Document.
//
// To add a page: write a builder of type
//
//	func(ctx context.Context, q *Request) (*view.Document, error)
//
// in a file of its topic, declare its [Page] beside it, and add that to
// catalogue.Pages.
// Options that several pages share are declared once (KernelOptions,
// PrintOptions) and read through the same functions.
package page
