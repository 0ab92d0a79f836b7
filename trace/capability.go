package trace

import (
	"context"
	"fmt"
)

// capabilityColumns are where tables tell what a GPU can: the device number that
// activities carry, then the numbers of the architecture of its multiprocessors.
var capabilityColumns = []struct{ table, device, major, minor string }{
	{"TARGET_INFO_GPU", "cuDevice", "smMajor", "smMinor"},
	{"TARGET_INFO_GPU", "id", "smMajor", "smMinor"},
	{"TARGET_INFO_CUDA_GPU", "deviceId", "computeCapabilityMajor", "computeCapabilityMinor"},
}

// Capabilities are the compute capabilities of the GPUs, such as "9.0", by the
// device number that activities carry; of an unknown one there is none.
func (t *Trace) Capabilities(ctx context.Context) (map[int64]string, error) {
	out := map[int64]string{}
	for _, c := range capabilityColumns {
		g, err := t.Table(ctx, c.table, c.device, c.major, c.minor)
		if err != nil {
			return nil, err
		}
		device, major, minor := g.Col(c.device), g.Col(c.major), g.Col(c.minor)
		if device == nil || major == nil || minor == nil {
			continue
		}
		for i := range g.Rows {
			if !device.IsNull(i) && !major.IsNull(i) && !minor.IsNull(i) && major.Ints[i] > 0 && out[device.Ints[i]] == "" {
				out[device.Ints[i]] = fmt.Sprintf("%d.%d", major.Ints[i], minor.Ints[i])
			}
		}
	}
	return out, nil
}
