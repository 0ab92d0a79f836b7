// Package fatbin finds the GPU programs in files that CUDA makes: cubins, fat
// binaries, and executables, objects and libraries for Linux that hold fat
// binaries.
//
//	images, err := fatbin.Find(b, name)
//	for _, im := range images {
//		code, err := im.Data() // an ELF file, or the text of PTX
//	}
//
// # Layout
//
// A fat binary begins with a header of 16 bytes, all little endian: magic
// 0xba55ed50, version (u16), size of this header (u16), bytes that follow (u64).
// Images follow each other:
//
//	offset  size  what
//	     0     2  kind: 1 PTX, 2 ELF
//	     4     4  size of this header, 64 or more
//	     8     8  bytes of payload, behind the header
//	    16     4  of these, bytes that are compressed data; 0: not compressed
//	    28     4  architecture, as 80 for sm_80
//	    40     8  flags: 0x2000 packed with LZ4, 0x8000 with zstd
//	    56     8  bytes when unpacked
//
// An executable holds fat binaries, one behind the other, in its sections
// .nv_fatbin and __nv_relfatbin. The layout was found by looking at files that
// CUDA 11 and 12 made.
package fatbin
