package nsysdb

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"
)

// Magic is how every SQLite 3 database begins.
const Magic = "SQLite format 3\x00"

const (
	headerSize = 100
	maxDepth   = 20 // levels of a b-tree; SQLite itself allows no more
)

// A File is an opened database. It is safe for concurrent use.
type File struct {
	Name     string
	PageSize int // bytes, a power of two from 512 to 65536
	Pages    int // pages in the file

	// Version is the number of the SQLite library that wrote the file last,
	// 3039002 for 3.39.2.
	Version int

	in      io.ReaderAt
	size    int64
	usable  int // bytes of a page without the reserved ones at its end
	tables  []*Table
	byName  map[string]*Table
	problem []error
}

// Open reads header and schema of a database of the given size in bytes. The
// name stands in messages. The reader is used as long as the File is.
func Open(in io.ReaderAt, size int64, name string) (*File, error) {
	f := &File{Name: name, in: in, size: size, byName: map[string]*Table{}}
	if err := f.readHeader(); err != nil {
		return nil, err
	}
	if err := f.readSchema(); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *File) readHeader() error {
	h := make([]byte, headerSize)
	if f.size < headerSize {
		return &formatError{File: f.Name, Want: "a database header of 100 bytes", Found: fmt.Sprintf("%d bytes", f.size), Err: errTruncated}
	}
	if _, err := f.in.ReadAt(h, 0); err != nil {
		return fmt.Errorf("%s: read header: %w", f.Name, err)
	}
	if !bytes.HasPrefix(h, []byte(Magic)) {
		return f.corrupt(0, fmt.Sprintf("%q", Magic), "%q", h[:16])
	}
	f.PageSize = int(binary.BigEndian.Uint16(h[16:]))
	if f.PageSize == 1 {
		f.PageSize = 65536
	}
	if f.PageSize < 512 || f.PageSize&(f.PageSize-1) != 0 {
		return f.corrupt(16, "a page size that is a power of two from 512 to 65536", "%d", f.PageSize)
	}
	f.usable = f.PageSize - int(h[20])
	if f.usable < 480 {
		return f.corrupt(20, "at most 32 reserved bytes on pages of 512", "%d on pages of %d", h[20], f.PageSize)
	}
	if h[19] > 2 {
		return fmt.Errorf("%w: %w", errUnsupported, f.corrupt(19, "read version 1 or 2", "%d", h[19]))
	}
	switch enc := binary.BigEndian.Uint32(h[56:]); enc {
	case 0, 1: // 0: nothing was stored yet
	case 2, 3:
		return fmt.Errorf("%s: text is stored as UTF-16, only UTF-8 is read: %w", f.Name, errUnsupported)
	default:
		return f.corrupt(56, "text encoding 1, 2 or 3", "%d", enc)
	}
	f.Version = int(binary.BigEndian.Uint32(h[96:]))
	f.Pages = int(min(f.size/int64(f.PageSize), 1<<32-2))
	if n := int64(binary.BigEndian.Uint32(h[28:])); n > int64(f.Pages) && bytes.Equal(h[24:28], h[92:96]) {
		f.problem = append(f.problem, &formatError{File: f.Name, Offset: f.size, Want: fmt.Sprintf("%d pages of %d bytes", n, f.PageSize),
			Found: fmt.Sprintf("the end of the file after %d", f.Pages), Err: errTruncated})
	}
	if f.Pages == 0 {
		return &formatError{File: f.Name, Offset: f.size, Want: "a page of " + fmt.Sprint(f.PageSize) + " bytes", Found: "the end of the file", Err: errTruncated}
	}
	return nil
}

// readSchema reads sqlite_schema, the table whose root is page 1.
func (f *File) readSchema() error {
	t := &Table{Name: "sqlite_schema", file: f, Root: 1, rowid: -1}
	for i, n := range []string{"type", "name", "tbl_name", "rootpage", "sql"} {
		t.Columns = append(t.Columns, Column{Name: n, stored: i})
	}
	b, err := t.Read(context.Background(), Text("type"), Text("name"), Integer("rootpage"), Text("sql"))
	if err != nil {
		return err
	}
	if len(b.Problems) > 0 && b.Rows == 0 {
		return b.Problems[0]
	}
	f.problem = append(f.problem, b.Problems...)
	for i := range b.Rows {
		root := b.Columns[2].Ints[i]
		if string(b.Columns[0].Bytes(i)) != "table" || root == 0 { // 0: a virtual table
			continue
		}
		t := &Table{Name: string(b.Columns[1].Bytes(i)), SQL: string(b.Columns[3].Bytes(i)), file: f, rowid: -1}
		if root < 0 || root > int64(f.Pages) {
			f.problem = append(f.problem, f.corrupt(0, fmt.Sprintf("the root page of table %s", t.Name), "page %d of %d", root, f.Pages))
			continue
		}
		t.Root = uint32(root)
		if err := t.parse(); err != nil {
			t.refused = err
		}
		if key := strings.ToLower(t.Name); f.byName[key] == nil {
			f.byName[key] = t
			f.tables = append(f.tables, t)
		}
	}
	return nil
}

// Tables are the tables of the file in the order of its schema, those of SQLite
// itself included (sqlite_sequence, sqlite_stat1).
func (f *File) Tables() []*Table { return f.tables }

// Table returns the table of a name, upper and lower case alike, or nil: an
// exporter that is lazy leaves out the tables for which it has no rows.
func (f *File) Table(name string) *Table { return f.byName[strings.ToLower(name)] }

// Problems are defects that were found when the file was opened.
func (f *File) Problems() []error { return f.problem }

// readPage reads page n, counted from 1, into b.
func (f *File) readPages(b []byte, n uint32) error {
	off := int64(n-1) * int64(f.PageSize)
	if m, err := f.in.ReadAt(b, off); m < len(b) {
		return &formatError{File: f.Name, Offset: off, Want: fmt.Sprintf("%d bytes of page %d", len(b), n), Found: fmt.Sprintf("%d (%v)", m, err), Err: errTruncated}
	}
	return nil
}

// CheckJournal looks beside the database of a path for a journal that was not
// played back, without which the database is not what its writer meant. SQLite
// would play it back, which writes to the file; this package refuses.
func CheckJournal(path string) error {
	if st, err := os.Stat(path + "-wal"); err == nil && st.Size() > 32 {
		return fmt.Errorf("%s: rows wait in the write-ahead log %s-wal; let SQLite check it in (sqlite3 %s 'PRAGMA wal_checkpoint(TRUNCATE)'): %w",
			path, path, path, errUnsupported)
	}
	j, err := os.Open(path + "-journal")
	if err != nil {
		return nil
	}
	defer j.Close()
	head := make([]byte, 8)
	if _, err := io.ReadFull(j, head); err == nil && bytes.Equal(head, []byte("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")) {
		return fmt.Errorf("%s: the last change was interrupted and waits in %s-journal to be undone; let SQLite open the file once: %w",
			path, path, errUnsupported)
	}
	return nil
}
