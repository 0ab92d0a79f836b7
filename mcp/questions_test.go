package mcp

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/catalogue"
	"github.com/gpuprof/gpuprof/view"
)

// A step is a call on the way to an answer, with what its answer has to say.
type step struct {
	tool string
	a    args
	want string // expression
}

// Questions with known answers. Those of the example are what its maker planted;
// the others what the vendors' own programs print (launch limits, durations, sums of
// kernels and copies) or what a maker of runs planted (the slow rank).
var (
	example  = "transpose.ncu-rep"
	three    = "corpus/ncu/bwcurless__FaSTED__Mode4.ncu-rep"
	before   = "corpus/ncu/2388612861__GPU-DEMO__ncu_report.ncu-rep"
	behind   = "corpus/ncu/2388612861__GPU-DEMO__ncu_report_optimized.ncu-rep"
	timeline = "corpus/nsys/GindaChen__nsys-ai__tests_fixtures_h100_2gpu_1s.sqlite"
	run      = "oracle/ranks/r8-kernels"
)

// page names the page of which an agent without these tools would read all.
var questions = []struct {
	question, about string
	steps           []step
	page            string
	files           []string
	values          map[string][]string
}{
	{"Which kernel takes most time, and how long?", "example, 3 launches", []step{{"kernels", args{"files": []string{example}}, `(?m)^0/0\|.*transpose_naive.*\|210521\|`}}, "details", []string{example}, nil},
	{"Which line of it is hot?", "example, 3 launches", []step{{"source", args{"file": example, "launch": 0, "top": 3}, `(?m)^transpose.cu:12\|340\|97\.7`}}, "source", []string{example}, nil},
	{"What would save most time, and how much?", "example, 3 launches", []step{{"findings", args{"files": []string{example}, "budget": 2000}, `(?s)saves\[ns\].*?\n---.*?\n0/0/ExampleUncoalescedStores\|.*?\|112418\|`}}, "details", []string{example}, nil},
	{"What limits the occupancy of the second launch?", "3 kernels, 3.5 MB", []step{{"metrics", args{"files": []string{three}, "names": []string{"regex:^launch__occupancy_limit"}, "launch": 1},
		`(?s)limit_blocks\|16.*limit_registers\|10.*limit_shared_mem\|16.*limit_warps\|4`}}, "raw", []string{three}, nil},
	{"Which line of that kernel waits, and for what?", "3 kernels, 3.5 MB", []step{{"source", args{"file": three, "launch": 1, "top": 3}, `(?m)^kernel_join.cu:74\|2242\|.*"lg 1670`}}, "source", []string{three}, map[string][]string{"print-source": {"cuda,sass"}}},
	{"Which instruction there stalls most?", "3 kernels, 3.5 MB", []step{{"source", args{"file": three, "kernel": "preComputedSquaredCoordinates", "at": "kernel_join.cu:74", "around": 0, "budget": 5000}, `LDG\.E\.U16\.SYS R4, \[R2\]`}}, "source", []string{three}, nil},
	{"What to change first, and where?", "3 kernels, 3.5 MB", []step{{"findings", args{"files": []string{three}, "budget": 2000}, `(?s)0/1/UncoalescedLines\|.*kernel_join\.cu:74.*\|532345\|`}}, "details", []string{three}, nil},
	{"How busy is the memory in each launch?", "3 kernels, 3.5 MB", []step{{"kernels", args{"files": []string{three}, "metrics": []string{"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"}}, `69\.1279`}}, "raw", []string{three}, nil},
	{"What changed between two reports?", "two reports, 2 and 4 kernels", []step{{"compare", args{"old": []string{before}, "new": []string{behind}, "budget": 3000}, `(?s)no verdict, one run each.*transposeMatrix\(.*\|61312\|60896\|ns`}}, "diff", []string{before, behind}, nil},
	{"Which kernel takes most time on the GPU, how many ms?", "timeline, 2 GPUs, 2.2 MB", []step{{"kernels", args{"files": []string{timeline}, "budget": 1500}, `(?m)^k\w{8}\|69\.4\d*\|31121662\|248\|`}}, "stats", []string{timeline}, nil},
	{"How much was copied to the GPU?", "timeline, 2 GPUs, 2.2 MB", []step{{"timeline", args{"files": []string{timeline}, "report": []string{"cuda_gpu_mem_size_sum"}}, `(?m)^k\w{8}\|50950507584\|450\|.*Host-to-Device`}}, "stats", []string{timeline}, nil},
	{"Which rank is slow, by how much, since when?", "8 ranks on 2 hosts", []step{{"timeline", args{"files": []string{run}, "what": "ranks", "budget": 3000}, `straggler "Rank 4": "Rank 4 `}}, "ranks", []string{run}, nil},
}

// mostBytes is what an answer may take in all, mostCalls with how many calls.
const (
	mostBytes = 6 << 10
	mostCalls = 3
)

func TestQuestions(t *testing.T) {
	example, err := filepath.Abs(filepath.Join("..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	roots := []string{example}
	var shared string
	t.Run("real", func(t *testing.T) { shared = corpustest.Dir(t) })
	if shared != "" {
		roots = append(roots, shared)
	}
	c := connect(t, server(t, roots...))
	var table strings.Builder
	table.WriteString("| question | of | calls | bytes | page instead | as JSON | as the vendor's tool prints it |\n|---|---|---:|---:|---|---:|---:|\n")
	for _, q := range questions {
		if shared == "" && strings.Contains(q.files[0], "/") {
			continue
		}
		size := 0
		for _, s := range q.steps {
			text, failed := call(t, c, s.tool, s.a)
			if size += len(text); failed || !regexp.MustCompile(s.want).MatchString(text) {
				t.Errorf("%s %s %v: error %t, expected %s:\n%s", q.question, s.tool, s.a, failed, s.want, text)
			}
		}
		if size > mostBytes || len(q.steps) > mostCalls {
			t.Errorf("%s: %d bytes in %d calls, expected at most %d in %d", q.question, size, len(q.steps), mostBytes, mostCalls)
		}
		var names []string
		for _, f := range q.files {
			dir := shared
			if !strings.Contains(f, "/") {
				dir = example
			}
			names = append(names, filepath.Join(dir, f))
		}
		whole := &discard{dirs: roots}
		_, err := page.Run(t.Context(), page.Request{Page: catalogue.Pages().Lookup(q.page), Args: names, Values: q.values, Forms: []string{string(view.FormatJSON)}}, whole)
		if err != nil {
			t.Errorf("%s: %v", q.page, err)
		}
		fmt.Fprintf(&table, "| %s | %s | %d | %d | `%s` | %d | %s |\n", q.question, q.about, len(q.steps), size, q.page, whole.n, printed(t, shared, q.files[0], q.page))
	}
	if shared == "" {
		return
	}
	const begin, end = "<!-- questions -->\n", "<!-- end -->"
	name := filepath.Join("..", "docs", "agents", "README.md")
	doc, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := bytes.Cut(doc, []byte(begin))
	old, tail, closed := bytes.Cut(rest, []byte(end))
	if !found || !closed {
		t.Fatalf("%s: expected %s and %s", name, begin, end)
	}
	if *update {
		if err := os.WriteFile(name, []byte(string(head)+begin+table.String()+end+string(tail)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range questions { // bytes change with the pages; the questions have to be there
		if !*update && !bytes.Contains(old, []byte("| "+q.question+" |")) {
			t.Errorf("%s lacks %q: go test ./mcp -run Questions -update", name, q.question)
		}
	}
}

// printed is how many bytes the vendor's tool prints for a page of a report, "" where
// that is not known.
func printed(t *testing.T, shared, file, page string) string {
	name := map[string]string{"details": "details-all.txt.gz", "raw": "raw.txt.gz", "source": "source-cuda-sass.csv.gz"}[page]
	in, err := os.Open(filepath.Join(shared, "oracle", "ncu-pages", filepath.Base(file), name))
	if err != nil || name == "" {
		return ""
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, z)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(n)
}

// discard is a sink that counts, without the folders that files lie in.
type discard struct {
	n    int
	dirs []string
}

func (d *discard) Note(string)       {}
func (d *discard) Progress(int, int) {}
func (d *discard) Put(_ context.Context, a *page.Answer) error {
	var b bytes.Buffer
	err := a.Write(&b, nil)
	text := b.String()
	for _, dir := range d.dirs {
		text = strings.ReplaceAll(text, dir+"/", "")
	}
	d.n += len(text)
	return err
}
