// Package schema is the catalogue of the tables that Nsight Systems exports:
// every table and column, its type, unit, meaning and what it refers to, and in
// which versions of the export schema it is there; and every enumeration with
// its values.
//
// The catalogue is data: a file for each group of tables under tables/, and
// under enums/. A line that begins without a tab is a table or an enumeration,
// the lines below it are its columns or values; fields are set apart by tabs:
//
//	NAME  first  last  meaning
//		column  type  rule  first  last  unit  reference  meaning
//
// A value of an enumeration is its number, name and label, and the first and last
// version where it is not in all that its table is in. Below it may stand how older
// versions spelled it.
//
// rule is "NOT NULL", "KEY" or empty; last is "-" where the newest version known
// still has it. The reader, the writer, the validator and the printed
// documentation all work from it.
//
// Versions are those that an export states in META_DATA_EXPORT under
// EXPORT_SCHEMA_VERSION. Exports before 2.9.1 state none; they are version
// "2021". Between the versions that were seen whole (2.9.1, 3.0.0, 3.7.2) a
// first version is the first in which the table or column was met: an exporter
// leaves out tables without rows, so it may be older. What is first in 3.28.1 was
// met in no file: it is what the vendor's public reference of that version lists
// beyond the files, and may be older by far. That a table is missing in
// a file therefore never proves that the version does not have it.
package schema
