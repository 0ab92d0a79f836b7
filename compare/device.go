package compare

import (
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// Names of what is measured of a device.
const (
	IdleTime    = "time.idle"    // ns from its first to its last work in which it did nothing
	IdleShare   = "share.idle"   // % of that time
	busyTime    = "time.busy"    // ns
	ExposedTime = "time.exposed" // ns in which it communicated and did nothing else
	overlapTime = "time.overlap" // ns in which it communicated and computed
)

// gpu reads the tables of what GPUs did: entities of kernels and copies, and of
// kernels that communicate one for each rank, for who waits is the question
// there; then the devices.
func (t *tally) gpu(ctx context.Context) error {
	var tables []trace.SliceTable
	for _, s := range t.tr.SliceTables() {
		if s.GPU && s.Kind != "sync" { // waiting is no work
			tables = append(tables, s)
		}
	}
	// First the ranks, whose number the names of entities hold.
	for _, s := range tables {
		e, err := t.tr.Table(ctx, s.Table, t.gpuColumns(s)...) // all at once: a second reading costs as much as the first
		if err != nil {
			return err
		}
		if e == nil {
			continue
		}
		pid, device := e.Ints("globalPid"), e.Ints("deviceId")
		var last rankKey
		for i := range pid {
			if k := (rankKey{trace.GlobalID(pid[i]).Process(), device[i]}); i == 0 || k != last {
				t.rank(k)
				last = k
			}
		}
	}
	t.numberRanks()
	for _, s := range tables {
		if err := t.gpuTable(ctx, s); err != nil {
			return err
		}
	}
	if t.opt.wants(Device) {
		t.devices()
	}
	return nil
}

// rowNames tell the group of a row by the number of its name.
type rowNames struct {
	t      *tally
	class  Class
	groups []*group
	by     map[string]int32
	ids    map[int64]int32 // of names that do not communicate
	comm   map[int64]map[*rank]int32
}

func (n *rowNames) of(id int64, text func() string, r *rank) (at int32, communicate bool) {
	if g, ok := n.ids[id]; ok {
		return g, false
	}
	if m, ok := n.comm[id]; ok {
		if g, ok := m[r]; ok {
			return g, true
		}
	}
	name := text()
	f := names{shown: name, full: name, base: name}
	if n.class == Kernel {
		if n.t.opt.Kernels != nil && !n.t.opt.Kernels(name) {
			n.ids[id] = -1
			return -1, false
		}
		f = n.t.names.of(name)
	}
	if n.class == Kernel && steps.IsCommunication(f.full) && len(n.t.order) > 1 {
		key := f.full + "\x00" + r.name()
		if _, ok := n.by[key]; !ok {
			n.by[key] = int32(len(n.groups))
			n.groups = append(n.groups, &group{class: Kernel, name: f.shown, full: f.full, base: f.base, path: r.name()})
		}
		if n.comm[id] == nil {
			n.comm[id] = map[*rank]int32{}
		}
		n.comm[id][r] = n.by[key]
		return n.by[key], true
	}
	if _, ok := n.by[f.full]; !ok {
		n.by[f.full] = int32(len(n.groups))
		n.groups = append(n.groups, &group{class: n.class, name: f.shown, full: f.full, base: f.base})
	}
	if steps.IsCommunication(f.full) {
		n.comm[id] = map[*rank]int32{r: n.by[f.full]}
		return n.by[f.full], true
	}
	n.ids[id] = n.by[f.full]
	return n.by[f.full], false
}

// gpuColumns are the columns of a table that are read: the last, if there are
// five, names the row.
func (t *tally) gpuColumns(s trace.SliceTable) []string {
	named := []string{s.Name, s.Spare}
	switch s.Kind {
	case "kernel":
		named = []string{"demangledName", "shortName", "mangledName"}
	case "memcpy":
		named = []string{"copyKind"}
	}
	columns := []string{"start", "end", "globalPid", "deviceId"}
	for _, c := range named {
		if c != "" && t.tr.HasColumn(s.Table, c) {
			return append(columns, c)
		}
	}
	return columns
}

func (t *tally) gpuTable(ctx context.Context, s trace.SliceTable) error {
	class := Copy
	if s.Kind == "kernel" || s.Kind == "graph" {
		class = Kernel
	}
	columns := t.gpuColumns(s)
	e, err := t.tr.Table(ctx, s.Table, columns...)
	if err != nil || e == nil || e.Rows == 0 {
		return err
	}
	n := &rowNames{t: t, class: class, by: map[string]int32{}, ids: map[int64]int32{}, comm: map[int64]map[*rank]int32{}}
	start, end, pid, device := e.Ints("start"), e.Ints("end"), e.Ints("globalPid"), e.Ints("deviceId")
	id := make([]int64, 0)
	if len(columns) == 5 {
		id = e.Ints(columns[4])
	}
	at := make([]int32, e.Rows)
	var r *rank
	for i := range at {
		if k := (rankKey{trace.GlobalID(pid[i]).Process(), device[i]}); r == nil || k != r.key {
			r = t.ranks[k]
		}
		if !t.opt.within(start[i], end[i]) {
			at[i] = -1
			continue
		}
		key := int64(0)
		if len(id) > 0 {
			key = id[i]
		}
		g, communicate := n.of(key, func() string {
			switch {
			case s.Kind == "memcpy":
				return "copy " + t.tr.Label(ctx, "ENUM_CUDA_MEMCPY_OPER", key)
			case s.Fixed != "":
				return s.Fixed
			}
			return t.tr.NameText(key)
		}, r)
		at[i] = g
		if end[i] > start[i] {
			span := interval.Span{Start: start[i], End: end[i]}
			if communicate {
				r.comm = append(r.comm, span)
			} else {
				r.compute = append(r.compute, span)
			}
		}
	}
	if t.opt.wants(class) {
		t.fill(n.groups, at, start, end)
	}
	t.tr.Forget(s.Table)
	return nil
}

// devices makes an entity of each rank's device.
func (t *tally) devices() {
	for _, r := range t.order {
		comm, compute := interval.UnionOf(r.comm), interval.UnionOf(r.compute)
		work := interval.UnionOf(slices.Concat(comm, compute))
		if len(work) == 0 {
			continue
		}
		wall := work[len(work)-1].End - work[0].Start
		both := interval.Overlap(comm, compute)
		v := &Values{}
		busy := interval.Length(work)
		v.Set(busyTime, nanoseconds, float64(busy))
		v.Set(IdleTime, nanoseconds, float64(wall-busy))
		if wall > 0 {
			v.Set(IdleShare, "%", 100*float64(wall-busy)/float64(wall))
		}
		if len(comm) > 0 {
			v.Set(ExposedTime, nanoseconds, float64(interval.Length(comm)-both))
			v.Set(overlapTime, nanoseconds, float64(both))
		}
		if n := t.run.Window.Steps; n > 0 {
			v.Set(StepTime, nanoseconds, float64(wall)/float64(n))
		}
		name := "device"
		if len(t.order) > 1 {
			name = r.name()
		}
		r.comm, r.compute = nil, nil
		t.run.Entities = append(t.run.Entities, &Entity{Class: Device, Name: name, Full: name, Base: name, Launches: 1, Source: v})
	}
}
