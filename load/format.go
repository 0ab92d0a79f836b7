package load

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/gpuprof/gpuprof/format/benchjson"
	"github.com/gpuprof/gpuprof/format/fatbin"
)

// A format is a row of the table of formats: how to tell it, and how to open it.
type format struct {
	name  string // as users call it
	match func(head []byte, name string) bool
	open  func(f *File) error // nil: known, not read yet

	article  string // for sentences; "": a
	holds    Kinds  // beyond the models that are filled
	database bool   // of the tables of the trace
}

// headSize is how much of a file sniffing may look at.
const headSize = 64 << 10

// formats are tried from first to last: magic numbers before content, content
// before names.
var formats = []format{
	{name: "Nsight Compute report", match: isNcuReport, open: openNcuReport, article: "an"},
	{name: "Nsight Systems report", match: prefix("NVIDIA Tegra Profiler Report "), open: openNsysRep, article: "an"},
	{name: "Nsight Systems SQLite export", match: sqliteWith("CUPTI_ACTIVITY_KIND_", "TARGET_INFO_", "StringIds"), open: openNsysDB, article: "an", database: true},
	{name: "rocpd trace of rocprofv3", match: sqliteWith("rocpd_info_", "rocpd_kernel_dispatch"), open: openROCm},
	{name: "RPD trace of rocmProfileData", match: sqliteWith("rocpd_api", "rocpd_op", "rocpd_string"), open: openROCm, article: "an"},
	{name: "rocprof v1 database", match: sqliteWith("CREATE TABLE KERN", "CREATE TABLE HIP"), open: openROCm},
	{name: "AMD CodeXL trace (.atp)", match: extension(".atp"), open: openAMDTrace, article: "an"},
	{name: "AMD CodeXL occupancy file", match: extension(".occupancy"), open: openAMDOccupancy, article: "an"},
	{name: "AMD CodeXL counter file", match: textWith(".csv", "Method", "ExecutionOrder"), open: openAMDCounters, article: "an"},
	{name: "kernel table of lifetimes (.sim.csv)", match: isKernelTable, open: openKernelTable},
	{name: "lifetime file", match: isLifetimeFile, open: openLifetimeFile},
	{name: "report of lifetimes", match: textWith(".json", `"L1 Lifetime Count"`, `"L2 Lifetime Count"`), open: openLifetimeReport},
	{name: "SQLite database of no profiler known here", match: prefix("SQLite format 3"), open: openSQLite, database: true},
	{name: "ROCm profile", match: isROCmText, open: openROCm},
	{name: "compressed ROCm profile", match: isPackedROCm, open: openROCm},
	{name: "file of kept runs", match: isKept, open: openKept},
	{name: "results of a benchmark program", match: benchjson.Sniff, open: openBenchmarks},
	{name: "PyTorch memory snapshot", match: isTorchMemory, open: openTorchMemory},
	{name: "Chrome trace", match: isKineto, open: openKineto},
	{name: "NVTXT annotation file", match: extension(".nvtxt"), open: openNvtxt, article: "an", holds: Annotations},
	{name: "CUDA binary", match: func(head []byte, _ string) bool { return fatbin.Sniff(head) }, open: openCUDA},
	{name: "log of a GPU simulator", match: isSimLog, open: openSimLog, holds: Accesses},
}

// sniff tells the format of a file by its beginning and its name; nil if there
// is none known.
func sniff(head []byte, name string) *format {
	for i := range formats {
		if formats[i].match(head, name) {
			return &formats[i]
		}
	}
	return nil
}

func prefix(magic string) func([]byte, string) bool {
	return func(head []byte, _ string) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

func extension(ext string) func([]byte, string) bool {
	return func(_ []byte, name string) bool { return strings.EqualFold(path.Ext(name), ext) }
}

// sqliteWith matches a database whose schema, which stands on the first pages,
// names one of the tables.
func sqliteWith(tables ...string) func([]byte, string) bool {
	return func(head []byte, _ string) bool {
		if !bytes.HasPrefix(head, []byte("SQLite format 3\x00")) {
			return false
		}
		for _, t := range tables {
			if bytes.Contains(head, []byte(t)) {
				return true
			}
		}
		return false
	}
}

// textWith matches a text with the given extension ("" for any) whose beginning
// holds every one of the words.
func textWith(ext string, words ...string) func([]byte, string) bool {
	return func(head []byte, name string) bool {
		if ext != "" && !strings.EqualFold(path.Ext(name), ext) || bytes.IndexByte(head, 0) >= 0 {
			return false
		}
		for _, w := range words {
			if !bytes.Contains(head, []byte(w)) {
				return false
			}
		}
		return true
	}
}

func anyOf(ms ...func([]byte, string) bool) func([]byte, string) bool {
	return func(head []byte, name string) bool {
		for _, m := range ms {
			if m(head, name) {
				return true
			}
		}
		return false
	}
}

// Recognize says in words what the beginning and the name of a file tell of its
// format, such as "an Nsight Compute report"; "" where they tell none.
func Recognize(name string) string {
	in, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer in.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	f := sniff(head[:n], name)
	if f == nil {
		return ""
	}
	return withArticle(f.article, f.name)
}

// withArticle is the name of a format in a sentence.
func withArticle(article, name string) string { return cmp.Or(article, "a") + " " + name }

// beginning says how a file of no known format begins, below gzip too.
func beginning(head []byte) string {
	packed := []byte{0x1f, 0x8b}
	begins := func(b []byte) string { return fmt.Sprintf("a file that begins with %q", b[:min(len(b), 16)]) }
	if !bytes.HasPrefix(head, packed) {
		return begins(head)
	}
	text := make([]byte, 16)
	n := 0
	if z, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
		n, _ = io.ReadFull(z, text) // the head is cut: what came is enough
	}
	switch text = text[:n]; {
	case n == 0:
		return "a gzip file that is cut or broken: nothing of it can be unpacked"
	case bytes.HasPrefix(text, packed):
		return "gzip within gzip: unpack it once"
	}
	return "gzip of " + begins(text)
}
