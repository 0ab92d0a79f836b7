package amd

import "strings"

// A Packet is what an HSA queue processed: a line of the kernel section.
type Packet struct {
	Line int // in the file

	// Of kernel dispatches only.
	Dispatch bool
	Kernel   string // name, with &nbsp; and &comma; for blanks and commas; see Unescape
	Object   string // handle
	Start    uint64 // ns
	End      uint64 // ns

	Agent       string
	AgentHandle string
	QueueIndex  string // from format 3.2 on
	Queue       string // handle; from 5.x on the index of the GPU
	Type        string // HSA_PACKET_TYPE_…
	ID          string
	Dump        string // fields of the packet

	damaged string // the line, where not all was understood
}

const packetPrefix = "HSA_PACKET_TYPE_"

// parsePacket parses a line of the kernel section. The place of the packet's
// type tells how many fields go before it: four of a kernel, two of the agent,
// one or two of the queue.
func parsePacket(line string, indexed bool) (Packet, *fault) {
	var tok [16]string
	n, i, typ := 0, 0, -1
	ends := [16]int{}
	for ; n < len(tok); n++ {
		if tok[n], i = field(line, i); tok[n] == "" {
			break
		}
		ends[n] = i
		if strings.HasPrefix(tok[n], packetPrefix) && typ < 0 {
			typ = n
		}
		if typ >= 0 && n > typ {
			n++
			break
		}
	}
	p := Packet{}
	head := tok[:n]
	rest := ""
	if typ >= 0 {
		head = tok[:typ]
		p.Type = tok[typ]
		p.ID = tok[typ+1]
		rest = trim(line[ends[max(n-1, typ)]:])
	}
	start, ok0 := number(tok[2])
	end, ok1 := number(tok[3])
	if p.Dispatch = ok0 && ok1 && len(head) >= 6 && !barrier(p.Type); p.Dispatch {
		p.Kernel, p.Object, p.Start, p.End = tok[0], tok[1], start, end
		head = head[4:]
	}
	if len(head) < 2 || p.Type == "" && !p.Dispatch || len(head) > 4 {
		p.damaged = line
		return p, &fault{"a packet of an HSA queue", quote(line)}
	}
	p.Agent, p.AgentHandle = head[0], head[1]
	switch queue := head[2:]; {
	case len(queue) == 2:
		p.QueueIndex, p.Queue = queue[0], queue[1]
	case len(queue) == 1 && indexed && !strings.HasPrefix(queue[0], "0x"):
		p.QueueIndex = queue[0]
	case len(queue) == 1:
		p.Queue = queue[0]
	}
	p.Dump = rest
	return p, nil
}

func barrier(typ string) bool {
	return strings.HasPrefix(typ, packetPrefix) && !strings.HasSuffix(typ, "KERNEL_DISPATCH")
}
