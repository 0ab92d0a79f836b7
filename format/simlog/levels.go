package simlog

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

// levelNames gives numbers to the names of memory levels in the order they are
// met. It is shared by the goroutines that parse one input.
type levelNames struct {
	mu    sync.Mutex
	names []string
}

func newLevelNames() *levelNames { return &levelNames{names: []string{"L1D", "L2"}} }

// id returns the number of a name, and false when there are too many names.
func (l *levelNames) id(name string) (LevelID, bool) {
	switch name = canonicalLevel(name); name {
	case "L1D":
		return L1, true
	case "L2":
		return L2, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.names, name); i >= 0 {
		return LevelID(i), true
	}
	if len(l.names) == MaxLevels || name == "" || len(name) > 32 {
		return 0, false
	}
	l.names = append(l.names, name)
	return LevelID(len(l.names) - 1), true
}

func (l *levelNames) list() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.names)
}

// canonicalLevel spells the two levels every GPU has in one way.
func canonicalLevel(name string) string {
	switch {
	case strings.EqualFold(name, "L1D"), strings.EqualFold(name, "L1"):
		return "L1D"
	case strings.EqualFold(name, "L2"):
		return "L2"
	}
	return name
}

// levelTable is one goroutine's view of levelNames.
type levelTable struct {
	shared *levelNames
	known  map[string]LevelID
}

func newLevelTable(shared *levelNames) *levelTable {
	return &levelTable{shared: shared, known: map[string]LevelID{}}
}

// named reads a level name and the space behind it at b[i:end]. Only a name that
// "cache at" follows becomes known: noise must not use the numbers up.
func (t *levelTable) named(b []byte, i, end int) (LevelID, int, bool) {
	w := nextWord(b, i, end)
	next := i + len(w)
	if len(w) == 0 || !bytes.HasPrefix(b[next:end], []byte(" cache at")) {
		return 0, i, false
	}
	id, ok := t.known[string(w)]
	if !ok {
		if id, ok = t.shared.id(string(w)); !ok {
			return 0, i, false
		}
		t.known[string(w)] = id
	}
	return id, next + 1, true
}
