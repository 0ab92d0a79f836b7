package ncurep

import (
	"bytes"
	"os"
	"testing"
)

// TestWriteBack writes every report back, untouched, and expects the same bytes.
func TestWriteBack(t *testing.T) {
	eachReport(t, func(t *testing.T, name string) {
		f, err := OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		want, err := os.ReadFile(name)
		check(t, err)
		var got bytes.Buffer
		n, err := f.WriteTo(&got)
		check(t, err)
		if n != int64(got.Len()) {
			t.Errorf("WriteTo returned %d, wrote %d", n, got.Len())
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("wrote %d bytes that differ from the %d read", got.Len(), len(want))
		}
	})
}

// TestEntriesEncodeBack decodes every result and source to the data that the
// writer takes, encodes that and expects the same bytes.
func TestEntriesEncodeBack(t *testing.T) {
	eachReport(t, func(t *testing.T, name string) {
		f, err := OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		ids := func(name string) uint32 { return f.canon[name] }
		for _, r := range f.Results {
			want, err := f.in.bytes(r.entry)
			check(t, err)
			d, err := r.data()
			check(t, err)
			if got := d.encode(ids); !bytes.Equal(got, want) {
				t.Errorf("result %d: %d bytes, want %d; they differ at %d", r.Index, len(got), len(want), firstDifference(got, want))
			}
		}
		for _, s := range f.Sources {
			for i := range s.Entries {
				want, err := f.in.bytes(s.Entries[i].entry)
				check(t, err)
				d, err := s.Entries[i].data()
				check(t, err)
				if got := d.encode(); !bytes.Equal(got, want) {
					t.Errorf("source %d: %d bytes, want %d; they differ at %d", i, len(got), len(want), firstDifference(got, want))
				}
			}
		}
	})
}

func firstDifference(a, b []byte) int {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return len(a)
}
