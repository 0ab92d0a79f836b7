package timeline

import (
	"testing"

	"github.com/gpuprof/gpuprof/stats"
)

func TestParseTime(t *testing.T) {
	for in, want := range map[string]int64{
		"0": 0, "1234": 1234, "-5": -5, "1.5s": 1_500_000_000, "20ms": 20_000_000, "7us": 7000, "3ns": 3,
		"1s2ms3us4ns": 1_002_003_004, "2ns5us2": 5004, "1e3": 1000, "1e-3s": 1_000_000, "2E2us": 200_000, "1m": 60_000_000_000,
		"1h1min1sec": 3661_000_000_000, "9223372036854775807": 9223372036854775807, "155781294216": 155781294216,
	} {
		if got, err := stats.ParseTime(in); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "s", "1x", "1 s", "--1", "1.2.3", "nan", "inf", "1e400", "99999999999h", "1s-"} {
		if got, err := stats.ParseTime(in); err == nil {
			t.Errorf("%q is %d", in, got)
		}
	}
}
