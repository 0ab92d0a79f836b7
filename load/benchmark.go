package load

import (
	"io"

	"github.com/gpuprof/gpuprof/format/benchjson"
)

// openBenchmarks reads what a benchmark program left.
func openBenchmarks(f *File) error {
	b, err := benchjson.Read(io.NewSectionReader(f.in, 0, f.Size), f.Name)
	if err != nil {
		return err
	}
	f.Benchmarks = b
	f.Format = "results of " + string(b.Tool)
	for _, p := range b.Problems {
		f.problems = append(f.problems, f.Name+": "+p)
	}
	return nil
}
