package nsysrep

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// TestSoundIsKept damages reports in one place each, and counts what is lost.
func TestSoundIsKept(t *testing.T) {
	reports(t, func(t *testing.T, whole []byte, f *File) {
		if len(whole) > 500<<10 && !thorough(whole) {
			t.Skip("a large one; GPUPROF_HOSTILE=1 takes it too")
		}
		events, _ := all(whole)
		raw := f.part(rawPart)
		mid := f.Frames[len(f.Frames)/2]
		head := mid.Offset - 1 // last byte of the unpacked size
		for head > 0 && whole[head-1]&0x80 != 0 {
			head--
		}
		for _, c := range []struct {
			what   string
			damage func(b []byte) []byte
			lost   int // frames
		}{
			{"end mark", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, 0},
			{"place of the directory", func(b []byte) []byte { b[len(b)-15] ^= 0x80; b[len(b)-11] = 9; return b }, 0},
			{"length of the header", func(b []byte) []byte { b[raw.Offset+8] ^= 0x55; return b }, 0},
			{"header", func(b []byte) []byte { b[raw.Offset+10] ^= 7; return b }, 0},
			{"size of a frame", func(b []byte) []byte { b[head] ^= 0x11; return b }, 1},
			{"packed size of a frame", func(b []byte) []byte { b[head-1] ^= 0x01; return b }, 1},
			{"frame", func(b []byte) []byte { clear(b[mid.Offset : mid.Offset+20]); return b }, 1},
			{"cut behind the events", func(b []byte) []byte { return b[:raw.Offset+raw.Size+1] }, 0},
		} {
			n, broken := all(c.damage(bytes.Clone(whole)))
			if n < events-7000*c.lost || !broken {
				t.Errorf("%s damaged: %d events of %d; told: %v", c.what, n, events, broken)
			}
		}
	})
}

// TestCutKeepsTexts checks that texts and threads are found without a directory.
func TestCutKeepsTexts(t *testing.T) {
	reports(t, func(t *testing.T, b []byte, f *File) {
		want, _, _ := f.Strings()
		cut := opened(t, b[:f.part(rawPart).Offset+f.part(rawPart).Size], f.Name)
		got, _, _ := cut.Strings()
		if len(got) != len(want) || len(cut.Threads) != len(f.Threads) || len(cut.Target) != len(f.Target) || len(cut.Frames) != len(f.Frames) {
			t.Errorf("%d texts, %d threads, %d of target, %d frames; want %d, %d, %d, %d",
				len(got), len(cut.Threads), len(cut.Target), len(cut.Frames), len(want), len(f.Threads), len(f.Target), len(f.Frames))
		}
	})
}

// TestTotal checks that many frames, each of which is possible, are refused when
// together they unpack to too much.
func TestTotal(t *testing.T) {
	frame := packFrame(t, append(binary.AppendUvarint(nil, 8<<20), bytes.Repeat([]byte{1<<3 | 2, 0}, 4<<20)...))
	b := []byte(Magic + "1." + rawMagic + "\x00\x00")
	for range 100 {
		b = append(b, frame...)
	}
	f, err := Open(bytes.NewReader(b), int64(len(b)), "")
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, fr := range f.Frames {
		total += int64(fr.Size)
	}
	if total > maxTotal(int64(len(b))) || len(f.Frames) == 100 || len(f.Frames) == 0 {
		t.Errorf("%d bytes are taken from %d", total, len(b))
	}
	x := readFrame(f, f.Frames[0])
	if len(x.Problems) == 0 || x.Unknown[Unknown{}] > maxEvents {
		t.Errorf("%d events of a frame are taken", x.Unknown[Unknown{}])
	}
}

// TestManySmall checks that lists of the smallest things are bounded.
func TestManySmall(t *testing.T) {
	if m, err := Parse(bytes.Repeat([]byte{1 << 3, 0}, maxFields+1)); len(m) != maxFields || err == nil {
		t.Errorf("%d fields are taken; %v", len(m), err)
	}
	b := pack(bytes.Repeat([]byte{1<<3 | 2, 0}, maxTexts+1))
	f := &File{in: bytes.NewReader(b), size: int64(len(b))}
	var err error
	if f.strings, err = f.frame(0, f.size); err != nil {
		t.Fatal(err)
	}
	if texts, _, err := f.Strings(); len(texts) != maxTexts || err == nil {
		t.Errorf("%d texts are taken; %v", len(texts), err)
	}
}

func packFrame(t *testing.T, message []byte) []byte {
	t.Helper()
	packed := make([]byte, lz4.CompressBlockBound(len(message)))
	n, err := lz4.CompressBlock(message, packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := binary.AppendUvarint(nil, uint64(n))
	return append(binary.AppendUvarint(b, uint64(len(message))), packed[:n]...)
}
