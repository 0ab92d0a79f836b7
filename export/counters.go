package export

import (
	"cmp"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// A counter is a track of samples.
type counter struct {
	id     uint64
	group  string // what is counted: a GPU, an adapter
	device int64  // of the group, to keep apart those of the same name
	name   string
	quoted []byte // for the sink
}

func hashOf(k trace.CounterKey) uint64 {
	return uint64(k.Device) + uint64(k.List)*3 + uint64(k.Metric)*5
}

// counters hands over the counters of a table.
func (w *walker) counters(s trace.SampledTable) error {
	name, err := w.tr.CounterNames(w.ctx, s)
	if err != nil {
		return err
	}
	st := newStream[trace.CounterKey](w.held)
	all := map[trace.CounterKey]*counter{}
	err = w.tr.Samples(w.ctx, s, func(k trace.CounterKey, at, _ int64) { st.note(st.line(k, hashOf(k)), at) })
	if err != nil {
		return err
	}
	st.seal()
	keys := slices.SortedFunc(slices.Values(st.keys), func(a, b trace.CounterKey) int {
		return cmp.Or(cmp.Compare(a.Device, b.Device), cmp.Compare(a.List, b.List), cmp.Compare(a.Metric, b.Metric))
	})
	for _, k := range keys {
		w.next++
		c := &counter{id: w.next, group: s.Label, device: k.Device, name: name(k)}
		all[k] = c
		if err := w.out.counter(c); err != nil {
			return err
		}
	}
	emit := func(k int32, rows []row) error {
		c := all[st.keys[k]]
		if c == nil { // not there when the table was read first: the file changed
			return nil
		}
		for _, r := range rows {
			if err := w.out.sample(c, r.at, int64(r.more)); err != nil {
				return err
			}
		}
		return w.ctx.Err()
	}
	var failed error
	err = w.tr.Samples(w.ctx, s, func(k trace.CounterKey, at, v int64) {
		if st.add(st.line(k, hashOf(k)), row{at: at, more: uint64(v)}); failed == nil && st.full() {
			failed = st.flush(false, emit)
		}
	})
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	return st.flush(true, emit)
}
