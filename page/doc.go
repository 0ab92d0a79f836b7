// Package page is the contract between pages and faces: it names what a page is, as
// data, and answers requests for it. The one road:
//
//	flags, query string, tool call     a face translates; it knows no page by name
//	   Request                         page, operands, option values, forms, outputs
//	   Run                             checks, opens and joins files, tells of problems, calls the
//	                                   page's builder, composes parts, streams, exports
//	   Sink                            terminal, file, command, HTTP, the answer of a tool
//
// Read [Page], then [Request], [Runner.Run] and [Sink]; [Parts] are for pages of
// several reports. The other files hold the options that pages of several topics
// share (launches, sections, rules, metrics, print) and how a request is read.
//
// The pages themselves are in the packages below, a topic each, which import this
// one and the engines but never each other; page/catalogue lists them all. A builder
// never prints, never formats a number and never looks at a face; it returns a
// Document. What a Document is in csv by the contract of a vendor's tool is a builder
// of its own, which the page declares.
//
// To add a page: write its [Builder] in a file of its topic, declare its [Page]
// beside it, and add that to catalogue.Pages. The row says what files must hold for
// the page to be of use (Needs), which options a face may set on behalf of others
// (Option.Remote), what operands are (Unopened) and what the output is (Output).
//
//   - Operands that are folders, patterns or two groups: say Unopened, read
//     Request.Args, and open profiles by Request.Open, which a face may answer with
//     files that it has open.
//   - What rules and derived metrics add belongs to Request.Overlay, which Run makes.
//   - A check sets Document.Failed or Document.Undecided; Run returns that as Status.
//   - An answer that is no document is a Stream, and a report to write a Report.
package page
