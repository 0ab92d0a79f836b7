package rocm

// An agentPlace is how files may name an agent without its number.
type agentPlace struct {
	process int
	kind    uint64 // relativeGPU, relativeCPU; 0: among all of the process
	index   uint64
}

// resolveAgents turns agents that were counted among those of their type, or among
// those that a process sees, into those of their numbers.
func (s *Session) resolveAgents() {
	at, seen := map[agentPlace]uint64{}, map[int]uint64{}
	for _, a := range s.Agents {
		kind := uint64(relativeCPU)
		if a.GPU {
			kind = relativeGPU
		}
		at[agentPlace{a.Process, kind, uint64(a.Index)}] = a.ID
		at[agentPlace{a.Process, 0, seen[a.Process]}] = a.ID
		seen[a.Process]++
	}
	counted := s.countedAgents(seen)
	s.eachAgent(func(process int, id *uint64) {
		p := agentPlace{process, *id & (relativeGPU | relativeCPU), *id &^ (relativeGPU | relativeCPU)}
		switch real, ok := at[p]; {
		case *id >= 1<<63, p.kind == 0 && !counted[process]:
		case ok:
			*id = real
		default:
			*id = p.index
		}
	})
}

// countedAgents are the processes whose agents are counted from 0, as the profiler
// does on demand: a number that they use is none of an agent, and none is above
// their count.
func (s *Session) countedAgents(seen map[int]uint64) map[int]bool {
	type agent struct {
		process int
		id      uint64
	}
	known, out, above := map[agent]bool{}, map[int]bool{}, map[int]bool{}
	for _, a := range s.Agents {
		known[agent{a.Process, a.ID}] = true
	}
	s.eachAgent(func(process int, id *uint64) {
		switch {
		case *id >= relativeCPU:
		case *id >= seen[process]:
			above[process] = true
		case !known[agent{process, *id}]:
			out[process] = true
		}
	})
	for p := range above {
		delete(out, p)
	}
	return out
}

// eachAgent calls f with each mention of an agent.
func (s *Session) eachAgent(f func(process int, id *uint64)) {
	for i := range s.Dispatches {
		f(s.Dispatches[i].Process, &s.Dispatches[i].Agent)
	}
	for i := range s.Copies {
		f(s.Copies[i].Process, &s.Copies[i].From)
		f(s.Copies[i].Process, &s.Copies[i].To)
	}
	for i := range s.Allocations {
		f(s.Allocations[i].Process, &s.Allocations[i].Agent)
	}
}
