package load

import "fmt"

// A Content is a line of what a file holds.
type Content struct {
	What  string
	Count int
	Bytes int64  // -1: not known
	Note  string // more about it, or ""
}

// Contents lists what the file holds, from what opening it has read.
func (f *File) Contents() []Content {
	if f.rep != nil {
		return f.rep.contents()
	}
	if f.Report == nil || f.Report.ncu == nil {
		return nil
	}
	file := f.Report.ncu.file
	var results, binaries int64
	var cubins, metrics, sections, rules int
	for _, r := range file.Results {
		results += r.Size()
		metrics += r.NumMetrics
		sections += r.NumSections
		rules += r.NumRules
	}
	functions := 0
	for _, s := range file.Sources {
		if n := s.BinarySize(); n > 0 {
			cubins++
			binaries += n
		}
		functions += len(s.Functions)
	}
	var strs int64
	for _, s := range file.Strings {
		strs += int64(len(s))
	}
	out := []Content{
		{What: "blocks", Count: len(file.Blocks), Bytes: -1},
		{What: "strings", Count: len(file.Strings), Bytes: strs},
		{What: "results", Count: len(file.Results), Bytes: results},
		{What: "metrics", Count: metrics, Bytes: -1, Note: "entries over all results"},
		{What: "section definitions", Count: sections, Bytes: -1, Note: "over all results"},
		{What: "rule results", Count: rules, Bytes: -1, Note: "over all results"},
		{What: "cubins", Count: cubins, Bytes: binaries},
		{What: "functions", Count: functions, Bytes: -1, Note: "with load addresses"},
	}
	ranges := 0
	for _, b := range file.Blocks {
		ranges += int(b.Header.NumRangeResults.Or(0))
	}
	if ranges > 0 {
		out = append(out, Content{What: "range results", Count: ranges, Bytes: -1, Note: "kept, not understood"})
	}
	return out
}

// Container describes the file around the profile: magic, version, compression.
func (f *File) Container() string {
	if f.rep != nil {
		return "Nsight Systems report, version " + f.rep.file.Version + ", LZ4"
	}
	if f.Report == nil || f.Report.ncu == nil {
		return ""
	}
	file := f.Report.ncu.file
	s := fmt.Sprintf("%.3s version %d", file.Magic[:], file.Header.Version)
	if file.Compressed {
		s += ", zstd"
	}
	return s
}
