package amd

import (
	"strings"
)

// A StampBlock holds the times of a thread's calls, in columns. Entry i belongs
// to call i of the CallBlock of the same thread.
type StampBlock struct {
	Thread   uint64
	Declared int
	Line     int      // of the first entry; entry i stands on Line+i
	ID       []int32  // number of the API within the profiler that wrote it; -1 if it has none
	API      []uint32 // name, as index of Trace.APIs
	Start    []uint64 // ns
	End      []uint64 // ns

	extra    []int32     // 0: none; n > 0: command n-1; n < 0: copies[-n-1]
	commands [][]Enqueue // in pieces of commandPiece, so that they never move
	copies   []Copy
	damaged  map[int]string    // lines of which not all was understood, by entry
	pmc      map[int][2]string // counters of builds made within AMD, by entry
}

// A Copy holds the device times of a copy that an HSA call began, in ns.
type Copy struct{ Start, End uint64 }

// len is the number of entries.
func (b *StampBlock) len() int { return len(b.Start) }

// timed reports whether entry i has times at all: in a damaged file it may not.
func (b *StampBlock) timed(i int) bool { return b.ID[i] != noTime }

// enqueue returns the command that call i enqueued, or nil.
func (b *StampBlock) enqueue(i int) *Enqueue {
	if n := b.extra[i]; n > 0 {
		return &b.commands[(n-1)/commandPiece][(n-1)%commandPiece]
	}
	return nil
}

// copy returns the copy that call i began, or nil.
func (b *StampBlock) copy(i int) *Copy {
	if n := b.extra[i]; n < 0 {
		return &b.copies[-n-1]
	}
	return nil
}

const (
	noID   = -1
	noTime = -2 // in StampBlock.ID: the line holds no times
)

const commandPiece = 1024

// add appends an entry. At most one of e and c is not nil.
func (b *StampBlock) add(id int32, api uint32, start, end uint64, e *Enqueue, c *Copy) {
	b.ID = append(b.ID, id)
	b.API = append(b.API, api)
	b.Start = append(b.Start, start)
	b.End = append(b.End, end)
	var x int32
	switch {
	case e != nil:
		last := len(b.commands) - 1
		if last < 0 || len(b.commands[last]) == commandPiece {
			size := commandPiece
			if last < 0 {
				size = min(commandPiece, cap(b.ID)) // most blocks are small
			}
			b.commands = append(b.commands, make([]Enqueue, 0, size))
			last++
		}
		b.commands[last] = append(b.commands[last], *e)
		x = int32(last*commandPiece + len(b.commands[last]))
	case c != nil:
		b.copies = append(b.copies, *c)
		x = -int32(len(b.copies))
	}
	b.extra = append(b.extra, x)
}

// fault tells what is wrong with a line.
type fault struct{ want, found string }

// stamp parses a line of the timestamp section into b. expect is the line of
// the API section at the same place, or "". cut says that the text ends within
// the line.
func (r *traceReader) stamp(b *StampBlock, line string, expect string, cut bool) *fault {
	full := line
	if cut {
		line = dropLastToken(line)
	}
	tok, i := field(line, 0)
	id, okID := number(tok)
	name, i := field(line, i)
	s0, j := field(line, i)
	start, ok0 := number(s0)
	if len(name) >= apiWidth && !endsAt(s0, ok0, line, j) {
		if n, digits := splitName(name, expect); digits != "" {
			name, s0, j = n, digits, i
			start, ok0 = number(s0)
		}
	}
	first, j := braces(line, j)
	s1, j := field(line, j)
	end, ok1 := number(s1)
	second, j := braces(line, j)
	api := r.trace.intern(name)
	if !ok0 || !ok1 || name == "" {
		b.add(noTime, api, 0, 0, nil, nil)
		b.keep(full)
		return &fault{"number, name, start and end of a call", quote(full)}
	}
	n := int32(noID)
	var f *fault
	if okID && id < 1<<31-1 {
		n = int32(id)
	} else {
		f = &fault{"the number of an API", quote(tok)}
	}
	if first != "" || second != "" {
		if b.pmc == nil {
			b.pmc = map[int][2]string{}
		}
		b.pmc[b.len()] = [2]string{strings.Clone(first), strings.Clone(second)}
	}
	e, c, g := r.extras(line, j, name, expect)
	b.add(n, api, start, end, e, c)
	if f == nil {
		f = g
	}
	if cut && f == nil {
		f = &fault{"the rest of the line", "the end of the file"}
	}
	if f != nil {
		b.keep(full)
	}
	return f
}

func (b *StampBlock) keep(line string) {
	if b.damaged == nil {
		b.damaged = map[int]string{}
	}
	b.damaged[b.len()-1] = strings.Clone(line)
}

// apiWidth is the width to which names are padded. A name that fills it is
// followed by the start time with nothing between.
const apiWidth = 45

// endsAt reports whether the token after a long name and the one after that are
// both numbers, so that the name stands alone.
func endsAt(tok string, ok bool, line string, i int) bool {
	if !ok || tok == "" {
		return false
	}
	_, i = braces(line, i)
	next, _ := field(line, i)
	_, ok = number(next)
	return ok
}

// splitName cuts the digits off a name that grew together with them.
func splitName(tok, expect string) (name, digits string) {
	if _, n, _, _ := splitCall(expect); n != "" && strings.HasPrefix(tok, n) {
		if _, ok := number(tok[len(n):]); ok {
			return n, tok[len(n):]
		}
	}
	i := len(tok)
	for i > 0 && tok[i-1] >= '0' && tok[i-1] <= '9' {
		i--
	}
	return tok[:i], tok[i:]
}

// braces returns the text of a group { ... } at i, if there is one.
func braces(s string, i int) (group string, end int) {
	k := i
	for k < len(s) && s[k] == ' ' {
		k++
	}
	if k >= len(s) || s[k] != '{' {
		return "", i
	}
	n := strings.IndexByte(s[k:], '}')
	if n < 0 {
		return "", i
	}
	return s[k : k+n+1], k + n + 1
}

// dropLastToken removes a token that the end of the file may have cut.
func dropLastToken(s string) string {
	if s == "" || s[len(s)-1] == ' ' {
		return s
	}
	return s[:strings.LastIndexByte(s, ' ')+1]
}

// extras parses what follows the times of a call.
func (r *traceReader) extras(line string, i int, name, expect string) (*Enqueue, *Copy, *fault) {
	first, j := field(line, i)
	if first == "" {
		return nil, nil, nil
	}
	second, k := field(line, j)
	if third, _ := field(line, k); third == "" {
		a, ok0 := number(first)
		z, ok1 := number(second)
		if ok0 && ok1 {
			return nil, &Copy{a, z}, nil
		}
	}
	e, f := r.enqueue(line[i:], expect)
	return e, nil, f
}
