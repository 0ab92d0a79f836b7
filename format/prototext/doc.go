// Package prototext reads the text format of protocol buffers without knowing
// the messages that it holds: section files and chart files of Nsight Compute are
// written in it.
//
// [Parse] turns a text into a [Message]: its fields in the order of the text,
// each with its name, its place and its value. What a name means, and whether a
// value suits it, is for the caller to say; the caller has the schema.
//
// The grammar is that of
// https://protobuf.dev/reference/protobuf/textformat-spec/ with what real files
// need: comments, an optional colon before a message, braces or angle brackets,
// commas or semicolons between fields, lists in brackets, strings in either
// quotes that continue when several stand side by side, escapes, integers in
// decimal, hexadecimal and octal, floats, and identifiers. A byte order mark and
// carriage returns are passed over. Names in brackets (extensions) are read and
// kept as they stand.
//
// Time and memory are linear in the text. Depth is limited to [MaxDepth], the
// text to [MaxSize].
package prototext
