package simlog

import "sort"

// notes collects findings, each text once with its first line and its count.
type notes struct {
	list  []Note
	index map[string]int
}

// maxNotes bounds the different findings that are kept.
const maxNotes = 256

func (n *notes) add(line int64, what string) { n.addN(line, 1, what) }

func (n *notes) addN(line, count int64, what string) {
	if count == 0 {
		return
	}
	if n.index == nil {
		n.index = map[string]int{}
	}
	if i, ok := n.index[what]; ok {
		n.list[i].Count += count
		return
	}
	if len(n.list) == maxNotes {
		what = "more findings of other kinds, not listed"
		if i, ok := n.index[what]; ok {
			n.list[i].Count += count
			return
		}
	}
	n.index[what] = len(n.list)
	n.list = append(n.list, Note{Line: line, Count: count, Text: what})
}

// sorted returns a copy in the order of lines.
func (n *notes) sorted() []Note {
	out := append([]Note(nil), n.list...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Line < out[j].Line })
	return out
}
