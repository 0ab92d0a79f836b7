// Package torture breaks profiles in ways that a stranger would, hands them to the
// built gpuprof as whole command lines, and looks for what must not happen: a
// panic, a hang, more memory or output than the file is worth, and characters that
// a terminal obeys.
//
// The fuzz targets of the decoders flip bytes and see one function; here files stay
// sound enough to come through to the pages, because the mutations know the form:
//
//	protobuf.go  fields of messages, with the lengths around them made right again
//	sqlite.go    rows, tables and schema by SQL; pages by their layout
//	text.go      lines and fields of CSV, .atp, NVTXT and logs; tokens of JSON
//	elf.go       headers of ELF files in reports, and the DWARF in them
//	bytes.go     anything: flips, cuts, copies
//
// The same seed gives the same runs: run i of seed S is made by a generator of its
// own, so that a find can be made again alone.
//
//	go build -o /tmp/gpuprof ./cmd/gpuprof
//	go run ./internal/torture/torture -gpuprof /tmp/gpuprof -runs 5000 -seed 1
//
// Seeds are made by our own generators, with the test vectors of the formats and,
// where there is a folder of real profiles beside the checkout, its small files.
// Finds are committed in testdata/finds, where they are seeds too.
package torture
