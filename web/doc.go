// Package web is the viewer: a server on this machine that shows the pages of
// package page in a browser.
//
// # The way through the package
//
//   - server.go: [Server], its files and its routes
//   - guard.go: who may ask: Host, Origin, token, and the headers of answers
//   - document.go: the API of pages: the same Documents as the commands show
//   - file.go, watch.go: the opened files, which are read anew when they change
//   - guard.go, once.go: who may ask; addresses that open once
//   - stand.go: what outlives a server, so that links do
//   - upload.go, recent.go: files that are dropped on the window, or were opened before
//   - timeline.go, timeline_api.go, timeline_facts.go: the timeline
//   - export.go: one HTML file that opens without a server
//   - ui/: TypeScript; dist/ is what the bundler makes of it, committed
//
// # The API
//
// Every path below /api/ wants the session's token as a bearer: a cookie opens
// nothing. An address below /once/, bought with the token, opens once without it. GET /api/files lists the opened files, GET
// /api/pages the pages. GET /api/page/NAME?file=ID&OPTION=VALUE answers with
// the JSON document of docs/json.md, in which each table has three more members
// for people: "labels", the heading of each column (null: for programs alone), "printed",
// whether the numbers of a column are read as text has them, and "text", the cells as the text format prints them. How numbers are scaled and
// rounded in the browser is said once, in ui/num.ts; names in ui/names.ts.
package web

//go:generate sh -c "cd ../tools && go run ./bundle ../web/ui ../web/dist"
