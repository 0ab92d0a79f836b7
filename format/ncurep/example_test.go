package ncurep_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/gpuprof/gpuprof/format/ncurep"
)

// report makes a small report.
func report() []byte {
	samples := new(ncurep.Instances)
	samples.Append(ncurep.Uint64Value(0x1000), ncurep.Uint64Value(3))
	samples.Append(ncurep.Uint64Value(0x1010), ncurep.Uint64Value(39))
	r := &ncurep.Report{
		Session: &ncurep.Session{Host: &ncurep.SystemInfo{ComputerName: ncurep.Some("login1")}},
		Results: []*ncurep.ResultData{{
			ResultHeader: ncurep.ResultHeader{DemangledName: "scale(float *)", Grid: ncurep.XYZ(64, 1, 1), Block: ncurep.XYZ(128, 1, 1)},
			Metrics: []ncurep.MetricData{
				{Name: "gpu__time_duration.sum", Value: ncurep.DoubleValue(2048)},
				{Name: "smsp__pcsamp_sample_count", Value: ncurep.Uint64Value(42), Instances: samples},
			},
		}},
	}
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		fmt.Println(err)
	}
	return b.Bytes()
}

// The metrics of a kernel launch, with the instances of one of them.
func Example() {
	f, err := ncurep.OpenBytes(report(), "scale.ncu-rep")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range f.Results {
		fmt.Println(r.DemangledName, r.GridSize(), r.BlockSize())
		ms, err := r.Metrics()
		if err != nil {
			fmt.Println(err) // and go on with what is sound
		}
		for _, m := range ms.Unique() {
			fmt.Println(" ", m.Name, m.Value)
			in, _ := m.Instances()
			for i := range in.Len() {
				pc, v := in.At(i)
				fmt.Printf("    %s: %s\n", pc, v)
			}
		}
	}
	// Output:
	// scale(float *) [64 1 1] [128 1 1]
	//   gpu__time_duration.sum 2048
	//   smsp__pcsamp_sample_count 42
	//     4096: 3
	//     4112: 39
}

// An edit takes the name of a machine out of a report and adds a metric.
func ExampleFile_Edit() {
	f, err := ncurep.OpenBytes(report(), "scale.ncu-rep")
	if err != nil {
		fmt.Println(err)
		return
	}
	e := f.Edit()
	e.Session(func(s *ncurep.Session) {
		if s.Host != nil {
			s.Host.ComputerName = ncurep.Opt[string]{}
		}
	})
	e.Result(f.Results[0]).AppendMetrics(ncurep.MetricData{Name: "derived__elements", Value: ncurep.Uint64Value(8192)})
	var b bytes.Buffer
	if _, err := e.WriteTo(&b); err != nil {
		fmt.Println(err)
	}
	g, err := ncurep.OpenBytes(b.Bytes(), "changed.ncu-rep")
	if err != nil {
		fmt.Println(err)
		return
	}
	ms, _ := g.Results[0].Metrics()
	fmt.Println(g.Session.Host.ComputerName.Or("no name"), ms.Lookup("derived__elements").Value)
	// Output: no name 8192
}

// A file that breaks off gives what precedes the end, and says so.
func ExampleFile_Problems() {
	b := report()
	f, err := ncurep.OpenBytes(b[:len(b)-10], "cut.ncu-rep")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range f.Problems() {
		fmt.Fprintln(os.Stdout, p)
	}
	fmt.Println(f.Results[0].DemangledName)
	// Output:
	// cut.ncu-rep: offset 97: expected a payload of 96 bytes, found 86 bytes before the next block or the end
	// cut.ncu-rep: offset 97: expected the size of an entry within the payload, found one that leads beyond its 86 bytes
	// cut.ncu-rep: offset 163: expected a field of 28 bytes, found 18 bytes before the end of the entry
	// scale(float *)
}
