package amd

import (
	"strings"
)

// An Enqueue is what became of the command that a call put into a queue. All
// times are in ns.
type Enqueue struct {
	Queued uint64
	Submit uint64
	Start  uint64
	End    uint64
	Bytes  uint64 // of a Transfer
	*Work         // never nil in a trace that was read
}

// A Work is what a command was to do, and where. The commands of a trace that
// were to do the same share one: it must not be changed.
type Work struct {
	Command     uint32 // CL_COMMAND_…, as in cl.h
	CommandName string
	QueueID     uint32
	Queue       string // handle
	ContextID   uint32
	Context     string // handle
	Device      string // blanks are written as underscores; every CPU is "CPU_Device"

	Shape      Shape
	Kernel     string // handle of the kernel, or address of the native function
	KernelName string
	Global     string // "1048576,1", without the braces; "NULL" where the call gave none
	Local      string

	// Fused says that the name of the device filled its column and ran into what
	// follows, so that where it ends had to be found out.
	Fused bool
	Rest  string // what follows, such as the handle of the event
}

// Shape says which fields follow the device.
type Shape uint8

// The shapes.
const (
	Bare     Shape = iota // none
	Dispatch              // Kernel, KernelName, Global, Local
	Native                // Kernel
	Transfer              // Bytes
)

// The commands of cl.h that decide on the shape of a line.
const (
	commandNDRange      = 0x11F0
	commandTask         = 0x11F1
	commandNative       = 0x11F2
	commandReadBuffer   = 0x11F3
	commandWriteBuffer  = 0x11F4
	commandCopyBuffer   = 0x11F5
	commandReadImage    = 0x11F6
	commandWriteImage   = 0x11F7
	commandCopyImage    = 0x11F8
	commandImageToBuf   = 0x11F9
	commandBufToImage   = 0x11FA
	commandMapBuffer    = 0x11FB
	commandMapImage     = 0x11FC
	commandReadRect     = 0x1201
	commandWriteRect    = 0x1202
	commandCopyRect     = 0x1203
	deviceWidth         = 30
	kernelNameSeparator = "      "
)

// enqueue parses the part of a line that describes a command.
func (r *traceReader) enqueue(s, expect string) (*Enqueue, *fault) {
	e := &r.command // the block takes a copy
	*e = Enqueue{Work: &r.work}
	r.work = Work{}
	i := 0
	var tok [6]string
	for k := range tok {
		if tok[k], i = field(s, i); tok[k] == "" {
			return nil, &fault{"11 fields of a command", quote(strings.TrimSpace(s))}
		}
	}
	f := e.times(&tok)
	if f == nil && r.works.seen(e, s[i:]) {
		return e, nil // the same has been asked of the same queue before
	}
	tail := s[i:]
	var place [5]string
	for k := range place {
		if place[k], i = field(s, i); place[k] == "" {
			return nil, &fault{"11 fields of a command", quote(strings.TrimSpace(s))}
		}
	}
	if f == nil {
		f = e.place(&place)
	}
	if f != nil {
		return nil, f
	}
	f = r.shape(e, s, i, expect)
	r.works.keep(e, tail, f == nil)
	return e, f
}

// times parses command, its name and its four times.
func (e *Enqueue) times(tok *[6]string) *fault {
	command, ok := number(tok[0])
	if !ok || command > 1<<32-1 {
		return &fault{"the number of a command", quote(tok[0])}
	}
	e.Command, e.CommandName = uint32(command), tok[1]
	for k, n := range [...]struct {
		what string
		to   *uint64
	}{{"the time queued", &e.Queued}, {"the time submitted", &e.Submit}, {"the time started", &e.Start}, {"the time ended", &e.End}} {
		if *n.to, ok = number(tok[2+k]); !ok {
			return &fault{n.what, quote(tok[2+k])}
		}
	}
	return nil
}

// place parses queue, context and device.
func (e *Enqueue) place(tok *[5]string) *fault {
	queue, ok := number(tok[0])
	if !ok || queue > 1<<32-1 {
		return &fault{"the number of a queue", quote(tok[0])}
	}
	context, ok := number(tok[2])
	if !ok || context > 1<<32-1 {
		return &fault{"the number of a context", quote(tok[2])}
	}
	e.QueueID, e.Queue, e.ContextID, e.Context, e.Device = uint32(queue), tok[1], uint32(context), tok[3], tok[4]
	return nil
}

// shape parses what follows the device, whose end may have to be found first.
func (r *traceReader) shape(e *Enqueue, s string, i int, expect string) *fault {
	tok, j := field(s, i)
	switch {
	case tok == "" && len(e.Device) > deviceWidth:
		// device and size, or device and function, grew together
		if r.fusedBytes(e, expect) || fusedHandle(e, Native) {
			return nil
		}
	case tok == "":
		return nil
	case strings.HasPrefix(tok, "{"):
		return &fault{"a kernel", quote(s[i:])}
	}
	second, k := field(s, j)
	if strings.HasPrefix(second, "{") && fusedHandle(e, Dispatch) {
		e.KernelName = tok
		return dims(e, s, j)
	}
	if third, _ := field(s, k); strings.HasPrefix(third, "{") {
		e.Shape, e.Kernel, e.KernelName = Dispatch, tok, second
		return dims(e, s, k)
	}
	if v, ok := number(tok); ok && e.Command != commandNative {
		e.Shape, e.Bytes = Transfer, v
	} else if tok != "" {
		e.Shape, e.Kernel = Native, tok
	}
	e.Rest = trim(s[j:])
	return nil
}

// dims parses the two sizes of a dispatch.
func dims(e *Enqueue, s string, i int) *fault {
	e.Shape = Dispatch
	g, i := braces(s, i)
	l, i := braces(s, i)
	if g == "" || l == "" {
		return &fault{"global and local size in braces", quote(strings.TrimSpace(s[i:]))}
	}
	e.Global, e.Local = g[1:len(g)-1], l[1:len(l)-1]
	e.Rest = trim(s[i:])
	return nil
}

// fusedHandle splits "device0x1234" where the name fills its column.
func fusedHandle(e *Enqueue, sh Shape) bool {
	i := strings.LastIndex(e.Device, "0x")
	if i < deviceWidth || !isHex(e.Device[i+2:]) {
		return false
	}
	e.Shape, e.Kernel, e.Device, e.Fused = sh, e.Device[i:], e.Device[:i], true
	return true
}

func isHex(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return s != ""
}

// fusedBytes splits "device4096" where the name fills its column. Names may end
// in digits themselves, so a device that the header names or that a kernel of
// this trace ran on decides, then the arguments of the call, then the digits.
func (r *traceReader) fusedBytes(e *Enqueue, expect string) bool {
	s := e.Device
	low := len(s)
	for low > deviceWidth && s[low-1] >= '0' && s[low-1] <= '9' {
		low--
	}
	if low == len(s) {
		return false
	}
	at := -1
	for _, d := range r.devices {
		if len(d) >= low && len(d) < len(s) && strings.HasPrefix(s, d) {
			at = len(d)
		}
	}
	if at < 0 {
		at = r.splitByArgs(s, low, expect)
	}
	if at < 0 {
		at = low
	}
	v, ok := number(s[at:])
	if !ok {
		return false
	}
	e.Shape, e.Bytes, e.Device, e.Fused = Transfer, v, s[:at], true
	return true
}

// splitByArgs finds the place from low on after which the digits are the size
// that the call asked for: one of its arguments, or the product of a list.
func (r *traceReader) splitByArgs(s string, low int, expect string) int {
	c, _ := ParseCall(expect)
	r.args = SplitArgs(r.args[:0], c.Args)
	for at := low; at < len(s); at++ {
		for _, a := range r.args {
			if a == s[at:] || s[at:] == product(a) {
				return at
			}
		}
	}
	return -1
}
