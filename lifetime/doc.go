// Package lifetime computes how long data live in the memories of a GPU or an
// accelerator, from the accesses that a simulator logged, and what a memory made
// of other devices would take: refreshes, area, energy.
//
// # What a lifetime is
//
// Memory is divided into blocks (32 bytes). Each unit of a level, such as the L1
// of one SM, is a memory of its own. Within a kernel, data in a block
//
//   - begin with a store to the block, or with a fill: the block's first access, or
//     a miss on a block that is known to have arrived;
//   - end with the next store or fill, or with the kernel ([AtKernelEnd]); or with
//     the last read before that ([AtLastRead]).
//
// Two habits of simulators' logs would spoil this. An access for which there is no
// room is printed again every cycle with status RESERVATION_FAIL: such lines count
// for nothing. And an access that joins a miss already under way is printed as a
// MISS although nothing is filled: a miss within [Options].MergeWindow cycles of a
// fill, with no hit in between, is taken for one of those. Both rules are checked
// against the simulator's own counters where the log holds them
// (KernelResult.reconcile).
//
// # The way through the package
//
// [Run] is the engine: it reads a [simlog.Source] and gives each kernel's lifetimes
// ([Row]) and counts ([KernelResult]) to a [Sink]. Lifetimes are counted by length in
// a [Distribution], which is exact, so that quantiles, shares and refreshes at any
// retention time follow without keeping the lifetimes.
//
// [Analyze] is Run with everything that is reported: [Machine] turns cycles into
// times and rates, a [DeviceTable] describes memory devices, and the resulting
// [Analysis] answers [Analysis.Project] (one level on every device),
// [Analysis.Compose] (a level made of several), [Analysis.WriteReport] (JSON) and
// the rest. [AnalyzeToFiles] writes the files of GainSight's front end; [FromCSV]
// reads them back, GainSight's own included.
//
// # Speed and memory
//
// Blocks are spread over shards by hash; each shard has a goroutine and a table
// that grows by 32 KB at a time, and a collector puts their lifetimes back into one
// order, so that results do not depend on the number of cores. Memory follows the
// number of blocks of one kernel and is bounded: what exceeds [Options].TableBytes
// goes through a temporary file. docs/lifetimes.md has the figures.
//
// # What is known, and what is a guess
//
// GainSight's documents show numbers rather than formulas. Which formulas of this
// package reproduce those numbers to the last digit, which are our own choice and
// which are guesses is said at each of them, in docs/lifetimes.md, and in every
// report ([Analysis.Definitions]).
package lifetime
