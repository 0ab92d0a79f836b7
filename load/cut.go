package load

import (
	"context"
	"io"
)

// Rows tells which rows of a table are kept, by their rowid; nil: all.
type Rows func(ctx context.Context, table string) (keep func(rowid int64) bool, err error)

// Cuttable reports whether parts of the timeline can be written in the format of the
// file: by Cut, and of a database by the package cut.
func (f *File) Cuttable() bool {
	return f.database || f.rep != nil || f.chrome || f.AMD.IsTrace()
}

// Cut writes the file with the rows of its timeline that are kept, in its own format.
func (f *File) Cut(ctx context.Context, to io.Writer, rows Rows) error {
	own := func(ctx context.Context, table string) (func(int64) bool, error) {
		if !f.Bare().Has(table) {
			return nil, nil
		}
		return rows(ctx, table)
	}
	switch {
	case f.rep != nil:
		return f.cutNative(ctx, to, own)
	case f.chrome:
		return f.cutChrome(ctx, to, own)
	}
	return f.cutATP(ctx, to, own)
}
