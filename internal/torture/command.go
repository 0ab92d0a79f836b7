package torture

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
)

// FILE and OUT stand for the broken file and for an output in a command line.
const (
	FILE = "\x00FILE"
	OUT  = "\x00OUT"
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
	show("info", FILE),
	show("details", "--print-details", "all", "--charts", "always", "--color", "never", FILE),
	show("details", "--compat", "2024.1", FILE),
	show("details", "--format", "md", "--print-rule-details", FILE),
	show("details", "--print-metric-instances", "details", "--page", "raw", "--format", "json", FILE),
	show("raw", "--print-metric-instances", "values", FILE),
	show("source", "--charts", "always", FILE),
	show("source", "--sort", "hot", "--format", "md", FILE),
	show("session", FILE),
	show("stats", FILE),
	show("stats", "--format", "column,table,json", FILE),
	show("analyze", FILE),
	show("calls", FILE),
	show("flame", FILE),
	show("convert", "--format", "json", FILE, "-o", OUT),
	show("nvtxt", "check", FILE),
	show("lifetimes", FILE),
	show("occupancy", FILE),
	show("query", FILE, "select * from sqlite_schema limit 50"),
	{args: []string{"details", "--format", "csv", FILE}, weight: 2},
	{args: []string{"raw", "--format", "csv", FILE}, weight: 2},
	{args: []string{"stats", "--format", "csv", FILE}, weight: 2},
	{args: []string{"convert", "-o", OUT + ".sqlite", FILE}, weight: 2, people: true},
	{args: []string{"convert", "-o", OUT + ".json", FILE}, weight: 2, people: true},
	{args: []string{"session", "-o", OUT + ".ncu-rep", FILE}, weight: 1, people: true},
	{args: []string{"details", "-o", OUT + ".ncu-rep", FILE}, weight: 2, people: true},
	{args: []string{"export", "-o", OUT + ".html", FILE}, weight: 2, people: true, python: true},
	{args: []string{"summary", FILE}, weight: 1, people: true, python: true},
	{args: []string{"advice", FILE}, weight: 1, people: true, python: true},
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
