package ncurep

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestLinesLikeVendor compares source lines and PTX of instruction addresses
// with what Nsight Compute's own Python module says about them.
func TestLinesLikeVendor(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "oracle", "ncu-pages")
	lines, ptx := 0, 0
	for _, name := range corpusFiles(t) {
		r, err := os.Open(filepath.Join(dir, filepath.Base(name), "ncu_report_deep.json.gz"))
		if err != nil {
			continue // the vendor's program crashes on this report
		}
		defer r.Close()
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		var deep struct {
			Actions []struct {
				Name string
				PCs  [][]any
			}
		}
		text, err := io.ReadAll(z)
		check(t, err)
		// The dump writes numbers that JSON has no word for, in parts not read here.
		text = regexp.MustCompile(`\b(NaN|-?Infinity)\b`).ReplaceAll(text, []byte("null"))
		if err := json.Unmarshal(text, &deep); err != nil {
			t.Fatal(err)
		}
		f, err := OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range deep.Actions {
			code, err := f.Results[i].SourceOf().code()
			check(t, err)
			for _, pc := range a.PCs {
				l, p := comparePC(t, filepath.Base(name), code, pc)
				lines += l
				ptx += p
			}
		}
		f.Close()
	}
	t.Logf("%d source lines, %d lines of PTX", lines, ptx)
	if lines < 100 || ptx < 100 {
		t.Errorf("only %d source lines and %d lines of PTX compared", lines, ptx)
	}
}

// comparePC checks one entry [pc, sass, ptx, [file, line]].
func comparePC(t *testing.T, name string, code *code, entry []any) (lines, ptx int) {
	pc := uint64(entry[0].(float64))
	loc, ok := code.locate(pc)
	if want, _ := entry[2].(string); want != "" {
		got := ""
		if ok && loc.PTXLine > 0 && loc.PTXLine <= len(code.PTX) {
			got = strings.TrimSpace(code.PTX[loc.PTXLine-1])
		}
		if got != strings.TrimSpace(want) {
			t.Errorf("%s: PTX of %#x (%v): got %q, want %q", name, pc, ok, got, want)
		}
		ptx++
	}
	if info, _ := entry[3].([]any); info != nil {
		file, line := info[0].(string), int(info[1].(float64))
		if loc.File != file || loc.Line != line {
			t.Errorf("%s: line of %#x (%v): got %s:%d, want %s:%d", name, pc, ok, loc.File, loc.Line, file, line)
		}
		lines++
	}
	return lines, ptx
}

// TestSampleCubin reads a cubin made for the test.
func TestSampleCubin(t *testing.T) {
	c, err := ParseCubin(sampleCubin(), "sample")
	if err != nil {
		t.Fatal(err)
	}
	if c.SM != 86 || c.Toolkit != 123 || len(c.Functions) != 1 || len(c.Problems) > 0 {
		t.Errorf("sm %d, toolkit %d, functions %+v, problems %v", c.SM, c.Toolkit, c.Functions, c.Problems)
	}
	fn := c.Function("scale")
	if fn == nil || len(c.text(fn)) != 64 || fn.Local {
		t.Fatalf("function %+v", fn)
	}
	if want := ".version 8.3\nret;\n}"; c.PTX() != want {
		t.Errorf("PTX %q, want %q", c.PTX(), want)
	}
	f := open(t, encodeReport(t, sampleReport()))
	code, err := f.Sources[0].code()
	check(t, err)
	call := SourceLine{File: "/src/scale.cu", Line: 7}
	inlined := SourceLine{File: "/inc/helper.cuh", Line: 27, Function: "helper"}
	tests := []struct {
		pc   uint64
		want []SourceLine
	}{
		{0x0fff, nil},
		{0x1000, []SourceLine{{File: "/src/scale.cu", Line: 5}}},
		{0x1008, []SourceLine{{File: "/src/scale.cu", Line: 5}}},
		{0x1010, []SourceLine{call}},
		{0x1020, []SourceLine{inlined, call}},
		{0x1030, []SourceLine{{File: "/src/scale.cu", Line: 8}}},
		{0x1040, nil},
	}
	for _, test := range tests {
		loc, ok := code.locate(test.pc)
		if ok != (test.want != nil) {
			t.Errorf("%#x: found %v", test.pc, ok)
		}
		if diff := cmp.Diff(test.want, loc.inlined()); diff != "" {
			t.Errorf("%#x (-want +got):\n%s", test.pc, diff)
		}
		if ok && (loc.Function != "scale" || loc.Offset != test.pc-0x1000 || loc.SourceLine != test.want[0]) {
			t.Errorf("%#x: %+v", test.pc, loc)
		}
	}
	code.place("scale", 0x9000)
	if loc, ok := code.locate(0x9010); !ok || loc.Line != 7 {
		t.Errorf("in the function placed by hand: %+v, %v", loc, ok)
	}
}

// TestLoadedCubin reads a cubin that a just-in-time compiler's launch left: the
// report has no table of load addresses, the symbols have them.
func TestLoadedCubin(t *testing.T) {
	const at = 0x7fd524fb8900
	c, err := ParseCubin(loadedCubin(at), "loaded")
	check(t, err)
	fn := c.Function("scale")
	if fn == nil || fn.Address != at || fn.Offset != 0 || len(c.text(fn)) != 64 {
		t.Fatalf("function %+v", fn)
	}
	code := newCode(nil, c)
	loc, ok := code.locate(at + 16)
	if !ok || loc.Function != "scale" || loc.Offset != 16 || loc.Line != 7 {
		t.Errorf("%+v, %v", loc, ok)
	}
}

// TestBadCubins lists ELF files that give one clear error, and defects that
// leave the rest usable.
func TestBadCubins(t *testing.T) {
	change := func(at int, v byte) []byte {
		b := sampleCubin()
		b[at] = v
		return b
	}
	for name, b := range map[string][]byte{
		"empty": nil, "text": []byte("not an ELF file"), "32 bits": change(4, 1), "big endian": change(5, 2),
		"x86": change(18, 62), "cut": sampleCubin()[:60], "no section headers": sampleCubin()[:200],
	} {
		_, err := ParseCubin(b, "bad")
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		wantFormatError(t, err, int64(len(b)))
	}
	b := sampleCubin()
	at := bytes.Index(b, sampleLines(0))
	b[at+4] = 9 // DWARF version
	c, err := ParseCubin(b, "bad")
	if err != nil {
		t.Fatal(err)
	}
	if l := c.Lines(); len(l.Problems) != 1 || len(l.Sequences) != 0 || len(c.Functions) != 1 {
		t.Errorf("problems %v, %d sequences, %d functions", l.Problems, len(l.Sequences), len(c.Functions))
	}
}

// TestInlinedCalls looks up the lines of inlined calls in the imported sources.
// Nine of ten name the function that was inlined; the others are operators,
// function objects and macros. Were the rows of the calls miscounted, most would
// not.
func TestInlinedCalls(t *testing.T) {
	named, other := 0, 0
	for _, name := range corpusFiles(t) {
		f, err := OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, s := range f.Sources {
			files, err := s.Files()
			check(t, err)
			lines := make(map[string][]string)
			for _, file := range files {
				lines[file.Path] = strings.Split(file.Text, "\n")
			}
			code, err := s.code()
			check(t, err)
			for i := range code.Lines.Sequences {
				n, o := countCalls(code.Lines, &code.Lines.Sequences[i], lines)
				named += n
				other += o
			}
		}
	}
	if named < 4000 || other > named/8 {
		t.Errorf("%d calls name what was inlined, %d do not", named, other)
	}
}

func countCalls(t *LineTable, s *LineSequence, sources map[string][]string) (named, other int) {
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.Call == 0 {
			continue
		}
		call := t.Line(&s.Rows[r.Call-1])
		text := sources[call.File]
		if call.Line < 1 || call.Line > len(text) {
			continue
		}
		if sharesWord(text[call.Line-1], t.Line(r).Function) {
			named++
		} else {
			other++
		}
	}
	return named, other
}

// sharesWord reports whether four letters of a mangled name are in a line.
func sharesWord(line, mangled string) bool {
	for i := 0; i+4 <= len(mangled); i++ {
		if strings.Contains(line, mangled[i:i+4]) {
			return true
		}
	}
	return false
}
