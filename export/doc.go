// Package export writes a timeline in the formats of other tools.
//
//   - [SQLite]: a database with the tables of the Nsight Systems export schema,
//     of any of its versions, that third-party readers of exports accept
//   - [Perfetto]: a protobuf trace for ui.perfetto.dev
//   - [Chrome]: the JSON of chrome://tracing
//   - [Nvtxt]: the annotations as text
//   - [Parquet], [CSV]: a folder with a file for each table
//
// Files appear under their name only when they are whole.
package export
