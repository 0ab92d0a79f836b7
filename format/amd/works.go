package amd

import (
	"hash/maphash"
	"strings"
)

// works keeps one copy of what commands were to do. Traces hold millions of
// commands, most of which do again what others did. It forgets rather than grow.
type works struct {
	strings *cache
	known   map[Work]*Work
	tails   [4096]tail
}

// A tail is the part of a line that says what a command was to do: all that
// follows its times.
type tail struct {
	text  string
	work  *Work
	bytes uint64
}

// maxWorks bounds how many are known at a time.
const maxWorks = 4096

func newWorks() *works { return &works{strings: newCache(), known: map[Work]*Work{}} }

func (w *works) slot(text string) *tail {
	return &w.tails[maphash.String(w.strings.seed, text)%uint64(len(w.tails))]
}

// seen completes e, of which command and name are known, where text followed the
// times of such a command before.
func (w *works) seen(e *Enqueue, text string) bool {
	t := w.slot(text)
	if t.text != text || t.work == nil || t.work.Command != e.Command || t.work.CommandName != e.CommandName {
		return false
	}
	e.Work, e.Bytes = t.work, t.bytes
	return true
}

// keep gives e a Work that holds no part of the line. Where sound is set, text
// alone, and not a guess or another line, said what it is.
func (w *works) keep(e *Enqueue, text string, sound bool) {
	k, ok := w.known[*e.Work]
	if !ok {
		x := *e.Work
		for _, s := range []*string{&x.CommandName, &x.Queue, &x.Context, &x.Device, &x.Kernel, &x.KernelName, &x.Global, &x.Local, &x.Rest} {
			*s = w.strings.own(*s)
		}
		if len(w.known) >= maxWorks {
			clear(w.known)
		}
		k = &x
		w.known[x] = k
	}
	e.Work = k
	if sound && !k.Fused {
		*w.slot(text) = tail{strings.Clone(text), k, e.Bytes}
	}
}
