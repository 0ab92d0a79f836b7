package timeline

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/gpuprof/gpuprof/occupancy"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// occupancyFact is how much of a multiprocessor the blocks of a kernel can fill and
// what limits them, reckoned from the facts of its row; none where these do not
// tell block and registers, or the GPU is not known.
func (x *Index) occupancyFact(ctx context.Context, facts []trace.Fact) ([]trace.Fact, error) {
	k, device := occupancy.Kernel{Group: 1}, int64(-1)
	for _, f := range facts {
		n := int(min(max(f.Number, 0), math.MaxInt32))
		switch f.Name {
		case "deviceId":
			device = f.Number
		case "block":
			var bx, by, bz int
			if got, _ := fmt.Sscan(f.Text, &bx, &by, &bz); got != 3 || min(bx, by, bz) < 1 || max(bx, by, bz) > 1024 {
				return nil, nil
			}
			k.Group = bx * by * bz
		case "registersPerThread":
			k.VGPRs = n
		case "staticSharedMemory", "dynamicSharedMemory":
			k.LDS += n
		case "sharedMemoryExecuted":
			k.SharedConfig = n
		}
	}
	if k.VGPRs == 0 {
		return nil, nil
	}
	capabilities, err := x.tr.Capabilities(ctx)
	if err != nil || capabilities[device] == "" {
		return nil, err
	}
	d, err := occupancy.Lookup(capabilities[device])
	if err != nil {
		return nil, nil // a GPU that the calculator has not
	}
	l, err := d.Limits(k)
	if err != nil {
		return nil, nil // what cannot have run so
	}
	var by []string
	for _, r := range l.Limiting() {
		by = append(by, strings.ToLower(d.Word(r)))
	}
	text := view.Words(view.Float(float64(l.Percent()), "%"))
	if len(by) > 0 {
		text += ", limited by " + strings.Join(by, ", ")
	}
	return []trace.Fact{{Name: "theoreticalOccupancy", Text: text, IsText: true}}, nil
}
