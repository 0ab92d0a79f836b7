package rocm

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"path"
	"regexp"
	"strings"
)

// A reader reads a file of a kind; size is -1 where it is unpacked on the way.
type reader func(s *Session, ctx context.Context, in io.Reader, size int64) error

func plainReader(read func(s *Session, ctx context.Context, in io.Reader) error) reader {
	return func(s *Session, ctx context.Context, in io.Reader, _ int64) error { return read(s, ctx, in) }
}

var kinds = []struct {
	kind  Kind
	match func(head []byte, name string) bool
	read  reader
}{
	{KindRocpd, isDatabase, (*Session).readSQLite}, // readSQLite tells which it is
	{KindATT, isThreadTrace, plainReader((*Session).readThreadTrace)},
	{KindChrome, isChrome, plainReader((*Session).readChrome)},
	{KindJSON, begins(`{`), plainReader((*Session).readJSON)},
	{KindPerfetto, isPerfetto, plainReader((*Session).readPerfetto)},
	{KindText, func(head []byte, _ string) bool { return isText(head) }, plainReader((*Session).readText)},
	{KindV1Text, begins("------ ["), plainReader((*Session).readV1Text)},
	{KindRoctracer, isRoctracer, plainReader((*Session).readRoctracer)},
	{KindCSV, isSummary, plainReader((*Session).readSummary)},
	{KindFacts, isFacts, plainReader((*Session).readFacts)},
	{KindCSV, isCSV, plainReader((*Session).readCSV)},
}

// kindOf tells what a file is by its beginning and its name.
func kindOf(head []byte, name string) (Kind, reader) {
	for _, k := range kinds {
		if k.match(head, name) {
			return k.kind, k.read
		}
	}
	return "", nil
}

// Sniff tells by its beginning and its name what kind of file of ROCm one is; ""
// for none. The beginning may be packed. A database may turn out to be another.
func Sniff(head []byte, name string) Kind {
	if isGzip(head) {
		z, err := gzip.NewReader(bytes.NewReader(head))
		if err != nil {
			return ""
		}
		plain := make([]byte, headSize)
		n, _ := io.ReadFull(z, plain) // of which the end is cut, mostly
		head, name = plain[:n], unpackedName(name)
	}
	head = bytes.TrimPrefix(head, byteOrderMark)
	for _, k := range kinds {
		if k.match(head, name) && (k.kind != KindJSON || bytes.Contains(head, []byte("rocprofiler-sdk-tool"))) {
			return k.kind
		}
	}
	return ""
}

func begins(with string) func([]byte, string) bool {
	return func(head []byte, _ string) bool {
		return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\xef\xbb\xbf"), []byte(with))
	}
}

func isDatabase(head []byte, _ string) bool {
	return bytes.HasPrefix(head, []byte("SQLite format 3\x00"))
}

var chromeBegin = regexp.MustCompile(`^\s*\{\s*"traceEvents"\s*:\s*\[\s*\{\s*\}`)

// isChrome matches the Chrome traces of rocprof v1, whose first event is empty, or
// which consist of no more than names.
func isChrome(head []byte, name string) bool {
	return chromeBegin.Match(head) || begins(`{"args":{"name":"`)(head, name) && bytes.Contains(head, []byte(`"sort_index"`))
}

// isThreadTrace matches the JSON files of a thread trace or of samples for their viewer.
func isThreadTrace(head []byte, name string) bool {
	if !begins("{")(head, name) {
		return false
	}
	trimmed := bytes.TrimLeft(head[bytes.IndexByte(head, '{')+1:], " \t\r\n")
	for _, key := range []string{`"code"`, `"counter_names"`, `"SE0"`, `"name":"wstates`, `"duration":`} {
		if bytes.HasPrefix(trimmed, []byte(key)) && (key != `"duration":` || bytes.Contains(head, []byte(`"wave":`))) {
			return true
		}
	}
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	return base == "occupancy.json" || base == "snapshots.json" || base == "realtime.json"
}

// isPerfetto matches a Perfetto trace: packets, which are field 1, of which the
// first few are whole.
func isPerfetto(head []byte, name string) bool {
	if ext := strings.ToLower(path.Ext(name)); ext != ".pftrace" && ext != ".perfetto-trace" && ext != ".proto" {
		return false
	}
	return len(head) > 2 && head[0] == 0x0a
}

var (
	roctracerLine  = regexp.MustCompile(`(?m)^\d+:\d+ \d+:\d+ \S`)
	roctracerOther = regexp.MustCompile(`(?m)^(ROC[Tt]racer \(|\+ .*MatrixTranspose|# INIT #|\t:\w+\t: correlation_id\(\d+\) time_ns\(|<\w+ id\(\d+\)\s)`)
)

func isRoctracer(head []byte, _ string) bool {
	return bytes.IndexByte(head, 0) < 0 && (roctracerLine.Match(head) || roctracerOther.Match(head))
}

// isSummary matches what rocprofv3 --summary prints.
func isSummary(head []byte, _ string) bool {
	return begins("ROCPROFV3 ")(head, "") && bytes.Contains(head, []byte("SUMMARY:")) && bytes.Contains(head, []byte("| "))
}

// isFacts matches what rocminfo prints, as rocprof keeps it, and the settings of
// rocprof-compute.
func isFacts(head []byte, name string) bool {
	return bytes.HasPrefix(head, []byte("CMD: rocminfo")) || path.Base(name) == "profiling_config.yaml"
}

// isCSV matches a table whose columns are known.
func isCSV(head []byte, _ string) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if bytes.IndexByte(line, ',') < 0 || bytes.IndexByte(line, 0) >= 0 {
		return false
	}
	var t table
	names, err := headerCells(string(line))
	if err != nil {
		return false
	}
	_, err = t.header(names)
	if err == nil && t.named("Metric Name") { // which profilers of others write, too
		return bytes.Contains(head, []byte(",SQ_")) || bytes.Contains(head, []byte(",FetchSize,"))
	}
	return err == nil
}
