package scrub

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
)

// A form makes files of a format with a text in every place that the format has for
// one.
type form struct {
	name string
	make func(t *testing.T, name, text string)
}

var forms = []form{
	{"a.json", func(t *testing.T, name, text string) { writeFile(t, name, traceJSON(text)) }},
	{"b.json.gz", func(t *testing.T, name, text string) { writeFile(t, name, packed(traceJSON(text))) }},
	{"c.nvtxt", func(t *testing.T, name, text string) {
		writeFile(t, name, []byte("# "+text+"\nTimeBase = Manual\nNote = "+text+"\n@RangeStartEnd, Start, End, Message\nRangeStartEnd, 1, 2, \""+text+"\"\n"))
	}},
	{"d.atp", func(t *testing.T, name, text string) {
		writeFile(t, name, []byte("TraceFileVersion=3.0\nApplication=/bin/a\nApplicationArgs="+text+"\n=====AMD APP SDK=====\n1\n1\nCL_SUCCESS = clBuildProgram ( "+text+" )\n"))
	}},
	{"e.csv", func(t *testing.T, name, text string) {
		cell := `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		writeFile(t, name, []byte("# Note="+text+"\nMethod,ExecutionOrder,Kernel_Name\n"+cell+",1,"+cell+"\n"))
	}},
	{"f.ncu-rep", func(t *testing.T, name, text string) {
		if err := ncuReport(text).WriteFile(name); err != nil {
			t.Fatal(err)
		}
	}},
	{"g.nsys-rep", func(t *testing.T, name, text string) { writeFile(t, name, nsysReport(text).Bytes()) }},
	{"h.sqlite", writeDatabase},
	{"i.txt", func(t *testing.T, name, text string) { writeFile(t, name, []byte("Name: gpu0\nNote: "+text+"\n")) }},
	{"j.yaml", func(t *testing.T, name, text string) { writeFile(t, name, []byte("path: /x\nnote: '"+text+"'\n")) }},
	{"k.occupancy", func(t *testing.T, name, text string) {
		cell := `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		writeFile(t, name, []byte("# ProfilerVersion=3\n# Note="+text+"\nThreadID,KernelName,Note\n1,k,"+cell+"\n"))
	}},
	{"l.pftrace", func(t *testing.T, name, text string) { writeFile(t, name, perfettoTrace(text)) }},
	{"m.pftrace.gz", func(t *testing.T, name, text string) { writeFile(t, name, packed(perfettoTrace(text))) }},
	{"n.db", writeRocpd},
	{"o.db.gz", func(t *testing.T, name, text string) {
		plain := strings.TrimSuffix(name, ".gz")
		writeRocpd(t, plain, text)
		b, err := os.ReadFile(plain)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, name, packed(b))
	}},
}

func perfettoTrace(text string) []byte {
	msg := nsysrepgen.Message
	return msg(1, msg(8, 5, 60, msg(1, 7, 2, "track "+text, 3, msg(1, 70, 6, "python"))), 1, msg(11, msg(4, msg(10, "note", 6, text)), 999, msg(3, text)))
}

// writeRocpd writes tables as rocprofv3 names them, with the id of a run behind.
func writeRocpd(t *testing.T, name, text string) {
	t.Helper()
	os.Remove(name)
	c, err := sqlite.OpenConn(name, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, sql := range []string{"PRAGMA synchronous=OFF", "PRAGMA journal_mode=MEMORY",
		"CREATE TABLE rocpd_string_0000 (id INTEGER PRIMARY KEY, guid TEXT, string TEXT)",
		"CREATE TABLE rocpd_info_process_0000 (id INTEGER PRIMARY KEY, guid TEXT, pid INTEGER, extdata TEXT)",
		"CREATE TABLE rocpd_kernel_dispatch_0000 (id INTEGER PRIMARY KEY, start INTEGER, extdata JSONB DEFAULT '{}')",
		"CREATE TABLE rocpd_arg_0000 (id INTEGER PRIMARY KEY, name TEXT, value TEXT)",
		"INSERT INTO rocpd_string_0000 VALUES (1, 'x', ?1)",
		"INSERT INTO rocpd_info_process_0000 VALUES (1, 'x', 7, '{\"note\": \"' || ?1 || '\"}')",
		"INSERT INTO rocpd_kernel_dispatch_0000 VALUES (1, 5, '{\"k\": \"' || ?1 || '\"}')",
		"INSERT INTO rocpd_arg_0000 VALUES (1, 'note', ?1)",
	} {
		var args []any
		if strings.Contains(sql, "?1") {
			args = []any{text}
		}
		if err := sqlitex.Execute(c, sql, &sqlitex.ExecOptions{Args: args}); err != nil {
			t.Fatal(sql, err)
		}
	}
}

func writeFile(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func packed(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func traceJSON(text string) []byte {
	q, _ := json.Marshal(text)
	s := string(q)
	return []byte(`{"schemaVersion": 1, "note": ` + s + `, "deviceProperties": [{"id": 0, ` + s + `: 1}], "traceEvents": [
  {"ph": "X", "cat": "kernel", "name": ` + s + `, "ts": 1665508934.123, "dur": 5e-3, "args": {"deep": {"x": [1, ` + s + `]}, "\u0073": "\/` + s[1:] + `}}
]}`)
}

func ncuReport(text string) *ncurep.Report {
	some := ncurep.Some[string]
	return &ncurep.Report{
		Session: &ncurep.Session{Comments: some(text), CommandLine: some("ncu " + text), Versions: []*ncurep.VersionInfo{{Provider: "x", Version: text}},
			Host: &ncurep.SystemInfo{OSName: some(text), Unknown: nsysrepgen.Message(99, text, 100, nsysrepgen.Message(3, text))}},
		Process: &ncurep.Process{ID: 1, Name: some("/bin/" + text)},
		Sources: []*ncurep.SourceData{{SourceHead: ncurep.SourceHead{Reference: ncurep.Some(uint64(1))},
			Binary: []byte("\x7fELF\x02\x01\x01\x00\x00\xff\xfe" + text + "\x00.note\x00\x80\x81"),
			Files:  &ncurep.SourceFiles{Files: []*ncurep.SourceFile{{Path: "/src/" + text, Text: "int x; // " + text + "\n"}}}}},
		Results: []*ncurep.ResultData{{
			ResultHeader: ncurep.ResultHeader{FunctionName: "k", MangledName: "k", DemangledName: "k()", WorkDimensions: 3, Grid: ncurep.XYZ(1, 1, 1), Block: ncurep.XYZ(1, 1, 1),
				Source: &ncurep.SourceHead{Reference: ncurep.Some(uint64(1))}, Unknown: nsysrepgen.Message(77, text)},
			Metrics: []ncurep.MetricData{{Name: "m", Value: ncurep.StringValue(text)}},
		}},
	}
}

func nsysReport(text string) *nsysrepgen.Report {
	r := nsysrepgen.Sample()
	r.Texts = append(r.Texts, text)
	r.Header = append(r.Header, nsysrepgen.Message(91, nsysrepgen.Message(4, text))...)
	r.Frames = append(r.Frames, nsysrepgen.Frame(
		nsysrepgen.Event(1, 102, 1, 34, 2, 850, 9, int64(nsysrepgen.SampleTid), 7, "mark "+text, 13, 0),
		nsysrepgen.Event(1, 113, 2, int64(nsysrepgen.SamplePid), 6, "app", 5, "app "+text, 9, text),
		nsysrepgen.Event(1, 117, 5, nsysrepgen.Message(2, text)),
	))
	r.Threads = append(r.Threads, nsysrepgen.Message(9, text)...)
	r.Target = append(r.Target, nsysrepgen.Message(90, text)...)
	r.Parts = map[string][]byte{"UI Data": nsysrepgen.Message(1, text, 25, "nsys "+text), "Odd Part": []byte("\x00\xff\xfe" + text + "\x80\x01")}
	return r
}

// writeDatabase writes a text into rows, long rows, blobs, and what is left of rows,
// tables and pages that were deleted.
func writeDatabase(t *testing.T, name, text string) {
	t.Helper()
	os.Remove(name)
	c, err := sqlite.OpenConn(name, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	do := func(sql string, args ...any) {
		t.Helper()
		if err := sqlitex.Execute(c, sql, &sqlitex.ExecOptions{Args: args}); err != nil {
			t.Fatal(err)
		}
	}
	do("PRAGMA secure_delete=OFF")
	do("PRAGMA synchronous=OFF")
	do("PRAGMA journal_mode=MEMORY")
	do("BEGIN")
	do("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
	do("CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, text TEXT, blob BLOB)")
	do("CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT)")
	do("CREATE TABLE OSRT_CALLCHAINS (id INTEGER, stackDepth INTEGER, symbol INTEGER, PRIMARY KEY (id, stackDepth))")
	do("CREATE TABLE gone (x TEXT)")
	for i := range 300 {
		do("INSERT INTO StringIds VALUES (?, ?)", i+1, fmt.Sprintf("text %d %s", i, text))
		do("INSERT INTO OSRT_CALLCHAINS VALUES (?, ?, ?)", i/3, i%3, i)
		do("INSERT INTO gone VALUES (?)", text+strings.Repeat(" gone", i))
	}
	long := strings.Repeat("long ", 3000)
	do("INSERT INTO NVTX_EVENTS VALUES (1, 2, ?, ?)", text, []byte("\x00\x01"+text+"\xff"))
	do("INSERT INTO NVTX_EVENTS VALUES (3, 4, ?, NULL)", long+text+long)
	do("INSERT INTO META_DATA_CAPTURE VALUES (?, ?)", "NOTE", text)
	do("DELETE FROM StringIds WHERE id % 3 = 0")
	do("UPDATE StringIds SET value = 'short' WHERE id % 5 = 0")
	do("DROP TABLE gone")
	do("COMMIT")
}

// oneLine are formats in which a text is a line.
var oneLine = map[string]bool{"c.nvtxt": true, "d.atp": true, "i.txt": true, "j.yaml": true, "k.occupancy": true}

func TestPlantedInFormats(t *testing.T) {
	secrets := plant(rand.New(rand.NewPCG(7, 7)))
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			for _, p := range secrets {
				if strings.Contains(p.secret, "\n") && oneLine[f.name] {
					continue // one line a text
				}
				name := filepath.Join(t.TempDir(), f.name)
				f.make(t, name, p.text)
				planted := false
				for _, b := range contents(t, name) {
					planted = planted || holds(b, p.secret)
				}
				if !planted {
					t.Fatalf("%s is not in the file", p.name)
				}
				to, _, ok := scrubbed(t, name, Options{})
				if !ok {
					t.Fatal("not opened")
				}
				for _, b := range contents(t, to) {
					if holds(b, p.secret) {
						t.Errorf("%s is left", p.name)
					}
				}
				sound(t, to)
			}
		})
	}
}

// holds reports whether a secret stands in b as it is, or as JSON writes it.
func holds(b []byte, secret string) bool {
	q, _ := json.Marshal(secret)
	return bytes.Contains(b, []byte(secret)) || bytes.Contains(b, q[1:len(q)-1])
}

// TestHarmlessFilesStay writes files in which there is nothing to take out: they stay
// byte for byte.
func TestHarmlessFilesStay(t *testing.T) {
	for _, f := range forms {
		if strings.HasSuffix(f.name, ".gz") || f.name == "g.nsys-rep" || f.name == "d.atp" {
			continue // packed anew; with a host; with arguments
		}
		t.Run(f.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), f.name)
			if f.name == "f.ncu-rep" {
				r := ncuReport("gemm")
				r.Session.CommandLine = ncurep.Opt[string]{}
				if err := r.WriteFile(name); err != nil {
					t.Fatal(err)
				}
			} else {
				f.make(t, name, "gemm")
			}
			to, s, _ := scrubbed(t, name, Options{})
			if n := len(s.Findings()); n > 0 {
				t.Errorf("found: %v", s.Findings())
			}
			a, _ := os.ReadFile(name)
			b, _ := os.ReadFile(to)
			if f.name != "h.sqlite" && f.name != "n.db" && !bytes.Equal(a, b) {
				t.Errorf("changed:\n%q\n%q", a, b)
			}
		})
	}
}

func TestDrop(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.ncu-rep")
	if err := ncuReport("zebra").WriteFile(name); err != nil {
		t.Fatal(err)
	}
	to, s, _ := scrubbed(t, name, Options{Drop: Drop{Sources: true, Cubins: true, Paths: true, Names: true}})
	for _, b := range contents(t, to) {
		for _, gone := range []string{"int x; //", "/src/zebra", "\x7fELF"} {
			if bytes.Contains(b, []byte(gone)) {
				t.Errorf("%q is left", gone)
			}
		}
	}
	f, err := ncurep.OpenFile(to)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := f.Results[0].DemangledName; got != pseudonym("", "k()") {
		t.Errorf("kernel %q", got)
	}
	if len(s.Findings()) == 0 {
		t.Error("nothing found")
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for name, b := range map[string]string{"a.bin": "\x00\x01\x02", "b.pdf": "%PDF", "c.json.gz": "\x1f\x8bxx", "d.ncu-rep": "NVR\x00\x02", "e.sqlite": "SQLite format 3\x00", "f.nsys-rep": "NVIDIA Tegra Profiler Report 1."} {
		to := filepath.Join(dir, name)
		writeFile(t, to, []byte(b))
		if in, err := Open(to); err == nil {
			in.Close()
			t.Errorf("%s was opened", name)
		}
	}
	if _, err := Open(dir); err == nil {
		t.Error("a folder was opened")
	}
}
