package rocm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// The parts of a rocprofv3 JSON file that are read.
type (
	handle struct {
		Handle uint64 `json:"handle"`
	}
	dims struct {
		X, Y, Z uint64
	}
	jsonAgent struct {
		ID      handle `json:"id"`
		Type    int    `json:"type"` // 1 CPU, 2 GPU
		Name    string `json:"name"`
		Product string `json:"product_name"`
		Index   int    `json:"logical_node_type_id"`
		CUs     uint32 `json:"cu_count"`
		Wave    uint32 `json:"wave_front_size"`
		LDS     uint32 `json:"lds_size_in_kb"`
		Clock   uint32 `json:"max_engine_clk_fcompute"`
	}
	jsonKernel struct {
		ID        uint64 `json:"kernel_id"`
		Name      string `json:"kernel_name"`
		Formatted string `json:"formatted_kernel_name"`
		Demangled string `json:"demangled_kernel_name"`
		SGPRs     int64  `json:"sgpr_count"`
		VGPRs     int64  `json:"arch_vgpr_count"`
		AGPRs     int64  `json:"accum_vgpr_count"`
	}
	jsonRecord struct {
		Kind        int    `json:"kind"`
		Operation   int    `json:"operation"`
		TID         uint64 `json:"thread_id"`
		Correlation struct {
			Internal uint64 `json:"internal"`
		} `json:"correlation_id"`
		Start    uint64       `json:"start_timestamp"`
		End      uint64       `json:"end_timestamp"`
		Dispatch jsonDispatch `json:"dispatch_info"`
		Stream   handle       `json:"stream_id"`
		From     handle       `json:"src_agent_id"`
		To       handle       `json:"dst_agent_id"`
		Bytes    *int64       `json:"bytes"`
		Agent    handle       `json:"agent_id"`
		Size     *int64       `json:"allocation_size"`
		Address  any          `json:"address"`
	}
	jsonDispatch struct {
		Agent   handle `json:"agent_id"`
		Queue   handle `json:"queue_id"`
		Kernel  uint64 `json:"kernel_id"`
		ID      uint64 `json:"dispatch_id"`
		Scratch int64  `json:"private_segment_size"`
		LDS     int64  `json:"group_segment_size"`
		Group   dims   `json:"workgroup_size"`
		Grid    dims   `json:"grid_size"`
	}
	jsonCounts struct {
		Data struct {
			Info        jsonDispatch `json:"dispatch_info"`
			Start       uint64       `json:"start_timestamp"`
			End         uint64       `json:"end_timestamp"`
			Correlation struct {
				Internal uint64 `json:"internal"`
			} `json:"correlation_id"`
		} `json:"dispatch_data"`
		TID     uint64 `json:"thread_id"`
		Records []struct {
			ID    handle  `json:"counter_id"`
			Value float64 `json:"value"`
		} `json:"records"`
	}
	jsonCounter struct {
		ID   handle `json:"id"`
		Name string `json:"name"`
	}
	jsonStrings struct {
		Buffer []struct {
			Kind       string   `json:"kind"`
			Operations []string `json:"operations"`
		} `json:"buffer_records"`
		Markers []struct {
			Key   uint64 `json:"key"`
			Value string `json:"value"`
		} `json:"marker_api"`
	}
)

// process is a profiled process while its part of the file is read. Names stand
// in tables that may come later, so they are resolved at the end.
type process struct {
	at          int // among the processes of the session
	pid         uint64
	kernels     map[uint64]*jsonKernel
	strings     jsonStrings
	counters    map[uint64]string
	dispatch    []pending // kernel of each dispatch of this process
	calls       []pendingCall
	copies      []pendingCall
	allocations []pendingCall
	counts      []pendingCount
}

type pending struct {
	dispatch int
	kernel   uint64
}

type pendingCall struct {
	at, kind, operation int
	correlation         uint64
}

type pendingCount struct {
	at int
	id uint64
}

// jsonReader walks a file token by token.
type jsonReader struct {
	s     *Session
	guard *guard
	d     *json.Decoder
	ctx   context.Context
	p     *process
}

func (s *Session) readJSON(ctx context.Context, in io.Reader) error {
	g := &guard{r: in, left: maxValue}
	r := &jsonReader{s: s, guard: g, d: json.NewDecoder(bufio.NewReaderSize(g, 1<<20)), ctx: ctx}
	found := false
	err := r.object(func(key string) error {
		if key != "rocprofiler-sdk-tool" {
			return r.skip()
		}
		found = true
		return r.array(r.process)
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !found && err == nil:
		return &FormatError{File: s.Name, Line: 1, Want: `an object with "rocprofiler-sdk-tool"`, Found: "another object", Err: ErrUnknown}
	case !found:
		return &FormatError{File: s.Name, Offset: r.d.InputOffset(), Want: `an object with "rocprofiler-sdk-tool"`, Found: err.Error(), Err: ErrUnknown}
	case err != nil:
		// Cut or broken: what was read stays.
		cause := cursor.ErrCorrupt
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			cause = cursor.ErrTruncated
		case errors.Is(err, ErrTooLarge):
			cause = ErrTooLarge
		}
		if !errors.Is(err, errFull) { // which has been told
			s.problem(FormatError{Offset: r.d.InputOffset(), Want: "the rest of the JSON text", Found: err.Error(), Err: cause})
		}
		if r.p != nil {
			r.p.resolve(s)
		}
	}
	return nil
}

// object calls f with each key; f reads the value.
func (r *jsonReader) object(f func(key string) error) error {
	t, err := r.d.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return fmt.Errorf("expected an object, found %v", t)
	}
	for r.d.More() {
		k, err := r.d.Token()
		if err != nil {
			return err
		}
		key, _ := k.(string)
		r.guard.left = maxValue
		if err := f(key); err != nil {
			return err
		}
	}
	_, err = r.d.Token()
	return err
}

// array calls f before each element; f reads it.
func (r *jsonReader) array(f func() error) error {
	t, err := r.d.Token()
	if err != nil || t == nil { // null
		return err
	}
	if t != json.Delim('[') {
		return fmt.Errorf("expected a list, found %v", t)
	}
	for n := 0; r.d.More(); n++ {
		if n&0xfff == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		r.guard.left = maxValue
		if err := f(); err != nil {
			return err
		}
		if r.s.full {
			return errFull
		}
	}
	_, err = r.d.Token()
	return err
}

// skip passes over a value, and keeps none of it.
func (r *jsonReader) skip() error {
	for depth := 0; ; {
		r.guard.left = maxValue
		t, err := r.d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// decode reads a value. One of another type than expected is a problem, and
// what follows it is read on.
func (r *jsonReader) decode(v any) (ok bool, err error) {
	err = r.d.Decode(v)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		r.s.problem(FormatError{Offset: r.d.InputOffset(), Want: "a value of type " + wrong.Type.String() + " for " + wrong.Field, Found: wrong.Value, Err: cursor.ErrCorrupt})
		return false, nil
	}
	return err == nil, err
}

func (r *jsonReader) process() error {
	if !r.s.take(symbolTakes) {
		return nil
	}
	p := &process{at: len(r.s.Processes), kernels: map[uint64]*jsonKernel{}, counters: map[uint64]string{}}
	r.p = p
	r.s.Processes = append(r.s.Processes, Process{})
	err := r.object(func(key string) error {
		switch key {
		case "metadata":
			var m struct {
				PID uint64 `json:"pid"`
			}
			_, err := r.decode(&m)
			p.pid, r.s.Processes[p.at].PID = m.PID, m.PID
			return err
		case "agents":
			return r.array(r.agent)
		case "counters":
			return r.array(func() error {
				var c jsonCounter
				if _, err := r.decode(&c); err != nil || !r.s.take(symbolTakes) {
					return err
				}
				p.counters[c.ID.Handle] = c.Name
				return nil
			})
		case "strings":
			_, err := r.decode(&p.strings)
			return err
		case "kernel_symbols":
			return r.array(func() error {
				k := &jsonKernel{}
				if _, err := r.decode(k); err != nil || !r.s.take(symbolTakes) {
					return err
				}
				p.kernels[k.ID] = k
				return nil
			})
		case "callback_records":
			return r.object(func(key string) error {
				if key == "counter_collection" {
					return r.array(r.counts)
				}
				return r.skip()
			})
		case "buffer_records":
			return r.object(func(key string) error { return r.records(key) })
		}
		return r.skip()
	})
	if err == nil {
		p.resolve(r.s)
		r.p = nil
	}
	return err
}

func (r *jsonReader) agent() error {
	var a jsonAgent
	ok, err := r.decode(&a)
	if ok && r.s.take(symbolTakes) {
		r.s.Agents = append(r.s.Agents, Agent{Process: r.p.at, ID: a.ID.Handle, Index: a.Index, GPU: a.Type == 2, Name: a.Name, Product: a.Product,
			CUs: a.CUs, Wave: a.Wave, LDS: a.LDS, Clock: a.Clock})
	}
	return err
}

// records reads a list of buffer_records by its name.
func (r *jsonReader) records(key string) error {
	return r.array(func() error {
		var x jsonRecord
		ok, err := r.decode(&x)
		if !ok {
			return err
		}
		p, s := r.p, r.s
		switch {
		case !s.take(dispatchTakes): // of the largest
		case key == "kernel_dispatch":
			s.Dispatches = append(s.Dispatches, x.Dispatch.dispatch(p, x.TID, x.Correlation.Internal, x.Start, x.End, x.Stream.Handle))
			p.dispatch = append(p.dispatch, pending{len(s.Dispatches) - 1, x.Dispatch.Kernel})
		case key == "memory_copy":
			c := Copy{Process: p.at, PID: p.pid, From: x.From.Handle, To: x.To.Handle, Bytes: -1, Correlation: x.Correlation.Internal, Start: x.Start, End: x.End}
			if x.Bytes != nil {
				c.Bytes = *x.Bytes
			}
			s.Copies = append(s.Copies, c)
			p.copies = append(p.copies, pendingCall{len(s.Copies) - 1, x.Kind, x.Operation, x.Correlation.Internal})
		case key == "memory_allocation" || key == "scratch_memory":
			a := Allocation{Process: p.at, Agent: x.Agent.Handle, HasAgent: x.Agent.Handle != 0, Bytes: -1, PID: p.pid, TID: x.TID, Correlation: x.Correlation.Internal, Start: x.Start, End: x.End}
			if x.Size != nil {
				a.Bytes = *x.Size
			}
			switch v := x.Address.(type) {
			case float64:
				a.Address = uint64(max(v, 0))
			case string:
				a.Address, _ = strconv.ParseUint(v, 0, 64)
			}
			s.Allocations = append(s.Allocations, a)
			p.allocations = append(p.allocations, pendingCall{len(s.Allocations) - 1, x.Kind, x.Operation, x.Correlation.Internal})
		case strings.HasSuffix(key, "_api"):
			s.Calls = append(s.Calls, Call{Process: p.at, Domain: strings.ToUpper(key), PID: p.pid, TID: x.TID, Correlation: x.Correlation.Internal, Start: x.Start, End: x.End})
			p.calls = append(p.calls, pendingCall{len(s.Calls) - 1, x.Kind, x.Operation, x.Correlation.Internal})
		}
		return nil
	})
}

func (j *jsonDispatch) dispatch(p *process, tid, correlation, start, end, stream uint64) Dispatch {
	return Dispatch{Process: p.at, ID: j.ID, Agent: j.Agent.Handle, Queue: j.Queue.Handle, Stream: stream, PID: p.pid, TID: tid, Correlation: correlation,
		Start: start, End: end, Grid: [3]uint64{j.Grid.X, j.Grid.Y, j.Grid.Z}, Group: [3]uint64{j.Group.X, j.Group.Y, j.Group.Z},
		LDS: j.LDS, Scratch: j.Scratch, VGPRs: -1, AGPRs: -1, SGPRs: -1}
}

// counts reads the counters of a dispatch.
func (r *jsonReader) counts() error {
	var c jsonCounts
	ok, err := r.decode(&c)
	if !ok {
		return err
	}
	if !r.s.take(dispatchTakes + counterTakes*int64(len(c.Records))) {
		return nil
	}
	d := &c.Data
	r.s.Dispatches = append(r.s.Dispatches, d.Info.dispatch(r.p, c.TID, d.Correlation.Internal, d.Start, d.End, 0))
	r.p.dispatch = append(r.p.dispatch, pending{len(r.s.Dispatches) - 1, d.Info.Kernel})
	for _, v := range c.Records {
		r.s.Counters = append(r.s.Counters, Counter{Process: r.p.at, Dispatch: d.Info.ID, Value: v.Value})
		r.p.counts = append(r.p.counts, pendingCount{len(r.s.Counters) - 1, v.ID.Handle})
	}
	return nil
}

// resolve fills in names.
func (p *process) resolve(s *Session) {
	for _, x := range p.dispatch {
		k := p.kernels[x.kernel]
		if k == nil {
			continue
		}
		d := &s.Dispatches[x.dispatch]
		for _, name := range []string{k.Formatted, k.Demangled, k.Name} {
			if name != "" {
				d.Kernel = name
				break
			}
		}
		d.VGPRs, d.AGPRs, d.SGPRs = k.VGPRs, k.AGPRs, k.SGPRs
	}
	operation := func(kind, op int) string {
		if kind >= 0 && kind < len(p.strings.Buffer) {
			if ops := p.strings.Buffer[kind].Operations; op >= 0 && op < len(ops) {
				return ops[op]
			}
		}
		return ""
	}
	markers := map[uint64]string{}
	for _, m := range p.strings.Markers {
		markers[m.Key] = m.Value
	}
	for _, c := range p.calls {
		s.Calls[c.at].Name = operation(c.kind, c.operation)
		if c.kind >= 0 && c.kind < len(p.strings.Buffer) && p.strings.Buffer[c.kind].Kind != "" {
			s.Calls[c.at].Domain = p.strings.Buffer[c.kind].Kind
		}
		if m, ok := markers[c.correlation]; ok && strings.HasPrefix(s.Calls[c.at].Domain, "MARKER") {
			s.Calls[c.at].Name = m
		}
	}
	for _, a := range p.allocations {
		s.Allocations[a.at].Operation, s.Allocations[a.at].Level = allocationOf(operation(a.kind, a.operation))
	}
	for _, c := range p.copies {
		s.Copies[c.at].Direction = operation(c.kind, c.operation)
	}
	for _, c := range p.counts {
		// The low bits of a record's id tell the instance of the counter.
		name := p.counters[c.id]
		if name == "" {
			name = p.counters[c.id>>48<<48]
		}
		s.Counters[c.at].Name = name
	}
}
