package page

import (
	"fmt"
	"sync"
)

// mostNotes is how many different notes a request tells; of the rest it tells
// how many there are. A small file can have millions of things wrong with it.
const mostNotes = 100

// notes hands each note on once.
type notes struct {
	to func(string)

	mu     sync.Mutex
	told   map[string]bool
	untold int // beyond mostNotes
}

func (n *notes) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.told[text]:
	case len(n.told) >= mostNotes:
		n.untold++
	default:
		if n.told == nil {
			n.told = map[string]bool{}
		}
		n.told[text] = true
		n.to(text)
	}
}

// end tells what was not told.
func (n *notes) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.untold > 0 {
		n.to(fmt.Sprintf("and %d notes more", n.untold))
	}
}
