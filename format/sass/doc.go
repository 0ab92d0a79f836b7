// Package sass decodes the instructions of NVIDIA GPUs from Volta to Hopper
// (compute capabilities 7.0, 7.5, 8.0, 8.6, 8.9 and 9.0) and writes their text as
// nvdisasm and Nsight Compute do.
//
//	d := sass.NewDecoder(80)
//	w := sass.WordAt(code)
//	fmt.Println(d.Text(w, pc, sass.Nvdisasm))   // "@!P0 IADD3 R0, R2.reuse, R4, RZ "
//	in := d.Decode(w)
//	fmt.Println(in.Mnemonic, in.Operands[1].Register, in.Control.Stall)
//
// # The word
//
// An instruction is 128 bits. The lowest 12 name the operation and the form of its
// operands; bits 12 to 15 are the guard; most operations keep a destination in bits
// 16 to 23 and sources in 24 to 31, 32 to 39 (or a constant or an immediate in 32
// to 63) and 64 to 71. Bits 105 to 124 tell the scheduler what to do ([Control]):
// they can be read of every word.
//
// # Tables
//
// What the rest means differs by operation. It was learned from pairs of words and
// texts (internal/sasslearn): a [table] says, for each operation, which pieces of
// text there are, in which order, on which bits it depends whether each is there,
// and in which bits its number stands. The grammar that the pieces are of is
// written by hand and shared by all. docs/formats/sass.md tells where the pairs
// come from and how good the tables are.
//
// A word that the table does not decide is not guessed: a bit that never varied
// differs, or a question that is known to matter has an answer that was never seen
// there. It is written as hex, and [Instruction.Known] is false.
//
// [table]: https://pkg.go.dev/github.com/gpuprof/gpuprof/format/sass/table
package sass
