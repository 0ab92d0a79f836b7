package rcp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
)

// refs counts the references to objects by their handles. There may be millions
// of objects, such as events.
type refs struct {
	fold    bool // handles that differ in case are one
	renew   bool // a handle in use again belongs to its new creator
	byKey   map[string]int32
	objects []object
}

type object struct {
	handle  string
	count   int
	creator site
}

func newRefs(fold, renew bool) *refs {
	return &refs{fold: fold, renew: renew, byKey: map[string]int32{}}
}

func (r *refs) key(handle string) string {
	if r.fold {
		return strings.ToLower(handle)
	}
	return handle
}

// of returns the object of a handle, or nil. It is valid until the next is made.
func (r *refs) of(handle string) *object {
	if i, ok := r.byKey[r.key(handle)]; ok {
		return &r.objects[i]
	}
	return nil
}

func (r *refs) create(handle string, s site) {
	switch o := r.of(handle); {
	case o == nil:
		r.byKey[r.key(handle)] = int32(len(r.objects))
		r.objects = append(r.objects, object{handle: handle, count: 1, creator: s})
	case o.count == 0:
		o.count = 1
		if r.renew {
			o.handle, o.creator = handle, s
		}
	}
}

func (r *refs) change(handle string, by int) {
	if o := r.of(handle); o != nil {
		o.count += by
	}
}

// leaks gives the objects whose count is not zero, by handle, as far as f shows
// them.
func (r *refs) leaks(f *findings, each func(o *object)) {
	first := firsts[*object]{n: maxMessages, cmp: func(x, y *object) int { return strings.Compare(r.key(x.handle), r.key(y.handle)) }}
	n := 0
	for i := range r.objects {
		if o := &r.objects[i]; o.count != 0 {
			first.add(o)
			n++
		}
	}
	for _, o := range first.sorted() {
		each(o)
	}
	f.n = n
}

// references reports objects of OpenCL that were not released as often as they
// were created and retained.
func (a *Analysis) references() (f *findings, count rule, leaks func()) {
	f = &findings{rule: "RefTracker"}
	if !a.on(f.rule) {
		return nil, rule{}, func() {}
	}
	r := newRefs(true, !a.o.Compat)
	count = rule{func(r *role) bool {
		return r.creates || r.listArg > 0 || r.retains || r.releases || r.frees || r.event > 0
	}, func(c *call) { a.count1(r, c) }}
	return f, count, func() {
		r.leaks(f, func(o *object) {
			what := "Memory leak detected"
			if o.count < 0 && !a.o.Compat {
				what = "Released too often"
			}
			f.add(o.creator, isWarning, fmt.Sprintf("%s [Ref = %d, Handle = %s]: Object created by %s", what, o.count, o.handle, o.creator.name))
		})
	}
}

// count1 counts what one call does to references.
func (a *Analysis) count1(r *refs, c *call) {
	x := a.text(amd.OpenCL, c)
	succeeded := x.result == "CL_SUCCESS" || a.o.Compat
	last := ""
	if len(x.args) > 1 {
		last = x.args[len(x.args)-1]
	}
	switch role := c.role; {
	case role.creates:
		if x.result != "" && (a.o.Compat || x.result != "NULL") {
			r.create(x.result, c.site)
		}
	case role.listArg > 0:
		a.createList(r, c, x)
	case role.retains && succeeded && x.all != "":
		r.change(x.all, 1)
	case role.releases && succeeded && x.all != "":
		r.change(x.all, -1)
	case role.frees && last != "" && last != "NULL":
		r.change(strings.TrimSpace(last), -1)
	case role.event > 0:
		if e := eventOf(role, x.args); e != "" && e != "NULL" && (a.o.Compat || x.result == "CL_SUCCESS" || strings.HasPrefix(x.result, "0x")) {
			r.create(e, c.site)
		}
		if role.name == "clEnqueueSVMFree" && !a.o.Compat && len(x.args) > 2 {
			for _, p := range strings.Split(strings.Trim(x.args[2], "[]"), ",") {
				r.change(p, -1)
			}
		}
	}
}

// createList counts objects that a call lists in an argument.
func (a *Analysis) createList(r *refs, c *call, x text) {
	want := 5
	if c.role.listArg == 2 {
		want = 4
	}
	if x.result != "CL_SUCCESS" || len(x.args) != want {
		return
	}
	list := x.args[c.role.listArg]
	n, err := strconv.Atoi(x.args[c.role.listArg-1])
	if list == "NULL" || len(list) <= 2 || err != nil || n <= 0 {
		return
	}
	handles := strings.Split(inBrackets(list), ",")
	if len(handles) > n {
		return
	}
	for _, h := range handles {
		r.create(h, c.site)
	}
}

// eventOf returns the handle of the event that an enqueue call made.
func eventOf(r *role, args []string) string {
	if r.event == 0 || len(args) <= r.event {
		return ""
	}
	e := strings.TrimSpace(args[len(args)-r.event])
	switch {
	case e == "NULL":
		return e
	case len(e) <= 2:
		return ""
	}
	return inBrackets(e)
}

// An hsaRole is what the rules have to know of an API of HSA.
type hsaRole struct {
	noStatus bool // returns no status
	creates  bool
	frees    bool
	arg      int // that names the object; -1: the runtime itself
}

// hsaObjects are the APIs that create and free objects, with the argument that
// names the object.
var hsaObjects = map[string][2]int{ // argument; 1: creates, 0: frees
	"hsa_init": {-1, 1}, "hsa_shut_down": {-1, 0},
	"hsa_queue_create": {7, 1}, "hsa_soft_queue_create": {5, 1}, "hsa_queue_destroy": {0, 0},
	"hsa_signal_create": {3, 1}, "hsa_signal_destroy": {0, 0},
	"hsa_executable_create": {3, 1}, "hsa_executable_destroy": {0, 0},
	"hsa_ext_program_create": {4, 1}, "hsa_ext_program_destroy": {0, 0},
	"hsa_ext_image_create": {4, 1}, "hsa_ext_image_destroy": {1, 0},
	"hsa_ext_sampler_create": {2, 1}, "hsa_ext_sampler_destroy": {1, 0},
	"hsa_memory_register": {0, 1}, "hsa_memory_deregister": {0, 0},
	"hsa_memory_allocate": {2, 1}, "hsa_memory_free": {0, 0},
	"hsa_amd_memory_pool_allocate": {3, 1}, "hsa_amd_memory_pool_free": {0, 0},
	"hsa_amd_memory_lock": {0, 1}, "hsa_amd_memory_unlock": {0, 0},
	"hsa_amd_interop_map_buffer": {5, 1}, "hsa_amd_interop_unmap_buffer": {0, 0},
	"hsa_amd_ipc_memory_attach": {4, 1}, "hsa_amd_ipc_memory_detach": {0, 0},
}

func hsaRoleOf(name string) *role {
	h := &hsaRole{}
	if o, ok := hsaObjects[name]; ok {
		h.arg, h.creates, h.frees = o[0], o[1] == 1, o[1] == 0
	}
	// Signals are loaded, stored and waited for, and the indexes of queues too,
	// without a status.
	isSignal := strings.HasPrefix(name, "hsa_signal_") && name != "hsa_signal_create" && name != "hsa_signal_destroy" && !strings.HasPrefix(name, "hsa_signal_group_")
	isIndex := strings.HasPrefix(name, "hsa_queue_") && strings.Contains(name, "_index_")
	h.noStatus = isSignal || isIndex || name == "hsa_amd_signal_wait_any"
	return &role{name: name, errArg: -1, hsa: h}
}

// theRuntime stands for what hsa_init creates; it sorts between numbers and
// braces.
const theRuntime = "__HSA_INIT_SHUTDOWN_PSEUDO_HANDLE"

// hsaReferences reports objects of HSA that were not freed.
func (a *Analysis) hsaReferences() (f *findings, count rule, leaks func()) {
	f = &findings{rule: "HSARefTracker"}
	if !a.on(f.rule) {
		return nil, rule{}, func() {}
	}
	r := newRefs(false, !a.o.Compat)
	count = rule{func(r *role) bool { return r.hsa != nil && (r.hsa.creates || r.hsa.frees) }, func(c *call) { a.hsaCount(r, c) }}
	return f, count, func() {
		r.leaks(f, func(o *object) {
			named := ", Object = " + o.handle
			if o.handle == theRuntime {
				named = ""
			}
			what := "Memory leak detected"
			if o.count < 0 && !a.o.Compat {
				what = "Freed too often"
			}
			f.add(o.creator, isWarning, fmt.Sprintf("%s [Ref = %d%s]: Object created by %s", what, o.count, named, o.creator.name))
		})
	}
}

// hsaCount counts what one call of HSA does to references.
func (a *Analysis) hsaCount(r *refs, c *call) {
	if c.result() != "HSA_STATUS_SUCCESS" {
		return
	}
	h := c.role.hsa
	handle := theRuntime
	if h.arg >= 0 {
		x := a.text(amd.HSA, c)
		if handle = ""; h.arg < len(x.args) {
			handle = strings.Trim(x.args[h.arg][strings.IndexByte(x.args[h.arg], '=')+1:], "[]")
		}
	}
	o := r.of(handle)
	switch {
	case h.creates && !a.o.Compat && handle == theRuntime && o != nil && o.count > 0:
		o.count++ // the runtime counts how often it was begun
	case h.creates:
		r.create(handle, c.site)
	default:
		r.change(handle, -1)
	}
}
