package terminal

import (
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/page"
)

// between stands for the -- between two sides while flags are read: behind it
// come operands, but options, too, which -- would make operands.
const between = "\x00--"

// divide takes the mark between two sides out of operands, and counts those
// before it; 0 if there is none.
func divide(args []string) ([]string, int) {
	i := slices.Index(args, between)
	if i < 0 {
		return args, 0
	}
	return slices.Delete(slices.Clone(args), i, i+1), i
}

// sides marks the -- between the sides of a page that has two.
func sides(pages page.Pages, args []string) []string {
	if len(args) == 0 {
		return args
	}
	if p := pages.Lookup(args[0]); p == nil || !p.Sides {
		return args
	}
	args = slices.Clone(args)
	if i := slices.Index(args, "--"); i >= 0 {
		args[i] = between
	}
	return args
}

// joined writes "--force-overwrite true", as nsys has it, as one word: the flag needs
// no value.
func joined(args []string) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		if args[i] == "--force-overwrite" && i+1 < len(args) && (args[i+1] == "true" || args[i+1] == "false") {
			out = append(out, args[i]+"="+args[i+1])
			i++
			continue
		}
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		out = append(out, args[i])
	}
	return out
}

// greedy repeats a greedy option before each of the words that follow it, up to
// the next option: a shell turns --baseline old.* into --baseline old.1 old.2,
// of which flags take the first alone. An option that would leave the command
// without operands takes one word, as others do.
func greedy(pages page.Pages, args []string) []string {
	if len(args) == 0 {
		return args
	}
	p := pages.Lookup(args[0])
	if p == nil {
		return args
	}
	takes := map[string]bool{}
	valued := map[string]bool{"--format": true, "--output": true, "-o": true, "--color": true, "--charts": true}
	for _, o := range p.Options {
		takes["--"+o.Name] = o.Greedy
		valued["--"+o.Name] = o.Kind != page.Flag
	}
	out := args[:1:1]
	operands := 0
	for i := 1; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		if !takes[args[i]] {
			if !strings.HasPrefix(args[i], "-") && (!valued[args[i-1]] || strings.Contains(args[i-1], "=")) {
				operands++
			}
			out = append(out, args[i])
			continue
		}
		last := i + 1
		for last < len(args) && !strings.HasPrefix(args[last], "-") {
			last++
		}
		if operands < p.MinArgs && last == len(args) && last > i+2 {
			last = i + 2
		}
		for _, word := range args[i+1 : last] {
			out = append(out, args[i], word)
		}
		if last == i+1 { // nothing follows: the flags say so
			out = append(out, args[i])
		}
		i = last - 1
	}
	return out
}
