package steps

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// NoTime stands for a time that is not known.
const NoTime = math.MinInt64

// most is how far from zero a time may be.
const most = 1 << 62

// A Device is the work of one device of one process, an element for each piece
// of work in every slice, sorted by start.
type Device struct {
	Process trace.GlobalID
	ID      int64 // number of the device in the process

	Start, End []int64
	Class      []Class
	Name       []trace.Sym // of kernels; of other work the name of its class
	Stream     []int64
	Size       []int64          // bytes of copies and sets, blocks of kernels
	Launch     []int64          // when the API call that launched it began; NoTime: not known
	LaunchEnd  []int64          // when it returned
	Thread     []trace.GlobalID // that launched it
	Collective []int64          // of kernels in traces of PyTorch: rowid in PYTORCH_COLLECTIVES, 0: none; nil in others

	Unplaced int // events that take no time, by the rule of the package
	Launched int // pieces of work whose launch is known

	Texts *trace.Strings // of Name
}

// Len is the number of pieces of work.
func (d *Device) Len() int { return len(d.Start) }

// Options say what is communication and what is a step.
type Options struct {
	// Communication are further parts of names of kernels that communicate.
	Communication []string
	// PeerCopies counts copies from device to device as communication, as
	// collectives by copy engines are.
	PeerCopies bool
	// Range is a pattern that texts of ranges of steps match; nil: any.
	Range interface{ MatchString(string) bool }
	// Most is how many steps are taken; 0: all.
	Most int
	// HostWindows makes windows of the ranges themselves, in host time.
	HostWindows bool
}

// readings tell how the tables of device work are read.
var readings = []struct {
	table   string
	columns []string
	class   func(r *reader, t *trace.Table) func(i int) (Class, trace.Sym, int64)
}{
	{trace.TableKernel, []string{"shortName", "demangledName", "gridX", "gridY", "gridZ", "collective"}, (*reader).kernels},
	{trace.TableMemcpy, []string{"copyKind", "bytes"}, (*reader).copies},
	{trace.TableMemset, []string{"bytes"}, (*reader).sets},
	{trace.TableGraph, nil, (*reader).graphs},
}

// A reader sorts work by device.
type reader struct {
	tr      *trace.Trace
	o       *Options
	names   [Classes]trace.Sym
	devices map[deviceKey]*Device
	list    []*Device
	last    *Device

	collectives []Class // of PYTORCH_COLLECTIVES, by rowid less one
}

type deviceKey struct {
	process trace.GlobalID
	id      int64
}

// Read returns the devices of a trace that did any work, by process and number.
func Read(ctx context.Context, tr *trace.Trace, o *Options) ([]*Device, error) {
	if o == nil {
		o = &Options{}
	}
	r := &reader{tr: tr, o: o, devices: map[deviceKey]*Device{}}
	if err := tr.LoadNames(ctx); err != nil {
		return nil, err
	}
	for c := range r.names {
		r.names[c] = tr.Strings.Intern(Class(c).String())
	}
	calls, err := tr.Table(ctx, trace.TableRuntime, "start", "end", "globalTid", "correlationId")
	if err != nil {
		return nil, err
	}
	if err := r.readCollectives(ctx); err != nil {
		return nil, err
	}
	var index *trace.Index
	if calls != nil {
		index = trace.NewIndex(calls.Ints("globalTid"), calls.Ints("correlationId"))
	}
	for _, read := range readings {
		t, err := tr.Table(ctx, read.table, append([]string{"start", "end", "globalPid", "deviceId", "streamId", "correlationId"}, read.columns...)...)
		if err != nil {
			return nil, err
		}
		if t != nil && t.Rows > 0 {
			r.add(t, read.class(r, t), calls, index)
		}
	}
	slices.SortFunc(r.list, func(a, b *Device) int {
		return cmp.Or(cmp.Compare(uint64(a.Process), uint64(b.Process)), cmp.Compare(a.ID, b.ID))
	})
	for _, d := range r.list {
		d.sort()
	}
	return r.list, ctx.Err()
}

// readCollectives reads the kinds of collectives that a trace of PyTorch tells.
func (r *reader) readCollectives(ctx context.Context) error {
	t, err := r.tr.Table(ctx, trace.TableCollectives, "name")
	if err != nil || t == nil {
		return err
	}
	r.collectives = make([]Class, t.Rows)
	for i := range r.collectives {
		r.collectives[i] = CollectiveClass(r.tr.CellText(t.Col("name"), i))
	}
	return nil
}

func (r *reader) device(process trace.GlobalID, id int64) *Device {
	if d := r.last; d != nil && d.Process == process && d.ID == id {
		return d
	}
	k := deviceKey{process, id}
	d := r.devices[k]
	if d == nil {
		d = &Device{Process: process, ID: id, Texts: r.tr.Strings}
		r.devices[k] = d
		r.list = append(r.list, d)
	}
	r.last = d
	return d
}

// add hands each event to its device.
func (r *reader) add(t *trace.Table, class func(int) (Class, trace.Sym, int64), calls *trace.Table, index *trace.Index) {
	start, end, pid, dev := t.Col("start"), t.Col("end"), t.Ints("globalPid"), t.Ints("deviceId")
	stream, corr := t.Ints("streamId"), t.Col("correlationId")
	var collective []int64
	if c := t.Col("collective"); c != nil && c.Kind == trace.Integers {
		collective = c.Ints
	}
	var callStart, callEnd, callThread []int64
	if calls != nil {
		callStart, callEnd, callThread = calls.Ints("start"), calls.Ints("end"), calls.Ints("globalTid")
	}
	for i := range t.Rows {
		d := r.device(trace.GlobalID(pid[i]).Process(), dev[i])
		s, okStart := timeAt(start, i)
		e, okEnd := timeAt(end, i)
		if !okStart || !okEnd || e < s {
			d.Unplaced++
			continue
		}
		c, name, size := class(i)
		d.Start, d.End, d.Class, d.Name = append(d.Start, s), append(d.End, e), append(d.Class, c), append(d.Name, name)
		d.Stream, d.Size = append(d.Stream, stream[i]), append(d.Size, size)
		if collective != nil {
			d.Collective = append(append(d.Collective, make([]int64, len(d.Start)-1-len(d.Collective))...), collective[i])
		}
		launch, returned, thread := int64(NoTime), int64(NoTime), trace.GlobalID(0)
		if index != nil && corr != nil && corr.Kind == trace.Integers && !corr.IsNull(i) {
			if row := index.Find(pid[i], corr.Ints[i]); row >= 0 {
				launch, returned, thread = callStart[row], callEnd[row], trace.GlobalID(callThread[row])
				d.Launched++
			}
		}
		d.Launch, d.LaunchEnd, d.Thread = append(d.Launch, launch), append(d.LaunchEnd, returned), append(d.Thread, thread)
	}
}

// timeAt is a time of a column, if it is one.
func timeAt(c *trace.Column, i int) (int64, bool) {
	if c == nil || c.Kind != trace.Integers || c.IsNull(i) {
		return 0, false
	}
	v := c.Ints[i]
	return v, v > -most && v < most
}

func (r *reader) kernels(t *trace.Table) func(int) (Class, trace.Sym, int64) {
	short, long := t.Col("shortName"), t.Col("demangledName")
	x, y, z := t.Ints("gridX"), t.Ints("gridY"), t.Ints("gridZ")
	collective := t.Col("collective")
	type kernel struct {
		class Class
		name  trace.Sym
	}
	known := map[[2]int64]kernel{}
	number := func(c *trace.Column, i int) int64 {
		if c == nil || c.Kind != trace.Integers || c.IsNull(i) {
			return -1
		}
		return c.Ints[i]
	}
	return func(i int) (Class, trace.Sym, int64) {
		id := [2]int64{number(short, i), number(long, i)}
		k, ok := known[id]
		if !ok {
			k.name, ok = r.tr.Name(id[0])
			full, okFull := r.tr.Name(id[1])
			if !ok {
				k.name = full
			}
			k.class = kernelClass(r.tr.Strings.Text(k.name), r.o.Communication...)
			if okFull && k.class == OtherKernel {
				k.class = kernelClass(r.tr.Strings.Text(full), r.o.Communication...)
			}
			known[id] = k
		}
		// A trace of PyTorch says which kernels communicate, whatever they are called.
		if c := number(collective, i); c > 0 && c <= int64(len(r.collectives)) && k.class.Kind() == Compute {
			return r.collectives[c-1], k.name, blocks(x[i], y[i], z[i])
		}
		return k.class, k.name, blocks(x[i], y[i], z[i])
	}
}

// blocks is the number of blocks of a grid, 0 where it makes no sense.
func blocks(x, y, z int64) int64 {
	const limit = 1 << 20 // so that the product cannot overflow
	if x < 0 || y < 0 || z < 0 || y > limit || z > limit || x > 1<<31 || x*max(y, 1) > 1<<40 {
		return 0
	}
	return x * max(y, 1) * max(z, 1)
}

func (r *reader) copies(t *trace.Table) func(int) (Class, trace.Sym, int64) {
	kind, bytes := t.Ints("copyKind"), t.Ints("bytes")
	return func(i int) (Class, trace.Sym, int64) {
		c := copyClass(kind[i])
		if c == PeerToPeer && r.o.PeerCopies {
			return OtherCollective, r.names[c], bytes[i]
		}
		return c, r.names[c], bytes[i]
	}
}

func (r *reader) sets(t *trace.Table) func(int) (Class, trace.Sym, int64) {
	bytes := t.Ints("bytes")
	return func(i int) (Class, trace.Sym, int64) { return MemorySet, r.names[MemorySet], bytes[i] }
}

func (r *reader) graphs(*trace.Table) func(int) (Class, trace.Sym, int64) {
	return func(int) (Class, trace.Sym, int64) { return WholeGraph, r.names[WholeGraph], 0 }
}

// sort puts the work in the order of start, then end, then stream, so that the order of
// the file says nothing.
func (d *Device) sort() {
	if d.Collective != nil {
		d.Collective = append(d.Collective, make([]int64, len(d.Start)-len(d.Collective))...)
	}
	compare := func(a, b int32) int {
		return cmp.Or(cmp.Compare(d.Start[a], d.Start[b]), cmp.Compare(d.End[a], d.End[b]), cmp.Compare(d.Class[a], d.Class[b]),
			cmp.Compare(d.Stream[a], d.Stream[b]), cmp.Compare(d.Launch[a], d.Launch[b]))
	}
	order := make([]int32, len(d.Start))
	for i := range order {
		order[i] = int32(i)
	}
	if slices.IsSortedFunc(order, compare) {
		return
	}
	slices.SortStableFunc(order, compare)
	permute(order, d.Start, d.End, d.Stream, d.Size, d.Launch, d.LaunchEnd)
	if d.Collective != nil {
		permute(order, d.Collective)
	}
	permute(order, d.Class)
	permute(order, d.Name)
	permute(order, d.Thread)
}

// permute puts columns in an order.
func permute[T any](order []int32, columns ...[]T) {
	buf := make([]T, len(order))
	for _, c := range columns {
		for i, from := range order {
			buf[i] = c[from]
		}
		copy(c, buf)
	}
}

// Unions are the moments at which each class of work ran, disjoint and sorted.
func (d *Device) Unions() [Classes][]Span {
	var n [Classes]int
	for _, c := range d.Class {
		n[c]++
	}
	var out [Classes][]Span
	for c, k := range n {
		if k > 0 {
			out[c] = make([]Span, 0, min(k, 1<<16))
		}
	}
	for i, c := range d.Class { // by start: merged as they come
		u := out[c]
		if k := len(u); k > 0 && d.Start[i] <= u[k-1].End {
			u[k-1].End = max(u[k-1].End, d.End[i])
			continue
		}
		out[c] = append(u, Span{Start: d.Start[i], End: d.End[i]})
	}
	return out
}
