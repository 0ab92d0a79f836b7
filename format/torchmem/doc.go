// Package torchmem reads the snapshots of PyTorch's caching allocator that
// torch.cuda.memory._dump_snapshot() and its relatives write (*.pickle, *.pkl):
// what is allocated at the end, and what happened before.
//
// A snapshot is a Python pickle. A pickle is a program, and this package never
// runs one: [Read] goes over its opcodes as data. Those that build lists, dicts,
// tuples, texts and numbers are read; any that could name, make or call an object
// is refused by name and offset, whatever it asks for.
//
// Stacks are most of a file, and shared: each frame and each stack is kept once,
// and events, of which there are millions, become columns while they are read.
//
//	read.go     gzip, HTML or plain; limits
//	pickle.go   the opcodes: a stack, marks, a memo
//	value.go    what opcodes make, in 64 bits each
//	record.go   dicts that are events, frames, blocks, segments
//	snapshot.go what comes out
//
// The format is described in docs/formats/torch-memory.md.
package torchmem
