package memory

import "github.com/gpuprof/gpuprof/format/torchmem"

// A Level is how much is allocated (bytes asked for) and reserved after an event.
type Level struct {
	Row                 int // of Snapshot.Events
	Allocated, Reserved int64
}

// Levels yields the number of each event of a device and the level after it.
func (d *Device) Levels(s *torchmem.Snapshot) func(yield func(event int, l Level) bool) {
	return func(yield func(event int, l Level) bool) {
		if d.Device >= len(s.Traces) {
			return
		}
		e := &s.Events
		l := Level{Allocated: d.Allocated.Start, Reserved: d.Reserved.Start}
		live := map[uint64]int64{}
		for i, row := range s.Traces[d.Device].Rows {
			size, address := e.Size.At(row), e.Address.At(row)
			switch a := e.Action.At(row); a {
			case torchmem.Alloc:
				live[address] = size
				l.Allocated += size
			case torchmem.FreeCompleted, torchmem.Free:
				old, ok := live[address]
				if !ok {
					old = size
				}
				delete(live, address)
				l.Allocated -= old
			default:
				l.Reserved += sign(a) * size
			}
			l.Row = row
			if !yield(i, l) {
				return
			}
		}
	}
}

// LiveAt is what lived on a device when an event of it was over, by stack; -1 is
// the start.
func LiveAt(s *torchmem.Snapshot, device, event int) []Use {
	return liveAt(s, device, event, &s.Events.Stack)
}

// CategoriesAt is the same by the category that the profiler of PyTorch gave the
// allocations (parameter, gradient, activation, …); a Use's Stack is then a number
// of Snapshot.Texts. It is empty where the snapshot is not the profiler's.
func CategoriesAt(s *torchmem.Snapshot, device, event int) []Use {
	if !s.Events.Category.Has() {
		return nil
	}
	out := liveAt(s, device, event, &s.Events.Category)
	for _, u := range out {
		if u.Stack > 0 && s.Texts[u.Stack] != "" {
			return out
		}
	}
	return nil
}

func liveAt(s *torchmem.Snapshot, device, event int, group *torchmem.Column[uint32]) []Use {
	for _, r := range replays(s) {
		if r.dev.Device == device {
			r.run()
			return r.liveAt(event, group)
		}
	}
	return nil
}
