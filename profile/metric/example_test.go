package metric_test

import (
	"fmt"

	"github.com/gpuprof/gpuprof/profile/metric"
)

func Example() {
	const name = "dram__bytes_read.sum.per_second"
	info := metric.Lookup(name)
	fmt.Println(info.Unit, info.Type, info.Rollup)

	v := metric.Double(614781108083.56) // as the report stores it
	scale := info.Unit.Auto(v.Double())
	fmt.Printf("%s %s\n", metric.Compact.Append(nil, v, scale), scale.UnitString(metric.Current))
	// Output:
	// byte_per_second counter sum
	// 614.78 Gbyte/s
}
