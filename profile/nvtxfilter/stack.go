package nvtxfilter

// gap is how far apart two neighbouring items of a stack pattern may be.
type gap uint8

const (
	gapNone gap = iota // A/B: B is directly above A
	gapAny             // A/*/B: B is above A
	gapOne             // A/+/B: one frame lies between A and B
)

// stackPattern is what the operators / * + [ ] say, apart from what the items
// between them are: it serves any stack whose frames can be asked whether they
// are the i-th item.
type stackPattern struct {
	gaps   []gap // gaps[i] follows item i; the last has no effect
	bottom bool  // the first item is frame 0
	top    bool  // the last item is the topmost frame
}

// places is how many positions of the stack the pattern speaks of: those of its
// items, or both ends if its one item is at the bottom and at the top.
func (p *stackPattern) places() int {
	if p.bottom && p.top {
		return max(2, len(p.gaps))
	}
	return len(p.gaps)
}

// match reports whether a stack of the given depth, frame 0 at the bottom,
// holds the pattern. is reports whether a frame is the item; it is asked at
// most once for each item and frame.
func (p *stackPattern) match(depth int, is func(item, frame int) bool) bool {
	var buf [64]bool
	ends := buf[:] // ends[f]: the items so far can be placed with the last at frame f
	if depth > len(buf) {
		ends = make([]bool, depth)
	}
	lowest := 0 // the lowest f with ends[f], depth if none
	for item := range p.gaps {
		last := item == len(p.gaps)-1
		below, found := lowest, depth
		// From the top down, so that the frames below still tell of the item before.
		for f := depth - 1; f >= 0; f-- {
			fits := false
			switch {
			case item == 0:
				fits = !p.bottom || f == 0
			case p.gaps[item-1] == gapNone:
				fits = f >= 1 && ends[f-1]
			case p.gaps[item-1] == gapOne:
				fits = f >= 2 && ends[f-2]
			default:
				fits = f > below
			}
			if last && p.top && f != depth-1 {
				fits = false
			}
			ends[f] = fits && is(item, f)
			if ends[f] {
				found = f
			}
		}
		if found == depth {
			return false
		}
		lowest = found
	}
	return true
}

// parseStack reads the items between the slashes. What is left of an item when
// the operators are taken off it goes to add, which appends it to the items.
//
// An operator belongs to the item before it: the last of several counts, one
// after the last item has no effect, one before the first is an error. The
// brackets are taken off only afterwards, so "[*" is an item named "*".
func parseStack(pieces []piece, bottom, top bool, add func(piece) *SyntaxError) (stackPattern, *SyntaxError) {
	p := stackPattern{bottom: bottom, top: top}
	for i, it := range pieces {
		if it.text == "" {
			continue // A//B and A/ have no item there
		}
		if op := it.text; op == "*" || op == "+" {
			if len(p.gaps) == 0 {
				return p, &SyntaxError{Offset: it.off, Want: "a range name below the operator", Found: `"` + op + `"`, Err: ErrInvalid}
			}
			p.gaps[len(p.gaps)-1] = gapAny
			if op == "+" {
				p.gaps[len(p.gaps)-1] = gapOne
			}
			continue
		}
		if bottom && i == 0 {
			it = piece{it.text[1:], it.off + 1}
		}
		if top && i == len(pieces)-1 {
			it.text = it.text[:len(it.text)-1]
		}
		if err := add(it); err != nil {
			return p, err
		}
		p.gaps = append(p.gaps, gapNone)
	}
	if len(p.gaps) == 0 { // only slashes: one item with no name
		if err := add(pieces[0]); err != nil {
			return p, err
		}
		p.gaps = append(p.gaps, gapNone)
	}
	return p, nil
}
