package torture

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
)

// theFile and theOut stand for the broken file and for an output in a command line.
const (
	theFile = "\x00FILE"
	theOut  = "\x00OUT"
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
	show("info", theFile),
	show("details", "--print-details", "all", "--charts", "always", "--color", "never", theFile),
	show("details", "--compat", "2024.1", theFile),
	show("details", "--format", "md", "--print-rule-details", theFile),
	show("details", "--print-metric-instances", "details", "--page", "raw", "--format", "json", theFile),
	show("raw", "--print-metric-instances", "values", theFile),
	show("source", "--charts", "always", theFile),
	show("source", "--sort", "hot", "--format", "md", theFile),
	show("session", theFile),
	show("stats", theFile),
	show("stats", "--format", "column,table,json", theFile),
	show("analyze", theFile),
	show("calls", theFile),
	show("flame", theFile),
	show("convert", "--format", "json", theFile, "-o", theOut),
	show("nvtxt", "check", theFile),
	show("lifetimes", theFile),
	show("occupancy", theFile),
	show("query", theFile, "select * from sqlite_schema limit 50"),
	{args: []string{"details", "--format", "csv", theFile}, weight: 2},
	{args: []string{"raw", "--format", "csv", theFile}, weight: 2},
	{args: []string{"stats", "--format", "csv", theFile}, weight: 2},
	{args: []string{"convert", "-o", theOut + ".sqlite", theFile}, weight: 2, people: true},
	{args: []string{"convert", "-o", theOut + ".json", theFile}, weight: 2, people: true},
	{args: []string{"session", "-o", theOut + ".ncu-rep", theFile}, weight: 1, people: true},
	{args: []string{"details", "-o", theOut + ".ncu-rep", theFile}, weight: 2, people: true},
	{args: []string{"export", "-o", theOut + ".html", theFile}, weight: 2, people: true, python: true},
	{args: []string{"summary", theFile}, weight: 1, people: true, python: true},
	{args: []string{"advice", theFile}, weight: 1, people: true, python: true},
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
