package page

import (
	"regexp"

	"github.com/gpuprof/gpuprof/steps"
)

// StepOptions say what is a step and what is communication.
var StepOptions = []Option{
	{Name: "step-range", Remote: true, Kind: Text, Arg: "REGEX", Help: "steps are the NVTX ranges whose text matches"},
	{Name: "steps", Remote: true, Kind: Count, Arg: "N", Help: "take the first N steps only"},
	{Name: "step-window", Remote: true, Kind: Choice, Values: []string{"gpu", "cpu"}, Default: "gpu", Help: "gpu: a step goes from its first work on the device to that of the next; cpu: as its range does"},
	{Name: "comm-kernels", Remote: true, Kind: List, Arg: "PARTS", Help: "kernels whose names contain one of these communicate, too"},
	{Name: "peer-copies", Remote: true, Kind: Flag, Help: "count copies from device to device as communication, as collectives by copy engines are"},
}

// StepChoice is what StepOptions ask for.
func (q *Request) StepChoice() (*steps.Options, error) {
	o := &steps.Options{Communication: q.List("comm-kernels"), PeerCopies: q.Flag("peer-copies"), Most: q.Count("steps"), HostWindows: q.Text("step-window") == "cpu"}
	if s := q.Text("step-range"); s != "" {
		re, err := regexp.Compile(s)
		if err != nil {
			return nil, Usagef("--step-range: %v", err)
		}
		o.Range = re
	}
	return o, nil
}
