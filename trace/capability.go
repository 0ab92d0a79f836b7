package trace

import (
	"context"
	"fmt"
)

// Capabilities are the compute capabilities of the GPUs, such as "9.0", by the
// device number that activities carry; of an unknown one there is none.
func (t *Trace) Capabilities(ctx context.Context) (map[int64]string, error) {
	out := map[int64]string{}
	pairs := [][2]string{{"smMajor", "smMinor"}, {"computeCapabilityMajor", "computeCapabilityMinor"}} // now, and in exports of 2021
	err := t.eachGPU(ctx, []string{pairs[0][0], pairs[0][1], pairs[1][0], pairs[1][1]}, func(device int64, g *Table, i int) {
		for _, p := range pairs {
			if g.IsNull(p[0], i) || g.IsNull(p[1], i) {
				continue
			}
			if major, minor := g.Ints(p[0])[i], g.Ints(p[1])[i]; major > 0 { // 0 for texts, too
				out[device] = fmt.Sprintf("%d.%d", major, minor)
			}
		}
	})
	return out, err
}
