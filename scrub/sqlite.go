package scrub

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/format/nsysdb"
)

func (in *Input) openSQLite() error {
	in.Format = "SQLite database"
	if err := nsysdb.CheckJournal(in.Name); err != nil {
		return err
	}
	f, err := nsysdb.Open(in.in, in.size, in.Name)
	if err != nil {
		return err
	}
	in.walk = func(ctx context.Context, out Target, edit func(Text) []byte) error {
		return in.database(ctx, f, out, edit)
	}
	return nil
}

// maxPacked bounds a packed database, which has to be unpacked into memory.
const maxPacked = 1 << 30

func (in *Input) openPackedSQLite() error {
	in.Format = "packed SQLite database"
	z, err := gzip.NewReader(io.NewSectionReader(in.in, 0, in.size))
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	data, err := io.ReadAll(io.LimitReader(z, maxPacked+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", in.Name, err)
	case len(data) > maxPacked:
		return fmt.Errorf("%s: it unpacks to more than %d bytes; unpack it first: %w", in.Name, maxPacked, ErrUnsupported)
	}
	f, err := nsysdb.Open(bytes.NewReader(data), int64(len(data)), in.Name)
	if err != nil {
		return err
	}
	in.walk = func(ctx context.Context, out Target, edit func(Text) []byte) error {
		if out == nil {
			return in.database(ctx, f, nil, edit)
		}
		to := &memory{b: make([]byte, len(data))}
		if err := in.database(ctx, f, to, edit); err != nil {
			return err
		}
		z := gzip.NewWriter(out)
		if _, err := z.Write(to.b); err != nil {
			return err
		}
		return z.Close()
	}
	return nil
}

// memory is a file of known size in memory.
type memory struct{ b []byte }

func (m *memory) Write(b []byte) (int, error) { return 0, io.ErrShortWrite }
func (m *memory) WriteAt(b []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(b)) > int64(len(m.b)) {
		return 0, io.ErrShortWrite
	}
	return copy(m.b[at:], b), nil
}

// database goes over a database.
func (in *Input) database(ctx context.Context, f *nsysdb.File, out Target, edit func(Text) []byte) error {
	texts, err := kindsOfTexts(ctx, f)
	if err != nil {
		return err
	}
	names := &placeNames{known: map[[3]string]string{}}
	e := nsysdb.Edit{
		Text: func(t *nsysdb.CellText) []byte {
			x := Text{Place: names.of(t), Bytes: t.Bytes, Blob: t.Blob, Fixed: t.Fixed || t.Blob, Short: true}
			if t.Table == "StringIds" {
				x.Kind = texts[t.RowID]
			}
			return edit(x)
		},
		Numbers: func(table, column string) bool { return table == "TARGET_INFO_NIC_INFO" && column == "GUID" },
		Number:  func(_, _ string, v int64) int64 { return adapter(v, edit) },
	}
	var to io.WriterAt
	if out != nil {
		to = out
	}
	done, err := f.Rewrite(ctx, to, e)
	if err != nil {
		return err
	}
	if out != nil && done.Freed > 0 {
		in.note(fmt.Sprintf("%d free pages are zeros now; VACUUM makes the file smaller", done.Freed))
	}
	if out != nil && len(done.Indexes) > 0 {
		return fmt.Errorf("%s: texts are keys of the index %s; drop it first (DROP INDEX): %w", f.Name, strings.Join(done.Indexes, ", "), ErrUnsupported)
	}
	return nil
}

func (in *Input) note(s string) {
	for _, n := range in.Notes {
		if n == s {
			return
		}
	}
	in.Notes = append(in.Notes, s)
}

// kindsOfTexts tells what rows of StringIds hold by who refers to them.
func kindsOfTexts(ctx context.Context, f *nsysdb.File) (map[int64]Kind, error) {
	out := map[int64]Kind{}
	for _, r := range []struct {
		table, column string
		kind          Kind
	}{
		{"CUPTI_ACTIVITY_KIND_KERNEL", "shortName", Name}, {"CUPTI_ACTIVITY_KIND_KERNEL", "demangledName", Name}, {"CUPTI_ACTIVITY_KIND_KERNEL", "mangledName", Name},
		{"ProcessStreams", "contentId", Output},
	} {
		t := f.Table(r.table)
		if t == nil || t.Column(r.column) < 0 || t.Err() != nil {
			continue
		}
		err := t.Scan(ctx, func(b *nsysdb.Block) error {
			if len(b.Problems) > 0 {
				return b.Problems[0]
			}
			last := int64(-1)
			for _, id := range b.Columns[0].Ints {
				if id != last {
					out[id], last = r.kind, id
				}
			}
			return nil
		}, nsysdb.Integer(r.column))
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// placeNames keeps the names of places, of which a database has few.
type placeNames struct {
	mu    sync.RWMutex
	known map[[3]string]string
}

func (p *placeNames) of(t *nsysdb.CellText) string {
	key := [3]string{t.Table, t.Column, t.Name}
	p.mu.RLock()
	s, ok := p.known[key]
	p.mu.RUnlock()
	if ok {
		return s
	}
	s = t.Table
	if t.Column != "" {
		s += "." + t.Column
	}
	if t.Name != "" {
		s += "[" + t.Name + "]"
	}
	if s == "ANALYSIS_FILE.content" {
		s += ".stdout"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) < maxPlaces {
		p.known[key] = s
	}
	return s
}

// adapter edits the id of a network adapter, which holds its MAC address.
func adapter(v int64, edit func(Text) []byte) int64 {
	b := strconv.AppendInt(nil, v, 10)
	now, err := strconv.ParseInt(string(edit(Text{Place: "TARGET_INFO_NIC_INFO.GUID", Bytes: b, Kind: Hardware})), 10, 64)
	if err != nil {
		return 0
	}
	return now
}
