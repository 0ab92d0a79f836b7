package trace

import (
	"context"
	"strconv"

	"github.com/gpuprof/gpuprof/trace/schema"
)

// stringIDs maps the numbers of StringIds to Syms. The numbers are sparse, up
// to millions in files of a few hundred texts.
type stringIDs struct {
	dense []Sym // index: number; 0 where there is none and empty says nothing
	has   []bool
	m     map[int64]Sym
	lost  bool // there are no texts at all
}

// LoadNames reads StringIds, after which Name works. It is cheap to call again.
func (t *Trace) LoadNames(ctx context.Context) error {
	t.mu.Lock()
	done := t.ids != nil
	t.mu.Unlock()
	if done {
		return nil
	}
	s, err := t.Table(ctx, "StringIds", "id", "value")
	if err != nil {
		return err
	}
	ids := &stringIDs{m: map[int64]Sym{}, lost: s == nil || s.Rows == 0}
	if v := s.Col("value"); v != nil && v.Kind == Texts {
		keys := s.Ints("id")
		top := int64(-1)
		for _, k := range keys {
			top = max(top, k)
		}
		if top < int64(8*len(keys)+1<<16) {
			ids.dense, ids.has = make([]Sym, top+1), make([]bool, top+1)
		}
		for i, k := range keys {
			if k >= 0 && k < int64(len(ids.dense)) {
				ids.dense[k], ids.has[k] = v.Syms[i], true
			} else {
				ids.m[k] = v.Syms[i]
			}
		}
	}
	t.mu.Lock()
	t.ids = ids
	t.mu.Unlock()
	return nil
}

// Name returns the text of a StringId. ok is false where there is none; in a file
// without any texts it is the number, so that things of different names stay apart. Call
// LoadNames first.
func (t *Trace) Name(id int64) (y Sym, ok bool) {
	switch {
	case t.ids == nil:
		return 0, false
	case id >= 0 && id < int64(len(t.ids.dense)) && t.ids.has[id]:
		return t.ids.dense[id], true
	}
	if t.ids.lost {
		return t.Strings.Intern("#" + strconv.FormatInt(id, 10)), true
	}
	y, ok = t.ids.m[id]
	return y, ok
}

// NamesLost reports whether the file has no texts for names, so that numbers stand
// in for them: #12. Call LoadNames first.
func (t *Trace) NamesLost() bool { return t.ids != nil && t.ids.lost }

// NameText is Name as a string; "" where there is none.
func (t *Trace) NameText(id int64) string {
	y, _ := t.Name(id)
	return t.Strings.Text(y)
}

// Label returns the label of a value of an enumeration: the file's own, else the
// catalogue's, else the number.
func (t *Trace) Label(ctx context.Context, enum string, id int64) string {
	if e, err := t.Table(ctx, enum, "id", "label"); err == nil && e != nil {
		if l := e.Col("label"); l != nil && l.Kind == Texts {
			for i, v := range e.Ints("id") {
				if v == id {
					return t.Strings.Text(l.Syms[i])
				}
			}
		}
	}
	if e := schema.LookupEnum(enum); e != nil {
		if l := e.Label(id); l != "" {
			return l
		}
	}
	return strconv.FormatInt(id, 10)
}

// A Thread is what a trace knows of a thread.
type Thread struct {
	Name     string
	Priority int64 // -1: not known
}

// Threads are the threads that have names.
func (t *Trace) Threads(ctx context.Context) (map[GlobalID]Thread, error) {
	if err := t.LoadNames(ctx); err != nil {
		return nil, err
	}
	names, err := t.Table(ctx, "ThreadNames", "nameId", "priority", "globalTid")
	if err != nil || names == nil {
		return nil, err
	}
	out := make(map[GlobalID]Thread, names.Rows)
	id := names.Ints("nameId")
	prio := names.Col("priority")
	for i, g := range names.Ints("globalTid") {
		th := Thread{Name: t.NameText(id[i]), Priority: -1}
		if prio != nil && !prio.IsNull(i) && prio.Kind == Integers {
			th.Priority = prio.Ints[i]
		}
		out[GlobalID(g)] = th
	}
	return out, nil
}

// NamedThreads are Threads, with the names that programs gave theirs by NVTX
// (nvtxNameOsThread) before those of the operating system.
func (t *Trace) NamedThreads(ctx context.Context) (map[GlobalID]Thread, error) {
	threads, err := t.Threads(ctx)
	if err != nil {
		return nil, err
	}
	d, err := t.Domains(ctx)
	if err != nil {
		return nil, err
	}
	if threads == nil {
		threads = map[GlobalID]Thread{}
	}
	for g, name := range d.threads {
		th, ok := threads[g]
		if !ok {
			th.Priority = -1
		}
		th.Name = name
		threads[g] = th
	}
	return threads, nil
}

// Programs are the names of the processes that have one.
func (t *Trace) Programs(ctx context.Context) (map[GlobalID]string, error) {
	out := map[GlobalID]string{}
	p, err := t.Table(ctx, "PROCESSES", "globalPid", "name")
	if c := p.Col("name"); err == nil && c != nil && c.Kind == Texts {
		for i, g := range p.Ints("globalPid") {
			if !c.IsNull(i) {
				out[GlobalID(g).Process()] = t.Strings.Text(c.Syms[i])
			}
		}
	}
	return out, err
}

// GPUs are the names of the GPUs by the device number that activities carry.
func (t *Trace) GPUs(ctx context.Context) (map[int64]string, error) {
	out := map[int64]string{}
	err := t.eachGPU(ctx, []string{"name"}, func(device int64, g *Table, i int) {
		if names := g.Col("name"); names != nil && names.Kind == Texts && !names.IsNull(i) {
			out[device] = t.Strings.Text(names.Syms[i])
		}
	})
	return out, err
}

// eachGPU goes through what tables tell of GPUs, by the device number that activities
// carry; where several columns tell of one, the last knows best.
func (t *Trace) eachGPU(ctx context.Context, columns []string, yield func(device int64, g *Table, i int)) error {
	for _, c := range []struct{ table, id string }{{"TARGET_INFO_CUDA_GPU", "deviceId"}, {"TARGET_INFO_GPU", "deviceId"}, {"TARGET_INFO_GPU", "id"}, {"TARGET_INFO_GPU", "cuDevice"}} {
		g, err := t.Table(ctx, c.table, append([]string{c.id}, columns...)...)
		if err != nil {
			return err
		}
		ids := g.Col(c.id)
		if ids == nil {
			continue
		}
		for i, id := range ids.Ints {
			if !ids.IsNull(i) {
				yield(id, g, i)
			}
		}
	}
	return nil
}
