package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gpuprof/gpuprof/internal/kinetogen"
	"github.com/gpuprof/gpuprof/internal/torchmemgen"
)

// simLog is a log of a GPU simulator: two reads of one address.
const simLog = `GPGPU-Sim: Configuration options:
-gpgpu_clock_domains 1000.0:1132.0:1132.0:850.0 # Clock Domain Frequencies in MhZ
-gpgpu_n_clusters                     132 # number of processing clusters
Processing kernel traces/kernel-7.traceg
-kernel name = _ZN2at6native5gemmxEPfi
-kernel id = 7
-grid dim = (4,2,1)
-block dim = (128,1,1)
-nregs = 40
GPGPU-Sim Cycle 100: Load instr from L2 cache at partition 1 addr 1000 status 2
GPGPU-Sim Cycle 300: Load instr from L2 cache at partition 1 addr 1000 status 0
gpu_sim_cycle = 1100
gpu_sim_insn = 5000
gpu_tot_sim_cycle = 1100
gpu_occupancy = -nan%
L2_total_cache_accesses = 2
L2_cache_bank[1]: Access = 2, Miss = 1
`

// everyKind are made files of the kinds that pages are for.
func everyKind(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, fill func(w io.Writer) error) string {
		var b bytes.Buffer
		if err := fill(&b); err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	return []string{example, smallTrace(t, ""),
		write("made.pt.trace.json", func(w io.Writer) error {
			_, err := kinetogen.Write(w, kinetogen.Options{Steps: 2, Layers: 3})
			return err
		}),
		write("snapshot.pickle", func(w io.Writer) error {
			_, err := torchmemgen.Write(w, torchmemgen.Options{Allocations: 200, Slots: 20, Stacks: 4, Depth: 3})
			return err
		}),
		write("run.log", text(simLog)),
		write("made.nvtxt", text("@NameProcess, ProcessId, Name\n@RangePush, Time, ThreadId, Message\n@RangePop, Time, ThreadId\nRangePush, 10, 1, \"one\"\nRangePop, 20, 1\n")),
	}
}

// A shown is a page of one of the files of a server.
type shown struct{ file, page string }

// TestBrowserAnswerFirst opens files that were made for one page: it is the first of
// the rail and begins with its answer; what the file lacks is said, not waited for.
func TestBrowserAnswerFirst(t *testing.T) {
	kinds := everyKind(t)
	ctx, s := browser(t), start(t, kinds[3], kinds[4])
	do(t, ctx, chromedp.Navigate(s.URL()))
	until(t, ctx, `document.querySelector('#page[data-page=memory] h1')?.textContent.includes('held at most') && document.querySelector('.rail a').textContent === 'Memory'`)
	until(t, ctx, `document.querySelectorAll('#page td .bt i').length > 3`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#file=0&page=overview"))
	until(t, ctx, `document.querySelector('#page[data-page=overview]')?.textContent.includes('No work of a GPU is on the timeline')`)
	do(t, ctx, chromedp.Navigate(s.base()+"/#file=1&page=lifetimes"))
	until(t, ctx, `/99 % of lifetimes/.test(document.querySelector('#page[data-page=lifetimes] h1')?.textContent) && document.querySelector('.rail a').textContent === 'Lifetimes'`)
	// A share is in percent, as its heading says, though the file has a part of one.
	until(t, ctx, `(() => { const t = [...document.querySelectorAll('#page table')].find(t => t.textContent.includes('Never reused')), c = [...t.rows[0].cells].findIndex(h => h.textContent.includes('Never reused'));
		const td = t.rows[1].cells[c]; return td.dataset.raw && Math.abs(100 * parseFloat(td.dataset.raw) - parseFloat(td.textContent)) < 0.01; })()`)
	// One row is a list of facts; a title is a heading.
	until(t, ctx, `document.querySelector('#page .one1 dd') && [...document.querySelectorAll('#page .card h2')].some(h => h.textContent === 'Kernels')`)
}

// everyPage are the pages that files have: those of the server, and those that the
// viewer makes of them.
func everyPage(t *testing.T, s *Server) (out []shown) {
	t.Helper()
	_, body := ask(t, s, "GET", "/api/pages", nil, nil)
	var pages []listing
	if err := json.Unmarshal([]byte(body), &pages); err != nil {
		t.Fatal(err)
	}
	within := []string{"summary", "advice", "analyze", "metrics"} // of the Overview and of Metrics
	for i := range s.files {
		o, err := s.lookup(fmt.Sprint(i))
		if err != nil {
			t.Fatalf("%s: %v", s.files[i].Name, err)
		}
		has := func(kind string) bool { return slices.Contains(o.Kinds, kind) }
		for _, p := range pages {
			if !slices.Contains(within, p.Name) && slices.ContainsFunc(p.Kinds, has) && p.Name != "query" {
				out = append(out, shown{o.ID, p.Name})
			}
		}
		if has("launches") {
			out = append(out, shown{o.ID, "overview"}, shown{o.ID, "compare&base=0:1"})
		} else if has("timeline") {
			out = append(out, shown{o.ID, "overview"})
		}
		if has("timeline") {
			out = append(out, shown{o.ID, "timeline"}, shown{o.ID, "query&sql=SELECT+1"})
		}
	}
	for _, p := range pages {
		if p.Kinds == nil && !slices.Contains(within, p.Name) {
			out = append(out, shown{"0", p.Name})
		}
	}
	return append(out, shown{"0", "open"})
}
