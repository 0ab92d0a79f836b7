package compare

import (
	"context"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Plan is the page that tells how to take runs.
var Plan = &page.Page{
	Name:  "check plan",
	Short: "Print the commands that take runs to compare, alternating",
	Long: `Runs of both sides in turn, every second pair the other way round, so that a
drift of heat or clocks falls on both; a process of its own for each; a first
pair that is thrown away. The commands are a script for sh.`,
	Example: "gpuprof check plan --old './app-base' --new './app-head' > take.sh\n" +
		"gpuprof check plan --tool nsys --runs 7 --old './base.sh' --new './head.sh'",
	Group: page.GroupRead, Args: "", MaxArgs: 0,
	Options: []page.Option{
		{Name: "old", Kind: page.Text, Default: "./old", Arg: "COMMAND", Help: "command line of the old version"},
		{Name: "new", Kind: page.Text, Default: "./new", Arg: "COMMAND", Help: "command line of the new version"},
		{Name: "runs", Kind: page.Count, Default: "5", Arg: "N", Help: "runs a side; 3 are the least that check decides on, 4 those of diff"},
		{Name: "tool", Kind: page.Choice, Values: []string{"ncu", "nsys", "nvbench"}, Default: "ncu", Help: "what measures"},
		{Name: "names", Kind: page.Text, Default: "base,head", Arg: "OLD,NEW", Help: "beginnings of the file names"},
	},
	Build: func(_ context.Context, q *page.Request) (*view.Document, error) {
		lines, err := plan(q)
		return lineDocument("check plan", "plan", lines), err
	},
	Stream: func(_ context.Context, q *page.Request, w io.Writer) error {
		lines, err := plan(q)
		return writeLines(w, lines, err)
	},
	Streams: page.InText,
}

func plan(q *page.Request) ([]string, error) {
	runs := q.Count("runs")
	if runs < 1 || runs > 1000 {
		return nil, page.Usagef("--runs: expected 1 to 1000, found %d", runs)
	}
	names := q.List("names")
	if len(names) == 0 {
		names = []string{"base", "head"}
	}
	if len(names) != 2 || names[0] == names[1] {
		return nil, page.Usagef("--names: expected two names apart by a comma")
	}
	commands := []string{q.Text("old"), q.Text("new")}
	take := func(side, run int) string {
		name := fmt.Sprintf("%s.%d", names[side], run)
		switch q.Text("tool") {
		case "nsys":
			return fmt.Sprintf("nsys profile --force-overwrite true -o %s %s", name, commands[side])
		case "nvbench":
			return fmt.Sprintf("%s --json %s.json", commands[side], name)
		}
		return fmt.Sprintf("ncu --force-overwrite --set full --clock-control base -o %s %s", name, commands[side])
	}
	lines := []string{
		"#!/bin/sh",
		"# Runs of both versions in turn, on one GPU that nothing else uses.",
		"set -e",
	}
	if q.Text("tool") != "ncu" {
		lines = append(lines, "# nvidia-smi --lock-gpu-clocks=CLOCK   # lock the clocks first, if you may; --reset-gpu-clocks afterwards")
	}
	lines = append(lines, "# A first pair to warm up, thrown away:")
	for side := range 2 {
		lines = append(lines, commands[side]+" > /dev/null")
	}
	for i := 1; i <= runs; i++ {
		first := (i + 1) % 2 // every second pair the other way round
		lines = append(lines, take(first, i), take(1-first, i))
	}
	ext := map[string]string{"ncu": "ncu-rep", "nsys": "nsys-rep", "nvbench": "json"}[q.Text("tool")]
	return append(lines,
		fmt.Sprintf("# gpuprof diff %s.*.%s -- %s.*.%s", names[0], ext, names[1], ext),
		fmt.Sprintf("# gpuprof check --policy perf.yaml %s.*.%s --baseline %s.*.%s", names[1], ext, names[0], ext)), nil
}
