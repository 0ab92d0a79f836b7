// Package cursor is the one bounds-checked reader that every decoder under
// format/ is built on.
//
// A [Cursor] walks a byte slice and carries a sticky error: after the first
// read that does not fit, every later read returns a zero value and [Cursor.Err]
// tells which file, at which offset, what was expected and what was found. A
// decoder can therefore read a whole record without checking each field and ask
// once at the end. Nothing here panics on any input, and nothing allocates but
// the error.
//
// Beside the fixed-width little-endian integers there are the four wire types
// of protocol buffers (varint, fixed32, fixed64, length-delimited), which is all
// that Nsight Compute and Nsight Systems files need; see
// https://protobuf.dev/programming-guides/encoding/ for their layout. Messages
// are walked in place: [Cursor.Field] yields the next tag, one of [Cursor.Uvarint],
// [Cursor.Fixed32], [Cursor.Fixed64] or [Cursor.LenBytes] its value, and
// [Cursor.SkipField] passes over what the caller does not know.
package cursor
