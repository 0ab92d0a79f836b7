package amd

import "strings"

// A Marker is a line of the perf marker section: the begin or the end of a range
// that the application marked.
type Marker struct {
	Begin bool
	Time  uint64 // ns
	Name  string // of a Begin, and of an end written by clEndPerfMarkerEx
	Group string
}

// ParseMarker parses a line of the perf marker section.
func ParseMarker(line string) (Marker, bool) {
	verb, i := field(line, 0)
	switch verb {
	case "clBeginPerfMarker":
		name, i := field(line, i)
		ts, i := field(line, i)
		t, ok := number(ts)
		// Old libraries did not escape the blanks of the group.
		group := strings.TrimSpace(line[i:])
		return Marker{Begin: true, Time: t, Name: Unescape(name), Group: Unescape(group)}, ok
	case "clEndPerfMarker":
		ts, _ := field(line, i)
		t, ok := number(ts)
		return Marker{Time: t}, ok
	case "clEndPerfMarkerEx":
		ts, i := field(line, i)
		t, ok := number(ts)
		name, group := splitNameGroup(strings.TrimSpace(line[i:]))
		return Marker{Time: t, Name: Unescape(name), Group: Unescape(group)}, ok
	}
	return Marker{}, false
}

// splitNameGroup splits the end of a clEndPerfMarkerEx, in which blanks are not
// escaped: at the run of blanks that pads the name or, where the name fills its
// column, at the last blank, which is a guess.
func splitNameGroup(s string) (name, group string) {
	if i := strings.Index(s, "  "); i >= 0 {
		return s[:i], strings.TrimSpace(s[i:])
	}
	if i := strings.LastIndexByte(s, ' '); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// A Frame says where in the source a call was made.
type Frame struct {
	API    string
	Symbol string // function, or an address; "" where nothing is known
	Line   int    // 0 where not known
	File   string
}

// apiOf is the API of a line of the stack trace section.
func apiOf(line string) string {
	api, _, _ := strings.Cut(line, "\t")
	return strings.TrimSpace(api)
}

// ParseFrame parses a line of the stack trace section.
func ParseFrame(line string) Frame {
	var f Frame
	var rest string
	f.API = apiOf(line)
	_, rest, _ = strings.Cut(line, "\t")
	symbol, rest, _ := strings.Cut(rest, "\t")
	number0, file, _ := strings.Cut(rest, "\t")
	f.Symbol = Unescape(strings.TrimSpace(symbol))
	f.File = Unescape(strings.TrimRight(file, "\t "))
	if n, ok := number(strings.TrimSpace(number0)); ok && n < 1<<31 {
		f.Line = int(n)
	}
	return f
}
