// Package dataset reads and describes datasets of timelines: Parquet in partitions
// as Hive has them, which any engine reads.
//
//	DIR/_schema.json
//	DIR/TABLE/source=S/run=R/date=YYYY-MM-DD/rank=N/REPORT.parquet
//
// A folder for each table of the export schema (package trace/schema), in it the
// partitions, in them a file for each report. Partitions are columns of the table,
// too: source is the format of the report, run a name that people chose, date the day
// on which it began (UTC) or "unknown", rank a number, several joined by _ or -, or
// "unknown".
//
// The form has a version, [Version]. Within one it is append only: files are added
// and replaced whole, tables and columns are added, and a column keeps its type.
// _schema.json tells all tables and columns ever written, so that a reader need not
// open every file for them ([Record] adds to it); a dataset without it is read by the
// footers of its files. A file lacks columns that its report had not: they are NULL.
//
// [Dataset.Table] lists the files of a table, [File.Open] reads one: column by column
// and row group by row group, so that what nobody asks for is not read.
package dataset
