package amd

import "iter"

// A Place is a call by its place: Thread and Call number the threads that were
// walked and the calls of one. Index is the number that AMD's programs show, which
// leaves calls that poll out; for them it is -1.
type Place struct{ Thread, Call, Index int32 }

// Walk gives the calls of threads, thread by thread, in file order. There may be
// millions: what is known of one is a matter of [Thread]'s methods.
func Walk(threads ...*Thread) iter.Seq[Place] {
	return func(yield func(Place) bool) {
		for t, th := range threads {
			next := int32(0)
			for i, api := range th.apis()[:th.n] {
				index := int32(-1)
				if api != th.polls {
					index = next
					next++
				}
				if !yield(Place{int32(t), int32(i), index}) {
					return
				}
			}
		}
	}
}

// polling is the API that asks again and again whether a command has ended.
const polling = "clGetEventInfo"

// Polls reports whether call i asks whether a command has ended: programs do so by
// the thousand, and AMD's give these calls no index.
func (t *Thread) Polls(i int) bool { return t.API(i) == t.polls }

// IsKernel reports whether a command ran a kernel or a native function.
func (w *Work) IsKernel() bool { return w.Shape == Dispatch || w.Shape == Native }

// Name is what a kernel is called. A native function has its address only.
func (w *Work) Name() string {
	if w.Shape == Native {
		return "NATIVE_KERNEL (" + w.Kernel + ")"
	}
	return w.KernelName
}

// Name is what the kernel of a dispatch is called.
func (p *Packet) Name() string { return Unescape(p.Kernel) }

// Dispatches are the packets of a section that ran kernels.
func (s *Section) Dispatches() iter.Seq[*Packet] {
	return func(yield func(*Packet) bool) {
		for i := range s.Packets {
			if p := &s.Packets[i]; p.Dispatch && !yield(p) {
				return
			}
		}
	}
}
