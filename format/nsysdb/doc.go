// Package nsysdb reads and writes the SQLite databases that Nsight Systems
// exports, with code of its own: no SQLite engine is involved.
//
// # Reading
//
// A SQLite file is an array of pages of one size. Every table is a b-tree:
// interior pages hold page numbers, leaf pages hold rows in the order of their
// rowid, and a row that does not fit its page goes on in a chain of overflow
// pages. [Open] reads the 100-byte header and the table sqlite_schema, whose
// rows tell name, root page and CREATE statement of every table. [File.Table]
// finds one of them; [Table.Read] walks its interior pages, then decodes its
// leaf pages in parallel, only the columns that are asked for, straight into
// vectors:
//
//	f, err := nsysdb.Open(in, size, "report.sqlite")
//	kernels := f.Table("CUPTI_ACTIVITY_KIND_KERNEL") // nil: the file has none
//	rows, err := kernels.Read(ctx, nsysdb.Integer("start"), nsysdb.Integer("end"))
//	for i, start := range rows.Columns[0].Ints { … rows.Columns[1].Ints[i] … }
//
// [Table.Scan] hands out blocks of rows in order and holds few of them at a
// time, for tables that do not fit in memory.
//
// Every page size, reserved bytes, INTEGER PRIMARY KEY columns, columns added
// by ALTER TABLE and their defaults are handled. What is not handled is refused
// with the reason: text in UTF-16, tables WITHOUT ROWID, and files beside which
// lies a journal that SQLite would have to play back ([CheckJournal]). The file
// is never written to and nothing is written beside it.
//
// # Broken files
//
// Nothing that a file says is believed: page numbers, lengths and offsets are
// checked, a page may be reached once, and what a scan allocates is bounded by
// the size of the file. A page that is broken is left out and reported in
// [Block.Problems]; the rows of the other pages are still there.
//
// The layout is described in docs/formats/nsys-sqlite.md, and by SQLite itself
// at https://www.sqlite.org/fileformat2.html.
package nsysdb
