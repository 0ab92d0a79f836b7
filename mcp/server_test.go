package mcp

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/ranksgen"
)

var update = flag.Bool("update", false, "write the golden files anew")

// profiles makes a folder of made profiles: kernels.ncu-rep, timeline.sqlite and, in
// run/, the reports of four ranks.
func profiles(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	b, err := os.ReadFile(filepath.Join("..", "examples", "transpose.ncu-rep"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kernels.ncu-rep", "later.ncu-rep"} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	size := nsysgen.Size{Kernels: 400, Ranges: 60, Copies: 40, Threads: 2, Devices: 1, Names: 5, Seed: 1}
	if err := nsysgen.Write(filepath.Join(dir, "timeline.sqlite"), size); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	setup := ranksgen.Default(7)
	setup.Ranks, setup.Layers, setup.Straggler, setup.Factor, setup.From = 4, 2, 2, 1.5, 2
	run := ranksgen.Make(setup)
	if err := run.Write(filepath.Join(dir, "run")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// server makes a server of a folder.
func server(t testing.TB, roots ...string) *Server {
	t.Helper()
	s, err := New(Options{Roots: roots, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// connect is a session with a server by the SDK's client.
func connect(t testing.TB, s *Server) *sdk.ClientSession {
	t.Helper()
	there, here := sdk.NewInMemoryTransports()
	if _, err := s.sdk.Connect(context.Background(), there, nil); err != nil {
		t.Fatal(err)
	}
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

type args = map[string]any

// call calls a tool.
func call(t testing.TB, c *sdk.ClientSession, name string, a args) (text string, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: a})
	if err != nil {
		t.Fatalf("%s %v: %v", name, a, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s: %d contents", name, len(r.Content))
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

func TestTools(t *testing.T) {
	c := connect(t, server(t, t.TempDir()))
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) > 8 || len(b) > 12<<10 {
		t.Errorf("%d tools in %d bytes, expected at most 8 in 12 KB", len(list.Tools), len(b))
	}
	for _, x := range list.Tools {
		if !x.Annotations.ReadOnlyHint || x.Description == "" {
			t.Errorf("%s: not said to be read only, or without a description", x.Name)
		}
	}
	if got := c.InitializeResult(); !strings.Contains(got.Instructions, "never an instruction") {
		t.Error("the instructions do not say what data is")
	}
}

// transcripts are calls of each tool whose answers are golden.
var transcripts = map[string][]args{
	"open":     {{}, {"files": []string{"kernels.ncu-rep"}}, {"files": []string{"timeline.sqlite"}, "budget": 2048}, {"files": []string{"kernels.ncu-rp"}}},
	"findings": {{"files": []string{"kernels.ncu-rep"}}, {"files": []string{"kernels.ncu-rep"}, "recorded": true, "form": "json"}, {"files": []string{"timeline.sqlite"}, "budget": 3000}, {}},
	"kernels": {{"files": []string{"kernels.ncu-rep"}}, {"files": []string{"kernels.ncu-rep", "later.ncu-rep"}, "kernel": "regex:transpose", "sort": "launch"},
		{"files": []string{"kernels.ncu-rep"}, "metrics": []string{"gpu__time_duration.sum", "launch__registers_per_thread"}}, {"files": []string{"timeline.sqlite"}}, {"files": "timeline.sqlite", "kernel": "x"}},
	"metrics": {{"files": []string{"kernels.ncu-rep"}, "names": []string{"regex:^launch__occupancy_limit"}, "launch": 1}, {"files": []string{"kernels.ncu-rep"}, "budget": 1024}},
	"source":  {{"file": "kernels.ncu-rep", "launch": 0}, {"file": "kernels.ncu-rep", "at": "transpose.cu:35", "around": 1}, {"file": "kernels.ncu-rep", "at": "transpose.cu:34"}},
	"timeline": {{"files": []string{"timeline.sqlite"}, "report": []string{"cuda_gpu_mem_time_sum"}}, {"files": []string{"timeline.sqlite"}, "what": "steps", "budget": 3000},
		{"files": []string{"run"}, "what": "ranks", "budget": 3000}, {"files": []string{"timeline.sqlite"}, "what": "ranks", "report": []string{"x"}}},
	"compare": {{"old": []string{"kernels.ncu-rep"}, "new": []string{"later.ncu-rep"}}, {"old": []string{"kernels.ncu-rep"}}},
	"sql": {{"file": "timeline.sqlite", "sql": "SELECT s.value AS kernel, COUNT(*) AS n, SUM(end - start) AS ns FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName GROUP BY 1 ORDER BY ns DESC"},
		{"file": "timeline.sqlite", "sql": "DROP TABLE StringIds"}, {"file": "timeline.sqlite", "recipe": "gpu_metric"}, {"file": "kernels.ncu-rep", "sql": "SELECT 1"}},
}

// What each tool answers is golden, and the same when it is asked again.
func TestTranscripts(t *testing.T) {
	dir := profiles(t)
	c := connect(t, server(t, dir))
	for name, calls := range transcripts {
		var out strings.Builder
		for _, a := range calls {
			asked, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			text, failed := call(t, c, name, a)
			again, _ := call(t, c, name, a)
			if again != text {
				t.Errorf("%s %s: asked again, other bytes:\n%s\n%s", name, asked, text, again)
			}
			text = strings.ReplaceAll(text, dir+"/", "")
			fmt.Fprintf(&out, ">>> %s %s\n<<< error: %t, %d bytes\n%s\n", name, asked, failed, len(text), strings.TrimSuffix(text, "\n"))
		}
		file := filepath.Join("testdata", "transcripts", name+".golden")
		if *update {
			if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if out.String() != string(want) {
			t.Errorf("%s:\n%s", name, out.String())
		}
	}
}

// Cursors lead to every row once.
func TestCursors(t *testing.T) {
	c := connect(t, server(t, profiles(t)))
	a := args{"file": "timeline.sqlite", "sql": "SELECT 'row_' || rowid || '_' AS r FROM CUPTI_ACTIVITY_KIND_KERNEL", "budget": 1500}
	seen := map[string]int{}
	for n := 0; ; n++ {
		text, failed := call(t, c, "sql", a)
		if failed || len(text) > 1500 || n > 100 {
			t.Fatalf("page %d, %d bytes: %s", n, len(text), text)
		}
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("|\"\n ", r) }) {
			if strings.HasPrefix(w, "row_") {
				seen[w]++
			}
		}
		_, rest, more := strings.Cut(text, "> cursor: ")
		if !more {
			break
		}
		a["cursor"], _, _ = strings.Cut(rest, "\n")
	}
	if len(seen) != 400 {
		t.Errorf("%d rows, expected 400", len(seen))
	}
	if a["sql"] = "SELECT 1"; true {
		if text, failed := call(t, c, "sql", a); !failed || !strings.Contains(text, "cursor") {
			t.Errorf("a cursor of another question: %s", text)
		}
	}
}

// Errors are those of the protocol for what it knows nothing of, and of the tool for
// what an agent can mend.
func TestErrors(t *testing.T) {
	c := connect(t, server(t, profiles(t)))
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "remove"}); err == nil {
		t.Error("an unknown tool was called")
	}
	if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "gpuprof:///none.ncu-rep"}); err == nil {
		t.Error("a resource that is not there was read")
	}
	if _, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "none"}); err == nil {
		t.Error("a prompt that is not there was got")
	}
	for want, a := range map[string]args{
		"did you mean files?":     {"fils": []string{"x"}},
		"expected files":          {},
		"a list of strings":       {"files": 7},
		"whole number":            {"files": []string{"kernels.ncu-rep"}, "launch": -1},
		"true or false":           {"files": []string{"kernels.ncu-rep"}, "recorded": "x"},
		"not one of md, json":     {"files": []string{"kernels.ncu-rep"}, "form": "xml"},
		"found a list":            {"files": []string{"kernels.ncu-rep"}, "kernel": []string{"a", "b"}},
		"no such file":            {"files": []string{"kernel.ncu-rep"}},
		"at most 256, found 1000": {"files": slices.Repeat([]string{"kernels.ncu-rep"}, 1000)},
		"missing closing":         {"files": []string{"kernels.ncu-rep"}, "kernel": "regex:("},
	} {
		if text, failed := call(t, c, "findings", a); !failed || !strings.Contains(text, want) {
			t.Errorf("%v: error %t, expected %q: %s", a, failed, want, text)
		}
	}
}

// A call that is cancelled ends, and the next is answered.
func TestCancel(t *testing.T) {
	c := connect(t, server(t, profiles(t)))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	start := time.Now()
	_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "sql", Arguments: args{"file": "timeline.sqlite",
		"sql": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"}})
	if err == nil || time.Since(start) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if text, failed := call(t, c, "open", args{}); failed {
		t.Error(text)
	}
}

func TestResources(t *testing.T) {
	s := server(t, profiles(t))
	c := connect(t, s)
	if r, err := c.ListResources(t.Context(), nil); err != nil || len(r.Resources) > 0 {
		t.Errorf("before a file is open: %v, %v", r, err)
	}
	call(t, c, "open", args{"files": []string{"kernels.ncu-rep"}})
	list, err := c.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for _, r := range list.Resources {
		got, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI})
		if err != nil || len(got.Contents) != 1 || !strings.HasPrefix(got.Contents[0].Text, "# ") || len(got.Contents[0].Text) > 8<<10 {
			t.Errorf("%s: %v", r.URI, err)
		}
		pages++
	}
	if pages < 5 {
		t.Errorf("%d resources, expected the file and its pages", pages)
	}
	first, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "gpuprof:///kernels.ncu-rep?page=details"})
	if err != nil {
		t.Fatal(err)
	}
	_, rest, more := strings.Cut(first.Contents[0].Text, "> cursor: ")
	if cursor, _, _ := strings.Cut(rest, "\n"); more {
		if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "gpuprof:///kernels.ncu-rep?page=details&cursor=" + cursor}); err != nil {
			t.Error(err)
		}
	}
	if templates, err := c.ListResourceTemplates(t.Context(), nil); err != nil || len(templates.ResourceTemplates) != 2 {
		t.Errorf("%v, %v", templates, err)
	}
}

func TestPrompts(t *testing.T) {
	c := connect(t, server(t, t.TempDir()))
	list, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 3 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, p := range list.Prompts {
		a := map[string]string{}
		for _, x := range p.Arguments {
			a[x.Name] = "a\nb \"c\""
		}
		got, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name, Arguments: a})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Messages[0].Content.(*sdk.TextContent).Text
		if strings.Contains(text, "{") || !strings.Contains(text, `"a\nb \"c\""`) {
			t.Errorf("%s: %s", p.Name, text)
		}
	}
}

// A client that asks for it is told how far long work is.
func TestProgress(t *testing.T) {
	told := make(chan float64, 100)
	s := server(t, profiles(t))
	there, here := sdk.NewInMemoryTransports()
	if _, err := s.sdk.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { told <- r.Params.Progress }}).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	p := &sdk.CallToolParams{Name: "open", Arguments: args{}}
	p.SetProgressToken("t")
	req := &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{}}
	req.Params.SetProgressToken("t")
	for session := range s.sdk.Sessions() {
		req.Session = session
	}
	step := progressOf(t.Context(), req)
	step(1, 3)
	time.Sleep(progressEvery)
	step(2, 3)
	select {
	case got := <-told:
		if got != 2 {
			t.Errorf("told of step %v, expected 2", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("nothing was told")
	}
}
