// Package source tells what the metrics of a launch say about its code: a
// [Listing] has the instructions that ran and a column for each metric, block by
// block of the functions. It finds the text of source lines ([Files]) and, with
// the nvdisasm of the user's CUDA toolkit, that of instructions ([Disassembler]).
package source
