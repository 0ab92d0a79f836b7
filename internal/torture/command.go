package torture

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
)

// file and OUT stand for the broken file and for an output in a command line.
const (
	file = "\x00FILE"
	out  = "\x00OUT"
)

// A command is a command line that is tried.
type command struct {
	args   []string
	weight int
	people bool // what it prints is for people: no control characters
	python bool // it runs rules, whose Python has memory of its own
}

func show(args ...string) command { return command{args: args, weight: 4, people: true} }

// commands are for every form of file; what does not suit a file says so.
var commands = []command{
	show("info", file),
	show("details", "--print-details", "all", "--charts", "always", "--color", "never", file),
	show("details", "--compat", "2024.1", file),
	show("details", "--format", "md", "--print-rule-details", file),
	show("details", "--print-metric-instances", "details", "--page", "raw", "--format", "json", file),
	show("raw", "--print-metric-instances", "values", file),
	show("source", "--charts", "always", file),
	show("source", "--sort", "hot", "--format", "md", file),
	show("session", file),
	show("stats", file),
	show("stats", "--format", "column,table,json", file),
	show("analyze", file),
	show("calls", file),
	show("flame", file),
	show("convert", "--format", "json", file, "-o", out),
	show("nvtxt", "check", file),
	show("lifetimes", file),
	show("occupancy", file),
	show("query", file, "select * from sqlite_schema limit 50"),
	{args: []string{"details", "--format", "csv", file}, weight: 2},
	{args: []string{"raw", "--format", "csv", file}, weight: 2},
	{args: []string{"stats", "--format", "csv", file}, weight: 2},
	{args: []string{"convert", "-o", out + ".sqlite", file}, weight: 2, people: true},
	{args: []string{"convert", "-o", out + ".json", file}, weight: 2, people: true},
	{args: []string{"session", "-o", out + ".ncu-rep", file}, weight: 1, people: true},
	{args: []string{"details", "-o", out + ".ncu-rep", file}, weight: 2, people: true},
	{args: []string{"export", "-o", out + ".html", file}, weight: 2, people: true, python: true},
	{args: []string{"summary", file}, weight: 1, people: true, python: true},
	{args: []string{"advice", file}, weight: 1, people: true, python: true},
}

// only says which forms a command is about, where it is not about all.
var only = map[string][]string{
	"stats": timelines, "analyze": timelines, "flame": timelines, "query": timelines, "convert": timelines,
	"source":    {".ncu-rep", ".nsight-cuprof-report", ".ncu-repz"},
	"calls":     {".atp"},
	"occupancy": {".occupancy"},
	"nvtxt":     {".nvtxt"},
	"lifetimes": {".log", ".txt"},
}

var timelines = []string{".sqlite", ".nsys-rep", ".qdrep", ".rpd", ".db", ".atp", ".json", ".gz", ".csv", ".txt"}

// suits reports whether the command is about files of a name.
func (c command) suits(name string) bool {
	forms := only[c.args[0]]
	return forms == nil || slices.Contains(forms, filepath.Ext(name))
}

// choose takes a command for a file by its weight.
func choose(r *rand.Rand, name string) command {
	var suit []command
	for _, c := range commands {
		if c.suits(name) {
			suit = append(suit, slices.Repeat([]command{c}, c.weight)...)
		}
	}
	return pick(r, suit)
}
