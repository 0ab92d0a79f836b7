package view

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"
)

// leastShort is the least width in which a name is shortened to something that says
// anything.
const leastShort = 8

// shorten makes the names that are longer than width characters as short: the middle
// gives way to "…", and what tells names of the list apart stays. Kernels of C++ begin
// alike and end alike. The result has the names that were shortened.
func shorten(names []string, width int) map[string]string {
	width = max(width, leastShort)
	var long []string
	for _, n := range names {
		if longer(n, width) {
			long = append(long, n)
		}
	}
	slices.Sort(long)
	long = slices.Compact(long)
	out := make(map[string]string, len(long))
	alike := map[string][]string{} // by the short form
	for _, n := range long {
		s := middle(n, width)
		alike[s] = append(alike[s], n)
	}
	taken := map[string]bool{}
	for _, n := range names {
		taken[n] = !longer(n, width)
	}
	for _, group := range sortedGroups(alike) {
		for _, n := range apart(group, width) {
			for i := 2; taken[n.short]; i++ { // what tells them apart is longer than the room
				mark := "…" + strconv.Itoa(i)
				n.short = head(n.short, width-utf8.RuneCountInString(mark)) + mark
			}
			taken[n.short] = true
			out[n.name] = n.short
		}
	}
	return out
}

func sortedGroups(alike map[string][]string) (out [][]string) {
	for _, group := range alike {
		out = append(out, group)
	}
	slices.SortFunc(out, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	return out
}

type shortened struct{ name, short string }

// apart shortens names whose plain short forms are equal: to their beginning, the
// place where they begin to differ, and their end.
func apart(group []string, width int) []shortened {
	out := make([]shortened, len(group))
	for i, n := range group {
		out[i] = shortened{n, middle(n, width)}
	}
	if len(group) == 1 {
		return out
	}
	first, last := []rune(group[0]), []rune(group[len(group)-1]) // sorted: these differ the earliest
	differ := 0
	for differ < min(len(first), len(last)) && first[differ] == last[differ] {
		differ++
	}
	room := width - 2 // two marks
	begin, end := room/3, room/4
	for i, n := range group {
		r := []rune(n)
		from := max(begin, min(differ-2, len(r)-end-(room-begin-end)))
		to := min(len(r)-end, from+room-begin-end)
		if from >= to {
			continue
		}
		out[i].short = string(r[:begin]) + "…" + string(r[from:to]) + "…" + string(r[len(r)-end:])
	}
	return out
}

// middle shortens s to a width: three fifths of what stays are its beginning.
func middle(s string, width int) string {
	if !longer(s, width) {
		return s
	}
	if width < 2 {
		return head(s, width)
	}
	r := []rune(s)
	begin := (width - 1) * 3 / 5
	return string(r[:begin]) + "…" + string(r[len(r)-(width-1-begin):])
}

// head is the beginning of s, of at most n characters.
func head(s string, n int) string {
	r := []rune(s)
	return string(r[:max(0, min(n, len(r)))])
}
