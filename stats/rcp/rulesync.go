package rcp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
)

// syncs judges waits of the host by the command that comes next: a wait for the
// command before it on an in-order queue was not needed, unless that command
// gave something to the host.
type syncs struct {
	a       *Analysis
	f       *findings
	queues  map[string]*syncQueue
	pending []wait
}

type syncQueue struct {
	refs  int
	order bool // runs commands in order
	last  *lastCommand
}

type lastCommand struct {
	event     string
	noOverlap bool
}

type wait struct {
	site site
	api  string // by which the rule knows it
	text text
}

// synchronizations reports waits that the order of commands made needless.
func (a *Analysis) synchronizations() (*findings, rule) {
	f := &findings{rule: "SyncAnalyzer"}
	if !a.on(f.rule) {
		return nil, rule{}
	}
	s := &syncs{a: a, f: f, queues: map[string]*syncQueue{}}
	return f, rule{func(r *role) bool {
		return r.sync || r.queue || r.enqueues || r.name == "clReleaseCommandQueue" || r.name == "clRetainCommandQueue"
	}, s.visit}
}

func (s *syncs) visit(c *call) {
	kind := kindOf(c.name)
	switch {
	case c.role.sync:
		x := s.a.text(amd.OpenCL, c)
		if (c.role.name != "clGetEventInfo" || x.repeat) && (s.a.o.Compat || x.result == "CL_SUCCESS") {
			x.args = slices.Clone(x.args)
			s.pending = append(s.pending, wait{c.site, c.role.name, x})
		}
	case c.role.queue:
		x := s.a.text(amd.OpenCL, c)
		order := s.a.o.Compat || len(x.args) < 3 || !strings.Contains(x.args[2], "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE")
		s.queues[x.result] = &syncQueue{refs: 1, order: order}
	case c.role.name == "clReleaseCommandQueue", c.role.name == "clRetainCommandQueue":
		x := s.a.text(amd.OpenCL, c)
		if q := s.queues[x.all]; q != nil && c.role.retains {
			q.refs++
		} else if q != nil {
			if q.refs--; q.refs == 0 {
				delete(s.queues, x.all)
			}
		}
	case s.a.o.Compat && (kind == kernelCommand || kind == memoryCommand):
		s.compatCommand(c)
	case !s.a.o.Compat && c.role.enqueues:
		s.command(c)
	}
}

// compatCommand judges all waits so far by the next command of any queue, as AMD
// does.
func (s *syncs) compatCommand(c *call) {
	var q *syncQueue
	if e := s.a.enqueue(c); e != nil {
		q = s.queues[e.Queue]
	}
	var last *lastCommand
	if q != nil {
		last = q.last
		q.last = &lastCommand{event: eventOf(c.role, s.a.text(amd.OpenCL, c).args), noOverlap: c.role.noOverlap}
	}
	for i := range s.pending {
		w := &s.pending[i]
		if last == nil || last.noOverlap {
			continue
		}
		if w.api != "clWaitForEvents" {
			s.report(w.site)
			continue
		}
		for _, h := range awaited(w.text.args) {
			if last.event != "" && last.event != "NULL" && h == last.event {
				s.report(w.site)
			}
		}
	}
	s.pending = s.pending[:0]
}

// command judges the waits for its own queue. A wait for another queue stays
// until that queue's next command.
func (s *syncs) command(c *call) {
	x := s.a.text(amd.OpenCL, c)
	q := s.queues[first(x.args)]
	if q == nil || x.result != "CL_SUCCESS" && !strings.HasPrefix(x.result, "0x") {
		return
	}
	last := q.last
	q.last = &lastCommand{event: eventOf(c.role, x.args), noOverlap: c.role.noOverlap}
	kept := s.pending[:0]
	for _, w := range s.pending {
		mine, needless := w.judge(first(x.args), last)
		switch {
		case !mine:
			kept = append(kept, w)
		case needless && q.order:
			s.report(w.site)
		}
	}
	s.pending = kept
}

// judge tells whether a wait is one for the given queue, and whether it waited
// for nothing but its last command.
func (w *wait) judge(queue string, last *lastCommand) (mine, needless bool) {
	if w.api == "clFinish" {
		mine = w.text.all == queue
		return mine, mine && last != nil && !last.noOverlap
	}
	if last == nil || last.event == "" || last.event == "NULL" {
		return false, false
	}
	handles := awaited(w.text.args)
	if w.api == "clGetEventInfo" {
		handles = w.text.args[:min(1, len(w.text.args))]
	}
	for _, h := range handles {
		if h == last.event {
			return true, len(handles) == 1 && !last.noOverlap
		}
	}
	return false, false
}

// awaited are the events of a clWaitForEvents.
func awaited(args []string) []string {
	if len(args) != 2 || args[1] == "NULL" || len(args[1]) <= 2 {
		return nil
	}
	handles := strings.Split(inBrackets(args[1]), ",")
	if n, err := strconv.Atoi(args[0]); err != nil || n != len(handles) {
		return nil
	}
	return handles
}

func (s *syncs) report(x site) {
	s.f.add(x, isAdvice, "Redundant synchronization detected. Synchronization API = "+x.name)
}
