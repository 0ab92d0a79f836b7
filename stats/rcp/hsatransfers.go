package rcp

import (
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/view"
)

// An agent is an end of an HSA copy.
type agent struct{ handle, name string }

var agentColumns = texts("Source Agent Handle", "Source Agent Name", "Destination Agent Handle", "Destination Agent Name")

func (t *transfer) agentCells() []view.Value {
	return []view.Value{view.String(t.from.handle), view.String(t.from.name), view.String(t.to.handle), view.String(t.to.name)}
}

// host is the other end of a rectangular copy, whose call names one agent only.
var host = agent{"Unknown", "Host"}

// parseAgent takes "{handle=1,name=gfx900}" apart. Where there is no name, what
// there is serves as both.
func parseAgent(s string) agent {
	s = inBrackets(s)
	value := func(s string) string { return s[strings.IndexByte(s, '=')+1:] }
	handle, name, ok := strings.Cut(s, ",")
	if !ok {
		return agent{value(s), value(s)}
	}
	return agent{value(handle), value(name)}
}

// copies finds the copies of HSA.
func (a *Analysis) copies() []transfer {
	var ts []transfer
	a.each(amd.HSA, func(c *call) {
		rect := c.name == "hsa_amd_memory_async_copy_rect"
		if !rect && c.name != "hsa_amd_memory_async_copy" || a.o.Compat && c.role.name != c.name {
			return
		}
		t := transfer{thread: c.thread, index: c.index}
		if p := c.th.Copy(c.i); p != nil {
			t.start, t.end = p.Start, p.End
		}
		if a.o.Compat && t.end < t.start {
			return
		}
		x := a.text(amd.HSA, c)
		if rect {
			a.rectCopy(&t, x.args)
		} else {
			a.plainCopy(&t, x.args)
		}
		ts = append(ts, t)
	})
	return ts
}

func (a *Analysis) plainCopy(t *transfer, args []string) {
	value := func(name string, place int) string {
		if v, ok := amd.NamedArg(args, name); ok && !a.o.Compat {
			return v
		}
		if len(args) < 4 || place >= len(args) {
			return "Unknown_Agent" // of which AMD shows all but the ends
		}
		_, v, _ := strings.Cut(args[place], "=")
		return v
	}
	t.to, t.from = parseAgent(value("dst_agent", 1)), parseAgent(value("src_agent", 3))
	if !a.o.Compat {
		for _, p := range []*agent{&t.to, &t.from} {
			if p.name == "nknown_Agen" {
				*p = agent{"Unknown", "Unknown"}
			}
		}
	}
	if s, ok := amd.NamedArg(args, "size"); ok {
		t.bytes = leadingNumber(s)
	}
}

func (a *Analysis) rectCopy(t *transfer, args []string) {
	v, _ := amd.NamedArg(args, "copy_agent")
	device := parseAgent(v)
	t.from, t.to = device, host
	switch dir, _ := amd.NamedArg(args, "dir"); {
	case strings.Contains(dir, "HostToDevice"):
		t.from, t.to = host, device
	case strings.Contains(dir, "DeviceToDevice") && !a.o.Compat:
		t.to = device
	}
	size, _ := amd.NamedArg(args, "range")
	if !a.o.Compat {
		size = strings.Trim(size, "[]") // as the writer spells a pointer
	}
	if !strings.HasPrefix(size, "{") {
		return
	}
	size = strings.NewReplacer("x=", "", "y=", "", "z=", "").Replace(size)
	if d, n, ok := amd.ParseDims(size); ok && n == 3 {
		t.bytes = d[0] * d[1] * d[2]
	}
}

// leadingNumber parses the digits at the beginning of s.
func leadingNumber(s string) uint64 {
	var v uint64
	for i := 0; i < len(s) && i < 19 && s[i] >= '0' && s[i] <= '9'; i++ {
		v = v*10 + uint64(s[i]-'0')
	}
	return v
}
