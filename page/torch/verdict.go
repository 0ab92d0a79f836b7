package torch

import (
	"fmt"

	"github.com/gpuprof/gpuprof/memory"
	"github.com/gpuprof/gpuprof/torch"
	"github.com/gpuprof/gpuprof/view"
)

// verdict is what a page says first: its answer in a sentence of measured facts.
func verdict(format string, a ...any) view.Item {
	return view.Item{Message: &view.Message{Type: view.OK, Source: "verdict", Text: fmt.Sprintf(format, a...)}}
}

// of is a part in words, and how much of the whole it is.
func of(part, whole int64, unit string) string {
	return fmt.Sprintf("%s (%s)", view.Words(view.Int(part, unit)), view.Words(percent(part, whole)))
}

// whereTimeWent tells of the GPU that is idle longest.
func whereTimeWent(parts []torch.Breakdown) view.Item {
	worst := parts[0]
	for _, b := range parts {
		if b.Idle > worst.Idle {
			worst = b
		}
	}
	which := ""
	if len(parts) > 1 {
		which = fmt.Sprintf(", which is idle longest of %d,", len(parts))
		if parts[0].Process != parts[len(parts)-1].Process {
			which = fmt.Sprintf(" of process %d%s", worst.Process.PID(), which)
		}
	}
	alone := "For"
	if worst.Comm > 0 {
		alone = fmt.Sprintf("For %s it communicates with nothing beside it, for", of(worst.ExposedComm, worst.Total, "ns"))
	}
	return verdict("GPU %d%s computes %s of %s. %s %s it does nothing.", worst.Device, which,
		view.Words(percent(worst.Compute, worst.Total)), view.Words(view.Int(worst.Total, "ns")), alone, of(worst.Idle, worst.Total, "ns"))
}

// costliest tells of the operator that takes most time of the GPUs, or of the host
// where none has work on a GPU; ops begin with the first of these.
func costliest(ops []torch.Operator) (view.Item, bool) {
	if len(ops) == 0 {
		return view.Item{}, false
	}
	var device, host int64
	top := ops[0]
	for _, o := range ops {
		device, host = device+o.DeviceSelf, host+o.HostSelf
	}
	if device > 0 && top.Name == "" && top.DeviceSelf == device {
		return view.Item{}, false // of none it is known
	}
	if device > 0 {
		return verdict("%s takes %s of the %s of GPU work.", orBareText(top.Name), of(top.DeviceSelf, device, "ns"), view.Words(view.Int(device, "ns"))), true
	}
	for _, o := range ops {
		if o.HostSelf > top.HostSelf {
			top = o
		}
	}
	return verdict("%s takes %s of the %s of operators on the host; none launched work on a GPU.", orBareText(top.Name), of(top.HostSelf, host, "ns"), view.Words(view.Int(host, "ns"))), true
}

func orBareText(s string) string {
	if s == "" {
		return bare
	}
	return s
}

// mostHeld tells how much a GPU held, and what of its reserve is of no use.
func mostHeld(d *memory.Device) view.Item {
	at := "at the start"
	if d.Allocated.PeakEvent >= 0 {
		at = fmt.Sprintf("after event %d", d.Allocated.PeakEvent)
	}
	e := &d.End
	if e.Reserved == 0 {
		return verdict("GPU %d held at most %s, %s.", d.Device, view.Words(view.Int(d.Allocated.Peak, "byte")), at)
	}
	return verdict("GPU %d held at most %s, %s. At the end %s are reserved, of which %s are in no use.", d.Device, view.Words(view.Int(d.Allocated.Peak, "byte")), at,
		view.Words(view.Int(e.Reserved, "byte")), of(e.Inactive, e.Reserved, "byte"))
}
