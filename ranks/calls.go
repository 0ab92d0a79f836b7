package ranks

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
)

// A hostCall is a call of a communication library as its NVTX range tells it.
type hostCall struct {
	start, end   int64
	thread       trace.GlobalID
	class        steps.Class
	communicator uint64
	bytes        int64
}

// An opening is the initialization of a communicator.
type opening struct {
	process      trace.GlobalID
	communicator uint64
	ranks, rank  int64
	device       int64 // -1: not told
}

// hostCalls are the calls of a report.
type hostCalls struct {
	calls    []hostCall
	hosts    map[trace.GlobalID][]host // by thread, sorted by start
	openings []opening
	payloads int // calls whose communicator is known
}

// A host is a range inside which kernels are launched: a call, or the end of a
// group of calls.
type host struct {
	start, end int64
	calls      []int32 // of hostCalls.calls
}

type ncclRange struct {
	start, end int64
	thread     trace.GlobalID
	name       string
	fields     fields
}

// A role is what a member of a payload means.
type role uint8

const (
	noRole role = iota
	communicatorRole
	bytesRole
	ranksRole
	rankRole
	deviceRole
	roles
)

// roleWords tell roles by what names of members contain, lower case.
var roleWords = []struct {
	word string
	role role
}{
	{"communicator", communicatorRole}, {"comm hash", communicatorRole}, {"message size", bytesRole}, {"bytes", bytesRole},
	{"no. of ranks", ranksRole}, {"number of ranks", ranksRole}, {"nranks", ranksRole}, {"device", deviceRole},
}

// roleOf tells the role of a member by its name.
func roleOf(name string) role {
	name = strings.ToLower(name)
	if name == "rank" || name == "my rank" {
		return rankRole
	}
	for _, w := range roleWords {
		if strings.Contains(name, w.word) {
			return w.role
		}
	}
	return noRole
}

// fields are the members of a payload by role.
type fields struct {
	value [roles]int64
	has   [roles]bool
}

// take takes the first member of each role.
func (f *fields) take(members []trace.PayloadField, known map[string]role) {
	for i := range members {
		m := &members[i]
		if m.Kind != trace.Integers {
			continue
		}
		r, ok := known[m.Name]
		if !ok {
			r = roleOf(m.Name)
			known[m.Name] = r
		}
		if r != noRole && !f.has[r] {
			f.value[r], f.has[r] = m.Int, true
		}
	}
}

// readCalls reads the ranges that NCCL and RCCL put around their calls, and their
// payloads by schema: layouts differ between versions.
func readCalls(ctx context.Context, tr *trace.Trace) (*hostCalls, error) {
	h := &hostCalls{hosts: map[trace.GlobalID][]host{}}
	ranges, err := readRanges(ctx, tr)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(ranges, func(a, b ncclRange) int {
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	depth, grouped := 0, []int32(nil)
	for i, r := range ranges {
		if i == 0 || r.thread != ranges[i-1].thread {
			depth, grouped = 0, nil
		}
		switch {
		case r.name == "ncclGroupStart":
			depth++
		case strings.HasPrefix(r.name, "ncclGroupEnd"):
			if depth = max(depth-1, 0); depth == 0 {
				h.hosts[r.thread] = append(h.hosts[r.thread], host{r.start, r.end, grouped})
				grouped = nil
			}
		case strings.HasPrefix(r.name, "ncclCommInit"), strings.HasPrefix(r.name, "ncclCommSplit"):
			h.open(r)
		default:
			c, ok := callOf(r)
			if !ok {
				continue
			}
			k := int32(len(h.calls))
			h.calls = append(h.calls, c)
			if c.communicator != 0 {
				h.payloads++
			}
			if depth > 0 {
				grouped = append(grouped, k)
			} else {
				h.hosts[r.thread] = append(h.hosts[r.thread], host{r.start, r.end, []int32{k}})
			}
		}
	}
	return h, nil
}

func readRanges(ctx context.Context, tr *trace.Trace) (out []ncclRange, err error) {
	if !tr.Has(trace.TableNvtx) {
		return nil, nil
	}
	if err := tr.LoadNames(ctx); err != nil {
		return nil, err
	}
	is, known := map[trace.Sym]bool{}, map[string]role{}
	columns := append([]string{"start", "end", "eventType", "text", "textId", "globalTid", "domainId"}, trace.PayloadColumns...)
	err = tr.ScanColumns(ctx, trace.TableNvtx, columns, func(e *trace.Table) error {
		var payloads *trace.Payloads
		start, end, tid, typ := e.Ints("start"), e.Ints("end"), e.Ints("globalTid"), e.Ints("eventType")
		for i := range e.Rows {
			y, ok := tr.EventText(e, i)
			if !ok || !trace.IsRange(typ[i]) || e.IsNull("start", i) || e.IsNull("end", i) || end[i] < start[i] {
				continue
			}
			nccl, met := is[y]
			if !met {
				nccl = strings.HasPrefix(tr.Strings.Text(y), "nccl")
				is[y] = nccl
			}
			if !nccl {
				continue
			}
			if payloads == nil {
				if payloads, err = tr.Payloads(ctx, e); err != nil {
					return err
				}
			}
			r := ncclRange{start: start[i], end: end[i], thread: trace.GlobalID(tid[i]), name: tr.Strings.Text(y)}
			if payloads.Any() {
				r.fields.take(payloads.At(i).Fields, known)
			}
			out = append(out, r)
		}
		return ctx.Err()
	})
	return out, err
}

func callOf(r ncclRange) (c hostCall, ok bool) {
	c = hostCall{start: r.start, end: r.end, thread: r.thread, class: steps.CollectiveClass(r.name)}
	if c.class == steps.OtherCollective && !strings.HasPrefix(r.name, "ncclGather") && !strings.HasPrefix(r.name, "ncclScatter") {
		return c, false // such as ncclCommCount
	}
	c.communicator = uint64(r.fields.value[communicatorRole])
	if b := r.fields.value[bytesRole]; b >= 0 && b < 1<<50 {
		c.bytes = b
	}
	return c, true
}

func (h *hostCalls) open(r ncclRange) {
	f := &r.fields
	id := uint64(f.value[communicatorRole])
	if id == 0 {
		return
	}
	o := opening{process: r.thread.Process(), communicator: id, ranks: -1, rank: -1, device: -1}
	if n := f.value[ranksRole]; f.has[ranksRole] && n > 0 && n < 1<<24 {
		o.ranks = n
	}
	if f.has[rankRole] {
		o.rank = f.value[rankRole]
	}
	if f.has[deviceRole] {
		o.device = f.value[deviceRole]
	}
	h.openings = append(h.openings, o)
}

// world is the claim that the largest communicator of a process makes.
func (h *hostCalls) world(process trace.GlobalID, device int64, several bool) (Claim, bool) {
	best := opening{ranks: -1}
	for _, o := range h.openings {
		if o.process == process && o.ranks > best.ranks && o.rank >= 0 && o.rank < o.ranks && (!several || o.device == device) {
			best = o
		}
	}
	return Claim{FromCommunicator, best.rank, best.ranks}, best.ranks > 1
}

// ranksOf is how many ranks the initialization of a communicator gave, 0: not told.
func (h *hostCalls) ranksOf(communicator uint64) (n int64) {
	for _, o := range h.openings {
		if o.communicator == communicator {
			n = max(n, o.ranks)
		}
	}
	return n
}

// find returns the range on a thread inside which something was launched, or nil.
func (h *hostCalls) find(thread trace.GlobalID, launch int64) *host {
	list := h.hosts[thread]
	k, ok := slices.BinarySearchFunc(list, launch, func(x host, t int64) int { return cmp.Compare(x.start, t) })
	if !ok {
		k--
	}
	if k < 0 || launch > list[k].end {
		return nil
	}
	return &list[k]
}

// An assigned is what is known of the calls that a kernel carries.
type assigned struct {
	communicator uint64
	class        steps.Class
	calls, bytes int64
}

// assign tells for each communication kernel of a device which calls it carries:
// those inside whose range it was launched. A group of calls may launch a kernel
// for each communicator, in the order of their first calls.
func (h *hostCalls) assign(d *steps.Device, kernels []int32) []assigned {
	out := make([]assigned, len(kernels))
	of, used := map[*host][]int{}, map[int32]bool{}
	var order []*host
	var rest []int
	for n, i := range kernels {
		out[n].class = steps.OtherCollective
		var x *host
		if d.Launch[i] != steps.NoTime {
			x = h.find(d.Thread[i], d.Launch[i])
		}
		if x == nil || len(x.calls) == 0 {
			rest = append(rest, n)
			continue
		}
		if of[x] == nil {
			order = append(order, x)
		}
		of[x] = append(of[x], n)
	}
	for _, x := range order {
		h.share(x, of[x], out)
		for _, c := range x.calls {
			used[c] = true
		}
	}
	h.byOrder(d, kernels, rest, used, out)
	return out
}

// share hands the calls of a range to the kernels that it launched.
func (h *hostCalls) share(x *host, kernels []int, out []assigned) {
	var ids []uint64
	for _, c := range x.calls {
		if id := h.calls[c].communicator; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for k, n := range kernels {
		a := &out[n]
		id, one := ids[0], len(ids) == 1
		if !one && len(ids) == len(kernels) {
			id, one = ids[k], true
		}
		first := true
		for _, c := range x.calls {
			call := h.calls[c]
			if one && call.communicator != id {
				continue
			}
			a.calls++
			a.bytes += call.bytes
			if first {
				a.class, first = call.class, false
			} else if a.class != call.class {
				a.class = steps.OtherCollective
			}
		}
		if one {
			a.communicator = id
		}
		if one && len(ids) == 1 && len(kernels) > 1 { // several kernels for one communicator: shares are not known
			a.bytes /= int64(len(kernels))
			a.calls = max(a.calls/int64(len(kernels)), 1)
		}
	}
}

// byOrder pairs kernels that other threads launched, as communicators that do not
// block do, with the calls that are left, where there is one for each: by the
// order on their kind.
func (h *hostCalls) byOrder(d *steps.Device, kernels []int32, rest []int, used map[int32]bool, out []assigned) {
	var left [steps.Classes][]int32
	for c, call := range h.calls {
		if !used[int32(c)] && call.communicator != 0 && call.thread.Process() == d.Process {
			left[call.class] = append(left[call.class], int32(c))
		}
	}
	var want [steps.Classes][]int
	for _, n := range rest {
		c := d.Class[kernels[n]]
		want[c] = append(want[c], n)
	}
	for class := range left {
		if len(left[class]) == 0 || len(left[class]) != len(want[class]) {
			continue
		}
		slices.SortFunc(left[class], func(a, b int32) int { return cmp.Compare(h.calls[a].start, h.calls[b].start) })
		for k, c := range left[class] {
			call := h.calls[c]
			out[want[class][k]] = assigned{call.communicator, call.class, 1, call.bytes}
		}
	}
}
