package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Parameters that several tools have.
var (
	files   = param{name: "files", kind: texts, help: "profiles, by path below the roots"}
	kernel  = param{name: "kernel", kind: text, option: "kernel-name", help: "only kernels of this name, or regex:EXPR"}
	launch  = param{name: "launch", kind: number, help: "only the launch of this number (second part of a key such as 0/17)"}
	nvtx    = param{name: "nvtx", kind: text, option: "nvtx-include", help: "only launches in this NVTX range, as ncu's --nvtx-include"}
	metrics = param{name: "metrics", kind: texts, option: "metrics", help: "columns: metrics by name, or regex:EXPR"}
)

// tools are all there are: at most eight, so that an agent can keep them in mind.
var tools = []tool{
	{
		name: "open", title: "What is in these files", holds: load.Profile,
		help:   "Start here. Tells what profiles hold: format, GPU, tool, kernels or tables with counts, and which tools can ask on. Without files: lists the profiles below the roots.",
		params: []param{files},
		ask: func(_ context.Context, _ *Server, a arguments) (*question, error) {
			return &question{page: "info", files: a["files"], narrow: "open one file; budget"}, nil
		},
		document: listing, own: func(a arguments) bool { return len(a["files"]) == 0 }, after: []string{"open with files"},
	},
	{
		name: "findings", title: "What to do first", holds: load.Launches | load.Timeline,
		help: "What rules find, most time saved first, with the metrics it rests on. Kernel reports (ncu): saves[ns] is estimated speedup times duration, all launches of a kernel together (launch \"7 +20\": launch 7 and 20 others); a local speedup is of a part of the kernel, so no time. Timelines (nsys, PyTorch, ROCm): idle GPUs, blocking copies, exposed communication, launch-bound stretches.",
		params: []param{files, kernel, launch,
			{name: "rule", kind: text, option: "rule", help: "only this rule, or regex:EXPR"},
			{name: "recorded", kind: boolean, help: "true: only what the report itself says; no rules are run, which is faster"}},
		needs: []string{"files"},
		ask: func(ctx context.Context, s *Server, a arguments) (*question, error) {
			holds, err := s.holds(ctx, a["files"][0])
			if err != nil {
				return nil, err
			}
			q := &question{page: "advice", files: a["files"], narrow: "kernel, launch, rule; budget",
				values: map[string][]string{"sort": {"saved"}, "apply-rules": {"yes"}}}
			if a.text("recorded") == "true" {
				q.values["apply-rules"] = []string{"no"}
			}
			if holds&load.Launches == 0 {
				q.page, q.values, q.narrow = "analyze", nil, "rule; budget"
			}
			return q, nil
		},
	},
	{
		name: "kernels", title: "Launches of kernels", holds: load.Launches | load.Timeline,
		help: "Table of launches: duration, throughputs in % of peak, occupancy, registers, the best finding. metrics asks for other columns. Keys are file/launch; other tools take the launch. Of a timeline: kernels by name with total time.",
		params: []param{files, kernel, launch, nvtx, metrics,
			{name: "sort", kind: text, option: "sort", values: []string{"launch", "duration", "speedup", "kernel"}, help: "duration: longest first (default)"},
			{name: "count", kind: number, option: "launch-count", help: "at most so many launches, in order of time, before sorting"}},
		needs: []string{"files"},
		ask: func(ctx context.Context, s *Server, a arguments) (*question, error) {
			holds, err := s.holds(ctx, a["files"][0])
			if err != nil {
				return nil, err
			}
			q := &question{page: "summary", files: a["files"], narrow: "kernel, launch, nvtx, count, metrics; budget", values: map[string][]string{"table": {"launches"}}}
			if a.text("sort") == "" {
				q.values["sort"] = []string{"duration"}
			}
			if holds&load.Launches == 0 {
				for _, name := range []string{"kernel", "launch", "nvtx", "metrics", "count", "sort"} {
					if len(a[name]) > 0 {
						return nil, page.Usagef("kernels: %s is about reports of kernel launches; ask a timeline with sql, or timeline with nvtx and window", name)
					}
				}
				q.page, q.values, q.narrow = "stats", map[string][]string{"report": {"cuda_gpu_kern_sum"}}, "sql; budget"
			}
			return q, nil
		},
	},
	{
		name: "metrics", title: "Metrics of launches", holds: load.Launches,
		help:   "Values of metrics by name (gpu__time_duration.sum) or regex:EXPR (regex:^dram__), a row for each metric of each launch, with units. Without names: which metrics there are, with their meaning.",
		params: []param{files, {name: "names", kind: texts, option: "metrics", help: "names or regex:EXPR; a base name takes its .avg .max .min .sum"}, kernel, launch, nvtx},
		needs:  []string{"files"},
		ask: func(_ context.Context, _ *Server, a arguments) (*question, error) {
			q := &question{page: "raw", files: a["files"], narrow: "names, kernel, launch; budget"}
			if len(a["names"]) == 0 {
				q.page, q.narrow = "metrics", "names; budget"
			}
			return q, nil
		},
	},
	{
		name: "source", title: "Hot lines and instructions", holds: load.Launches,
		help: "Source lines and SASS instructions that cost most: samples, share, executions, and stall reasons with their samples. at shows one place: FILE:LINE, or the address of an instruction, with the instructions around.",
		params: []param{{name: "file", kind: text, help: "a kernel report"}, kernel, launch,
			{name: "at", kind: text, option: "at", help: "kernel.cu:74 or 0x7fe9bf448190"},
			{name: "around", kind: number, option: "around", help: "instructions before and behind (3)"},
			{name: "top", kind: number, option: "top", help: "at most so many lines and instructions of a launch (10)"}},
		needs: []string{"file"},
		ask: func(_ context.Context, _ *Server, a arguments) (*question, error) {
			return &question{page: "hot", files: a["file"], narrow: "kernel, launch, at, top; budget"}, nil
		},
	},
	{
		name: "timeline", title: "Timelines", holds: load.Timeline,
		help: "Summaries of a timeline. what=stats: tables by report (cuda_gpu_kern_sum, cuda_api_sum, cuda_gpu_mem_time_sum, nvtx_gpu_proj_sum, mpi_event_sum, osrt_sum, and all others of nsys stats); steps or overlap: per step and GPU compute, communication, how much nothing hid, idle, and what ran beside what; ranks: who is slow, since when, why, of many files, a folder or a pattern; operators, breakdown: PyTorch.",
		params: []param{files,
			{name: "what", kind: text, values: []string{"stats", "steps", "overlap", "ranks", "operators", "breakdown"}, help: "(stats)"},
			{name: "report", kind: texts, option: "report", help: "of stats: names; * matches"},
			{name: "window", kind: text, option: "filter-time", help: "of stats: START/END, such as 1.5s/2s"},
			{name: "nvtx", kind: text, option: "filter-nvtx", help: "of stats: only while this range was open, RANGE[@DOMAIN][/INDEX]"},
			{name: "steps", kind: text, option: "step-range", help: "steps are the NVTX ranges that match this expression"}},
		needs: []string{"files"},
		ask:   askTimeline,
	},
	{
		name: "compare", title: "What changed", holds: load.Profile,
		help: "Compares an old and a new version: verdict first, then kernels with old, new, change and what goes with it. One file a side tells of no noise: give several runs a side, four or more to decide. Kernel reports, timelines, or results of benchmarks.",
		params: []param{{name: "old", kind: texts, help: "runs before the change"}, {name: "new", kind: texts, help: "runs behind it"}, kernel, metrics,
			{name: "threshold", kind: text, option: "threshold", help: "least change that matters (2%)"},
			{name: "by", kind: text, option: "by", values: []string{"kernel", "launch"}}},
		needs: []string{"old", "new"},
		ask: func(_ context.Context, _ *Server, a arguments) (*question, error) {
			return &question{page: "diff", files: slices.Concat(a["old"], a["new"]), before: len(a["old"]), narrow: "kernel, metrics; budget"}, nil
		},
	},
	{
		name: "sql", title: "SQL over a timeline", holds: load.Timeline,
		help:   "SQLite, read only, over the tables of the nsys export schema, whatever the file's format; open lists the tables with their rows. Times are ns; names are ids into StringIds(id, value). recipe runs a ready query: api_to_kernel, gpu_metrics, thread_summary, nvtx_payloads, diagnostics, ...",
		params: []param{{name: "file", kind: text, help: "a timeline"}, {name: "sql", kind: text, option: "sql", help: "one SELECT"}, {name: "recipe", kind: text, option: "recipe"}},
		needs:  []string{"file"},
		ask: func(_ context.Context, _ *Server, a arguments) (*question, error) {
			return &question{page: "query", files: a["file"], narrow: "WHERE, LIMIT, fewer columns; budget", next: []string{},
				values: map[string][]string{"timeout": {"10"}, "max-answer": {"64"}, "limit": {"20000"}, "changes": {"refuse"}}}, nil
		},
	},
}

// askTimeline asks the page that what names.
func askTimeline(ctx context.Context, s *Server, a arguments) (*question, error) {
	q := &question{page: "stats", files: a["files"], narrow: "report, window, nvtx; budget"}
	what := a.text("what")
	switch what {
	case "steps", "overlap":
		q.page, q.narrow = "steps", "steps; budget"
	case "operators":
		q.page, q.narrow = "ops", "budget"
	case "breakdown":
		q.page, q.narrow = "breakdown", "budget"
	case "ranks":
		q.page, q.narrow, q.next = "ranks", "fewer files; budget", []string{"timeline what=steps with the file of a rank"}
		q.files, q.paths = nil, true
		for _, name := range a["files"] {
			all, err := s.expand(name)
			if err != nil {
				return nil, err
			}
			for _, f := range all {
				q.files = append(q.files, f.path())
			}
		}
	}
	for _, name := range []string{"report", "window", "nvtx"} {
		if len(a[name]) > 0 && q.page != "stats" {
			return nil, page.Usagef("timeline: %s goes with what=stats, not %s", name, what)
		}
	}
	return q, nil
}

// holds tells what a file holds.
func (s *Server) holds(ctx context.Context, name string) (load.Kinds, error) {
	f, err := s.find(name)
	if err != nil {
		return 0, err
	}
	o, err := s.take(ctx, f)
	if err != nil {
		return 0, page.Unread(err)
	}
	defer s.release(o, false)
	return o.file.Holds(), nil
}

// listing lists the profiles below the roots.
func listing(ctx context.Context, s *Server, _ arguments) (*view.Document, error) {
	t := &view.Table{ID: "files", Columns: []view.Column{{Name: "file", Type: view.Text}, {Name: "size", Unit: "byte", Type: view.Number}}}
	sec := view.Section{ID: "files"}
	for _, r := range s.roots {
		all, more, err := s.profiles(ctx, r, ".")
		if err != nil {
			return nil, err
		}
		slices.SortFunc(all, func(a, b *found) int { return strings.Compare(a.name, b.name) })
		for _, f := range all {
			t.Rows = append(t.Rows, []view.Value{view.String(f.name), view.Int(f.info.Size(), "byte")})
		}
		if more {
			sec.AddMessage(&view.Message{Type: view.Warning, Source: "files", Text: fmt.Sprintf("only the first %d files and folders were looked at", mostListed)})
		}
	}
	sec.AddTable(t)
	return &view.Document{Title: "open", Sections: []view.Section{sec}}, nil
}
