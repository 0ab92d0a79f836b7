// Package mcp lets agents ask gpuprof: it speaks the Model Context Protocol on
// standard input and output, or over HTTP on this machine, through the official SDK.
//
// It is one more face of the list of pages, beside the command line and the viewer.
// A call of a tool becomes a page.Request, the page's Document an answer that fits
// (view.Brief): no number is formatted here.
//
// # The way through the package
//
//   - server.go: [Server], [Options], the ways to serve
//   - tool.go, tools.go: how a tool is declared, as a table, and the eight
//   - arguments.go: what a call brings, checked against its tool
//   - answer.go: the road from a call to its answer
//   - root.go: folders that files must lie below; file.go: files that are open
//   - resource.go, prompt.go: the pages of open files; questions to begin with
//
// # What is safe
//
// Nothing is written. A path leads to a regular file below a root, symlinks
// resolved; files are opened through os.Root, so that a link that appears meanwhile
// leads nowhere else. Answers have a budget, calls a time, SQL both and a bound of
// memory. What comes from files stands in double quotes, escaped; the words of the
// tool stand outside.
package mcp
