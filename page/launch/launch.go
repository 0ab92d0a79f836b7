package launch

import (
	"fmt"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/view"
)

// The names of the columns for NVTX say how their cells are built.
const (
	pushPopColumn  = "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"
	startEndColumn = "Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"
)

// launchColumns are the columns that begin every line of the csv pages and say
// which launch the line is about. The two for NVTX are there only if any launch
// has an open range.
type launchColumns struct{ nvtx bool }

func newLaunchColumns(launches []page.Launch) (launchColumns, error) {
	for _, l := range launches {
		s, err := l.NvtxState()
		if err != nil {
			return launchColumns{}, err
		}
		if s.HasRanges() {
			return launchColumns{nvtx: true}, nil
		}
	}
	return launchColumns{}, nil
}

func (lc launchColumns) columns() []view.Column {
	names := []string{"ID", "Process ID", "Process Name", "Host Name"}
	if lc.nvtx {
		names = append(names, pushPopColumn, startEndColumn)
	}
	names = append(names, "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC")
	var out []view.Column
	for _, n := range names {
		out = append(out, view.Column{Name: n, Type: view.Text})
	}
	return out
}

func (lc launchColumns) cells(l page.Launch) []view.Value {
	out := []view.Value{view.Uint(uint64(l.ID), ""), view.Uint(uint64(l.Process.ID), ""),
		view.String(l.Process.Executable()), view.String(l.Process.Host)}
	if lc.nvtx {
		s, _ := l.NvtxState() // newLaunchColumns asked before
		out = append(out, view.String(pushPopText(s)), view.String(startEndText(s)))
	}
	return append(out, view.String(l.FullName()), view.Uint(uint64(l.Context), ""), view.Uint(uint64(l.Stream), ""),
		l.Size(l.Block), l.Size(l.Grid), view.Uint(uint64(l.Device()), ""), view.String(l.ComputeCapability()))
}

func pushPopText(s *profile.NvtxState) string {
	if !s.HasRanges() {
		return ""
	}
	text := fmt.Sprintf("%d ", s.ThreadID)
	for _, d := range s.Domains {
		for _, r := range d.PushPop {
			text += fmt.Sprintf(` "%s:%s" `, d.Name, rangeText(r))
		}
	}
	return text
}

func startEndText(s *profile.NvtxState) string {
	text := ""
	if s != nil {
		for _, d := range s.Domains {
			for _, r := range d.StartEnd {
				text += fmt.Sprintf(` "%d:%s:%s" `, r.ID, d.Name, rangeText(r))
			}
		}
	}
	return text
}

// rangeText is a range as the csv pages write it: name, payload type and value,
// colour type and value, message type and text. Only ranges without payload
// have been seen; the words for the types of payloads are a guess.
func rangeText(r profile.NvtxRange) string {
	kind, value := payload(r)
	color := "none:none"
	if r.HasColor {
		color = fmt.Sprintf("RGB:0x%08x", r.Color)
	}
	message := "none:none"
	if w := messageWord(r); w != "" {
		message = w + ":" + r.Message
	}
	return fmt.Sprintf("%s:%s:%s:%s:%s", r.Name, kind, value, color, message)
}

func messageWord(r profile.NvtxRange) string {
	switch r.MsgKind {
	case profile.NvtxMessageASCII:
		return "ASCII"
	case profile.NvtxMessageUnicode:
		return "Unicode"
	case profile.NvtxMessageRegistered:
		return "Registered"
	}
	return ""
}

func payload(r profile.NvtxRange) (kind, value string) {
	switch r.PayKind {
	case profile.NvtxPayloadUint64:
		return "ULL", fmt.Sprint(r.Payload.Uint64())
	case profile.NvtxPayloadUint32:
		return "U", fmt.Sprint(r.Payload.Uint64())
	case profile.NvtxPayloadInt64:
		return "LL", fmt.Sprint(r.Signed)
	case profile.NvtxPayloadInt32:
		return "I", fmt.Sprint(r.Signed)
	case profile.NvtxPayloadDouble:
		return "Double", fmt.Sprint(r.Payload.Double())
	case profile.NvtxPayloadFloat:
		return "Float", fmt.Sprint(r.Payload.Double())
	}
	return "none", "none"
}
