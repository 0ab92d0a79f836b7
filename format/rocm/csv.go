package rocm

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// table is a CSV file while it is read.
type table struct {
	s        *Session
	at       [numFields]int // column of each field, -1 if absent
	counters []int          // columns that are counters
	names    []string
	row      []string
	line     int
	bad      string             // first cell of the row that is no number
	kept     map[string]string  // strings that repeat
	last     map[member]int     // dispatches of which a row has been seen (long form)
	rows     map[int]int        // further rows of a dispatch with the times of the first
	times    map[int]*passTimes // times of dispatches whose rows differ in them
	runs     map[string]int     // processes by GUID
	words    map[int]bool       // columns of dispatches that hold words, not counters
}

// A member is a dispatch of a process.
type member struct {
	process int
	id      uint64
}

// maxRow bounds a row of a table, in bytes: a quote that is never closed makes a
// row of all the rest.
const maxRow = 16 << 20

// boundedRows reads so many bytes and no more.
type boundedRows struct {
	r    io.Reader
	left int
}

// Read implements io.Reader.
func (b *boundedRows) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("a row of more than %d bytes: %w", maxRow, ErrTooLarge)
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func newTable(s *Session) *table {
	return &table{s: s, kept: map[string]string{}, last: map[member]int{}, rows: map[int]int{}, times: map[int]*passTimes{}, runs: map[string]int{}, words: map[int]bool{}}
}

func (s *Session) readCSV(ctx context.Context, r io.Reader) error {
	rows := &boundedRows{r: r}
	in := csv.NewReader(rows)
	in.FieldsPerRecord, in.LazyQuotes, in.ReuseRecord, in.TrimLeadingSpace = -1, true, true, true
	rows.left = maxRow
	head, err := in.Read()
	if err != nil {
		return &FormatError{File: s.Name, Line: 1, Want: "the names of columns", Found: err.Error(), Err: ErrUnknown}
	}
	t := newTable(s)
	read, err := t.header(head)
	if err != nil {
		err.(*FormatError).File = s.Name
		return err
	}
	defer t.medians()
	for n := 0; ; n++ {
		if n&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		rows.left = maxRow
		t.row, err = in.Read()
		if errors.Is(err, io.EOF) || s.full {
			return nil
		}
		if len(t.row) > 0 {
			t.line, _ = in.FieldPos(0)
		}
		if err != nil {
			cause := cursor.ErrCorrupt
			if errors.Is(err, ErrTooLarge) {
				cause = ErrTooLarge
			}
			s.problem(FormatError{Line: t.line, Want: "a row", Found: err.Error(), Err: cause})
			var p *csv.ParseError
			if !errors.As(err, &p) {
				return nil
			}
			continue
		}
		if len(t.row) != len(t.names) {
			s.problem(FormatError{Line: t.line, Want: fmt.Sprintf("%d cells", len(t.names)), Found: strconv.Itoa(len(t.row)), Err: cursor.ErrCorrupt})
			continue
		}
		t.bad = ""
		read(t)
	}
}
