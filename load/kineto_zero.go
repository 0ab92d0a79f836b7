package load

import (
	"fmt"
	"math"
	"time"

	"github.com/gpuprof/gpuprof/format/kineto"
)

// longBefore is how long before all others an event at time 0 has to be for its time to
// count as not known.
const longBefore = int64(time.Hour)

// placeUntimed moves slices at time 0 to the first time of the others, where that is
// hours later: profilers write 0 for a time that they do not know or that is before the
// base, and one such slice makes a trace of months of one of seconds. It says what it did;
// "" where there are none.
func placeUntimed(k *kineto.Trace) string {
	a := &kinetoAdapter{k: k}
	first, untimed := int64(math.MaxInt64), 0
	for _, s := range a.slices() {
		for i := range s.Rows() {
			switch at := s.Start.At(i); {
			case at == 0:
				untimed++
			default:
				first = min(first, at)
			}
		}
	}
	if untimed == 0 || first == math.MaxInt64 || first < longBefore {
		return ""
	}
	for _, s := range a.slices() {
		for i := range s.Rows() {
			if s.Start.At(i) == 0 {
				s.Start.Set(i, first)
			}
		}
	}
	return fmt.Sprintf("expected times near each other, found time 0 in %d slices, %s before all others: their time is not known, and they stand at the beginning",
		untimed, time.Duration(first).Round(time.Hour))
}
