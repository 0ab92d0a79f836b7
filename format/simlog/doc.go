// Package simlog reads what GPU and accelerator simulators print about their
// memory accesses, as a stream, at memory speed.
//
// # What it reads
//
//   - GainSight logs: a kernel header, one line for each cache access, a trailer,
//     all of it between any amount of other output ([NewReader]).
//   - The standard output of an unpatched GPGPU-Sim 3.2 or newer, or Accel-Sim,
//     run with -trace_enabled 1 -trace_components MEMORY_SUBPARTITION_UNIT: its
//     "Probing L2 cache" lines are accesses too ([NewReader], the same call), and
//     so are the statistics printed after each kernel ([Stats]).
//   - SCALE-Sim: the SRAM and DRAM traces of each layer and the report files
//     ([OpenScaleSim], [ReadTrace], [ReadReport]).
//   - The generic access log, declared by this package for any other producer, as
//     CSV ([NewTableReader]) or Parquet ([NewParquetReader]).
//
// [Open] takes a file name, undoes gzip and zstd, looks at the first bytes and
// chooses among these.
//
// # The way through the package
//
// A [Source] yields [Batch] values. A batch holds accesses in the order of the
// file, column by column, and between them the [Event]s: a kernel starts, a
// kernel ends. The [Kernel] of an end event carries what the trailer said: cycles,
// instructions, the simulator's own totals. Nothing else is kept, so the size of
// the input does not matter.
//
//	src, err := simlog.Open(ctx, "run.log.gz", simlog.Options{})
//	if err != nil { ... }
//	defer src.Close()
//	for {
//		b, err := src.Next()
//		if err == io.EOF { break }
//		if err != nil { ... }
//		for i, info := range b.Info {
//			fmt.Println(b.Cycle[i], info.Op(), info.Status(), b.Addr[i])
//		}
//	}
//
// # What is not understood
//
// Logs are long, cut short, interleaved and patched by hand, so a line that does
// not parse is never an error. It is counted, and the first line of each kind of
// trouble is remembered: see [Tally] and [Note]. An error is returned only when
// the bytes cannot be had (I/O, a damaged gzip stream), and then everything that
// came before it has been delivered.
//
// The layouts are written down in docs/formats/simlog.md.
package simlog

import "github.com/gpuprof/gpuprof/format/internal/cursor"

// FormatError says where a file departs from its format.
type FormatError = cursor.FormatError
