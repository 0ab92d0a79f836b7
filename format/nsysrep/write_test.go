package nsysrep

import (
	"bytes"
	"testing"
)

func written(t testing.TB, f *File, e Edit) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := f.Write(&out, e); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestWriteSame writes reports without edits, and with edits that change nothing.
func TestWriteSame(t *testing.T) {
	same := func(b []byte) ([]byte, error) { return b, nil }
	reports(t, func(t *testing.T, b []byte, f *File) {
		for _, e := range []Edit{{}, {Part: func(_ string, b []byte) ([]byte, error) { return b, nil }, Frame: func(_ int, b []byte) ([]byte, error) { return b, nil },
			Texts: same, Header: same, Summary: same, Threads: same, Target: same}} {
			if !bytes.Equal(written(t, f, e), b) {
				t.Error("written without a change, it differs")
			}
		}
	})
}

// TestWriteEdited packs all frames anew, drops the first, adds a field to the
// header, and reads the result.
func TestWriteEdited(t *testing.T) {
	extra := []byte{0xfa, 0x7f, 3, 'n', 'e', 'w'} // field 2047
	reports(t, func(t *testing.T, b []byte, f *File) {
		first := counted(readFrame(opened(t, b, f.Name), f.Frames[0]))
		before, _ := all(b)
		out := written(t, f, Edit{
			Frame: func(i int, b []byte) ([]byte, error) {
				if i == 0 {
					return nil, nil
				}
				return bytes.Clone(b), nil
			},
			Header: func(b []byte) ([]byte, error) { return append(bytes.Clone(b), extra...), nil },
			Texts:  func(b []byte) ([]byte, error) { return bytes.Clone(b), nil },
		})
		g := opened(t, out, f.Name)
		after, broken := all(out)
		if after != before-first || broken || g.Header.Text(2047) != "new" {
			t.Errorf("%d events, want %d; broken: %v; header has %q", after, before-first, broken, g.Header.Text(2047))
		}
		want, _, _ := f.Strings()
		got, _, err := g.Strings()
		if len(got) != len(want) || err != nil || len(g.Threads) != len(f.Threads) || len(g.Target) != len(f.Target) || len(g.Parts) != len(f.Parts) {
			t.Errorf("%d texts, want %d; %v", len(got), len(want), err)
		}
		for i, p := range g.Parts {
			if old := f.Parts[i]; p.Name != rawPart && p.Name != offsetsPart && !bytes.Equal(out[p.Offset:p.Offset+p.Size], b[old.Offset:old.Offset+old.Size]) {
				t.Errorf("part %q is not as it was", p.Name)
			}
		}
	})
}

// TestWriteRepeated makes a larger report of the frames of a smaller one.
func TestWriteRepeated(t *testing.T) {
	reports(t, func(t *testing.T, b []byte, f *File) {
		if len(b) > 100<<10 {
			t.Skip("a small one is enough")
		}
		before, _ := all(b)
		after, broken := all(written(t, f, Edit{Repeat: 3}))
		if after != 3*before || broken {
			t.Errorf("%d events, want %d; broken: %v", after, 3*before, broken)
		}
	})
}

func TestPackLiterals(t *testing.T) {
	for n := range 600 {
		message := make([]byte, n)
		for i := range message {
			message[i] = byte(i*i*7 + i>>3)
		}
		b := pack(message)
		f := &File{in: bytes.NewReader(b), size: int64(len(b))}
		fr, err := f.frame(0, f.size)
		if err != nil {
			t.Fatal(n, err)
		}
		var packed, buf []byte
		if got, err := f.unpack(fr, &packed, &buf); err != nil || !bytes.Equal(got, message) {
			t.Fatal(n, err)
		}
	}
}
