package rcp

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
)

// simpleRules runs BlockingWrite and BadWorkGroupSize. For AMD they are one rule
// with one limit, which looks at calls as they stand in the file.
func (a *Analysis) simpleRules() ([]*findings, rule) {
	blocking, sizes := &findings{rule: "BlockingWrite"}, &findings{rule: "BadWorkGroupSize"}
	if a.o.Compat {
		blocking = &findings{rule: "CLAPIRules"}
		sizes = blocking
	}
	w := writes{a: a, queues: map[string]*cmdQueue{}}
	onBlocking, onSizes := a.on("BlockingWrite"), a.on("BadWorkGroupSize")
	visit := func(c *call) {
		switch c.role.name {
		case "clCreateCommandQueue", "clCreateCommandQueueWithProperties", "clReleaseCommandQueue", "clRetainCommandQueue":
			w.queue(c)
		case "clEnqueueWriteBuffer", "clEnqueueWriteBufferRect", "clEnqueueWriteImage":
			if onBlocking && w.blocks(c) {
				blocking.add(c.site, isAdvice, c.name+": Unnecessary synchronization: Blocking write.")
			}
		case "clEnqueueNDRangeKernel", "clEnqueueTask":
			if onSizes {
				a.badSize(c, sizes)
			}
		}
	}
	list := []*findings{blocking, sizes}
	if a.o.Compat {
		list = list[:1]
	}
	return list, rule{func(r *role) bool { return r.queue || strings.Contains(r.name, "CommandQueue") || r.enqueues }, visit}
}

// writes knows the command queues that exist.
type writes struct {
	a      *Analysis
	queues map[string]*cmdQueue
}

type cmdQueue struct {
	properties string
	refs       int
}

func (w *writes) queue(c *call) {
	x := w.a.text(amd.OpenCL, c)
	if c.role.queue {
		if len(x.args) >= 4 {
			w.queues[x.result] = &cmdQueue{properties: x.args[2]}
		}
		return
	}
	if len(x.args) == 0 {
		return
	}
	handle := strings.TrimSpace(x.args[0])
	q := w.queues[handle]
	switch {
	case q == nil:
	case c.role.retains:
		q.refs++
	case q.refs > 0:
		q.refs--
	default:
		delete(w.queues, handle)
	}
}

// blocks reports whether a write waits although its queue runs in order anyway.
func (w *writes) blocks(c *call) bool {
	x := w.a.text(amd.OpenCL, c)
	if n := len(x.args); n != 9 && n != 14 && n != 11 {
		return false
	}
	if !w.a.o.Compat && x.result != "CL_SUCCESS" {
		return false
	}
	q := w.queues[x.args[0]]
	return q != nil && x.args[2] == "CL_TRUE" && !strings.Contains(q.properties, "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE")
}

const (
	goodGlobal = 2560 // 40 wavefronts
	goodGroup  = 64
)

// badSize finds what is wrong with the work sizes of a dispatch.
func (a *Analysis) badSize(c *call, f *findings) {
	e := a.enqueue(c)
	if e == nil || e.Shape != amd.Dispatch || strings.Contains(e.Device, "CPU") && (a.o.Compat || e.Device == "CPU_Device") {
		return
	}
	what, known := a.sizes[e.Work]
	if !known {
		what = a.sizeAdvice(e)
		if len(a.sizes) >= maxSizes {
			clear(a.sizes)
		}
		a.sizes[e.Work] = what
	}
	if what != "" {
		f.add(c.site, isAdvice, c.name+what)
	}
}

// maxSizes bounds how many work sizes are remembered with what is to be said of
// them.
const maxSizes = 4096

func (a *Analysis) sizeAdvice(e *amd.Enqueue) string {
	global, ok := a.product(e.Global)
	if !ok {
		return ""
	}
	if global < goodGlobal {
		return fmt.Sprintf(": Global Work size is too small - {%s}, resulting in low GPU utilization.", e.Global)
	}
	group, ok := a.product(e.Local)
	switch {
	case !ok:
		return ""
	case group < goodGroup:
		return fmt.Sprintf(": Work-group size is too small - {%s}. Recommended Work-group size is a multiple of %d.", e.Local, goodGroup)
	case group%goodGroup != 0:
		between := " "
		if a.o.Compat {
			between = ""
		}
		return fmt.Sprintf(": Work-group size({%s}) is not a multiple of %d. Recommended Work-group size is a multiple of%s%d.", e.Local, goodGroup, between, goodGroup)
	}
	return ""
}

// product multiplies sizes. AMD's product has 32 bits and wraps; a factor that
// does not fit them is no size.
func (a *Analysis) product(s string) (int64, bool) {
	p := int64(1)
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '{' || r == '}' }) {
		v, err := strconv.ParseInt(f, 10, 64)
		switch {
		case err != nil:
			return 0, false
		case a.o.Compat && (v > math.MaxInt32 || v < math.MinInt32):
			return 0, false
		case a.o.Compat:
			p = int64(int32(p) * int32(v))
		case v > 0 && p > math.MaxInt64/v:
			p = math.MaxInt64
		default:
			p *= v
		}
	}
	return p, true
}
